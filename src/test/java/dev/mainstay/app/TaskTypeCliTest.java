package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.TaskType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a type of task requires, by real commands on real files; the caller is an agent. */
class TaskTypeCliTest {
  @TempDir Path folder;

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void a_task_is_completed_once_what_its_type_requires_was_seen_on_its_files() throws IOException {
    Files.writeString(folder.resolve("a.txt"), "one\n");
    ok("task", "create", "one");
    ok("task", "claim", "--as", "codex");
    assertThat(ok("task", "type", "CODE")).isEqualTo("CODE requires nothing\n");
    CliRun agent = run("task", "type", "CODE", "--requires", "tests");
    assertThat(agent.code()).isEqualTo(4);
    assertThat(agent.err()).contains("only a person");
    try (var mainstay = Mainstay.open(folder.resolve(".mainstay/state.sqlite3").toString())) {
      Call ada = Call.by(Actor.person("ada"), "test");
      mainstay.taskTypes().require(TaskType.CODE, List.of("test -f a.txt"), ada);
    }
    assertThat(ok("task", "type")).isEqualTo("CODE requires test -f a.txt\n");
    CliRun early = run("task", "complete", "T-001", "--fence", "1");
    assertThat(early.code()).isEqualTo(4);
    assertThat(early.err()).contains("'mainstay evidence run T-001 -- test -f a.txt' runs it");
    ok("evidence", "run", "T-001", "--fence", "1", "--", "test", "-f", "a.txt");
    Files.writeString(folder.resolve("a.txt"), "two\n");
    assertThat(run("task", "complete", "T-001", "--fence", "1").err()).contains("files changed");
    ok("evidence", "run", "T-001", "--fence", "1", "--", "test", "-f", "a.txt");
    assertThat(ok("task", "complete", "T-001", "--fence", "1")).contains("completed");
  }

  @Test
  void without_a_type_nothing_can_be_required() {
    ok("task", "create", "one");
    assertThat(run("task", "type", "--requires", "tests").code()).isEqualTo(1);
    assertThat(run("task", "type", "no type").code()).isEqualTo(1);
    assertThat(run("task", "type").err()).contains("no type of task requires anything");
  }
}
