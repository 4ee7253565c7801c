package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * The forms in which secrets are written down, with a place for a random value. A form is one line
 * as people and programs write it, with text around the secret; each is filled with every kind of
 * value that it can hold.
 */
public final class SecretForms {
  private static final String LETTERS =
      SecretSamples.CAPITALS + SecretSamples.CAPITALS.toLowerCase();

  private static final int LEAKED_CHARS = 6;

  /** Values of one kind. {@code MARKS} are those that need no quotes in the form. */
  public enum Kind {
    LETTERS_12(random -> letters(random, 12)),
    ALPHANUMERIC_20(random -> alphanumeric(random, 20)),
    MARKS_16(random -> marked(random, 16)),
    HEX_32(random -> SecretSamples.token(random, SecretSamples.HEX, 32)),
    KEY(random -> alphanumeric(random, 32));

    private final Function<Random, String> values;

    Kind(Function<Random, String> values) {
      this.values = values;
    }
  }

  /** A line with {@code %s} where the secret is. */
  public record Form(String name, String line, List<Kind> kinds, Function<Random, String> values) {
    public String value(Kind kind, Random random) {
      return kind == Kind.KEY ? values.apply(random) : kind.values.apply(random);
    }

    public String with(String value) {
      return line.replace("%s", value);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private SecretForms() {}

  public static List<Form> all() {
    var all = new ArrayList<Form>();
    for (var line : LINES) {
      all.add(
          form(line, List.of(Kind.LETTERS_12, Kind.ALPHANUMERIC_20, Kind.MARKS_16, Kind.HEX_32)));
    }
    for (var line : WITHOUT_MARKS) {
      all.add(form(line, List.of(Kind.LETTERS_12, Kind.ALPHANUMERIC_20, Kind.HEX_32)));
    }
    for (var line : LONG_VALUES) all.add(form(line, List.of(Kind.ALPHANUMERIC_20, Kind.HEX_32)));
    addVendors(all);
    return List.copyOf(all);
  }

  /** Whether the text still holds six characters of the value in a row. */
  public static boolean leaks(String value, String text) {
    for (int i = 0; i + LEAKED_CHARS <= value.length(); i++) {
      if (text.contains(value.substring(i, i + LEAKED_CHARS))) return true;
    }
    return false;
  }

  /** Assignments, options and sentences that take any password. */
  private static final List<String> LINES =
      List.of(
          "DB_PASSWORD=%s",
          "DB_PASSWORD=%s ./run --fast",
          "export DB_PASSWORD=%s; run",
          "set DB_PASSWORD=%s",
          "docker run -e POSTGRES_PASSWORD=%s -p 5432:5432 postgres",
          "PASSWORD %s",
          "ENV DB_PASSWORD %s",
          "password = \"%s\"",
          "password: '%s' # of the test system",
          "password: %s",
          "db: host: localhost password: %s port: 5432",
          "tool login --password %s --force",
          "tool --db-password=%s --verbose",
          "Invoke-Thing -Password %s -Verbose",
          "psql 'host=db password=%s user=app'",
          "password=%s host=db",
          "Server=db;User Id=app;Password=%s;Encrypt=true",
          "Password=%s;",
          "pw: %s",
          "Passwort: %s",
          "Kennwort: %s",
          "Das Passwort ist %s und gilt bis Freitag.",
          "Passwort für die Datenbank ist %s",
          "mot de passe : %s",
          "contraseña: %s",
          "La contraseña es %s desde hoy",
          "senha: %s",
          "пароль: %s",
          "密码: %s",
          "The password for the staging database is %s by the way",
          "the password was %s until yesterday",
          "docker login -u ada -p %s registry.example.org",
          "podman login registry.example.org -u ada -p %s",
          "redis-cli -h cache -a %s ping",
          "echo %s | sudo -S apt-get update",
          "echo '%s' | docker login -u ada --password-stdin",
          "kubectl create secret generic db --from-literal=pw=%s -n prod",
          "vault kv put secret/db user=app value=%s",
          "aws configure set aws_secret_access_key %s",
          "heroku config:set API_SECRET=%s --app web",
          "gh secret set DEPLOY --body %s",
          "<add key=\"Password\" value=\"%s\" />",
          "<property name=\"db.password\" value=\"%s\"/>",
          "<entry key=\"password\">%s</entry>",
          "<password>%s</password>",
          "{\"name\": \"DB_PASSWORD\", \"value\": \"%s\"}",
          "- name: DB_PASSWORD\n  value: %s\n",
          "$p = ConvertTo-SecureString \"%s\" -AsPlainText -Force",
          "ConvertTo-SecureString %s -AsPlainText -Force",
          "mysql -u root -p%s shop",
          "sshpass -p %s ssh host",
          "curl -u admin:%s https://example.org",
          "ldapsearch -D cn=admin -w %s -b dc=example",
          "sqlcmd -S db -U sa -P %s -Q 'select 1'",
          "openssl rsa -in key.pem -passin pass:%s -out plain.pem",
          "keytool -list -keystore a.jks -storepass %s -v",
          "ALTER USER app IDENTIFIED BY '%s';",
          "CREATE ROLE app LOGIN PASSWORD '%s';",
          "machine db.example.org login app password %s",
          "https://bob:%s@host.example.org/path",
          "postgres://app:%s@db:5432/shop",
          "{\"password\":\"%s\",\"user\":\"ada\"}",
          "{\\\"password\\\": \\\"%s\\\"}",
          "props.put(\"password\", \"%s\");",
          "client_secret=\"%s\"",
          "requirepass %s");

  /** A mark would need an escape here, or no such secret has one. */
  private static final List<String> WITHOUT_MARKS =
      List.of(
          "api_key: %s",
          "api_key: %s # of the test system",
          "token: %s and so on",
          "API_TOKEN=%s make",
          "export API_KEY=%s; run",
          "apiKey = \"%s\"",
          "X-Api-Key: %s",
          "tool --api-key %s --force",
          "tool --token=%s --force",
          "https://example.org/login?user=ada&password=%s&x=1",
          "https://maps.example.org/api?key=%s&q=a",
          "https://example.org/cb?access_token=%s",
          "aws configure set profile.x.aws_session_token %s",
          "npm config set //registry.example.org/:_authToken %s",
          "//registry.example.org/:_authToken=%s",
          "{\"name\": \"API_TOKEN\", \"value\": \"%s\"}",
          "Authorization: Bearer %s");

  private static final List<String> LONG_VALUES =
      List.of(
          "Cookie: sid=%s; theme=dark",
          "Cookie: theme=dark; session=%s",
          "Set-Cookie: JSESSIONID=%s; Path=/; HttpOnly",
          "-H 'Cookie: connect.sid=%s'",
          "Authorization: %s",
          "https://%s@git.example.org/a/b.git");

  private static void addVendors(List<Form> all) {
    String hex = SecretSamples.HEX;
    String capitals = SecretSamples.CAPITALS + SecretSamples.DIGITS;
    all.add(vendor("OpenRouter", r -> "sk-" + "or-v1-" + SecretSamples.token(r, hex, 64)));
    all.add(vendor("DeepSeek", r -> "sk-" + SecretSamples.token(r, hex, 32)));
    all.add(vendor("New Relic", r -> "NRAK" + "-" + SecretSamples.token(r, capitals, 27)));
    all.add(
        vendor(
            "Airtable", r -> "pat" + alphanumeric(r, 14) + "." + SecretSamples.token(r, hex, 64)));
    all.add(
        vendor(
            "Postman",
            r ->
                "PMA"
                    + "K-"
                    + SecretSamples.token(r, hex, 24)
                    + "-"
                    + SecretSamples.token(r, hex, 34)));
    all.add(
        vendor("Mailchimp", r -> SecretSamples.token(r, hex, 32) + "-us" + (1 + r.nextInt(21))));
    all.add(vendor("Groq", r -> "gsk" + "_" + alphanumeric(r, 52)));
    all.add(vendor("Pulumi", r -> "pul" + "-" + SecretSamples.token(r, hex, 40)));
    all.add(vendor("Supabase", r -> "sbp" + "_" + SecretSamples.token(r, hex, 40)));
    all.add(vendor("Buildkite", r -> "bkua" + "_" + SecretSamples.token(r, hex, 40)));
    all.add(vendor("SonarQube", r -> "sqp" + "_" + SecretSamples.token(r, hex, 40)));
    all.add(vendor("Notion", r -> "ntn" + "_" + alphanumeric(r, 46)));
    all.add(vendor("Resend", r -> "re" + "_" + alphanumeric(r, 8) + "_" + alphanumeric(r, 24)));
    all.add(
        vendor(
            "Terraform Cloud", r -> alphanumeric(r, 14) + ".atlas" + "v1." + alphanumeric(r, 67)));
    all.add(
        vendor("Azure client secret", r -> alphanumeric(r, 3) + "8Q" + "~" + alphanumeric(r, 34)));
    all.add(
        new Form(
            "AWS secret beside its key id",
            "my aws key is AK" + "IAIOSFODNN7ABCDEFG and secret %s, always use them",
            List.of(Kind.KEY),
            r -> "w" + SecretSamples.token(r, SecretSamples.BASE64, 37) + "a7"));
    all.add(
        new Form(
            "AWS secret before its key id",
            "[default]\nsecret = %s\nid = AK" + "IAIOSFODNN7ABCDEFG\n",
            List.of(Kind.KEY),
            r -> "w" + SecretSamples.token(r, SecretSamples.BASE64, 37) + "a7"));
  }

  private static Form vendor(String name, Function<Random, String> values) {
    return new Form(name, "I put %s into the settings", List.of(Kind.KEY), values);
  }

  private static Form form(String line, List<Kind> kinds) {
    return new Form(line.replace("\n", "\\n"), line, kinds, random -> alphanumeric(random, 32));
  }

  private static String letters(Random random, int length) {
    return SecretSamples.token(random, LETTERS, length);
  }

  private static String alphanumeric(Random random, int length) {
    return SecretSamples.token(random, SecretSamples.ALPHANUMERIC, length);
  }

  /** Begins and ends with a letter or digit, as a line's end and a comment are not the value's. */
  private static String marked(Random random, int length) {
    return alphanumeric(random, 1)
        + SecretSamples.token(
            random, SecretSamples.ALPHANUMERIC + "!@#%^*-_+.!@#%^*-_+.", length - 2)
        + alphanumeric(random, 1);
  }
}
