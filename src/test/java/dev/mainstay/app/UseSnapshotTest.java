package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.OwnFolder;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The setting context.use_snapshot, and the prompt that follows it. */
class UseSnapshotTest {
  private static final String HISTORY =
      """
      {"template": "Be brief.", "unchanged": 0, "ended": 0}

      {"id": "m-1", "role": "user", "content": "Begin."}
      """;

  @TempDir Path folder;
  private final Map<String, String> env = new TreeMap<>(Map.of("CODEX_SANDBOX", "1"));
  private Path config;

  @BeforeEach
  void aProject() throws IOException {
    config = OwnFolder.in(folder).resolve("config.toml");
    Files.writeString(folder.resolve("a.txt"), "one\n");
    Files.writeString(folder.resolve("rules.md"), "Be brief.");
    Files.writeString(folder.resolve("history.jsonl"), HISTORY);
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, new byte[0], env, args);
  }

  private String prompt(String... more) {
    String[] args = new String[4 + more.length];
    String history = folder.resolve("history.jsonl").toString();
    System.arraycopy(new String[] {"repo", "prompt", "--history", history}, 0, args, 0, 4);
    System.arraycopy(more, 0, args, 4, more.length);
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  private String shown() {
    CliRun run = run("doctor", "--config");
    assertThat(run.code()).as(run.err()).isZero();
    return run.out().lines().filter(line -> line.startsWith("context.")).findFirst().orElseThrow();
  }

  @Test
  void a_snapshot_is_sent_unless_something_else_is_said() {
    assertThat(shown()).matches("context\\.use_snapshot +true +default");
    assertThat(prompt()).contains("--- Repository State ---", "a.txt (");
  }

  @Test
  void a_prompt_for_a_task_is_measured_beside_the_history_it_stands_for() {
    run("task", "create", "Add login");
    assertThat(run("repo", "scan", "--story", "T-001").code()).isZero();
    prompt();
    try (Mainstay house = Mainstay.open(folder.resolve(".mainstay/state.sqlite3").toString())) {
      JsonObject given = house.overview().charts(1).objects("prompts").get(0);
      assertThat(given.text("source")).isEqualTo("repo");
      assertThat(given.number("tokens")).isPositive();
      assertThat(given.number("transcript_tokens")).isPositive();
    }
  }

  @Test
  void the_file_turns_it_off_and_the_flag_on_again() throws IOException {
    Files.writeString(config, "[context]\nuse_snapshot = false\n");
    assertThat(shown()).matches("context\\.use_snapshot +false +/.*");
    assertThat(run("doctor", "--config", "--json").out()).contains("config.toml");
    assertThat(prompt()).contains("Be brief.", "Begin.").doesNotContain("Repository State");
    assertThat(prompt("--snapshot")).contains("Repository State");
  }

  @Test
  void the_environment_speaks_louder_than_the_file() throws IOException {
    Files.writeString(config, "context.use_snapshot = true\n");
    env.put("MAINSTAY_CONTEXT_USE_SNAPSHOT", "FALSE");
    assertThat(shown()).matches("context\\.use_snapshot +FALSE +MAINSTAY_.*");
    assertThat(run("doctor", "--config", "--json").out()).contains("MAINSTAY_CONTEXT_USE_SNAPSHOT");
    assertThat(prompt()).doesNotContain("Repository State");
    env.put("MAINSTAY_CONTEXT_USE_SNAPSHOT", "");
    assertThat(prompt()).contains("Repository State");
    assertThat(prompt("--no-snapshot")).doesNotContain("Repository State");
  }

  @Test
  void a_wrong_value_or_name_is_refused_with_its_place() throws IOException {
    env.put("MAINSTAY_CONTEXT_USE_SNAPSHOT", "maybe");
    CliRun wrong = run("task", "list");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err())
        .contains("context.use_snapshot (from MAINSTAY_CONTEXT_USE_SNAPSHOT) must be true or false")
        .contains("not \"maybe\"");
    env.remove("MAINSTAY_CONTEXT_USE_SNAPSHOT");
    Files.writeString(config, "[context]\nuse_snapshots = true\n");
    assertThat(run("doctor", "--config").err()).contains("did you mean \"context.use_snapshot\"?");
    Files.writeString(config, "[context]\nuse_snapshot = [true]\n");
    assertThat(run("doctor", "--config").err()).contains("context.use_snapshot in ");
    Files.writeString(config, "context = false\n");
    assertThat(run("doctor", "--config").code()).isEqualTo(1);
  }

  @Test
  void a_prompt_has_rules_snapshot_and_request_and_counts_its_tokens() {
    String rules = folder.resolve("rules.md").toString();
    CliRun plain = run("repo", "prompt", "--template", rules, "--additional", "Mind the gap.");
    assertThat(plain.out()).startsWith("[system]\nBe brief.\n\n[user]\n").contains("Mind the gap.");
    assertThat(plain.err()).matches("\\d+ tokens\n");
    CliRun run = run("repo", "prompt", "--template", rules, "--json");
    JsonObject json = JsonText.object(run.out());
    assertThat(json.objects("messages"))
        .extracting(each -> each.text("role"))
        .containsExactly("system", "user", "user");
    assertThat(json.number("tokens")).isBetween(50L, 5_000L);
  }

  @Test
  void a_prompt_of_nothing_is_refused() throws IOException {
    CliRun nothing = run("repo", "prompt", "--no-snapshot");
    assertThat(nothing.code()).isEqualTo(1);
    assertThat(nothing.err()).contains("--history or --template");
    String rules = folder.resolve("rules.md").toString();
    assertThat(run("repo", "prompt", "--template", rules, "--history", rules).code()).isEqualTo(1);
    assertThat(run("repo", "prompt", "--template", "none.md").code()).isEqualTo(3);
    Path plain = folder.resolve("plain.jsonl");
    Files.writeString(plain, "{\"role\": \"user\", \"content\": \"hi\"}\n");
    CliRun history = run("repo", "prompt", "--history", plain.toString());
    assertThat(history.code()).isEqualTo(1);
    assertThat(history.err()).contains("template", "repo prompt --help");
  }
}
