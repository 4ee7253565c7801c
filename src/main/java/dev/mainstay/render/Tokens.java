package dev.mainstay.render;

/**
 * How much of a model's window a text takes. The two encodings count exactly; text that looks like
 * a special token counts as the ordinary text it is. The estimate needs no vocabulary, so a hook
 * can use it in its few milliseconds; for typical text it never says too little.
 *
 * <p>The work is bounded whatever the text: a stretch of more than {@link #STRETCH_CHARS_MAX}
 * characters without any place where the encodings surely part it (a megabyte of one letter) is
 * counted as its bytes, which is too much and never too little.
 */
public enum Tokens {
  O200K {
    @Override
    public int count(String text) {
      return exact(O200k.ENCODING, text);
    }
  },
  CL100K {
    @Override
    public int count(String text) {
      return exact(Cl100k.ENCODING, text);
    }
  },
  ESTIMATE {
    @Override
    public int count(String text) {
      return Estimate.of(text);
    }
  };

  /** Longer unbroken stretches take more memory than a count is worth, many times their own. */
  public static final int STRETCH_CHARS_MAX = 16_384;

  public abstract int count(String text);

  // A vocabulary takes a tenth of a second to load and megabytes to keep: each on first use, once,
  // and never for the other.
  private static final class O200k {
    static final Encoding ENCODING = new Encoding(Vocabulary.of("o200k_base"), Pieces.O200K);
  }

  private static final class Cl100k {
    static final Encoding ENCODING = new Encoding(Vocabulary.of("cl100k_base"), Pieces.CL100K);
  }

  private static int exact(Encoding encoding, String given) {
    String text = wellFormed(given);
    if (text.length() <= STRETCH_CHARS_MAX) return encoding.count(text);
    long tokens = 0;
    int from = 0; // of the part that is not counted yet
    int stretch = 0; // where the current stretch begins
    for (int i = 1; i <= text.length(); i++) {
      if (i < text.length() && !partsAt(text, i)) continue;
      if (i - stretch > STRETCH_CHARS_MAX) {
        tokens += encoding.count(text.substring(from, stretch));
        tokens += utf8Bytes(text, stretch, i);
        from = i;
      } else if (i - from > STRETCH_CHARS_MAX) {
        tokens += encoding.count(text.substring(from, stretch));
        from = stretch;
      }
      stretch = i;
    }
    tokens += encoding.count(text.substring(from));
    return Math.toIntExact(tokens);
  }

  /**
   * Both encodings first part a text by a pattern and then encode the pieces by themselves. These
   * are the places where both patterns part whatever stands around, so the sum of the two sides is
   * the count of the whole.
   */
  static boolean partsAt(String text, int i) {
    char before = text.charAt(i - 1);
    char after = text.charAt(i);
    if (before == '\n') {
      return after != '/' && ((after > ' ' && after < 0x7f) || Character.isLetter(after));
    }
    if (isAsciiLetter(before)) return isAsciiDigit(after) || startsWord(text, i);
    if (isAsciiDigit(before)) return isAsciiLetter(after) || startsWord(text, i);
    return false;
  }

  private static boolean startsWord(String text, int i) {
    return text.charAt(i) == ' ' && i + 1 < text.length() && isAsciiLetter(text.charAt(i + 1));
  }

  private static boolean isAsciiLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isAsciiDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Half a character has no UTF-8; it is counted as the mark that readers would see instead. */
  static String wellFormed(String text) {
    StringBuilder repaired = null;
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) continue;
      if (Character.isSupplementaryCodePoint(text.codePointAt(i))) {
        i++;
      } else {
        if (repaired == null) repaired = new StringBuilder(text);
        repaired.setCharAt(i, '\ufffd');
      }
    }
    return repaired == null ? text : repaired.toString();
  }

  private static long utf8Bytes(String text, int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      // A pair of surrogates is four bytes; six for both is a little too much, never too little.
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    return bytes;
  }
}
