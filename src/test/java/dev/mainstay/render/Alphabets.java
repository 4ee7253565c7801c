package dev.mainstay.render;

import java.util.List;
import java.util.Random;

/** Random texts, well formed, of all that the patterns of the encodings tell apart. */
final class Alphabets {
  private static final List<String> PARTS =
      List.of(
          // Words, and what may be taken for their ends.
          "a b z A B Z the The THE don't I'll WE'RE camelCase HTMLParser iOS x_y 's 'S 't 'm 'D 'll"
              + " 'lL 're 'RE 've 'vE 'r 'v 'l 'x ' '' \u2019s '\u017f \u017f '\u212a",
          // Letters: accents, a capital in one with a small one, modifiers, without capitals.
          "\u00e9 \u00c9 \u00df \u0130 \u0131 \u0436 \u0416 \u01c5 \u1fbc \u02b0 \u02bc \u00aa"
              + " \u05d0 \u0627 \u0e01 \u0915 \u4f60 \u597d \u3042 \uac00 \ud835\udc00"
              + " \ud801\udc28 \ud840\udc00 \ufb01",
          // Marks, and words that have some.
          "\u0301 \u0302\u0303 \u0903 \u20dd \u0e31 \u093f e\u0301 E\u0301 \ufe0f \ud834\udd65",
          // Numbers of all kinds.
          "0 1 12 123 1234 99999 3.14 \u0661 \u00b2 \u00bd \u2167 \u3007 \ud835\udfce",
          // Symbols, control characters, what is private or unknown.
          "! ?! => {\" / // /* */ -- ---- === #### \\ ~ @x $1 <|endoftext|> \u00a3 \u20ac \u2026"
              + " \ud83d\ude00 \ud83d\udc69\u200d\ud83d\udc67 \ud83c\uddeb\ud83c\uddf7 \u200b \u200d"
              + " \u0000 \u0008 \u000e \u001b \u001c \u001f \u007f \u0080 \u0084 \u0086 \ufeff"
              + " \ufffd \ufffe \uffff \ue000 \u0378 \udbff\udfff");

  private static final List<String> BLANKS =
      List.of(
          " ", " ", "  ", "   ", "\t", "\u000b", "\f", "\n", "\n\n", "\r\n", "\r", "\n ", " \n",
          "\n/", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u3000");

  private static final int REPEATED_MAX = 12;

  private Alphabets() {}

  /** Up to so many parts, of all alphabets or of a few parts that then meet in every order. */
  static String text(Random random, int partsMax) {
    String[] few = new String[1 + random.nextInt(6)];
    for (int i = 0; i < few.length; i++) few[i] = part(random);
    boolean mixed = random.nextBoolean();
    var text = new StringBuilder();
    for (int parts = random.nextInt(partsMax + 1); parts > 0; parts--) {
      String part = mixed ? part(random) : few[random.nextInt(few.length)];
      text.append(part.repeat(random.nextInt(8) == 0 ? 1 + random.nextInt(REPEATED_MAX) : 1));
    }
    return text.toString();
  }

  private static String part(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> character(random, Character.MAX_CODE_POINT + 1);
      case 1 -> character(random, 0x3000);
      case 2 -> character(random, 0x80);
      case 3, 4, 5 -> BLANKS.get(random.nextInt(BLANKS.size()));
      default -> {
        String[] alphabet = PARTS.get(random.nextInt(PARTS.size())).split(" ");
        yield alphabet[random.nextInt(alphabet.length)];
      }
    };
  }

  private static String character(Random random, int bound) {
    int codePoint = random.nextInt(bound);
    boolean half = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return Character.toString(half ? '\ufffd' : codePoint);
  }
}
