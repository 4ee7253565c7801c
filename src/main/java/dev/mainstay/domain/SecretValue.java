package dev.mainstay.domain;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Judges whether what stands in the place of a secret is one. Spared are placeholders ({@code
 * ${TOKEN}}, {@code <your key>}, {@code xxx}, {@code changeme}: a password all the world knows),
 * words that name the field again, types, and expressions of code.
 */
final class SecretValue {
  private static final int WORD_CHARS_MIN = 4;
  private static final int MIXED_CHARS_MIN = 5;
  private static final int VALUE_CHARS_MIN = 8;
  private static final int LETTERS_MIN = 16;
  // Identifiers score about -6, random small letters and digits about +4.
  private static final int WORDY_SCORE_PER_CHAR = -4;
  private static final int STAND_IN_CHARS_MAX = 64;
  private static final int RANDOM_PART_CHARS_MIN = 8;

  private static final int FILLER_CHARS_DISTINCT_MAX = 3;

  private static final Pattern FILLER = Pattern.compile("(?i)x{6}|\\*{4}|\\.\\.\\.|…");
  private static final Pattern KEY_BODY = Pattern.compile("[A-Za-z0-9+/]{12,}+");

  /** Stands for a value, or is a number, a place or the rest of a sentence instead of one. */
  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\$[A-Za-z_]+|\\$[A-Z0-9_]+|\\$(?i:env|script|global):[A-Za-z0-9_]+|<.*>|\\[.*\\]|%[A-Za-z_]+%|@[A-Za-z_.]+@?|x+|X+|\\W{1,6}"
              + "|arn:.*|[a-z+]{2,12}://[^@]*|\\.{0,2}/[A-Za-z].*|~/.*"
              + "|-?[0-9]+\\.[0-9]+|-[0-9]+|0[xX][0-9A-Fa-f]{1,16}[lLuU]{0,2}"
              + "|(?:\\s|[,):;\\]]{1,3}+(?:\\s|$)).*");

  /** A template, a label in another alphabet, or a regular expression. */
  private static final Pattern TEMPLATE =
      Pattern.compile(
          "\\$[{(]|[{%#]\\{|\\A[A-Za-z_ .:/-]{0,64}+%[sdvq](?![A-Za-z0-9])|%\\(|\\{[A-Za-z_][A-Za-z0-9_.]{0,64}\\}"
              + "|(?:\\\\u[0-9A-Fa-f]{4}){2}"
              + "|\\[\\^?[A-Za-z0-9]-[A-Za-z0-9]|\\\\[dwsS][+*{]|\\{[0-9]+,[0-9]*\\}");

  /** A value of nothing but these words names a secret, its type or its absence. */
  private static final Set<String> STAND_INS =
      Set.of(
          """
          your my the our a an this that some is in of for to and or not no with me here password
          passwords passwd passphrase pass pwd pw secret secrets token tokens key keys apikey api
          access client auth authorization bearer basic credential credentials private public
          refresh session user username login account admin root db database super example sample
          placeholder change changed changeme insert enter input new old current confirm repeat
          reset forgot default value values field dummy fake mock redacted removed hidden masked
          required optional invalid empty missing incorrect wrong none null nil undefined true
          false self string str strings bytes byte char text bool boolean int integer number any
          object type types name names id ids data env environ process config option options opts
          args params props request req get set file path prompt todo tbd foo bar baz test testing
          passwort kennwort passe changeit hash hashed encrypted const let var await async function return other generated java
          javax security
          """
              .trim()
              .split("\\s+"));

  private static final Pattern WORD_BREAK = Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])");
  private static final Pattern SENTENCE =
      Pattern.compile(
          "(?i)\\b(?:your|the|a|an|is|are|must|should|for|with|enter|please|invalid|not|to|of|and"
              + "|or|in|password|token)\\b");
  private static final Pattern DOTTED_NAME =
      Pattern.compile(
          "[$@&*!]*+[A-Za-z_][A-Za-z0-9_]*(?:(?:\\.|::|->|\\?\\.)[A-Za-z_][A-Za-z0-9_]*)++[!?:.]*");
  private static final Pattern NAME_BREAK = Pattern.compile("[^A-Za-z0-9_]+");
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_-]++[0-9]*+[A-Za-z_-]*+");
  private static final Pattern SYMBOL_INSIDE =
      Pattern.compile("[A-Za-z][*+_.-]*+[!@#$%^][!@#$%^*+_.-]*+[A-Za-z]");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_-]+[0-9]{0,2}");
  private static final Pattern ADDRESS =
      Pattern.compile(
          "[A-Za-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,8}\\.[a-z]{2,12}\\.?");
  private static final Pattern CHARACTER_ESCAPE = Pattern.compile("\\\\u[0-9A-Fa-f]{4}");
  private static final Pattern SHORT_NUMBER = Pattern.compile("[0-9:.]{1,5}");
  private static final Pattern SCHEME = Pattern.compile("(?i)\\W*+(?:bearer|basic|token)?\\W*+");

  private SecretValue() {}

  /** A format with a prefix of its own, unless what follows is one letter over and over. */
  static boolean isNoFiller(String value) {
    return !FILLER.matcher(value).find()
        && value.chars().skip(value.length() / 3).distinct().count() > FILLER_CHARS_DISTINCT_MAX;
  }

  /** A PEM block that holds a key, rather than code or a document that speaks of one. */
  static boolean isKeyBlock(String block) {
    var body = KEY_BODY.matcher(block);
    while (body.find()) {
      if (body.group().chars().distinct().count() > FILLER_CHARS_DISTINCT_MAX) return true;
    }
    return false;
  }

  static boolean hasDigitAndCapital(String value) {
    return isNoFiller(value)
        && value.chars().anyMatch(SecretValue::isDigit)
        && value.chars().anyMatch(c -> c >= 'A' && c <= 'Z');
  }

  static boolean isNoIdentifier(String value) {
    return isNoFiller(value) && isRandom(value);
  }

  /** What follows {@code Authorization: Bearer}. */
  static boolean isCredential(String value) {
    return isLiteral(value) && !isDottedName(value);
  }

  /** What follows a bare {@code Bearer}, where prose is as likely as a token. */
  static boolean isRandomLike(String value) {
    return isLiteral(value) && hasDigitAndLetter(value) && !NAME.matcher(value).matches();
  }

  /** A quoted value under a password's name. */
  static boolean isLiteral(String value) {
    if (value.length() < WORD_CHARS_MIN || isPlaceholder(value)) return false;
    return value.indexOf(' ') < 0 || !SENTENCE.matcher(value).find();
  }

  /** An unquoted value that fills its line under a password's name. */
  static boolean isWord(String value) {
    return isLiteral(value) && !isDottedName(value);
  }

  /** An unquoted value under a password's name, amid code or prose. */
  static boolean isMixed(String value) {
    return value.length() >= MIXED_CHARS_MIN
        && value.indexOf(' ') < 0
        && (hasDigitAndLetter(CHARACTER_ESCAPE.matcher(value).replaceAll("u"))
            || SYMBOL_INSIDE.matcher(value).find()
            || LetterPairs.isRandom(value))
        && isWord(value);
  }

  /** An unquoted value after a password's name and nothing but a space: no word of a sentence. */
  static boolean isUnspoken(String value) {
    return value.length() >= VALUE_CHARS_MIN
        && isMixed(value)
        && !isNumberedWord(value)
        && !ADDRESS.matcher(value).matches();
  }

  /** What stands in the place of a secret on a command line, where no expression is evaluated. */
  static boolean isArgument(String value) {
    return isLiteral(value) && !SHORT_NUMBER.matcher(value).matches();
  }

  /** Forty characters of base64 beside a key id of AWS, rather than a hash or a path. */
  static boolean isAwsSecret(String value) {
    return hasDigitAndCapital(value) && value.chars().anyMatch(c -> c >= 'a' && c <= 'z');
  }

  /** A quoted value under the name of a token or key, which parsers use for other things too. */
  static boolean isValue(String value) {
    return value.length() >= VALUE_CHARS_MIN
        && value.indexOf(' ') < 0
        && (hasDigitAndLetter(value) || isRandom(value) || LetterPairs.isRandom(value))
        && !isPlaceholder(value);
  }

  static boolean isBareValue(String value) {
    return isValue(value) && !isDottedName(value) && !isNumberedWord(value);
  }

  /** A string in JSON under a key that names a secret; markers are already taken out. */
  static boolean isUnderSecretKey(String value) {
    return isLiteral(value) && !SCHEME.matcher(value).matches();
  }

  /** A reference such as {@code os.environ}, unless one of its parts is random. */
  private static boolean isDottedName(String value) {
    if (!DOTTED_NAME.matcher(value).matches()) return false;
    for (var part : NAME_BREAK.split(value)) {
      boolean random =
          part.length() >= RANDOM_PART_CHARS_MIN && RandomRun.score(part, 0, part.length()) > 0;
      if (random || LetterPairs.isRandom(part)) return false;
    }
    return true;
  }

  /** An identifier such as {@code sha256} or {@code client_id_2}. */
  private static boolean isNumberedWord(String value) {
    return IDENTIFIER.matcher(value).matches() && isWordy(value) && !LetterPairs.isRandom(value);
  }

  private static boolean isPlaceholder(String value) {
    return FILLER.matcher(value).find()
        || REFERENCE.matcher(value).matches()
        || TEMPLATE.matcher(value).find()
        || isStandIn(value);
  }

  private static boolean isStandIn(String value) {
    if (value.length() > STAND_IN_CHARS_MAX) return false;
    for (var word : WORD_BREAK.split(value)) {
      if (!word.isEmpty() && !STAND_INS.contains(word.toLowerCase(Locale.ROOT))) return false;
    }
    return true;
  }

  private static boolean isWordy(String value) {
    return RandomRun.score(value, 0, value.length()) < WORDY_SCORE_PER_CHAR * value.length();
  }

  private static boolean isRandom(String value) {
    return value.length() >= LETTERS_MIN && RandomRun.score(value, 0, value.length()) > 0;
  }

  private static boolean hasDigitAndLetter(String value) {
    boolean digit = false;
    boolean letter = false;
    for (int i = 0; i < value.length() && !(digit && letter); i++) {
      digit |= isDigit(value.charAt(i));
      letter |= Character.isLetter(value.charAt(i));
    }
    return digit && letter;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
