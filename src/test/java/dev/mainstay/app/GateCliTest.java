package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateCliTest {
  @TempDir Path folder;

  @BeforeEach
  void aTask() {
    ok("task", "create", "one");
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  private void seen(int exitCode) {
    String store = folder.resolve(".mainstay/state.sqlite3").toString();
    try (Mainstay mainstay = Mainstay.open(store)) {
      var seen = new EvidenceSeen("make test", exitCode, new Tree("w-1", "t"), How.OBSERVED);
      mainstay.evidence().record(TaskId.of(1), seen, Call.by(Actor.SYSTEM, "test"));
    }
  }

  @Test
  void a_task_that_is_not_done_is_refused_with_the_list_as_a_conflict() {
    ok("plan", "set", "T-001", "write", "test");
    ok("plan", "done", "T-001", "1");
    ok("criteria", "add", "T-001", "documented");
    ok("task", "claim", "--as", "codex");
    CliRun early = run("task", "complete", "T-001", "--fence", "1");
    assertThat(early.code()).isEqualTo(4);
    assertThat(early.err().strip())
        .isEqualTo(
            "mainstay: T-001 is not done, 2 things are left: (1) step 2 is todo: test; 'mainstay plan"
                + " done T-001 2' says it is done, (2) criterion 1 is not met: documented; 'mainstay"
                + " criteria meet T-001 1' says it is");
    CliRun json = run("task", "complete", "T-001", "--fence", "1", "--json");
    assertThat(JsonText.object(json.err()).text("error")).isEqualTo("conflict");
    ok("plan", "done", "T-001", "2", "--fence", "1");
    assertThat(ok("criteria", "meet", "T-001", "1", "--note", "see README", "--fence", "1"))
        .isEqualTo("criterion 1 of T-001 is met\n");
    assertThat(ok("task", "complete", "T-001", "--fence", "1")).contains("completed");
  }

  @Test
  void criteria_are_listed_met_and_reopened() {
    assertThat(run("criteria", "list", "T-001").err()).contains("no criteria");
    ok("criteria", "add", "T-001", "documented");
    ok("criteria", "add", "T-001", "tested", "--check", "make test");
    ok("criteria", "meet", "T-001", "1", "--note", "see README");
    assertThat(ok("criteria", "list", "T-001"))
        .startsWith("[met] 1. documented - see README (by agent:codex, ")
        .endsWith("[unmet] 2. tested - \"make test\" was never run\n");
    seen(2);
    assertThat(ok("criteria", "list", "T-001")).endsWith("\"make test\" failed\n");
    seen(0);
    assertThat(ok("criteria", "list", "T-001")).endsWith("ran before files changed\n");
    JsonObject json = JsonText.object(ok("criteria", "list", "T-001", "--json"));
    JsonObject first = json.objects("criteria").get(0);
    assertThat(first.text("met_by")).isEqualTo("agent:codex");
    assertThat(first.get("met")).isEqualTo(true);
    assertThat(json.objects("criteria").get(1).text("standing")).isEqualTo("stale");
    assertThat(ok("criteria", "reopen", "T-001", "1"))
        .isEqualTo("criterion 1 of T-001 is not met\n");
    assertThat(ok("criteria", "reopen", "T-001", "1")).isEqualTo("nothing changed\n");
    assertThat(ok("criteria", "list", "T-001")).startsWith("[unmet] 1. documented\n");
  }

  @Test
  void what_cannot_be_met_so_is_refused_with_the_right_code() {
    ok("criteria", "add", "T-001", "tested", "--check", "make test");
    CliRun word = run("criteria", "meet", "T-001", "1");
    assertThat(word.code()).isEqualTo(4);
    assertThat(word.err()).contains("nobody's word", "make test");
    assertThat(run("criteria", "meet", "T-001", "2").code()).isEqualTo(3);
    assertThat(run("criteria", "meet", "T-001", "0").code()).isEqualTo(1);
    assertThat(run("criteria", "reopen", "T-001", "7").code()).isEqualTo(3);
    assertThat(run("criteria", "list", "T-009").code()).isEqualTo(3);
    assertThat(run("criteria", "add", "T-001", "tested", "--check", "true").code()).isEqualTo(4);
  }

  @Test
  void evidence_is_listed_with_whether_it_still_counts() {
    assertThat(run("evidence", "list", "T-001").err()).contains("no evidence");
    seen(2);
    assertThat(ok("evidence", "list", "T-001"))
        .containsPattern("EXIT +FILES +HOW +SEEN +COMMAND")
        .containsPattern("2 +stale +observed +.* UTC +make test");
    JsonObject json = JsonText.object(ok("evidence", "list", "T-001", "--json"));
    JsonObject only = json.objects("evidence").get(0);
    assertThat(only.number("exit_code")).isEqualTo(2);
    assertThat(only.get("fresh")).isEqualTo(false);
    assertThat(JsonText.object(ok("state", "show", "T-001", "--json")).object("observed"))
        .satisfies(observed -> assertThat(observed.objects("evidence")).hasSize(1));
  }

  @Test
  void every_command_explains_itself_with_an_example() {
    for (List<String> command :
        List.of(
            List.of("criteria"),
            List.of("criteria", "add"),
            List.of("criteria", "list"),
            List.of("criteria", "meet"),
            List.of("criteria", "reopen"),
            List.of("evidence"),
            List.of("evidence", "list"))) {
      String[] args = new String[command.size() + 1];
      command.toArray(args);
      args[command.size()] = "--help";
      assertThat(ok(args)).contains("Example:", "mainstay " + command.get(0));
    }
  }
}
