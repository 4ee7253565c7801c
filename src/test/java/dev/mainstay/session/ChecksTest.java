package dev.mainstay.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.workspace.Tracker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnDatabase {
    private static final TaskId ONE = TaskId.of(1);

    @TempDir Path folder;
    private Call holder = BOT;
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aHeldTask() throws IOException {
      new Tasks(store).create(NewTask.titled("one"), ADA);
      var held = new Leases(store).hold(ONE, "bot", Duration.ofMinutes(5), BOT);
      holder = BOT.withFence(held.fence());
      Files.writeString(folder.resolve("a.txt"), "a");
    }

    private Checks checks() {
      return new Checks(store);
    }

    private void criterion(String check) {
      new TaskStates(store).addCriterion(ONE, "it works", check, holder);
    }

    private void refused(String words) {
      assertThatThrownBy(() -> checks().complete(ONE, JsonObject.EMPTY, holder))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining(words);
    }

    @Test
    void a_check_is_run_its_words_are_shown_and_the_task_may_end() {
      criterion("grep a a.txt");
      refused("never run");
      var ran = checks().runAll(ONE, folder, shown, holder);
      assertThat(ran).containsExactly(new Checks.Ran("grep a a.txt", 0));
      assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("$ grep a a.txt\na\n");
      assertThat(checks().complete(ONE, JsonObject.EMPTY, holder).status())
          .isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void a_check_that_failed_keeps_the_task_open() {
      criterion("grep b a.txt");
      assertThat(checks().runAll(ONE, folder, shown, holder).get(0).exitCode()).isEqualTo(1);
      refused("exit code 1");
    }

    @Test
    void a_file_that_changes_afterwards_makes_the_evidence_stale_without_anybody_saying_so()
        throws IOException {
      criterion("grep a a.txt");
      checks().runAll(ONE, folder, shown, holder);
      Files.writeString(folder.resolve("b.txt"), "b");
      refused("changed");
      checks().runAll(ONE, folder, shown, holder);
      checks().complete(ONE, JsonObject.EMPTY, holder);
    }

    @Test
    void a_check_that_changes_files_is_stale_at_once() {
      criterion("sh -c 'echo more >> a.txt'");
      checks().runAll(ONE, folder, shown, holder);
      assertThat(new EvidenceBook(store).list(ONE).get(0).fresh()).isFalse();
      refused("changed");
    }

    @Test
    void a_good_end_of_the_run_asks_the_same() {
      new TaskStates(store).start(ONE, "goal", List.of(), holder);
      criterion("grep a a.txt");
      assertThatThrownBy(() -> checks().end(ONE, RunPhase.FINISHED, "done", holder))
          .hasMessageContaining("never run");
      checks().end(ONE, RunPhase.ABANDONED, "enough", holder);
    }

    @Test
    void the_agents_own_list_is_asked_even_while_it_waits_to_be_looked_at() {
      Tracker tracker = Tracker.open(store, folder);
      tracker.beginStory(ONE.value(), ADA);
      var todo = JsonObject.of("content", "write the tests", "status", "pending");
      tracker.queue("TodoWrite", JsonObject.of("todos", List.of(todo)), ONE, holder);
      refused("write the tests");
      var done = new OpenTask("write the tests", OpenTask.Status.COMPLETED, 1);
      Tracker.open(store, folder).setTasks(List.of(done), holder);
      checks().complete(ONE, JsonObject.EMPTY, holder);
    }

    @Test
    void two_checks_under_one_key_are_both_run() {
      criterion("grep a a.txt");
      new TaskStates(store).addCriterion(ONE, "it is there", "ls a.txt", holder);
      assertThat(checks().runAll(ONE, folder, shown, holder.withKey("once"))).hasSize(2);
    }

    @Test
    void a_program_that_is_not_there_and_a_shells_signs_are_refused_with_words() {
      assertThatThrownBy(() -> checks().run(ONE, folder, "no-such-program", shown, holder))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("no-such-program");
      assertThatThrownBy(() -> checks().run(ONE, folder, "ls | wc", shown, holder))
          .hasMessageContaining("sh -c");
      assertThatThrownBy(() -> checks().runAll(ONE, folder, shown, holder))
          .hasMessageContaining("--check");
    }
  }
}
