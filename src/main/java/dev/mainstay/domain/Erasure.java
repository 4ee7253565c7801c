package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A text that must be remembered no longer, in every form in which it may stand somewhere, and the
 * mark that takes its place. The mark is this erasure's own and is never derived from the text, so
 * two texts that differed before differ afterwards, and nothing can be guessed from it. It is not
 * longer than what it replaces, so that no limit of length is passed, and a name that had the text
 * in it is still a name.
 */
public final class Erasure {
  /** The stream that tells what was erased. */
  public static final String STREAM = "store/forgotten";

  /** Shorter texts stand by chance in too many places. */
  public static final int CHARS_MIN = 6;

  public static final int CHARS_MAX = 64 * 1024;

  /** By how much of its beginning a text is known that was cut off at the end of another. */
  private static final int BEGINNING_CHARS_MIN = 8;

  /** What stands behind a text that was cut, if anything tells of it. */
  private static final List<String> CUTS = List.of("", "…", "...");

  /**
   * The lengths at which texts are cut and nothing tells of it. At any other length a text that
   * ends as the secret begins was never cut, and says what it says. A test holds that none is
   * missing.
   */
  static final Set<Integer> CUT_AT =
      Set.of(
          40, 60, 64, 80, 100, 120, 128, 200, 256, 300, 400, 500, 1_000, 1_024, 2_000, 4_000, 4_096,
          6_000, 10_000, 16_000, 20_000, 63_536, 65_536);

  private final List<String> forms;
  private final int beginning;
  private final String mark;

  private Erasure(List<String> forms, int beginning, String mark) {
    this.forms = forms;
    this.beginning = beginning;
    this.mark = mark;
  }

  /**
   * @param other the same text as it is written inside JSON, XML or an address
   * @param tag four characters that no other erasure has
   */
  public static Erasure of(String text, List<String> other, String tag) {
    if (text.length() < CHARS_MIN || text.isBlank()) {
      throw Refusal.invalid(
          Phrase.of(
              "a text to forget has at least %d characters, as a shorter one stands in too many places; give more of it",
              CHARS_MIN));
    }
    if (text.length() > CHARS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("a text to forget has at most %,d characters; give a part of it", CHARS_MAX));
    }
    Set<String> forms = new LinkedHashSet<>(List.of(text));
    forms.addAll(other);
    List<String> longestFirst = new ArrayList<>(forms);
    longestFirst.sort(Comparator.comparingInt(String::length).reversed());
    int beginning = Math.max(BEGINNING_CHARS_MIN, (text.length() + 2) / 3);
    return new Erasure(List.copyOf(longestFirst), beginning, mark(text.length(), tag));
  }

  /** The same for one who looks only for all of it, and not for its beginning. */
  public Erasure whole() {
    return new Erasure(forms, Integer.MAX_VALUE, mark);
  }

  private static String mark(int room, String tag) {
    for (String word : new String[] {"forgotten-", "gone-"}) {
      if (word.length() + tag.length() <= room) return word + tag;
    }
    return "x" + tag;
  }

  public String mark() {
    return mark;
  }

  /** All forms, longest first. */
  public List<String> forms() {
    return forms;
  }

  /** One of these stands in every text that has something of it: how each form begins. */
  public List<String> signs() {
    return forms.stream()
        .map(form -> form.substring(0, Math.min(beginning, form.length())))
        .distinct()
        .toList();
  }

  public boolean isIn(String text) {
    return !in(text).equals(text);
  }

  /** The text without it; also where it was cut off at the end. */
  public String in(String text) {
    String without = everywhere(text);
    for (String cut : CUTS) {
      if (!without.endsWith(cut)) continue;
      String head = without.substring(0, without.length() - cut.length());
      for (String form : forms) {
        int length = shared(head, form);
        if (length < 0 || cut.isEmpty() && !wasCut(text, form.substring(length))) continue;
        return head.substring(0, head.length() - length) + mark + cut;
      }
    }
    return without;
  }

  /** The text without all of it, which is everything in a place that nobody cuts. */
  private String everywhere(String text) {
    String without = text;
    for (String form : forms) without = without.replace(form, mark);
    return without;
  }

  /** How much of a form's beginning the text ends with, or -1 if that is too little to tell. */
  private int shared(String text, String form) {
    int most = Math.min(form.length() - 1, text.length());
    for (int length = most; length >= beginning; length--) {
      if (text.endsWith(form.substring(0, length))) return length;
    }
    return -1;
  }

  /** Whether the text is what a cut leaves of it with the rest behind it. */
  private static boolean wasCut(String text, String rest) {
    for (int limit : CUT_AT) {
      if (limit < text.length() || limit >= text.length() + rest.length()) continue;
      String left = Graphemes.cut(text + rest, limit);
      if (left.equals(text) || left.stripTrailing().equals(text)) return true;
    }
    return false;
  }

  /** The value with the text erased from all its strings and keys; numbers stay. */
  public @Nullable Object inJson(@Nullable Object value) {
    if (value instanceof String text) return in(text);
    if (value instanceof JsonObject object) return JsonObject.copyOf(inMap(object.asMap()));
    if (value instanceof Map<?, ?> map) return inMap(map);
    if (value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>(list.size());
      for (Object item : list) copy.add(inJson(item));
      return copy;
    }
    return value;
  }

  private Map<String, @Nullable Object> inMap(Map<?, ?> map) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    map.forEach((key, item) -> copy.put(everywhere(String.valueOf(key)), inJson(item)));
    return copy;
  }
}
