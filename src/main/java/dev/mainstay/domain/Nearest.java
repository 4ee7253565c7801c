package dev.mainstay.domain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody probably meant. */
public final class Nearest {
  /** Fewer letters than these begin too many words to say which is meant. */
  private static final int BEGINNING_CHARS_MIN = 3;

  /** One edit in so many letters is a slip. */
  private static final int CHARS_PER_SLIP = 4;

  private static final int LISTED_MAX = 12;
  private static final String SEPARATOR = "; ";
  private static final int SLIP_EDITS_MAX = 2;
  private static final int SLIP_CHARS_MIN = 4;

  private Nearest() {}

  /**
   * The known word that takes the fewest edits to reach; of equals, the first in order. A word of
   * which one half was typed, or that was typed with something behind it, goes before others, for
   * what is left out makes many edits of one thought; only a mere slip is as near.
   */
  public static String to(String word, Collection<String> known) {
    String typed = word.toLowerCase(Locale.ROOT);
    record Known(String word, int edits, boolean close) {}
    return known.stream()
        .map(
            each -> {
              String lower = each.toLowerCase(Locale.ROOT);
              int edits = edits(typed, lower);
              boolean slip = edits * CHARS_PER_SLIP <= typed.length();
              return new Known(each, edits, slip || isBeginning(typed, lower));
            })
        .min(
            Comparator.comparing((Known each) -> !each.close())
                .thenComparingInt(Known::edits)
                .thenComparing(Known::word))
        .map(Known::word)
        .orElseThrow(() -> new IllegalArgumentException("nothing is known"));
  }

  /**
   * What a refusal of an unknown word ends with: the known word that was probably meant, or the
   * known words where none is near.
   */
  public static String guess(String word, Collection<String> known) {
    String hint = hint(word, known);
    if (!hint.isEmpty()) return hint.substring(SEPARATOR.length());
    List<String> sorted = known.stream().sorted().limit(LISTED_MAX).toList();
    String rest = known.size() > LISTED_MAX ? ", ..." : "";
    return "expected " + String.join(", ", sorted) + rest;
  }

  /** What a sentence ends with: a question for the known word that was probably meant, or "". */
  public static String hint(String word, Collection<String> known) {
    if (known.isEmpty()) return "";
    String typed = word.toLowerCase(Locale.ROOT);
    String nearest = to(word, known);
    String meant = nearest.toLowerCase(Locale.ROOT);
    int most = Math.max(SLIP_EDITS_MAX, Math.min(typed.length(), meant.length()) / 2);
    boolean isNear =
        isBeginning(typed, meant) || (edits(typed, meant) <= most && shareLetters(typed, meant));
    return isNear ? SEPARATOR + "did you mean \"" + nearest + "\"?" : "";
  }

  /** At least half of the letters of the shorter word are in the other one. */
  private static boolean shareLetters(String one, String other) {
    String shorter = one.length() <= other.length() ? one : other;
    String longer = shorter.equals(one) ? other : one;
    long shared = shorter.chars().filter(c -> longer.indexOf(c) >= 0).count();
    return shared * 2 > shorter.length();
  }

  /** The known word of which another is a slip, or the beginning; nothing when it is neither. */
  public static Optional<String> slip(String word, Collection<String> known) {
    if (known.isEmpty() || known.contains(word)) return Optional.empty();
    String typed = word.toLowerCase(Locale.ROOT);
    String nearest = to(word, known);
    String meant = nearest.toLowerCase(Locale.ROOT);
    // Two letters that changed places are two edits of one slip.
    boolean slipped = edits(typed, meant) <= SLIP_EDITS_MAX && typed.length() >= SLIP_CHARS_MIN;
    return slipped || isBeginning(typed, meant) ? Optional.of(nearest) : Optional.empty();
  }

  private static boolean isBeginning(String one, String other) {
    boolean either = one.startsWith(other) || other.startsWith(one);
    return either && Math.min(one.length(), other.length()) >= BEGINNING_CHARS_MIN;
  }

  /**
   * The known words that are closest, nearest first: the nearest one and what is about as near, at
   * most so many; none when nothing is known.
   */
  static List<String> some(String word, Collection<String> known, int most) {
    String lower = word.toLowerCase(Locale.ROOT);
    record Known(String word, int edits) {}
    List<Known> byEdits =
        known.stream()
            .map(k -> new Known(k, edits(lower, k.toLowerCase(Locale.ROOT))))
            .sorted(Comparator.comparingInt(Known::edits).thenComparing(Known::word))
            .limit(most)
            .toList();
    int near = byEdits.isEmpty() ? 0 : Math.max(byEdits.get(0).edits(), word.length() / 2);
    return byEdits.stream().filter(k -> k.edits() <= near).map(Known::word).toList();
  }

  private static int edits(String from, String to) {
    int[] before = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) before[j] = j;
    for (int i = 1; i <= from.length(); i++) {
      int[] now = new int[to.length() + 1];
      now[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        now[j] = Math.min(before[j - 1] + change, 1 + Math.min(before[j], now[j - 1]));
      }
      before = now;
    }
    return before[to.length()];
  }
}
