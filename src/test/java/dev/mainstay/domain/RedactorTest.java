package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.CpuTime;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets are put together at run time, so that no scanner finds one in this repository. */
@Order(1)
class RedactorTest {
  private static final Redactor REDACTOR = Redactor.DEFAULT;
  private static final Pattern MARKER = Pattern.compile("\\[redacted:([a-z0-9-]+):[0-9a-f]{8}]");
  private static final Duration HANG = Duration.ofSeconds(20);
  private static final int HOSTILE_CHARS = 1_000_000;

  /** Where a secret turns up: prose, JSON, JSON within JSON, env, YAML, shell, code, URL, log. */
  private static final List<String> PLACES =
      List.of(
          "The deploy failed, I used %s for it.",
          "(%s)",
          "{\"step\": \"login\", \"value\": \"%s\", \"ok\": true}",
          "{\"out\": \"first\\n%s\\nlast\"}",
          "DEPLOY_VALUE=%s\nPORT=8080\n",
          "deploy:\n  value: %s\n  port: 8080\n",
          "curl -s -H 'X-Value: %s' https://api.example.org/v1/items",
          "final String value = \"%s\";",
          "GET https://api.example.org/items?value=%s&page=2",
          "2026-01-02T03:04:05Z INFO client=%s, took 12 ms",
          "`%s`",
          "<value>%s</value>");

  static Stream<SecretSamples.Sample> formats() {
    return SecretSamples.formats(new Random(1)).stream();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void every_known_format_is_found_wherever_it_stands(SecretSamples.Sample sample) {
    for (var place : PLACES) {
      var text = place.formatted(sample.text());
      var redacted = REDACTOR.redact(text);
      assertThat(redacted).as(text).doesNotContain(sample.secret());
      assertThat(kinds(redacted)).as(text).containsExactly(sample.kind());
      assertThat(around(redacted)).as("the text around").isEqualTo(cut(text, sample.secret()));
      assertThat(REDACTOR.redact(redacted)).isEqualTo(redacted);
    }
  }

  static Stream<SecretSamples.Sample> assignments() {
    return SecretSamples.assignments(new Random(2)).stream();
  }

  @ParameterizedTest
  @MethodSource("assignments")
  void a_named_secret_loses_its_value_and_keeps_its_name(SecretSamples.Sample sample) {
    for (var text : List.of(sample.text(), "before\n" + sample.text() + "\nafter")) {
      var redacted = REDACTOR.redact(text);
      assertThat(kinds(redacted)).as(text).containsExactly(sample.kind());
      assertThat(around(redacted)).as(text).isEqualTo(cut(text, sample.secret()));
      assertThat(REDACTOR.redact(redacted)).isEqualTo(redacted);
    }
  }

  @Test
  void the_marker_names_kind_and_hash() {
    // The hash is that of sha256("hunter2hunter").
    assertThat(REDACTOR.redact(quoted("hunter2hunter")))
        .isEqualTo("password = \"[redacted:password:6f5917a3]\";");
  }

  @Tag("long")
  @Test
  void thousands_of_planted_secrets_never_survive() {
    var random = new Random(3);
    for (int round = 0; round < 40; round++) {
      var samples = new ArrayList<>(SecretSamples.formats(random));
      samples.addAll(SecretSamples.assignments(random));
      for (var sample : samples) {
        var place = sample.isFormat() ? PLACES.get(random.nextInt(PLACES.size())) : "%s";
        var text = prose(random) + "\n" + place.formatted(sample.text()) + "\n" + prose(random);
        var redacted = REDACTOR.redact(text);
        assertThat(redacted).as(text).doesNotContain(sample.secret());
        assertThat(around(redacted)).as(text).isEqualTo(cut(text, sample.secret()));
        assertThat(REDACTOR.redact(redacted)).isEqualTo(redacted);
      }
    }
  }

  @Test
  void text_without_secrets_is_unchanged() {
    var random = new Random(4);
    for (int i = 0; i < 2_000; i++) {
      var text = prose(random);
      assertThat(REDACTOR.redact(text)).isEqualTo(text);
    }
  }

  @Test
  void redacting_any_text_twice_changes_nothing() {
    var random = new Random(5);
    var pieces = new ArrayList<>(List.of("password", "=", ":", " ", "\"", "'", "\n", "\\n", "&"));
    pieces.addAll(List.of("[redacted:jwt:01234567]", "token", "://u:", "@h", "Bearer ", "-", "x1"));
    SecretSamples.formats(random).forEach(sample -> pieces.add(sample.secret()));
    for (int i = 0; i < 5_000; i++) {
      var text = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        text.append(pieces.get(random.nextInt(pieces.size())));
      }
      var once = REDACTOR.redact(text.toString());
      assertThat(REDACTOR.redact(once)).as(text.toString()).isEqualTo(once);
    }
  }

  @Test
  void most_random_tokens_of_no_known_format_are_found() {
    var random = new Random(6);
    int missed = 0;
    for (int i = 0; i < 10_000; i++) {
      var token = SecretSamples.token(random, SecretSamples.ALPHANUMERIC, 32 + i % 33);
      if (REDACTOR.redact("got " + token + " back").contains(token)) missed++;
    }
    assertThat(missed).isLessThan(20);
  }

  @ParameterizedTest
  @MethodSource("dev.mainstay.domain.SecretSamples#spared")
  void what_is_no_secret_is_spared(String text) {
    assertThat(REDACTOR.redact(text)).isEqualTo(text);
    assertThat(REDACTOR.redact("See `" + text + "`.")).isEqualTo("See `" + text + "`.");
  }

  @Test
  void a_secret_beside_a_marker_is_still_found() {
    var marker = "[redacted:jwt:01234567]";
    assertThat(around(REDACTOR.redact("password=" + marker + "hunter" + "2x")))
        .isEqualTo("password=");
  }

  @Test
  void a_private_key_is_found_whole_and_cut_off() {
    var random = new Random(7);
    var body = new StringBuilder();
    for (int line = 0; line < 25; line++) {
      body.append(SecretSamples.token(random, SecretSamples.BASE64, 64)).append('\n');
    }
    for (var kind : List.of("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP ")) {
      var block = kind.startsWith("PGP") ? " BLOCK" : "";
      var begin = "-----BEGIN " + kind + "PRIVATE" + " KEY" + block + "-----\n";
      var end = "-----END " + kind + "PRIVATE" + " KEY" + block + "-----";
      var key = begin + body + end;
      assertThat(around(REDACTOR.redact("a\n" + key + "\nb"))).isEqualTo("a\n\nb");
      assertThat(around(REDACTOR.redact(begin + body.substring(0, 700)))).isEmpty();
      assertThat(around(REDACTOR.redact("'" + key.replace("\n", "\\n") + "'"))).isEqualTo("''");
      assertThat(around(REDACTOR.redact("'" + key.replace("\n", "\\r\\n") + "'"))).isEqualTo("''");
      assertThat(REDACTOR.redact("It starts with " + begin)).isEqualTo("It starts with " + begin);
    }
  }

  @Test
  void json_is_redacted_in_depth_and_keeps_its_shape() {
    var token = "gh" + "p_" + SecretSamples.token(new Random(8), SecretSamples.ALPHANUMERIC, 36);
    var json = new LinkedHashMap<String, Object>();
    json.put("note", List.of("used " + token, 7, true));
    json.put("db", Map.of("password", "swordfish", "port", 5432));
    json.put("api_keys", List.of("first-key-1", "second-key-2"));
    json.put("none", null);
    var redacted = (Map<?, ?>) REDACTOR.redactJson(json);
    assertThat(List.copyOf(redacted.keySet())).isEqualTo(List.copyOf(json.keySet()));
    assertThat(redacted.toString()).doesNotContain(token, "swordfish", "first-key", "second-key");
    assertThat(redacted.toString())
        .contains("port=5432", "used [redacted:github-token:", "7, true");
    assertThat(redacted.get("none")).isNull();
    assertThat(REDACTOR.redactJson(redacted)).isEqualTo(redacted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "db_password",
        "dbPassword",
        "PGPASSWORD",
        "api_key",
        "apiKey",
        "X-Api-Key",
        "token",
        "access_token",
        "accessToken",
        "client_secret",
        "Authorization",
        "private_key",
        "AWS_SECRET_ACCESS_KEY",
        "credentials",
        "passphrase",
        "auth",
        "secret_key_base",
        "Cookie"
      })
  void a_value_under_the_name_of_a_secret_is_redacted_whole(String key) {
    var value = (Map<?, ?>) REDACTOR.redactJson(Map.of(key, "open sesame twice"));
    assertThat(String.valueOf(value.get(key))).matches("\\[redacted:secret:[0-9a-f]{8}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_tokens",
        "token_count",
        "next_token",
        "nextPageToken",
        "total_tokens",
        "token_type",
        "password_policy",
        "secretary",
        "tokenizer",
        "author",
        "public_key",
        "prompt_tokens",
        "pass_rate"
      })
  void a_name_that_only_contains_the_word_is_no_secret(String key) {
    var json = Map.<String, Object>of(key, "nine lives 9");
    assertThat(REDACTOR.redactJson(json)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${TOKEN}",
        "<your key>",
        "xxx",
        "xxxxxxxx",
        "changeme",
        "********",
        "{{ secret }}",
        "...",
        "YOUR_API_KEY",
        "%s",
        "$TOKEN",
        "",
        "required",
        "Enter your password",
        "none"
      })
  void placeholders_are_spared(String value) {
    var json = Map.<String, Object>of("password", value, "token", value);
    assertThat(REDACTOR.redactJson(json)).isEqualTo(json);
    var text = "password = \"" + value + "\"\ntoken: \"" + value + "\"\n";
    assertThat(REDACTOR.redact(text)).isEqualTo(text);
  }

  @Test
  void an_object_stays_an_object() {
    var inner = JsonObject.of("password", "swordfish", "port", 5432);
    var redacted = REDACTOR.redactObject(JsonObject.of("db", inner));
    assertThat(redacted.toString())
        .contains("[redacted:secret:", "5432")
        .doesNotContain("swordfish");
    assertThat(REDACTOR.redactObject(redacted)).isEqualTo(redacted);
  }

  @Test
  void numbers_and_booleans_are_no_secrets() {
    var json = Map.<String, Object>of("password", true, "token", 1234567890L);
    assertThat(REDACTOR.redactJson(json)).isEqualTo(json);
  }

  @Test
  void a_project_may_add_patterns_and_allow_others() {
    var extra = Map.of("badge", Pattern.compile("badge (?<s>[0-9]{6})"));
    var redactor = new Redactor(extra, List.of(Pattern.compile("sword")));
    assertThat(around(redactor.redact("badge 123456"))).isEqualTo("badge ");
    assertThat(redactor.redact(quoted("swordfish"))).isEqualTo(quoted("swordfish"));
    assertThatThrownBy(() -> new Redactor(Map.of("A B", Pattern.compile("x")), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  static Stream<String> anchors() {
    var rules = new ArrayList<>(SecretFormats.RULES);
    rules.addAll(SecretAssignments.RULES);
    rules.addAll(SecretFormats.SPARED);
    return rules.stream().flatMap(rule -> rule.anchors().stream()).distinct();
  }

  @ParameterizedTest
  @MethodSource("anchors")
  void a_text_of_nothing_but_beginnings_is_read_in_linear_time(String anchor)
      throws InterruptedException {
    for (var tail : List.of("", "=", "=\"", " a", "-----", ":a@", "A1b")) {
      var text = repeat(anchor + tail, HOSTILE_CHARS / 100);
      CpuTime.within(HANG, anchor + tail, () -> REDACTOR.redact(text));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "A1b2", "-", "=", "\"", "\\", "\n", "eyJ", "a/", "password=A1b", ": "})
  void a_very_long_text_is_read_in_linear_time(String unit) throws InterruptedException {
    var text = repeat(unit, HOSTILE_CHARS);
    CpuTime.within(HANG, unit, () -> REDACTOR.redact(text));
  }

  @Test
  void the_repository_itself_holds_nothing_to_redact() throws IOException {
    int read = 0;
    List<String> found = new ArrayList<>();
    for (var file : repositoryFiles()) {
      String text;
      try {
        text = Files.readString(file);
      } catch (MalformedInputException e) {
        continue; // not a text
      }
      read++;
      var redacted = REDACTOR.redact(text);
      redacted
          .lines()
          .filter(line -> MARKER.matcher(line).find() && !text.contains(line))
          .forEach(line -> found.add(file + ": " + line.strip()));
    }
    assertThat(found).as("samples of secrets that are not assembled at run time").isEmpty();
    assertThat(read).isGreaterThan(10);
  }

  private static List<Path> repositoryFiles() throws IOException {
    var files = new ArrayList<Path>();
    for (var root : List.of("src", "pom.xml", ".ci", ".mvn", "LICENSE", "bench", "mainstay")) {
      try (var walk = Files.walk(Path.of(root))) {
        // A lock file is npm's: it has packages with "password" in their names, and hashes.
        walk.filter(Files::isRegularFile)
            .filter(file -> !file.endsWith("package-lock.json"))
            .forEach(files::add);
      }
    }
    return files;
  }

  private static String quoted(String password) {
    return "password = \"" + password + "\";";
  }

  private static List<String> kinds(String redacted) {
    return MARKER.matcher(redacted).results().map(found -> found.group(1)).toList();
  }

  private static String around(String redacted) {
    return MARKER.matcher(redacted).replaceAll("");
  }

  private static String cut(String text, String secret) {
    return around(text.replace(secret, ""));
  }

  private static String repeat(String unit, int chars) {
    return unit.repeat(chars / unit.length());
  }

  private static String prose(Random random) {
    var words = SecretSamples.spared().toList();
    var text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      text.append(words.get(random.nextInt(words.size()))).append(i % 3 == 2 ? "\n" : " and ");
    }
    return text.toString();
  }
}
