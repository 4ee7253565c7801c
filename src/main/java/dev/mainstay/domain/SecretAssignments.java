package dev.mainstay.domain;

import static dev.mainstay.domain.SecretRule.judged;

import java.util.List;
import java.util.function.Predicate;

/** Secrets that are known by what stands before them: a name, a flag, a header, a URL. */
final class SecretAssignments {
  private static final List<String> PASSWORDS = List.of("pass", "pwd", "secret");
  private static final List<String> KEYS =
      List.of(
          "token",
          "api_key",
          "api-key",
          "apikey",
          "access_key",
          "access-key",
          "accesskey",
          "auth_key",
          "private_key",
          "private-key",
          "privatekey",
          "encryption_key",
          "signing_key",
          "master_key",
          "account_key",
          "credential",
          "auth");

  // Not the tail of another word (minipass), nor a part of a resource name (arn:...:secret:name).
  private static final String PASSWORD =
      "(?<![A-Za-z0-9:]:)(?:(?i:password|passwd|passphrase|pwd|secret(?:_?key(?:_?base)?)?)"
          + "|(?<![A-Za-z])(?i:pass)|(?<=[a-z])Pass)s?(?:_?[0-9]{1,2})?";
  // A token that walks pages or counts words is no secret.
  private static final String KEY =
      "(?<![A-Za-z0-9:]:)(?:(?i:[a-z]{3,10}[_-]?key(?:_?base)?|credentials?|auth)|(?i:token)"
          + "(?<!(?i:next|page|continuation|max|min|num|sync|resume|cancellation|change|lock)"
          + "[_-]?(?i:token)))s?(?:_?[0-9]{1,2})?";

  private static final String KEY_END = "(?:\\\\{0,3}+[\"'`])?\\]?";
  private static final String TYPE = ":\\h?[A-Za-z&*][A-Za-z0-9_.<>\\[\\]?&*' ]{0,40}+=";
  private static final String ASSIGN =
      KEY_END
          + "\\h{0,40}+(?:"
          + TYPE
          + "|=>|:=|:-|={1,3}+|:)\\h{0,40}+(?:[brufBRUF@]{1,2}+(?=[\"']))?\\f*+";
  private static final String QUOTED =
      "(?<q>\\\\{0,3}+[\"'`])\\f*+(?<s>(?:(?!\\k<q>)(?:\\\\.|[^\\\\\\r\\n\\f])){1,200}+)";
  private static final String BARE = "(?<s>[^\\s\"'`,;&|(){}\\[\\]<>\\\\]{1,200}+)(?![(\\[{<])";
  private static final String LINE = "(?<s>[^\\s\"'`,;&|(){}\\[\\]<>\\\\]{1,64}+)(?![(\\[{<])";
  // The value is all that the line holds after the name, as in env, YAML and properties files.
  private static final String LINE_END = "\\h{0,40}+(?:#[^\\r\\n]{0,200}+)?(?=[\\r\\n]|\\\\n|$)";

  private static final String FLAG = "(?<![A-Za-z0-9-])--?(?:[a-z0-9]{1,16}+-){0,4}+";
  private static final String FLAG_END = "[= ]\\h{0,8}+[\"']?";

  static final List<SecretRule> RULES =
      List.of(
          judged(
              "authorization",
              SecretValue::isCredential,
              "(?i:authorization|auth)\\\\{0,3}+[\"']?\\h{0,8}+[:=,]\\h{0,8}+\\\\{0,3}+[\"'`]?"
                  + "(?i:bearer|basic|token|bot|apikey|digest|key)\\h{1,4}+"
                  + "(?<s>[A-Za-z0-9._~+/=:-]{4,200}+)",
              List.of("authorization", "auth")),
          judged(
              "authorization",
              SecretValue::isRandomLike,
              "(?i:bearer)(?:\\h|%20){1,4}+(?<s>[A-Za-z0-9._~+/=-]{16,200}+)",
              List.of("bearer")),
          judged(
              "url-password",
              SecretValue::isLiteral,
              "://[^\\s:/?#@\"'<>\\[\\]]{0,256}+:"
                  + "(?<s>[^\\s/?#@\"'<>]{1,200}+)@(?=[A-Za-z0-9\\[_$<{%-])",
              List.of("://")),
          judged(
              "url-password",
              SecretValue::isMixed,
              "://(?<s>[^\\s:/?#@\"'<>\\[\\]]{16,200}+)@(?=[A-Za-z0-9])",
              List.of("://")),
          judged(
              "password",
              SecretValue::isLiteral,
              "(?:machine\\s{1,8}+\\S{1,256}+|default)\\s{1,8}+login\\s{1,8}+\\S{1,256}+"
                  + "\\s{1,8}+password\\s{1,8}+(?<s>\\S{1,200}+)",
              List.of("machine", "default")),
          judged(
              "password",
              SecretValue::isLiteral,
              "(?<![A-Za-z0-9_-])(?:-u|--user)[ =]?[\"']?[^\\s:/\"']{1,128}+:"
                  + "(?=[^\\s]{0,64}[A-Za-z])(?<s>[^\\s\"'@/]{3,200}+)",
              List.of("-u", "--user")),
          judged(
              "password",
              SecretValue::isLiteral,
              "(?:sshpass\\h+-p\\h*+|"
                  + "(?:mysql|mysqldump|mariadb|mysqladmin)\\h[^\\r\\n|]{0,128}?\\h-p)"
                  + "[\"']?(?<s>[^\\s\"']{3,200}+)",
              List.of("sshpass ", "mysql ", "mysqldump ", "mariadb ", "mysqladmin ")),
          passwords(SecretValue::isLiteral, ASSIGN + QUOTED),
          passwords(SecretValue::isWord, KEY_END + "(?:=|:\\h{1,40}+)" + LINE + LINE_END),
          passwords(SecretValue::isMixed, ASSIGN + BARE),
          passwords(SecretValue::isMixed, "(?:\\(|[\"'],)\\h{0,8}+" + QUOTED),
          passwords(SecretValue::isMixed, "\\h(?:is|was|=|to)\\h[\"'`]?" + BARE),
          passwords(SecretValue::isLiteral, ">(?<s>[^<\\s]{1,200}+)(?=</)"),
          keys(SecretValue::isValue, ASSIGN + QUOTED),
          keys(SecretValue::isBareValue, ASSIGN + BARE),
          keys(SecretValue::isBareValue, "(?:\\(|[\"'],)\\h{0,8}+" + QUOTED),
          keys(SecretValue::isBareValue, "\\h(?:is|was)\\h[\"'`]?" + BARE),
          keys(SecretValue::isValue, ">(?<s>[^<\\s]{1,200}+)(?=</)"),
          judged(
              "password",
              SecretValue::isMixed,
              FLAG + "(?:password|passwd|passphrase|pass|secret)" + FLAG_END + BARE,
              List.of("-")),
          judged(
              "secret",
              SecretValue::isBareValue,
              FLAG
                  + "(?:apikey|(?<=api-|access-|account-|private-|auth-)key|"
                  + "token|secret|credentials?|auth)"
                  + (FLAG_END + BARE),
              List.of("-")));

  private SecretAssignments() {}

  private static SecretRule passwords(Predicate<String> judge, String rest) {
    return judged("password", judge, PASSWORD + rest, PASSWORDS);
  }

  private static SecretRule keys(Predicate<String> judge, String rest) {
    return judged("secret", judge, KEY + rest, KEYS);
  }
}
