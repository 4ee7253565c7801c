package dev.mainstay.domain;

import static dev.mainstay.domain.SecretRule.inside;
import static dev.mainstay.domain.SecretRule.judged;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Secrets that are arguments of common tools, known by the tool and its option. */
final class SecretCommands {
  /** What lies between a tool and its option, on one line and within one command. */
  private static final String WORDS = "\\b[^\\r\\n|;]{0,256}?\\h";

  private static final String VALUE = "[\"']?(?<s>(?!-)[^\\s\"'|;&<>()\\\\]{1,200}+)(?![(\\[{<])";
  private static final String QUOTED = "(?<q>[\"'])(?<s>(?:(?!\\k<q>)[^\\r\\n]){1,200}+)";

  private static final String READS_SECRET =
      "(?:sudo\\h[^\\r\\n|;]{0,64}?(?<=\\h)-[A-Za-z]{0,4}S[A-Za-z]{0,4}(?![A-Za-z])|--password-stdin"
          + "|--passphrase-fd|--with-token|chpasswd|passwd\\h[^\\r\\n|;]{0,32}?--stdin"
          + "|cryptsetup|kinit|gpg\\h[^\\r\\n|;]{0,64}?--import|vault\\h{1,4}+login)";

  static final List<SecretRule> RULES =
      List.of(
          option("-p(?:\\h{1,4}+|=)", "login"),
          option("(?:-a|--pass)(?:\\h{1,4}+|=)", "redis-cli", "valkey-cli", "keydb-cli"),
          option("-p(?=[^\\s=])", "mysql", "mysqldump", "mariadb", "mysqladmin", "mysqlimport"),
          option("-p\\h*+", "sshpass"),
          option("(?:-a|--auth)(?:\\h{1,4}+|=)[\"']?[^\\s:]{1,64}+:", "http", "https", "xh"),
          option("-p\\h{1,4}+", "mongo", "mongosh", "mongodump", "mongorestore", "cqlsh"),
          option("-P\\h{0,4}+", "sqlcmd", "osql"),
          option("-w\\h{0,4}+", "ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldapwhoami"),
          option("-U\\h{0,4}+[\"']?[^\\s%\"']{1,64}+%", "smbclient", "rpcclient", "winexe"),
          option("-p(?=\\S)", "7z", "7za", "7zz", "rar"),
          option("-P\\h{1,4}+", "zip", "unzip"),
          option("(?:-k\\h{1,4}+|-K\\h{1,4}+)", "openssl"),
          option("/p:", "xfreerdp", "wfreerdp"),
          option("-b[cBsdm2C:]*+\\h{1,4}+\\S{1,128}+\\h{1,4}+\\S{1,128}+\\h{1,4}+", "htpasswd"),
          option("(?:add_user|change_password)\\h{1,4}+\\S{1,64}+\\h{1,4}+", "rabbitmqctl"),
          argument("-pass(?:in|out|)\\h{1,4}+pass:", "-pass"),
          argument("/(?:pass|password|pwd):", "/pass", "/pwd:"),
          option("-(?:src|dest)?(?:store|key)pass\\h{1,4}+", "keytool", "jarsigner"),
          judged(
              "password",
              SecretValue::isMixed,
              "(?<=-(?:src|dest)?)(?:store|key)pass\\h{1,4}+" + VALUE,
              List.of("storepass", "keypass")),
          argument("(?:requirepass|masterauth)\\h{1,4}+", "requirepass", "masterauth"),
          // A secret on the standard input of a command that reads one there.
          judged(
              "password",
              SecretValue::isLiteral,
              "(?:echo|printf)\\h{1,4}+(?:-[neE]{1,3}+\\h{1,4}+|[\"']%s(?:\\\\n)?[\"']\\h{1,4}+)?"
                  + "[\"']?(?:[A-Za-z0-9._-]{1,64}+:)?(?<s>[^\\s\"'|:]{1,200}+)(?:\\\\n)?[\"']?"
                  + ("\\h{0,8}+\\|\\h{0,8}+[^\\r\\n|;]{0,200}?" + READS_SECRET),
              List.of("echo ", "printf ")),
          judged(
              "password",
              SecretValue::isLiteral,
              READS_SECRET + "[^\\r\\n|;<]{0,64}+<<<\\h{0,4}+" + VALUE,
              List.of("sudo ", "--password-stdin", "--with-token", "chpasswd")),
          // kubectl create secret generic NAME --from-literal=KEY=VALUE
          judged(
              "secret",
              SecretValue::isArgument,
              "--from-literal[= ][\"']?[^\\s=\"']{1,128}+=" + VALUE,
              List.of("--from-literal")),
          // vault kv put PATH KEY=VALUE ..., heroku config:set KEY=VALUE, fly secrets set KEY=VALUE
          inside(
              "secret",
              SecretValue::isArgument,
              "(?:(?:vault|bao)\\h{1,4}+kv\\h{1,4}+(?:put|patch)|(?:secrets?|config):set"
                  + "|secrets?\\h{1,4}+(?:set|put|import|create|add|update))\\h[^\\r\\n|;]{1,600}+",
              0,
              "(?<=[\\h\"'])[A-Za-z_][A-Za-z0-9_.-]{0,128}+=" + VALUE,
              List.of("vault kv ", "bao kv ", "secret", "config:set")),
          inside(
              "secret",
              SecretValue::isArgument,
              "(?:secretsmanager|(?:secret|keyvault\\h{1,4}+secret|variable)s?\\h{1,4}+"
                  + "(?:set|put|create|add|update)|ssm\\h{1,4}+put-parameter)\\h[^\\r\\n|;]{1,600}+",
              0,
              "\\h(?:--(?:value|body|secret-string|plaintext)(?:\\h{1,4}+|=)|-b\\h{1,4}+)" + VALUE,
              List.of("secret", "keyvault", "variable", "ssm ")),
          // aws configure set NAME VALUE, npm config set NAME VALUE, git config NAME VALUE
          judged(
              "secret",
              SecretValue::isArgument,
              "config(?:ure)?\\h{1,4}+(?:(?:set|--global|--add)\\h{1,4}+){1,3}+"
                  + "[^\\s=]{0,128}?(?i:password|passwd|passphrase|secret(?:_?access)?_?key|secret"
                  + "|session_?token|auth_?token|token|api_?key|_auth)(?:\\h{1,4}+|=)"
                  + VALUE,
              List.of("config ", "configure ")),
          judged(
              "password",
              SecretValue::isLiteral,
              "(?i:convertto-securestring)\\h{1,4}+(?:(?i:-string)\\h{1,4}+|(?i:-asplaintext)\\h{1,4}+"
                  + "|(?i:-force)\\h{1,4}+){0,3}"
                  + QUOTED,
              List.of("convertto-securestring")),
          judged(
              "password",
              SecretValue::isMixed,
              "(?i:convertto-securestring)\\h{1,4}+(?:(?i:-(?:string|asplaintext|force))\\h{1,4}+){0,3}"
                  + VALUE,
              List.of("convertto-securestring")),
          inside(
              "password",
              SecretValue::isLiteral,
              "\\|\\h{0,4}+(?i:convertto-securestring)",
              202,
              QUOTED + "\\k<q>\\h{0,4}+\\|\\h{0,4}+(?i:convertto-securestring)",
              List.of("| convertto-securestring", "|convertto-securestring")),
          judged(
              "password",
              SecretValue::isLiteral,
              "(?:IDENTIFIED|identified(?=[^\"\\r\\n]{1,80}'))\\h{1,4}+(?:(?i:with)\\h{1,4}+\\S{1,64}+\\h{1,4}+)?"
                  + "(?i:by|as)\\h{1,4}+(?:(?i:password)\\h{1,4}+)?"
                  + QUOTED,
              List.of("identified ")),
          judged(
              "password",
              SecretValue::isUnspoken,
              "(?:(?:vault|bao)\\h{1,4}+login|snyk\\h{1,4}+auth)\\h{1,4}+" + VALUE,
              List.of("vault login ", "bao login ", "snyk auth ")),
          judged(
              "password",
              SecretValue::isArgument,
              "net\\h{1,4}+use\\h{1,4}+(?:\\S{1,128}+\\h{1,4}+){1,2}"
                  + VALUE
                  + "(?=\\h{1,4}+/user:)",
              List.of("net use ")),
          // The last argument of a call that takes a user and a password.
          judged(
              "password",
              SecretValue::isLiteral,
              "(?i:getconnection|networkcredential|passwordauthentication|httpbasicauth"
                  + "|usernamepasswordcredentials|basiccredentials)\\h?\\((?:[^\"'()\\r\\n,]{0,64}+"
                  + "(?:\"[^\"\\r\\n]{0,200}+\"|'[^'\\r\\n]{0,200}+')?[^\"'()\\r\\n,]{0,64}+,){1,2}\\h{0,4}+"
                  + QUOTED
                  + "\\k<q>(?:\\.toCharArray\\(\\))?\\h?\\)",
              List.of(
                  "getconnection",
                  "networkcredential",
                  "passwordauthentication",
                  "httpbasicauth",
                  "usernamepasswordcredentials",
                  "basiccredentials")),
          // .pgpass
          judged(
              "password",
              SecretValue::isLiteral,
              ":5432:[^\\s:]{1,64}+:[^\\s:]{1,64}+:(?<s>\\S{1,200}+)(?=\\h{0,8}+(?:[\\r\\n]|$))",
              List.of(":5432:")),
          judged(
              "password",
              SecretValue::isLiteral,
              "(?i:wifi):(?:[A-Z]:[^;\\r\\n]{0,64}+;){0,3}P:(?<s>[^;\\r\\n]{1,64}+);",
              List.of("wifi:")),
          judged(
              "authorization",
              SecretValue::isRandomLike,
              "(?i:auth)\\h(?i:plain|login)\\h{1,4}+(?<s>[A-Za-z0-9+/]{8,200}+={0,2}+)",
              List.of("auth plain ", "auth login ")));

  private SecretCommands() {}

  /** An option of one of the tools; {@code option} ends where the secret begins. */
  private static SecretRule option(String option, String... tools) {
    return judged(
        "password",
        SecretValue::isArgument,
        "(?<![A-Za-z0-9_-])(?:" + String.join("|", tools) + ")" + WORDS + option + VALUE,
        Stream.of(tools).map(tool -> tool.toLowerCase(Locale.ROOT) + " ").toList());
  }

  private static SecretRule argument(String option, String... anchors) {
    return judged("password", SecretValue::isArgument, option + VALUE, List.of(anchors));
  }
}
