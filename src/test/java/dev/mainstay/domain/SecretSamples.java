package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Made-up secrets of every kind, and things that only look like them. */
public final class SecretSamples {
  static final String DIGITS = "0123456789";
  static final String HEX = DIGITS + "abcdef";
  static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static final String ALPHANUMERIC = CAPITALS + CAPITALS.toLowerCase() + DIGITS;
  static final String BASE64 = ALPHANUMERIC + "+/";
  static final String URL_SAFE = ALPHANUMERIC + "_-";

  /** A text and the part of it that must not survive. */
  public record Sample(String kind, String text, String secret) {
    boolean isFormat() {
      return text.equals(secret);
    }

    @Override
    public String toString() {
      return kind + " " + text.substring(0, Math.min(12, text.length()));
    }
  }

  private SecretSamples() {}

  static String token(Random random, String alphabet, int length) {
    var token = new StringBuilder(length);
    for (int i = 0; i < length; i++)
      token.append(alphabet.charAt(random.nextInt(alphabet.length())));
    return token.toString();
  }

  /** Secrets known by their shape: the text is the secret. */
  public static List<Sample> formats(Random random) {
    var all = new ArrayList<Sample>();
    for (var letter : "pousr".split("")) {
      all.add(format("github-token", "gh" + letter + "_", token(random, ALPHANUMERIC, 36)));
    }
    all.add(format("github-token", "github" + "_pat_", token(random, ALPHANUMERIC + "_", 82)));
    all.add(format("gitlab-token", "glp" + "at-", word(random, 20)));
    all.add(format("aws-key-id", "AK" + "IA", token(random, CAPITALS + "234567", 16)));
    all.add(format("aws-key-id", "AS" + "IA", token(random, CAPITALS + "234567", 16)));
    for (var letter : "bpares".split("")) {
      var slack = token(random, DIGITS, 12) + "-" + token(random, ALPHANUMERIC, 24);
      all.add(format("slack-token", "xo" + "x" + letter + "-", slack));
    }
    all.add(format("slack-token", "xa" + "pp-1-", "A" + token(random, CAPITALS + DIGITS, 40)));
    for (var prefix : List.of("sk_" + "live_", "rk_" + "live_", "sk_" + "test_", "wh" + "sec_")) {
      all.add(format("stripe-key", prefix, token(random, ALPHANUMERIC, 32)));
    }
    all.add(format("openai-key", "sk" + "-", token(random, ALPHANUMERIC, 48)));
    all.add(format("openai-key", "sk" + "-proj-", word(random, 64)));
    all.add(format("openai-key", "sk" + "-svcacct-", word(random, 64)));
    all.add(format("anthropic-key", "sk" + "-ant-api03-", word(random, 95)));
    all.add(format("google-key", "AI" + "za", word(random, 35)));
    all.add(format("google-token", "ya" + "29.", word(random, 120)));
    all.add(format("google-secret", "GOC" + "SPX-", word(random, 28)));
    all.add(format("npm-token", "np" + "m_", token(random, ALPHANUMERIC, 36)));
    all.add(format("pypi-token", "py" + "pi-AgEIcHlwaS5vcmc", word(random, 150)));
    all.add(format("huggingface-token", "h" + "f_", token(random, ALPHANUMERIC, 34)));
    all.add(format("digitalocean-token", "do" + "p_v1_", token(random, HEX, 64)));
    all.add(format("sendgrid-key", "S" + "G.", word(random, 22) + "." + word(random, 43)));
    all.add(format("mailgun-key", "ke" + "y-", token(random, HEX, 32)));
    all.add(format("twilio-key", "S" + "K", token(random, HEX, 32)));
    all.add(
        format(
            "discord-token",
            "MT",
            word(random, 24) + "." + word(random, 6) + "." + word(random, 38)));
    all.add(format("databricks-token", "da" + "pi", token(random, HEX, 32)));
    all.add(format("linear-key", "li" + "n_api_", token(random, ALPHANUMERIC, 40)));
    all.add(format("vault-token", "hv" + "s.", word(random, 90)));
    all.add(format("shopify-token", "shp" + "at_", token(random, HEX, 32)));
    all.add(format("docker-token", "dck" + "r_pat_", word(random, 27)));
    all.add(
        format(
            "jwt",
            "ey" + "J",
            word(random, 33) + ".ey" + "J" + word(random, 60) + "." + word(random, 43)));
    return all;
  }

  /** Secrets known by what stands before them. */
  public static List<Sample> assignments(Random random) {
    var all = new ArrayList<Sample>();
    for (var form : PASSWORD_FORMS) {
      all.add(named("password", form, password(random)));
    }
    for (var form : KEY_FORMS) {
      all.add(named("secret", form, "k9" + token(random, CAPITALS.toLowerCase() + DIGITS, 14)));
    }
    for (var form : WORD_FORMS) all.add(named("password", form, "swordfish"));
    all.add(named("url-password", "postgres://app:%s@db.example.org:5432/main", password(random)));
    all.add(named("url-password", "git clone https://me:%s@git.example.org/a.git", "swordfish"));
    all.add(named("authorization", "Authorization: Bearer %s", token(random, HEX, 32)));
    all.add(named("authorization", "-H \"authorization: Basic %s\"", "dXNlcjpwYXNz" + "d29yZDE="));
    all.add(
        named("authorization", "headers={'Authorization': 'token %s'}", token(random, HEX, 40)));
    all.add(named("aws-secret-key", "aws_secret_access_key = %s", token(random, BASE64, 40)));
    all.add(named("aws-secret-key", "\"SecretAccessKey\": \"%s\"", token(random, BASE64, 40)));
    all.add(
        named("azure-key", "AccountName=a;AccountKey=%s;End=b", token(random, BASE64, 86) + "=="));
    all.add(
        named("azure-signature", "https://x.example.org/c?sv=1&sig=%s", token(random, BASE64, 43)));
    all.add(
        named("telegram-token", token(random, "123456789", 10) + ":%s", "AA" + word(random, 33)));
    all.add(named("twilio-key", "TWILIO_SID_AND %s", token(random, HEX, 32)));
    var hook = "T" + token(random, CAPITALS, 8) + "/B" + token(random, CAPITALS, 8) + "/";
    hook += token(random, ALPHANUMERIC, 24);
    all.add(named("webhook", "https://hooks.slack" + ".com/services/%s", hook));
    return all;
  }

  private static final List<String> PASSWORD_FORMS =
      List.of(
          "password = \"%s\"",
          "password: '%s'",
          "\"db_password\": \"%s\",",
          "{\\\"password\\\": \\\"%s\\\"}",
          "DB_PASSWORD=%s",
          "export PGPASSWORD='%s'",
          "  password: %s",
          "spring.datasource.password=%s",
          "password = %s",
          "Server=db;User Id=app;Password=%s;Encrypt=true",
          "mysql --password=%s -h db",
          "tool --password %s --force",
          "connection.setPassword(\"%s\");",
          "props.put(\"password\", \"%s\");",
          "val password: String = \"%s\"",
          "<password>%s</password>",
          "'password' => '%s',",
          "https://example.org/login?user=a&password=%s&x=1",
          "The password is %s by the way",
          "machine db.example.org login app password %s",
          "curl -u admin:%s https://example.org",
          "${DB_PASSWORD:-%s}",
          "client_secret=\"%s\"",
          "sshpass -p %s ssh host");

  private static final List<String> WORD_FORMS =
      List.of(
          "password = \"%s\"",
          "DB_PASSWORD=%s",
          "password: %s",
          "machine db.example.org login app password %s",
          "\"passphrase\": \"%s\"");

  private static final List<String> KEY_FORMS =
      List.of(
          "api_key = \"%s\"",
          "\"apiKey\": \"%s\"",
          "X_API_KEY=%s",
          "x-api-key: %s",
          "access_token=%s&scope=all",
          "//registry.example.org/:_authToken=%s",
          "token: %s",
          "let token = `%s`;",
          "tool login --token %s",
          "tool --api-key=%s",
          "credentials: \"%s\"",
          "os.environ[\"API_TOKEN\"] = \"%s\"",
          "private_key='%s'");

  /** Hashes, names, places and numbers: what a redactor must not touch. */
  static Stream<String> spared() {
    return Stream.of(
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "903a1153f0c6d1f6a2b8e9d7c4b3a2918f7e6d5c",
        "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
        "123e4567-e89b-12d3-a456-426614174000",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "\"integrity\": \"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==\"",
        "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
        "checksum: 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "src/main/java/dev/mainstay/domain/Redactor.java",
        "/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so",
        "https://github.com/example/repo/blob/Main2/Some3File.java#L10-L20",
        "https://docs.example.org/d/1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT/edit",
        "git@github.com:example/repo.git",
        "AbstractHttp2ConnectionHandlerBuilderTest",
        "org.springframework.beans.factory.annotation.Autowired",
        "a_worker_that_lost_its_lease_cannot_complete",
        "getUserByIdAndTenantOrThrowIfMissing2",
        "MAX_HTTP2_CONCURRENT_STREAMS_PER_CONNECTION",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx4Zb0cV7Q9pH3mW1kTq8",
        "VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIDEzIGxhenkgZG9ncw",
        "2026-01-02T03:04:05.678901234Z",
        "1.2.3-SNAPSHOT+build.20260102",
        "_ZNSt6vectorIiSaIiEE17_M_realloc_insertIJiEEEvN9__gnu_cxx17__normal",
        "max_tokens: 4096",
        "next_token = page2token",
        "password = getPassword()",
        "String password = request.getPassword();",
        "token = tokens[0]",
        "password: String,",
        "if (token == null) return",
        "self.token = self._next_token_2",
        "password=password",
        "The token is spent after 10 minutes.",
        "Enter the password: ",
        "\"minipass\": \"^7.0.4\"",
        "token_type=\"Bearer2\"",
        "docker run -u 1000:1000 image",
        "PWD=/home/me/Project2",
        "[redacted:github-token:3f9a1c2e]");
  }

  private static String password(Random random) {
    return "h"
        + token(random, CAPITALS.toLowerCase(), 4)
        + random.nextInt(10)
        + token(random, ALPHANUMERIC, 5);
  }

  /** URL-safe characters that end in a letter, so that what follows is not part of it. */
  private static String word(Random random, int length) {
    return token(random, URL_SAFE, length - 2) + "a7";
  }

  private static Sample format(String kind, String prefix, String rest) {
    return new Sample(kind, prefix + rest, prefix + rest);
  }

  private static Sample named(String kind, String form, String secret) {
    return new Sample(kind, form.replace("%s", secret), secret);
  }
}
