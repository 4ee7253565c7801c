package dev.mainstay.domain;

/**
 * Tells random letters such as {@code QwJfkLmzXbTy} from words and identifiers. Each pair of
 * neighbouring letters adds ten times the natural logarithm of how much likelier it is in random
 * letters than in identifiers; the weights were counted over the sources of the JDK, Python and
 * Node and over documentation. Shannon's entropy cannot do this: a long identifier has as many
 * different letters as a password.
 */
final class LetterPairs {
  private static final int LETTERS_MIN = 8;
  private static final int PAIRS_MIN = 5;
  private static final int SCORE_MIN = -20;
  private static final int SCORE_OF_PARTS_MIN = 0;
  // Letters of one case say nothing by their case, and abbreviations look random.
  private static final int SCORE_OF_ONE_CASE_MIN = 40;

  private static final int SMALL_TO_CAPITAL = 16;
  private static final int SMALL_TO_SMALL = -6;
  private static final int CAPITAL_TO_SMALL = -5;
  private static final int CAPITAL_TO_CAPITAL = 12;

  /** By the first letter, then by the second: 'M' is 0, each letter further is 2 more. */
  private static final String[] WEIGHTS = {
    "WMJKXUMZOZTGKHZMZHJFQSVSQZ",
    "GPPRHSVZILZEVWIUZMLTGYZYMZ",
    "HVPUGUZHOZJKSYETZLQHNYZZTZ",
    "HQRKBSTWFYZMVTJUZMLRMVVWTZ",
    "LUKJQOPZVZZLMHWPTEHHXQSLRZ",
    "JTQQIHXZDZZKSPFTZJLOLZYZQZ",
    "MVSXAYRMJZZKRKNUZJLONXZZWZ",
    "CYXUDXZYHZXTQWGVZKPKOZWZSZ",
    "OPKLNOMZZZYKLDIPZOIHZPZSZO",
    "EVMOCTZZKVUTQUHQZSITIRVZZZ",
    "IOTQATPSGZZPUOMRZRJRMXRZUZ",
    "HTUMCVUZFZWIXYGTZYOLLSZZOZ",
    "DLSSCXZZIZWNNUIGZYNUOYZZUZ",
    "IZKHHNHZLZRTWQKTZXIENRZZXZ",
    "ROJJZORZRZRKKEOKZFMMKQNWZZ",
    "FYTRFTXPMZWJWYHMZFOIMXZZQZ",
    "OSTQPUVZRZZOTPVURNPTAVYZZZ",
    "GWOPCTPZHZTSNQHUZMKKPSZZNZ",
    "MYLWETWMHZPPTWLLZTIDLZVZOZ",
    "HYPVDVZKFZYSUXISZGMNPZYZKZ",
    "OLNRINPZMZZIJFWKZHJGZZZYZZ",
    "CWRWAQWZGZZUNXNTZTPRXXYZZZ",
    "EUQRHVXMEZZRSJITZFLRWZZZZZ",
    "PTHSGPUWKZQTIVTHZQJCWWZSQZ",
    "MQOVMWUXPZZKIINBZTHIUXTZVV",
    "HWWYAXZTIZZPWXKVZWVXTZYUPR"
  };

  private LetterPairs() {}

  /** Whether at least eight letters, with digits and marks among them, make no words. */
  static boolean isRandom(String text) {
    int letters = 0, capitals = 0, pairs = 0, score = 0, cases = 0;
    char before = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isLetter(c)) {
        letters++;
        if (isCapital(c)) capitals++;
        if (isLetter(before)) {
          pairs++;
          boolean newWord = !isCapital(before) && isCapital(c); // may begin with any letter
          if (!newWord) score += weight(before, c);
          cases += caseWeight(isCapital(before), isCapital(c));
        }
      }
      before = c;
    }
    if (letters < LETTERS_MIN || pairs < PAIRS_MIN) return false;
    if (capitals == 0 || capitals == letters) return score > SCORE_OF_ONE_CASE_MIN;
    return score + cases > (pairs == text.length() - 1 ? SCORE_MIN : SCORE_OF_PARTS_MIN);
  }

  private static int caseWeight(boolean first, boolean second) {
    if (first) return second ? CAPITAL_TO_CAPITAL : CAPITAL_TO_SMALL;
    return second ? SMALL_TO_CAPITAL : SMALL_TO_SMALL;
  }

  private static int weight(char before, char c) {
    return 2 * (WEIGHTS[(before | 0x20) - 'a'].charAt((c | 0x20) - 'a') - 'M');
  }

  private static boolean isLetter(char c) {
    return isCapital(c) || (c >= 'a' && c <= 'z');
  }

  private static boolean isCapital(char c) {
    return c >= 'A' && c <= 'Z';
  }
}
