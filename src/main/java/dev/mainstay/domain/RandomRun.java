package dev.mainstay.domain;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The entropy check: tells a run of random base64 from identifiers, paths and hashes. Shannon's
 * measure does not (a long method name has as many different letters as a key), so each pair of
 * neighbouring characters votes by how much likelier it is in random text than in identifiers. The
 * weights are ten times the natural logarithm of that ratio, counted over Python, C, JavaScript and
 * documentation trees.
 */
final class RandomRun {
  static final String KIND = "random";

  static final int RUN_CHARS_MIN = 24;
  // Longer runs are embedded files, not keys.
  static final int RUN_CHARS_MAX = 512;

  private static final int HASH_CHARS_MIN = 16;
  private static final int SCORE_MIN = 30;
  private static final int SCORE_WITHOUT_DIGIT_MIN = 100;

  private static final int COMMON_PAIR = -13;
  private static final int RARE_PAIR = 6;
  private static final int RARE_PAIR_AFTER_CAPITAL = 18;
  private static final int CAPITAL_AFTER_SMALL = 10;
  private static final int DIGIT_AFTER_LETTER = 10;
  private static final int LETTER_AFTER_DIGIT = 14;
  private static final int DIGIT_AFTER_DIGIT = -4;

  /** The second letters that are common after a, b, c, ...: 93 % of the pairs in words. */
  private static final String[] FOLLOWERS = {
    "bcdgiklmnprstuvy",
    "aeiloru",
    "acehiklortu",
    "adeiosu",
    "abcdefgilmnpqrstvx",
    "aefiortu",
    "ehinru",
    "aeiot",
    "abcdefglmnoprstvz",
    "e",
    "ei",
    "adeilostuy",
    "aeimopsu",
    "acdefginostu",
    "bcdfglmnoprstuvw",
    "aeiloprstuy",
    "u",
    "acdegikmnorstuy",
    "acehiopstuy",
    "acehilorstuy",
    "abceilmnprst",
    "aei",
    "aehior",
    "pt",
    "ps",
    "e"
  };

  private RandomRun() {}

  static boolean isRunChar(char c) {
    return isSmall(c) || isCapital(c) || isDigit(c) || c == '+' || c == '/' || c == '-' || c == '_';
  }

  static boolean isIn(String text) {
    var found = new boolean[1];
    scan(text, (start, end) -> found[0] = true);
    return found[0];
  }

  /** Reports each run that is random as a whole, or else the part of it between separators. */
  static void scan(String text, SecretRule.Finds finds) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      // The n of an escaped line end in front of a key is not a part of it.
      int start = i > 0 && text.charAt(i - 1) == '\\' ? i + 1 : i;
      while (i < length && isRunChar(text.charAt(i))) i++;
      if (i - start < RUN_CHARS_MIN || i - start > RUN_CHARS_MAX) continue;
      if (isRandom(text, start, i)) {
        finds.at(start, withPadding(text, i));
      } else {
        scanParts(text, start, i, finds);
      }
    }
  }

  private static void scanParts(String text, int start, int end, SecretRule.Finds finds) {
    int part = start;
    for (int i = start; i <= end; i++) {
      if (i < end && isAlphanumeric(text.charAt(i))) continue;
      boolean whole = part == start && i == end;
      if (!whole && i - part >= RUN_CHARS_MIN && isRandom(text, part, i)) {
        finds.at(part, i == end ? withPadding(text, i) : i);
      }
      part = i + 1;
    }
  }

  private static int withPadding(String text, int end) {
    int padded = end;
    while (padded < text.length() && padded < end + 2 && text.charAt(padded) == '=') padded++;
    return padded;
  }

  static boolean isRandom(String text, int start, int end) {
    int small = 0, capitals = 0, digits = 0, base64 = 0, base64Url = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (isSmall(c)) small++;
      else if (isCapital(c)) capitals++;
      else if (isDigit(c)) digits++;
      else if (c == '+' || c == '/') base64++;
      else base64Url++;
    }
    if (small == 0 || capitals == 0) return false;
    if (base64 > 0 && base64Url > 0) return false;
    if (score(text, start, end) < (digits == 0 ? SCORE_WITHOUT_DIGIT_MIN : SCORE_MIN)) return false;
    return !holdsHex(text, start, end) && !isEncodedText(text, start, end);
  }

  /** Above 0 is random rather than made of words. */
  static int score(String text, int start, int end) {
    int score = 0;
    for (int i = start + 1; i < end; i++) score += vote(text.charAt(i - 1), text.charAt(i));
    return score;
  }

  private static int vote(char before, char c) {
    if (isDigit(before)) {
      return isDigit(c) ? DIGIT_AFTER_DIGIT : isLetter(c) ? LETTER_AFTER_DIGIT : 0;
    }
    if (!isLetter(before)) return 0;
    if (isDigit(c)) return DIGIT_AFTER_LETTER;
    if (!isLetter(c)) return 0;
    if (isSmall(before) && isCapital(c)) return CAPITAL_AFTER_SMALL;
    boolean common = FOLLOWERS[(before | 0x20) - 'a'].indexOf(c | 0x20) >= 0;
    if (isCapital(before) && isSmall(c)) return common ? 0 : RARE_PAIR_AFTER_CAPITAL;
    return common ? COMMON_PAIR : RARE_PAIR;
  }

  /** Whether a hash or a UUID is a part of the run, as in {@code BUILD_ID_9f86d081884c7d65}. */
  private static boolean holdsHex(String text, int start, int end) {
    int hex = 0;
    for (int i = start; i <= end; i++) {
      char c = i < end ? text.charAt(i) : '_';
      if (isHex(c)) hex++;
      else if (isAlphanumeric(c)) hex = Integer.MIN_VALUE;
      else if (hex >= HASH_CHARS_MIN) return true;
      else hex = 0;
    }
    return false;
  }

  private static boolean isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** Whether this is base64 of printable text with spaces, which is content rather than a key. */
  private static boolean isEncodedText(String text, int start, int end) {
    byte[] decoded;
    try {
      var whole = text.substring(start, end - (end - start) % 4);
      decoded = Base64.getDecoder().decode(whole.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      return false;
    }
    var plain = new String(decoded, StandardCharsets.UTF_8);
    return plain.indexOf(' ') >= 0
        && plain.chars().noneMatch(c -> c == 0xFFFD || (c < ' ' && !Character.isWhitespace(c)));
  }

  private static boolean isAlphanumeric(char c) {
    return isLetter(c) || isDigit(c);
  }

  private static boolean isLetter(char c) {
    return isSmall(c) || isCapital(c);
  }

  private static boolean isSmall(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isCapital(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
