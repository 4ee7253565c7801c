package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence that Mainstay gathers itself, by real commands on real files. */
class EvidenceCliTest {
  @TempDir Path folder;

  @BeforeEach
  void aHeldTask() throws IOException {
    Files.writeString(folder.resolve("a.txt"), "one\n");
    ok("task", "create", "one");
    ok("task", "claim", "--as", "codex");
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void a_command_is_shown_run_and_recorded_with_how_it_ended() {
    CliRun ran =
        run("evidence", "run", "T-001", "--fence", "1", "--", "sh", "-c", "echo out; exit 3");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).isEqualTo("$ sh -c 'echo out; exit 3'\nout\n");
    assertThat(ran.out()).isEqualTo("sh -c 'echo out; exit 3' ended with 3\n");
    CliRun json = run("evidence", "run", "T-001", "--fence", "1", "--json", "--", "true");
    assertThat(json.code()).isZero();
    JsonObject only = JsonText.object(json.out()).objects("ran").get(0);
    assertThat(only.text("command")).isEqualTo("true");
    assertThat(only.number("exit_code")).isZero();
    assertThat(ok("evidence", "list", "T-001"))
        .containsPattern("3 +fresh +ran +.*sh -c")
        .containsPattern("0 +fresh +ran +.* true");
  }

  @Test
  void a_checked_criterion_is_met_by_its_run_until_a_file_changes() throws IOException {
    ok("criteria", "add", "T-001", "it works", "--check", "true", "--fence", "1");
    ok("criteria", "add", "T-001", "it is there", "--check", "test -f a.txt", "--fence", "1");
    assertThat(ok("evidence", "run", "T-001", "--fence", "1"))
        .isEqualTo("true ended with 0\ntest -f a.txt ended with 0\n");
    assertThat(ok("criteria", "list", "T-001")).doesNotContain("[unmet]");
    Files.writeString(folder.resolve("a.txt"), "two\n");
    CliRun early = run("task", "complete", "T-001", "--fence", "1");
    assertThat(early.code()).isEqualTo(4);
    assertThat(early.err()).contains("2 things are left", "test -f a.txt");
    assertThat(ok("evidence", "list", "T-001")).contains("stale").doesNotContain("fresh");
    ok("evidence", "run", "T-001", "--fence", "1");
    assertThat(ok("task", "complete", "T-001", "--fence", "1")).contains("completed");
  }

  @Test
  void a_run_belongs_to_the_holder_and_takes_no_key() {
    CliRun stranger = run("evidence", "run", "T-001", "--fence", "9", "--", "touch", "ran");
    assertThat(stranger.code()).isEqualTo(4);
    assertThat(run("evidence", "run", "T-001", "--", "touch", "ran").code()).isEqualTo(4);
    assertThat(run("evidence", "run", "T-001", "--key", "k", "--", "touch", "ran").code())
        .isEqualTo(2);
    assertThat(folder.resolve("ran")).doesNotExist();
  }

  @Test
  void what_cannot_be_run_is_refused_with_the_right_code() {
    assertThat(run("evidence", "run", "T-009", "--", "true").code()).isEqualTo(3);
    assertThat(run("evidence", "run", "x", "--", "true").code()).isEqualTo(3);
    assertThat(run("evidence", "run").code()).isEqualTo(2);
    CliRun none = run("evidence", "run", "T-001", "--fence", "1");
    assertThat(none.code()).isEqualTo(3);
    assertThat(none.err()).contains("criteria add T-001 TEXT --check COMMAND");
    CliRun unknown = run("evidence", "run", "T-001", "--fence", "1", "--", "no-such-program");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err()).contains("cannot be run");
    String nowhere = folder.resolve("none").toString();
    assertThat(
            run("evidence", "run", "T-001", "--fence", "1", "--dir", nowhere, "--", "true").code())
        .isEqualTo(3);
    assertThat(run("evidence", "list", "T-001").err()).contains("evidence run T-001 -- CMD");
  }

  @Test
  void the_demo_says_no_before_it_makes_anything() {
    Path place = folder.resolve("demo");
    for (String[] wrong :
        new String[][] {
          {"--story", "bye"},
          {"--story", "hello", "--turns", "0"},
          {"--story", "hello", "--turns", "10001"},
          {"--story", "hello", "--restart-every", "0"},
          {"--story", "hello", "--db", "x.sqlite3"},
          {"--turns", "3", "--json"},
          {"--keep", "--story", "commands"},
          {"--db", "x.sqlite3"}
        }) {
      String[] args = new String[wrong.length + 3];
      System.arraycopy(new String[] {"demo", "--dir", place.toString()}, 0, args, 0, 3);
      System.arraycopy(wrong, 0, args, 3, wrong.length);
      assertThat(run(args).code()).as(String.join(" ", wrong)).isEqualTo(1);
    }
    assertThat(place).doesNotExist();
  }
}
