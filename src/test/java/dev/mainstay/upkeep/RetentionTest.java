package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.store.Tamper;
import dev.mainstay.upkeep.RetentionPlan.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetentionTest {
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

  abstract static class Contract extends OnRetention {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void what_ended_long_ago_leaves_with_every_entry_as_it_was() throws IOException {
      TaskId done = done();
      TaskId cancelled = task(null);
      tasks.cancel(cancelled, "enough", ADA);
      TaskId open = task(null);
      timePasses();
      TaskId young = done();
      Map<String, JournalEntry> before = entries(store);
      var result = gc();
      assertThat(result.left()).isEqualTo(2);
      assertThat(here()).containsExactly(open.value(), young.value());
      Map<String, JournalEntry> archived = entries(file());
      assertThat(archived.keySet())
          .allMatch(key -> key.startsWith(done.stream()) || key.startsWith(cancelled.stream()));
      Map<String, JournalEntry> together = new TreeMap<>(archived);
      together.putAll(entries(store));
      assertThat(together).isEqualTo(before);
      assertThat(archived.size() + entries(store).size()).isEqualTo(before.size());
      assertThat(findings()).isEmpty();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
          .isEqualTo("rw-------");
      assertThat(Raw.texts(store, "SELECT archive FROM archived_streams", "archive"))
          .hasSize(2)
          .containsOnly("archive.jsonl.gz sha256:" + result.archive().sha256());
    }

    @Test
    void a_dry_run_changes_nothing_and_says_what_would_leave_and_what_stays() {
      TaskId done = done();
      TaskId needed = done();
      TaskId open = task(null, needed);
      timePasses();
      List<String> before = Raw.dump(store);
      var report = plan();
      assertThat(report.leaving().ids()).containsExactly(done.value(), BOT_STATE);
      assertThat(report.leaving().entries()).isEqualTo(4);
      assertThat(report.leaving().bytes()).isPositive();
      assertThat(why(report))
          .containsOnly(Map.entry(needed.value(), open + " stays and refers to it"));
      assertThat(Raw.dump(store)).isEqualTo(before);
      assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_pending_or_held_task_never_leaves() {
      task(null);
      TaskId held = task(null);
      leases.hold(held, "bot", Duration.ofMinutes(5), BOT);
      timePasses();
      assertThat(plan().leaving().tasks()).isZero();
      assertThat(gc().archive()).isNull();
      assertThat(here()).hasSize(2);
      assertThat(folder).as("without anything to leave no file is made").isEmptyDirectory();
    }

    @Test
    void what_stays_keeps_all_it_refers_to_however_far() {
      TaskId first = done();
      TaskId second = task(null, first);
      complete(second);
      TaskId parent = task(null);
      TaskId child = task(parent, second);
      complete(child);
      TaskId open = task(null, child);
      timePasses();
      var report = plan();
      assertThat(report.leaving().ids()).containsExactly(BOT_STATE);
      assertThat(why(report))
          .containsOnly(
              Map.entry(first.value(), second + " stays and refers to it"),
              Map.entry(second.value(), child + " stays and refers to it"),
              Map.entry(parent.value(), child + " stays and refers to it"),
              Map.entry(child.value(), open + " stays and refers to it"));
    }

    @Test
    void a_child_of_an_open_parent_stays_and_one_of_an_ended_parent_may_leave() {
      TaskId open = task(null);
      TaskId child = task(open);
      TaskId missing = task(open);
      complete(child);
      TaskId parent = task(null);
      TaskId free = task(parent);
      TaskId last = task(parent);
      complete(free);
      timePasses();
      complete(last);
      assertThat(tasks.show(parent).status()).isEqualTo(TaskStatus.COMPLETED);
      var result = gc();
      assertThat(why(result.report())).containsOnly(Map.entry(child.value(), "its parent is open"));
      assertThat(here())
          .containsExactly(
              open.value(), child.value(), missing.value(), parent.value(), last.value());
      assertThat(findings()).isEmpty();
    }

    @Test
    void a_parent_that_can_be_tried_again_keeps_the_parts_it_ended_by() {
      TaskId parent = task(null);
      TaskId failed = task(parent);
      TaskId last = task(parent);
      fail(failed);
      timePasses();
      tasks.cancel(last, "enough", ADA);
      assertThat(tasks.show(parent).status()).isEqualTo(TaskStatus.FAILED);
      assertThat(why(gc().report()))
          .containsEntry(failed.value(), "its parent ended lately and can be tried again");
      timePasses();
      TaskId open = task(null, parent);
      assertThat(why(gc(folder.resolve("old"), Limits.DEFAULT, step -> {}).report()))
          .containsEntry(parent.value(), open + " stays and refers to it")
          .containsEntry(failed.value(), parent + " stays and refers to it");
      tasks.retry(last, "once more", ADA);
      complete(last);
      assertThat(tasks.show(parent).status())
          .as("what failed is not forgotten")
          .isEqualTo(TaskStatus.FAILED);
      assertThat(findings()).isEmpty();
    }

    private void surroundings(String at) {
      Raw.run(store, "INSERT INTO terminals (id, provider) VALUES ('x', 'external')");
      Raw.run(store, "INSERT INTO workflows (id, name) VALUES ('w', 'w')");
      Raw.run(
          store,
          "INSERT INTO workflow_executions (id, workflow_id, session_name, status) VALUES ('e', 'w', 's', 'PAUSED')");
      Raw.run(
          store,
          "INSERT INTO workspaces (id, host, work_dir, story_id, tree_hash, updated_at) VALUES ('w', 'h', '/', 'T-001', '', "
              + at
              + ")");
    }

    @Test
    void whatever_else_refers_to_a_task_keeps_it() {
      String at = "'2026-06-01T00:00:00.000000Z'";
      surroundings(at);
      for (int i = 0; i < 9; i++) done();
      for (String sql :
          List.of(
              "INSERT INTO agent_sessions (id, host_session_id, agent, worktree, branch, task_id, repeat_fuse, started_at, last_seen) VALUES ('s', 'h', 'a', '/', 'b', 'T-002', '{}', "
                  + at
                  + ", "
                  + at
                  + ")",
              "INSERT INTO state_directories (id, host, folder, task_id, execution_id, created_at) VALUES ('d', 'h', '/', 'T-003', 'e', "
                  + at
                  + ")",
              "INSERT INTO file_writes (workspace_id, path, temp_name, new_hash, fingerprint, task_id, actor, source, begun_at) VALUES ('w', 'p', 't', 'n', 'f', 'T-004', 'a', 's', "
                  + at
                  + ")",
              "INSERT INTO reservations (workspace_id, pattern, task_id, fence, reserved_at) SELECT 'w', 'p', id, fence, "
                  + at
                  + " FROM tasks WHERE id = 'T-005'",
              "INSERT INTO observations (workspace_id, task_id, actor, source, meaning, seen_at) VALUES ('w', 'T-006', 'a', 's', '{}', "
                  + at
                  + ")",
              "INSERT INTO task_assignments (task_id, terminal_id, status) VALUES ('T-007', 'x', 'ACCEPTED')",
              "INSERT INTO task_budgets (task_id) VALUES ('T-008')",
              "INSERT INTO budget_reservations (task_id, budget_id, tokens, cost, seconds) VALUES ('T-008', 'T-008', 1, 1, 1)")) {
        Raw.run(store, sql);
      }
      Tamper.with(store, "UPDATE tasks SET workflow_id = 'w' WHERE id = 'T-009'");
      timePasses();
      clock.advance(Duration.ofDays(90));
      Raw.run(store, "UPDATE agent_sessions SET last_seen = '2027-01-01T00:00:00.000000Z'");
      List<String> before = here();
      assertThat(plan().leaving().ids()).containsExactly(BOT_STATE);
      assertThat(why(plan()))
          .containsEntry("T-001", "it is the story of a workspace")
          .containsEntry("T-002", "an agent's session is on it")
          .containsEntry("T-003", "a state directory shows it")
          .containsEntry("T-004", "a file write for it is not settled")
          .containsEntry("T-005", "it has files reserved")
          .containsEntry("T-006", "tool results seen for it are not looked at yet")
          .containsEntry("T-007", "somebody is assigned to it")
          .containsEntry("T-008", "a budget is reserved by it or from it")
          .containsEntry("T-009", "its workflow is being executed");
      assertThat(gc().left()).as("what is known of the worker").isEqualTo(1);
      assertThat(here()).hasSize(9).isEqualTo(before);
    }

    @Test
    void verify_still_finds_a_stream_that_was_cut_off_by_hand() {
      done();
      TaskId cut = done();
      timePasses();
      tasks.update(cut, JsonObject.of("priority", 1), null, ADA);
      gc();
      assertThat(findings()).isEmpty();
      Tamper.with(store, "DELETE FROM journal WHERE stream = 'task/T-002'");
      Tamper.with(store, "DELETE FROM tasks WHERE id = 'T-002'");
      assertThat(findings()).containsExactly("task/T-002: entry 5 was sealed and is missing");
    }

    @Test
    void a_record_of_an_archived_stream_that_ends_before_its_seal_does_not_excuse_it() {
      done();
      timePasses();
      gc();
      Raw.run(store, "UPDATE archived_streams SET number = 3");
      assertThat(findings()).containsExactly("task/T-001: entry 4 was sealed and is missing");
      Raw.run(store, "UPDATE archived_streams SET number = 4, hash = 'other'");
      assertThat(findings()).containsExactly("task/T-001: entry 4 is not the one that was sealed");
    }

    @Test
    void numbers_go_on_after_what_left_here_in_a_rebuild_and_in_a_restored_backup() {
      done();
      done();
      timePasses();
      gc();
      assertThat(here()).isEmpty();
      StoreAddress rebuilt = database().fresh();
      assertThat(Rebuild.into(store, rebuilt).kept()).isEmpty();
      expectNext(rebuilt);
      Path backup = folder.resolve("backup");
      new Upkeep(store, address).backup(backup);
      for (Databases other : Databases.values()) {
        StoreAddress target = other.fresh();
        Upkeep.restore(backup, target, StoreSettings.DEFAULT.withClock(clock));
        expectNext(target);
      }
      assertThat(task(null)).isEqualTo(TaskId.of(3));
    }

    private void expectNext(StoreAddress where) {
      try (Store other = open(where)) {
        assertThat(Verification.of(other).findings()).isEmpty();
        assertThat(Raw.texts(other, "SELECT stream FROM archived_streams", "stream")).hasSize(2);
        assertThat(new Tasks(other).create(NewTask.titled("next"), ADA).id())
            .isEqualTo(TaskId.of(3));
      }
    }

    @Test
    void a_reader_of_the_journal_goes_on_over_the_holes() {
      done();
      TaskId open = task(null);
      settle();
      Position middle =
          store.reading(tx -> tx.journal().after(Position.BEGINNING, null, 2).get(1).position());
      timePasses();
      gc();
      tasks.update(open, JsonObject.of("priority", 1), null, ADA);
      settle();
      List<String> seen = new ArrayList<>();
      for (Placed each : new Journal(store).after(middle, null, 100)) {
        if (!each.entry().place().stream().startsWith("store/"))
          seen.add(each.entry().content().kind());
      }
      assertThat(seen).containsExactly("task.created", "task.updated");
    }

    @Test
    void tasks_that_refer_to_each_other_in_a_circle_leave_together() {
      TaskId parent = task(null);
      TaskId child = task(parent);
      tasks.depend(parent, dev.mainstay.domain.Dependency.on(child), ADA);
      complete(child);
      assertThat(tasks.show(parent).status()).isEqualTo(TaskStatus.COMPLETED);
      timePasses();
      var result = gc(file(), new Limits(100, 100, 2), step -> {});
      assertThat(result.report().leaving().ids())
          .containsExactlyInAnyOrder(parent.value(), child.value(), BOT_STATE);
      assertThat(result.left()).isEqualTo(3);
      assertThat(here()).isEmpty();
    }

    @Test
    void a_terminal_state_leaves_when_nothing_live_refers_to_its_terminal() {
      for (String id : List.of("idle", "busy", "waited")) {
        Raw.run(store, "INSERT INTO terminals (id, provider) VALUES ('" + id + "', 'external')");
        Raw.run(
            store,
            "INSERT INTO terminal_states (terminal_id, initial_prompt, updated_at) VALUES ('"
                + id
                + "', 'go', '2026-01-01T00:00:00.000000Z')");
      }
      TaskId open = task(null);
      Raw.run(
          store,
          "INSERT INTO task_assignments (task_id, terminal_id, status) VALUES ('"
              + open
              + "', 'busy', 'IN_PROGRESS')");
      Raw.run(
          store,
          "INSERT INTO inbox (sender_id, receiver_id, message, status) VALUES ('a', 'waited', 'm', 'PENDING')");
      timePasses();
      var result = gc();
      assertThat(result.report().leaving().terminals()).isEqualTo(1);
      assertThat(why(result.report()))
          .containsEntry("terminal/busy", "a task is assigned to it")
          .containsEntry("terminal/waited", "messages wait for it");
      assertThat(Raw.texts(store, "SELECT terminal_id FROM terminal_states", "terminal_id"))
          .containsExactlyInAnyOrder("busy", "waited");
      assertThat(Raw.texts(store, "SELECT id FROM terminals", "id")).hasSize(3);
      List<String> rows = new ArrayList<>();
      ArchiveFile.read(
          file(),
          new ArchiveFile.Reader() {
            @Override
            public void row(JsonObject row) {
              rows.add(row.object("values").text("initial_prompt"));
            }
          });
      assertThat(rows).containsExactly("go");
    }

    @Test
    void where_a_worker_stood_stays_while_it_holds_a_task_and_an_age_longer() {
      done();
      TaskId open = task(null);
      timePasses();
      Task held = leases.hold(open, "bot", Duration.ofMinutes(5), BOT);
      assertThat(why(plan())).containsEntry(BOT_STATE, "a task is assigned to it");
      leases.release(open, "later", BOT.withFence(held.fence()));
      assertThat(why(gc().report())).containsEntry(BOT_STATE, "it held a task lately");
      timePasses();
      assertThat(plan().leaving().ids()).containsExactly(BOT_STATE);
    }

    @Test
    void a_damaged_stream_stays_and_holds_nobody_up() {
      TaskId damaged = done();
      TaskId sound = done();
      timePasses();
      Tamper.with(
          store, "UPDATE journal SET payload = '{}' WHERE stream = 'task/T-001' AND number = 2");
      var result = gc();
      assertThat(why(result.report()).get(damaged.value())).contains("damaged");
      assertThat(here()).containsExactly(damaged.value()).doesNotContain(sound.value());
    }

    @Test
    void an_age_of_nothing_is_refused() {
      assertThatThrownBy(() -> new Retention(store).plan(Duration.ZERO))
          .isInstanceOf(Refusal.class);
    }
  }
}
