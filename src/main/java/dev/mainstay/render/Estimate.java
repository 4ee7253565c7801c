package dev.mainstay.render;

/**
 * Tokens guessed from the shape of a text, on the high side: four letters of a word, three digits,
 * one mark of punctuation or one break are a token; what is not ASCII counts by its bytes.
 */
final class Estimate {
  private static final int LETTERS_PER_TOKEN = 4;
  private static final int DIGITS_PER_TOKEN = 3;
  private static final int BLANKS_PER_TOKEN = 16;

  private Estimate() {}

  static int of(String text) {
    long tokens = 0;
    int i = 0;
    while (i < text.length()) {
      int end = runEnd(text, i);
      tokens += ofRun(text, i, end);
      i = end;
    }
    return (int) Math.min(tokens, Integer.MAX_VALUE);
  }

  private enum Kind {
    LOWER,
    UPPER,
    DIGIT,
    BLANK,
    OTHER
  }

  private static Kind kind(char c) {
    if (c >= 'a' && c <= 'z') return Kind.LOWER;
    if (c >= 'A' && c <= 'Z') return Kind.UPPER;
    if (c >= '0' && c <= '9') return Kind.DIGIT;
    if (c == ' ' || c == '\t') return Kind.BLANK;
    return Kind.OTHER;
  }

  /** A word may begin with capitals; a capital after a small letter begins another word. */
  private static int runEnd(String text, int start) {
    Kind kind = kind(text.charAt(start));
    int i = start + 1;
    if (kind == Kind.OTHER) return i;
    while (i < text.length()) {
      Kind next = kind(text.charAt(i));
      if (kind == Kind.UPPER && next == Kind.LOWER) kind = Kind.LOWER;
      if (next != kind) break;
      i++;
    }
    return i;
  }

  private static long ofRun(String text, int start, int end) {
    int length = end - start;
    char first = text.charAt(start);
    return switch (kind(first)) {
      case LOWER, UPPER -> ceil(length, LETTERS_PER_TOKEN);
      case DIGIT -> ceil(length, DIGITS_PER_TOKEN);
      case BLANK -> joinsNextWord(text, start, end) ? 0 : ceil(length, BLANKS_PER_TOKEN);
      case OTHER -> ofOther(first);
    };
  }

  /** One space before a word or a mark belongs to its token; before a digit it does not. */
  private static boolean joinsNextWord(String text, int start, int end) {
    return end - start == 1
        && text.charAt(start) == ' '
        && end < text.length()
        && text.charAt(end) > ' '
        && kind(text.charAt(end)) != Kind.DIGIT;
  }

  private static int ofOther(char c) {
    if (c < 0x80) return 1;
    if (c < 0x800) return Character.isLetter(c) ? 1 : 2;
    // Half of a pair: characters outside the basic plane are up to four tokens each.
    if (Character.isSurrogate(c)) return 2;
    return Character.isLetter(c) ? 2 : 3;
  }

  private static long ceil(int length, int perToken) {
    return (length + perToken - 1) / perToken;
  }
}
