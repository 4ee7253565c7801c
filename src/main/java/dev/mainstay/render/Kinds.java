package dev.mainstay.render;

import java.util.Arrays;

/**
 * What the patterns of the encodings tell characters apart by. Each character of a text in UTF-8 is
 * of exactly one kind, and kinds are bits, so that a set of them is their sum.
 */
final class Kinds {
  /** Capitals, and letters that are a capital and a small one in one. */
  static final int UPPER = 1;

  static final int LOWER = 1 << 1;

  /** Letters of scripts without capitals, and letters that modify others. */
  static final int CASELESS = 1 << 2;

  /** Accents and the like, which stand on the character before them. */
  static final int MARK = 1 << 3;

  static final int NUMBER = 1 << 4;

  /** The two characters that end a line. */
  static final int BREAK = 1 << 5;

  /** White space that ends no line. */
  static final int BLANK = 1 << 6;

  static final int SLASH = 1 << 7;

  /** Punctuation, symbols, control characters, and what Unicode knows nothing about. */
  static final int OTHER = 1 << 8;

  static final int LETTER = UPPER | LOWER | CASELESS;

  /** What stands behind the last character. */
  private static final int NONE = 0;

  private static final int NEXT_LINE = 0x85; // white space, though its category is control

  private static final int[] ASCII = ascii();

  private Kinds() {}

  private static int[] ascii() {
    int[] kinds = new int[0x80];
    for (int c = 0; c < kinds.length; c++) kinds[c] = ofCodePoint(c);
    Arrays.fill(kinds, '\t', '\r' + 1, BLANK);
    kinds['\n'] = BREAK;
    kinds['\r'] = BREAK;
    kinds['/'] = SLASH;
    return kinds;
  }

  /** The kind of the character that begins at this byte; of no kind at the end of the text. */
  static int at(byte[] text, int i) {
    if (i >= text.length) return NONE;
    byte lead = text[i];
    return lead >= 0 ? ASCII[lead] : ofCodePoint(codePoint(text, i));
  }

  /** Where the character ends that begins at this byte. */
  static int next(byte[] text, int i) {
    byte lead = text[i];
    // As signed bytes: 0xe0 begins the leads of three bytes, 0xf0 those of four.
    return i + (lead >= 0 ? 1 : lead < (byte) 0xe0 ? 2 : lead < (byte) 0xf0 ? 3 : 4);
  }

  /** Where the longest run of these kinds ends that begins at this byte; here, if there is none. */
  static int run(byte[] text, int from, int kinds) {
    int i = from;
    while (i < text.length) {
      byte lead = text[i];
      // ASCII by itself, since this is where the time goes that a text takes.
      if (lead >= 0 && (ASCII[lead] & kinds) != 0) i++;
      else if (lead < 0 && (at(text, i) & kinds) != 0) i = next(text, i);
      else break;
    }
    return i;
  }

  private static int codePoint(byte[] text, int i) {
    int lead = text[i];
    return switch (next(text, i) - i) {
      case 2 -> (lead & 0x1f) << 6 | rest(text[i + 1]);
      case 3 -> (lead & 0x0f) << 12 | rest(text[i + 1]) << 6 | rest(text[i + 2]);
      default ->
          (lead & 0x07) << 18
              | rest(text[i + 1]) << 12
              | rest(text[i + 2]) << 6
              | rest(text[i + 3]);
    };
  }

  private static int rest(byte following) {
    return following & 0x3f;
  }

  private static int ofCodePoint(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.UPPERCASE_LETTER, Character.TITLECASE_LETTER -> UPPER;
      case Character.LOWERCASE_LETTER -> LOWER;
      case Character.MODIFIER_LETTER, Character.OTHER_LETTER -> CASELESS;
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK ->
          MARK;
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER ->
          NUMBER;
      case Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
          BLANK;
      default -> codePoint == NEXT_LINE ? BLANK : OTHER;
    };
  }
}
