package dev.mainstay.domain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How an agent behaves for a kind of work, in words: {@code legal_tasks: Increase error_tolerance
 * to "strict", require human review}. What the words set is understood; the rest is for the agent.
 */
public record Behaviour(String name, String text) {
  public static final int NAME_CHARS_MAX = 100;
  public static final int TEXT_CHARS_MAX = 500;

  /** The document's four. */
  public static final List<Behaviour> INITIAL =
      List.of(
          new Behaviour(
              "legal_tasks", "Increase error_tolerance to \"strict\", require human review"),
          new Behaviour("creative_tasks", "Set active_persona to \"proactive_collaborator\""),
          new Behaviour("research_tasks", "Set priority to \"comprehensiveness\""),
          new Behaviour("debugging_tasks", "Set human_review_trigger_level to \"medium\""));

  private static final Pattern SETS =
      Pattern.compile(
          "(?i)\\b(?:set|increase|decrease|raise|lower|change)\\s+([a-z_]+)\\s+to\\s+(\"[^\"]*\"|[^\\s,;]+)");
  private static final Pattern REVIEW = Pattern.compile("(?i)\\brequires?\\s+human\\s+review\\b");

  public Behaviour {
    name = Text.line("a behaviour's name", name, NAME_CHARS_MAX);
    text = Text.line("a behaviour", text, TEXT_CHARS_MAX);
  }

  /** What the words set; a constraint that is not there, or cannot be that, is refused. */
  public Map<Setting, Object> settings() {
    Map<Setting, Object> wanted = new LinkedHashMap<>();
    var matcher = SETS.matcher(text);
    while (matcher.find()) {
      Setting setting = Setting.of(matcher.group(1).toLowerCase(Locale.ROOT));
      String value = matcher.group(2);
      boolean quoted = value.startsWith("\"");
      wanted.put(setting, setting.value(quoted ? value.substring(1, value.length() - 1) : value));
    }
    if (REVIEW.matcher(text).find()) wanted.put(Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "low");
    return wanted;
  }

  JsonObject toJson() {
    return JsonObject.of("name", name, "text", text);
  }

  static Behaviour fromJson(JsonObject json) {
    return new Behaviour(json.text("name"), json.text("text"));
  }
}
