package dev.mainstay.render;

import static dev.mainstay.render.Kinds.BLANK;
import static dev.mainstay.render.Kinds.BREAK;
import static dev.mainstay.render.Kinds.CASELESS;
import static dev.mainstay.render.Kinds.LETTER;
import static dev.mainstay.render.Kinds.LOWER;
import static dev.mainstay.render.Kinds.MARK;
import static dev.mainstay.render.Kinds.NUMBER;
import static dev.mainstay.render.Kinds.OTHER;
import static dev.mainstay.render.Kinds.SLASH;
import static dev.mainstay.render.Kinds.UPPER;

/**
 * How an encoding parts a text in UTF-8 before it encodes the pieces by themselves. Each is a
 * published pattern, given with it, whose first alternative that fits wins; written out by hand it
 * finds the same pieces, and never looks at a character more than a few times.
 */
enum Pieces {
  /**
   * Words, whose capitals come first, with one character before them and a contraction behind.
   *
   * <pre>
   *   [^\r\n\p{L}\p{N}]?
   *     [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
   * | [^\r\n\p{L}\p{N}]?
   *     [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
   * | \p{N}{1,3}
   * | [ ]?[^\s\p{L}\p{N}]+[\r\n/]*
   * | \s*[\r\n]+
   * | \s+(?!\S)
   * | \s+
   * </pre>
   */
  O200K {
    @Override
    int end(byte[] text, int from) {
      int word = casedWord(text, from);
      if (word > from) return contraction(text, word);
      if (Kinds.at(text, from) == NUMBER) return number(text, from);
      int symbols = symbols(text, from);
      return symbols > from ? Kinds.run(text, symbols, BREAK | SLASH) : blanks(text, from);
    }
  },

  /**
   * Contractions by themselves, and words, with one character before them.
   *
   * <pre>
   *   '(?i:[sdmt]|ll|ve|re)
   * | [^\r\n\p{L}\p{N}]?\p{L}+
   * | \p{N}{1,3}
   * | [ ]?[^\s\p{L}\p{N}]+[\r\n]*
   * | \s*[\r\n]+
   * | \s+(?!\S)
   * | \s+
   * </pre>
   */
  CL100K {
    @Override
    int end(byte[] text, int from) {
      int contraction = contraction(text, from);
      if (contraction > from) return contraction;
      int letters = letters(text, from);
      int word = Kinds.run(text, letters, LETTER);
      if (word > letters) return word;
      if (Kinds.at(text, from) == NUMBER) return number(text, from);
      int symbols = symbols(text, from);
      return symbols > from ? Kinds.run(text, symbols, BREAK) : blanks(text, from);
    }
  };

  private static final int DIGITS_MAX = 3;

  /** What may stand among the capitals of a word and among its small letters. */
  private static final int EITHER = CASELESS | MARK;

  /** Where the piece ends that begins at this byte, which is one of the text's. */
  abstract int end(byte[] text, int from);

  /** Where a word's own letters may begin: one character that is no letter belongs to the word. */
  private static int letters(byte[] text, int from) {
    boolean leads = (Kinds.at(text, from) & (BREAK | LETTER | NUMBER)) == 0;
    return leads ? Kinds.next(text, from) : from;
  }

  /** Where a word ends whose small letters come after its capitals; here, if there is no word. */
  private static int casedWord(byte[] text, int from) {
    int letters = letters(text, from);
    int i = letters;
    int either = from; // where the last of them ends
    int kind = Kinds.at(text, i);
    while ((kind & (UPPER | EITHER)) != 0) {
      i = Kinds.next(text, i);
      if ((kind & EITHER) != 0) either = i;
      kind = Kinds.at(text, i);
    }
    if (kind == LOWER) return Kinds.run(text, i, LOWER | EITHER);
    // What comes first in the pattern wants a small letter at the end, and takes what is either
    // for one: it gives back the capitals behind the last of them. The character before the
    // letters may be one, too, if it is a mark. Only without any is it the turn of mere capitals.
    if (either > from) return either;
    if (Kinds.at(text, from) == MARK) return letters;
    return i > letters ? i : from;
  }

  /** Where the end of a word like "don't" ends that begins at this byte; here, if there is none. */
  private static int contraction(byte[] text, int from) {
    if (from + 1 >= text.length || text[from] != '\'') return from;
    int first = small(text[from + 1]);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return from + 2;
    if (from + 2 >= text.length) return from;
    int second = small(text[from + 2]);
    boolean known =
        (first == 'r' && second == 'e')
            || (first == 'v' && second == 'e')
            || (first == 'l' && second == 'l')
            // A long s, which is an s when capitals do not matter, and the only such character.
            || (text[from + 1] == (byte) 0xc5 && text[from + 2] == (byte) 0xbf);
    return known ? from + 3 : from;
  }

  /** The small letter for a letter, and no letter for anything else. */
  private static int small(byte c) {
    return c | 0x20;
  }

  private static int number(byte[] text, int from) {
    int i = from;
    for (int n = 0; n < DIGITS_MAX && Kinds.at(text, i) == NUMBER; n++) i = Kinds.next(text, i);
    return i;
  }

  /** Where symbols end that may have one space before them; here, if there are none. */
  private static int symbols(byte[] text, int from) {
    int start = text[from] == ' ' ? from + 1 : from;
    int end = Kinds.run(text, start, OTHER | MARK | SLASH);
    return end > start ? end : from;
  }

  /** Up to the last break among the blanks; else all but the one that the next word may take. */
  private static int blanks(byte[] text, int from) {
    int i = from;
    int last = from; // where the last blank begins
    int broken = from; // where the last break ends
    for (int kind = Kinds.at(text, i); (kind & (BREAK | BLANK)) != 0; kind = Kinds.at(text, i)) {
      last = i;
      i = Kinds.next(text, i);
      if (kind == BREAK) broken = i;
    }
    if (broken > from) return broken;
    return i == text.length || last == from ? i : last;
  }
}
