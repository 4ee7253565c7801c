package dev.mainstay.domain;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern that a line of a screen is looked at with. However it is written, one look takes a
 * bounded number of steps: what could take for ever is refused when it is read, and what still
 * takes too many is given up.
 */
public final class Sign {
  public static final int PATTERN_CHARS_MAX = 300;
  public static final int MEANING_CHARS_MAX = 100;

  /** Of a longer line only the beginning is looked at. */
  public static final int LINE_CHARS_MAX = 400;

  public static final int STEPS_MAX = 200_000;

  /** More repetitions without an end than these make the steps grow too fast with the line. */
  private static final int UNBOUNDED_MAX = 4;

  private final String meaning;
  private final Pattern pattern;

  private Sign(String meaning, Pattern pattern) {
    this.meaning = meaning;
    this.pattern = pattern;
  }

  /** A sign and what it means; a pattern that is wrong or dangerous is refused. */
  public static Sign of(String meaning, String pattern) {
    String checked = Text.line("a pattern", pattern, PATTERN_CHARS_MAX);
    try {
      Pattern compiled = Pattern.compile(pattern, Pattern.UNICODE_CASE);
      refuseDangerous(pattern);
      return new Sign(Text.line("a sign's meaning", meaning, MEANING_CHARS_MAX), compiled);
    } catch (PatternSyntaxException wrong) {
      throw Refusal.invalid(
          Phrase.of("the pattern %s is wrong: %s", checked, wrong.getDescription()));
    }
  }

  public String meaning() {
    return meaning;
  }

  public String pattern() {
    return pattern.pattern();
  }

  /** Whether the sign is in this line; in doubt, after too many steps, it is not. */
  public boolean isIn(String line) {
    return find(line, false);
  }

  /** Whether the sign may be in this line; in doubt, after too many steps, it may. */
  public boolean mayBeIn(String line) {
    return find(line, true);
  }

  private boolean find(String line, boolean inDoubt) {
    String cut = line.length() > LINE_CHARS_MAX ? line.substring(0, LINE_CHARS_MAX) : line;
    try {
      return pattern.matcher(new Metered(cut)).find();
    } catch (GaveUp tooManySteps) {
      return inDoubt;
    }
  }

  /** Repetition without an end of what repeats itself is what makes a pattern explode. */
  private static void refuseDangerous(String pattern) {
    int unbounded = 0;
    int brackets = 0;
    char before = 0;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\') {
        refuseEscape(pattern, ++i);
        before = 'x';
        continue;
      }
      if (c == '[') brackets++;
      else if (c == ']' && brackets > 0) brackets--;
      else if (brackets == 0 && isUnbounded(pattern, i) && !isRepetition(before)) {
        if (before == ')') {
          throw Refusal.invalid(
              Phrase.of(
                  "the pattern %s repeats a group without an end; give the repetition one, such as {0,3}",
                  pattern));
        }
        unbounded++;
      }
      before = c;
    }
    if (unbounded <= UNBOUNDED_MAX) return;
    throw Refusal.invalid(
        Phrase.of(
            "the pattern %s has more than %d repetitions without an end; make it plainer",
            pattern, UNBOUNDED_MAX));
  }

  private static boolean isUnbounded(String pattern, int at) {
    char c = pattern.charAt(at);
    return c == '*' || c == '+' || (c == '{' && pattern.startsWith(",}", end(pattern, at + 1)));
  }

  private static int end(String pattern, int from) {
    int at = from;
    while (at < pattern.length() && Character.isDigit(pattern.charAt(at))) at++;
    return at;
  }

  /** Behind another repetition, a plus only says that it gives nothing back. */
  private static boolean isRepetition(char c) {
    return c == '*' || c == '+' || c == '?' || c == '}';
  }

  private static void refuseEscape(String pattern, int at) {
    char c = at < pattern.length() ? pattern.charAt(at) : 0;
    if (!Character.isDigit(c) && c != 'k' && c != 'Q') return;
    throw Refusal.invalid(
        Phrase.of("the pattern %s refers back or quotes (\\%c); write it without", pattern, c));
  }

  private static final class GaveUp extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GaveUp() {
      super(null, null, false, false);
    }
  }

  /** A line that counts how often it is looked at. */
  private static final class Metered implements CharSequence {
    private final String line;
    private int steps;

    Metered(String line) {
      this.line = line;
    }

    @Override
    public int length() {
      return line.length();
    }

    @Override
    public char charAt(int index) {
      if (++steps > STEPS_MAX) throw new GaveUp();
      return line.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return line.subSequence(start, end);
    }

    @Override
    public String toString() {
      return line;
    }
  }
}
