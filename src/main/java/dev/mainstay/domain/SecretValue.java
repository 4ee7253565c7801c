package dev.mainstay.domain;

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

  private static final int FILLER_CHARS_DISTINCT_MAX = 3;

  private static final Pattern FILLER = Pattern.compile("(?i)x{6}|\\*{4}|\\.\\.\\.|…");
  private static final Pattern KEY_BODY = Pattern.compile("[A-Za-z0-9+/]{12,}+");

  /** Reads a variable, a template or a function's result instead of being a value. */
  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\$[A-Za-z_]+|\\$[A-Z0-9_]+|.{0,64}\\$[{(].*|<.*>|\\[.*\\]|.{0,64}[{%#]\\{.*|.{0,64}%[sdvq(].{0,64}"
              + "|.{0,64}\\{[A-Za-z_][A-Za-z0-9_.]{0,64}\\}.{0,64}|%[A-Za-z_]+%|@[A-Za-z_.]+@?"
              + "|\\*+|x+|X+|\\.+|-+|_+|\\?+|…|arn:.*|[a-z+]{2,12}://[^@]*|\\.{0,2}/[A-Za-z].*|~/.*"
              + "|-?[0-9]+\\.[0-9]+|-[0-9]+|0[xX][0-9A-Fa-f]{1,16}[lLuU]{0,2}|.*(?:\\\\u[0-9A-Fa-f]{4}){2}.*|\\W{1,6}|(?:\\s|[,):;\\]]{1,3}+(?:\\s|$)).*");

  /** Made of nothing but words that stand in for a secret, or name or type one. */
  private static final Pattern STAND_IN =
      Pattern.compile(
          "(?i)(?:[^A-Za-z0-9]*+(?:your|my|the|our|a|an|this|that|some|is|in|of|for|to|and|or|not|no"
              + "|passwords?|passwd|passphrase|pass|pwd|pw|secrets?|tokens?|keys?|apikey|api|access|client"
              + "|auth|authorization|bearer|basic|credentials?|private|public|refresh|session|user|username"
              + "|login|account|admin|root|db|database|example|sample|placeholder|change|changed|changeme|me|here"
              + "|insert|enter|input|new|old|current|confirm|repeat|reset|forgot|default|value|values|field"
              + "|dummy|fake|mock|redacted|removed|hidden|masked|required|optional|invalid|empty|missing"
              + "|none|null|nil|undefined|true|false|self|string|str|strings|bytes|byte|char|text|bool"
              + "|boolean|int|integer|number|any|object|type|types|name|names|id|ids|data|env|environ|process|config"
              + "|options?|opts|args|params|props|request|req|get|set|file|path|prompt|todo|tbd|foo|bar"
              + "|baz|test|testing|hash|hashed|encrypted|const|let|var|await|async|function|return|other|generated))+[^A-Za-z0-9]*+");

  private static final Pattern SENTENCE =
      Pattern.compile(
          "(?i).*\\b(?:your|the|a|an|is|are|must|should|for|with|enter|please|invalid|not|to|of|and|or|in"
              + "|password|token)\\b.*");
  private static final Pattern DOTTED_NAME =
      Pattern.compile(
          "[$@&*!]*+[A-Za-z_][A-Za-z0-9_]*(?:(?:\\.|::|->|\\?\\.)[A-Za-z_][A-Za-z0-9_]*)++[!?:.]*");
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_-][A-Za-z0-9_-]*+");
  private static final Pattern SYMBOL_INSIDE = Pattern.compile("[A-Za-z][!@#$%^]+[A-Za-z]");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_-]+[0-9]{0,2}");
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
    return isLiteral(value) && !DOTTED_NAME.matcher(value).matches();
  }

  /** What follows a bare {@code Bearer}, where prose is as likely as a token. */
  static boolean isRandomLike(String value) {
    return isLiteral(value) && hasDigitAndLetter(value) && !NAME.matcher(value).matches();
  }

  /** A quoted value under a password's name. */
  static boolean isLiteral(String value) {
    if (value.length() < WORD_CHARS_MIN || isPlaceholder(value)) return false;
    return value.indexOf(' ') < 0 || !SENTENCE.matcher(value).matches();
  }

  /** An unquoted value that fills its line under a password's name. */
  static boolean isWord(String value) {
    return isLiteral(value) && !DOTTED_NAME.matcher(value).matches();
  }

  /** An unquoted value under a password's name, amid code or prose. */
  static boolean isMixed(String value) {
    return value.length() >= MIXED_CHARS_MIN
        && isWord(value)
        && value.indexOf(' ') < 0
        && (hasDigitAndLetter(value) || SYMBOL_INSIDE.matcher(value).find());
  }

  /** A quoted value under the name of a token or key, which parsers use for other things too. */
  static boolean isValue(String value) {
    return value.length() >= VALUE_CHARS_MIN
        && value.indexOf(' ') < 0
        && (hasDigitAndLetter(value) || isRandom(value))
        && !isPlaceholder(value);
  }

  static boolean isBareValue(String value) {
    return isValue(value)
        && !DOTTED_NAME.matcher(value).matches()
        && (!IDENTIFIER.matcher(value).matches() || RandomRun.score(value, 0, value.length()) > 0);
  }

  /** A string in JSON under a key that names a secret; markers are already taken out. */
  static boolean isUnderSecretKey(String value) {
    return isLiteral(value) && !SCHEME.matcher(value).matches();
  }

  private static boolean isPlaceholder(String value) {
    return FILLER.matcher(value).find()
        || REFERENCE.matcher(value).matches()
        || STAND_IN.matcher(value).matches();
  }

  private static boolean isRandom(String value) {
    return value.length() >= LETTERS_MIN && RandomRun.score(value, 0, value.length()) > 0;
  }

  private static boolean hasDigitAndLetter(String value) {
    return value.chars().anyMatch(SecretValue::isDigit)
        && value.chars().anyMatch(Character::isLetter);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
