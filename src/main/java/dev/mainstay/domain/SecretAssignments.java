package dev.mainstay.domain;

import static dev.mainstay.domain.SecretRule.inside;
import static dev.mainstay.domain.SecretRule.judged;

import java.util.List;
import java.util.function.Predicate;

/** Secrets that are known by what stands before them: a name, a flag, a header, a URL. */
final class SecretAssignments {
  private static final List<String> PASSWORDS =
      List.of(
          "pass",
          "pwd",
          "pw",
          "psk",
          "secret",
          "kennwort",
          "contrase",
          "senha",
          "wachtwoord",
          "hasło",
          "haslo",
          "parola",
          "lösenord",
          "losenord",
          "adgangskode",
          "salasana",
          "heslo",
          "şifre",
          "пароль",
          "Пароль",
          "ПАРОЛЬ",
          "密码",
          "密碼",
          "口令",
          "パスワード",
          "비밀번호",
          "암호");
  private static final List<String> KEYS =
      List.of(
          "token",
          "api_key",
          "api key",
          "access key",
          "secret key",
          "private key",
          "license key",
          "app_key",
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
      "(?<![A-Za-z0-9:]:)(?:(?i:password|passwd|passphrase|pwd|secret(?:_?key(?:_?base)?)?"
          + "|(?:pass|kenn)wort|(?<=(?:mot[ _-]?)?de[ _-]?)passe|contrase(?:ñ|n|\\\\u00f1)a"
          + "|(?<![a-z])(?:senha|parola|heslo)|wachtwoord|has[łl]o|l[öo]senord|adgangskode|salasana)"
          + "|şifre|[Пп]ароль|ПАРОЛЬ|密码|密碼|口令|パスワード|비밀번호|암호"
          + "|(?<![A-Za-z])(?:(?i:pass|psk)|pw)|(?<=[a-z])P(?:ass|w))s?(?:_?[0-9]{1,2})?";

  // The shell, Docker and make write the name of a variable in capitals, and = without blanks.
  private static final String VARIABLE =
      "(?<![a-z.$])(?:PASSWORD|PASSWD|PASSPHRASE|PASSWORT|SECRET(?:_?KEY(?:_?BASE)?)?"
          + "|(?<=_)P(?:ASS|W|SK)|(?<=[A-Z_])(?<!OLD)PWD)S?(?:_?[0-9]{1,2})?=";
  // A token that walks pages or counts words is no secret.
  private static final String KEY =
      "(?<![A-Za-z0-9:]:)(?:(?i:[a-z]{3,10}[_-]?key(?:_?base)?"
          + "|(?:api|access|secret|private|license|signing|encryption) key|credentials?|auth)|(?i:token)"
          + "(?<!(?i:next|page|continuation|max|min|num|sync|resume|cancellation|change|lock)"
          + "[_-]?(?i:token)))s?(?:_?[0-9]{1,2})?";

  private static final String KEY_END = "(?:\\\\{0,3}+[\"'`])?\\]?";
  private static final String TYPE = ":\\h?[A-Za-z&*][A-Za-z0-9_.<>\\[\\]?&*' ]{0,40}+=";
  private static final String ASSIGN =
      KEY_END
          + "\\h{0,40}+(?:"
          + TYPE
          + "|=>|:=|:-|={1,3}+|[:：])\\h{0,40}+(?:[brufBRUF@]{1,2}+(?=[\"']))?\\f*+";
  // In other languages the verb differs; what the password is for may stand between.
  private static final String IS =
      "(?:(?:\\h(?i:for|of|für|von|vom|zu|zum|de|del|du|da|do|per|pour|para)\\h[^\\r\\n.:=]{1,60}?)?"
          + "\\h(?i:is|was|=|to|ist|war|lautet|est|era|es|é|è|jest|är|er):?\\h{1,4}"
          + "|\\h?[是は为]\\h?)";
  private static final String SIBLING =
      "(?=\\h{1,4}+[A-Za-z_]{2,24}+=[^=\\s]|;\\h?[A-Za-z][A-Za-z ]{1,30}+=[^=\\s])";
  // <add key="Password" value="..."/> and { "name": "PASSWORD", "value": "..." }
  private static final String ATTRIBUTE =
      "\\\\{0,3}+[\"'](?:\\s{1,20}+(?:[A-Za-z:_-]{1,32}+\\h?=\\h?[\"'][^\"'\\r\\n]{0,100}+[\"']\\s{1,20}+){0,4}?"
          + "(?i:value|content)\\h?=\\h?|\\s{0,20}+,\\s{0,40}+\\\\{0,3}+[\"'](?i:value)\\\\{0,3}+[\"']"
          + "\\s{0,4}+:\\s{0,20}+)";
  private static final String ELEMENT =
      "[\"'][^<>\"']{0,100}+>\\s{0,40}+(?:<value>)?(?<s>[^<\\s]{1,200}+)(?=</)";
  // - name: DB_PASSWORD, and on the next line value: ...
  private static final String NEXT_LINE =
      "[\"']?\\h{0,8}+(?:\\r?\\n\\h{1,40}+|\\\\n\\h{1,40}+)[\"']?value[\"']?:\\h{1,8}+[\"']?"
          + "(?<s>[^\\s\"'`{}\\\\]{1,200}+)";
  private static final String QUOTED =
      "(?<q>\\\\{0,3}+[\"'`])\\f*+(?<s>(?:(?!\\k<q>)(?:\\\\.|[^\\\\\\r\\n\\f])){1,200}+)";
  private static final String BARE = "(?<s>[^\\s\"'`,;&|(){}\\[\\]<>\\\\]{1,200}+)(?![(\\[{<])";
  private static final String LINE = "(?<s>[^\\s\"'`,;&|(){}\\[\\]<>\\\\]{1,64}+)(?![(\\[{<])";
  // The value is all that the line holds after the name, as in env, YAML and properties files.
  private static final String LINE_END = "\\h{0,40}+(?:#[^\\r\\n]{0,200}+)?(?=[\\r\\n]|\\\\n|$)";

  private static final String FLAG = "(?<![A-Za-z0-9-])--?(?i:[a-z0-9]{1,16}+-){0,4}+";
  private static final String FLAG_END = "[=: ]\\h{0,8}+[\"']?";

  private static final List<SecretRule> AFTER_PASSWORD =
      List.of(
          password(SecretValue::isLiteral, ASSIGN + QUOTED),
          password(SecretValue::isWord, KEY_END + "(?:=|:\\h{1,40}+)" + LINE + LINE_END),
          password(SecretValue::isMixed, ASSIGN + BARE),
          password(SecretValue::isMixed, "(?:\\(|[\"'],)\\h{0,8}+" + QUOTED),
          password(SecretValue::isMixed, IS + "[\"'`]?" + BARE),
          password(SecretValue::isUnspoken, "(?<![Pp]ass)\\h{1,4}+[\"'`]?" + BARE),
          // host=db user=app password=... and Server=db;Password=...;
          password(SecretValue::isWord, "=" + LINE + SIBLING),
          password(SecretValue::isLiteral, ATTRIBUTE + QUOTED),
          password(SecretValue::isLiteral, ELEMENT),
          password(SecretValue::isWord, NEXT_LINE),
          password(
              SecretValue::isWord, "[\"'](?:\\r?\\n\\r?\\n|(?:\\\\r)?\\\\n(?:\\\\r)?\\\\n)" + BARE),
          password(SecretValue::isLiteral, ">(?<s>[^<\\s]{1,200}+)(?=</)"));

  private static final List<SecretRule> AFTER_KEY =
      List.of(
          key(SecretValue::isValue, ASSIGN + QUOTED),
          key(SecretValue::isBareValue, ASSIGN + BARE),
          key(SecretValue::isBareValue, "(?:\\(|[\"'],)\\h{0,8}+" + QUOTED),
          key(SecretValue::isBareValue, IS + "[\"'`]?" + BARE),
          key(SecretValue::isValue, ATTRIBUTE + QUOTED),
          key(SecretValue::isValue, ELEMENT),
          key(SecretValue::isBareValue, NEXT_LINE),
          key(SecretValue::isValue, ">(?<s>[^<\\s]{1,200}+)(?=</)"));

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
          // A password with @, # or ? in it, unescaped, reaches to the last @ before the path.
          judged(
              "url-password",
              SecretValue::isLiteral,
              "://[^\\s:/?#@\"'<>\\[\\]]{0,256}+:"
                  + "(?<s>[^\\s/\"'<>]{1,200})@(?=[A-Za-z0-9\\[_$<{%-])",
              List.of("://")),
          // With a slash in it, unless that ends a port.
          judged(
              "url-password",
              SecretValue::isMixed,
              "://[^\\s:/?#@\"'<>\\[\\]]{1,256}+:(?![0-9]{1,5}[/?#])"
                  + "(?<s>[^\\s@\"'<>]{1,200}+)@(?=[A-Za-z0-9\\[_-]{1,64}[.:/])",
              List.of("://")),
          judged(
              "url-password",
              SecretValue::isLiteral,
              "jdbc:oracle:[a-z0-9]{2,8}+:[^\\s/@\"']{1,64}+/(?<s>[^\\s@\"']{1,200}+)@",
              List.of("jdbc:oracle:")),
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
              "(?<![A-Za-z0-9_-])(?:-u|--user|--proxy-user|--auth|--basic-auth|--creds)[ =]?[\"']?"
                  + "[^\\s:/\"']{1,128}+:"
                  + "(?=[^\\s]{0,64}[A-Za-z])(?<s>[^\\s\"'/]{3,200}+)",
              List.of("-u", "--user", "--proxy-user", "--auth", "--basic-auth", "--creds")),
          inside(
              "cookie",
              SecretValue::isBareValue,
              "(?i:cookie)\\\\{0,3}+[\"']?\\h{0,4}+[:=,]\\h{0,4}+[\"']?(?<s>[^\\r\\n\"']{1,2000}+)",
              0,
              "[^\\s=;,\"']{1,64}+=(?<s>[^\\s;,\"'\\\\]{8,1000}+)",
              List.of("cookie")),
          judged(
              "authorization",
              SecretValue::isBareValue,
              "(?i:authorization)\\\\{0,3}+[\"']?\\h{0,4}+:\\h{0,4}+\\\\{0,3}+[\"']?"
                  + "(?<s>[A-Za-z0-9._~+/=:-]{8,200}+)(?=\\\\{0,3}+[\"'`]|\\h{0,8}+(?:[\\r\\n]|\\\\[rn]|$))",
              List.of("authorization")),
          judged(
              "secret",
              SecretValue::isBareValue,
              "[?&;](?:[A-Za-z]{1,16}[_-])?(?:key|sid|session|sessionid|sig|signature|jwt|sas)="
                  + "(?<s>[^\\s&#;\"'<>\\\\)]{8,200}+)",
              List.of("?", "&", ";")),
          judged(
              "password",
              SecretValue::isLiteral,
              "(?i:value)\\h?=\\h?"
                  + QUOTED
                  + "\\k<q>\\s{1,20}+(?:key|name|id)\\h?=\\h?[\"'][A-Za-z0-9_.:-]{0,64}?"
                  + (PASSWORD + "[\"']"),
              List.of("value=", "value =")),
          SecretRule.named(PASSWORD, PASSWORDS, AFTER_PASSWORD),
          judged("password", SecretValue::isWord, VARIABLE + BARE, PASSWORDS),
          judged(
              "password",
              SecretValue::isWord,
              VARIABLE + "(?<s>[^\\s\"'`]{1,200}+)" + "(?=\\h{0,8}+(?:[\\r\\n]|$))",
              PASSWORDS),
          SecretRule.named(KEY, KEYS, AFTER_KEY),
          judged(
              "password",
              SecretValue::isMixed,
              FLAG + "(?i:password|passwd|passphrase|pass|pwd|secret)" + FLAG_END + BARE,
              List.of("-")),
          judged(
              "secret",
              SecretValue::isBareValue,
              FLAG
                  + "(?:apikey|(?<=api-|access-|account-|private-|auth-)key|"
                  + "token|bearer|secret|credentials?|auth)"
                  + (FLAG_END + BARE),
              List.of("-")));

  private SecretAssignments() {}

  private static SecretRule password(Predicate<String> judge, String rest) {
    return judged("password", judge, rest, List.of());
  }

  private static SecretRule key(Predicate<String> judge, String rest) {
    return judged("secret", judge, rest, List.of());
  }
}
