package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What governs how an agent behaves and how far it may go: the behavioural modifiers and the
 * resource constraints, each with what it may be, what it is at first, and which way is looser.
 */
public enum Setting {
  USER_SENTIMENT("neutral", "pleased", "frustrated", "impatient"),
  PRIORITY("quality", "speed_and_clarity", "comprehensiveness", "cost_efficiency"),
  MAX_COST_PER_TASK(Kind.DOLLARS, new BigDecimal("0.5")),
  /** Low asks soon, high asks late. */
  HUMAN_REVIEW_TRIGGER_LEVEL("medium", "low", "high"),
  ACTIVE_PERSONA("concise_assistant", "detailed_analyst", "proactive_collaborator"),
  ERROR_TOLERANCE("moderate", "strict", "flexible"),
  MAX_EXECUTION_TIME(Kind.SECONDS, new BigDecimal("300")),
  MAX_FILE_OPERATIONS(Kind.COUNT, 20L),
  MAX_WEB_REQUESTS(Kind.COUNT, 5L),
  PREFERRED_TOOLS(Kind.TOOLS, List.of("WebFetch", "Read", "Write"));

  public static final int TOOLS_MAX = 50;
  private static final long COUNT_MAX = 999_999_999L;

  /** The first six are modifiers, the others are resource constraints. */
  public static final List<Setting> MODIFIERS = List.of(values()).subList(0, 6);

  public static final List<Setting> RESOURCES = List.of(values()).subList(6, values().length);

  /** What kind of value it has. */
  public enum Kind {
    CHOICE,
    DOLLARS,
    SECONDS,
    COUNT,
    TOOLS
  }

  private final Kind kind;
  private final Object initial;
  private final List<String> choices;

  Setting(String initial, String... others) {
    this.kind = Kind.CHOICE;
    this.initial = initial;
    List<String> all = new ArrayList<>(List.of(initial));
    all.addAll(Arrays.asList(others));
    this.choices = List.copyOf(all);
  }

  Setting(Kind kind, Object initial) {
    this.kind = kind;
    this.initial = initial;
    this.choices = List.of();
  }

  public Kind kind() {
    return kind;
  }

  /** The value before anybody said anything. */
  public Object initial() {
    return initial;
  }

  /** The name in the file: {@code max_cost_per_task}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Setting of(String key) {
    for (Setting setting : values()) if (setting.key().equals(key)) return setting;
    List<String> keys = Arrays.stream(values()).map(Setting::key).toList();
    throw Refusal.invalid(
        Phrase.of(
            "there is no constraint \"%s\"; %s",
            Graphemes.cut(key, 100), Nearest.guess(key, keys)));
  }

  /** The value that a text or a JSON value stands for; another one is refused with what may be. */
  public Object value(Object given) {
    if (given instanceof List<?> items) return kind == Kind.TOOLS ? tools(items) : wrong(given);
    String text = given instanceof BigDecimal number ? number.toPlainString() : given.toString();
    return switch (kind) {
      case CHOICE -> choices.contains(text.strip()) ? text.strip() : wrong(given);
      case DOLLARS -> Amount.dollars(key(), text);
      case SECONDS -> Amount.seconds(key(), text);
      case COUNT -> text.strip().matches("[0-9]{1,9}") ? Long.valueOf(text.strip()) : wrong(given);
      case TOOLS -> wrong(given);
    };
  }

  private List<String> tools(List<?> items) {
    if (items.size() > TOOLS_MAX) {
      throw Refusal.tooLarge(Phrase.of("%s names at most %d tools", key(), TOOLS_MAX));
    }
    return items.stream().map(tool -> Text.line("a tool's name", "" + tool, 128)).toList();
  }

  private Object wrong(Object given) {
    String wanted =
        switch (kind) {
          case CHOICE -> "one of " + String.join(", ", choices);
          case DOLLARS, SECONDS -> "a number";
          case COUNT -> "a whole number up to " + COUNT_MAX;
          case TOOLS -> "a list such as [\"Read\", \"Write\"]";
        };
    throw Refusal.invalid(
        Phrase.of("%s must be %s, not \"%s\"", key(), wanted, Graphemes.cut("" + given, 100)));
  }

  /** Whether it lets an agent go further, or asks a person later, than it did before. */
  public boolean isLooser(Object before, Object after) {
    if (this == HUMAN_REVIEW_TRIGGER_LEVEL) {
      List<String> sooner = List.of("low", "medium", "high");
      return sooner.indexOf("" + after) > sooner.indexOf("" + before);
    }
    return switch (kind) {
      case DOLLARS, SECONDS -> ((BigDecimal) after).compareTo((BigDecimal) before) > 0;
      case COUNT -> (Long) after > (Long) before;
      case CHOICE, TOOLS -> false;
    };
  }

  /** As it is kept, and read back by {@link #value}: numbers without an exponent, tools a list. */
  static Object written(Object value) {
    if (value instanceof List) return value;
    return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }

  /** As somebody would type it. */
  public String typed(Object value) {
    return written(value(value)).toString();
  }

  /** As it is shown in sentences. */
  public String shown(Object value) {
    return switch (kind) {
      case CHOICE -> "\"" + value + "\"";
      case DOLLARS -> "$" + Amount.plain((BigDecimal) value);
      case SECONDS -> ((BigDecimal) value).toPlainString() + " seconds";
      case COUNT, TOOLS -> value.toString();
    };
  }
}
