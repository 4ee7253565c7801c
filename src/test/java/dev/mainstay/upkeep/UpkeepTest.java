package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.store.Tamper;
import dev.mainstay.upkeep.Verification.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpkeepTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }

    /** PostgreSQL takes no such time. */
    @Test
    void a_time_that_cannot_be_read_is_a_finding_wherever_it_stands() {
      TaskId one = TaskId.of(1);
      new TaskStates(store).start(one, "a goal", List.of(), ADA);
      new Checkpoints(store).save(one, "here", ADA);
      for (String row : List.of("runs.started_at", "checkpoints.created_at")) {
        String table = row.substring(0, row.indexOf('.'));
        Tamper.with(
            store,
            "UPDATE %s SET %s = replace(%2$s, '20', 'p0')"
                .formatted(table, row.substring(table.length() + 1)));
        assertThat(findings())
            .anyMatch(each -> each.startsWith(table + ".T-001: a row cannot be read: a row of"));
      }
      assertThat(upkeep().verify().findings()).hasSize(2);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnDatabase {
    @TempDir Path folder;
    private Tasks tasks;
    private Leases leases;
    private Upkeep upkeep;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void someTasks() {
      tasks = new Tasks(store);
      leases = new Leases(store);
      upkeep = new Upkeep(store, address);
      tasks.create(NewTask.titled("größe ✓"), ADA);
      tasks.create(NewTask.titled("two").after(TaskId.of(1)), ADA);
      tasks.create(NewTask.titled("three"), ADA);
      Task held = leases.hold(TaskId.of(3), "bot", Duration.ofMinutes(5), BOT);
      leases.start(held.id(), BOT.withFence(held.fence()));
      leases.renew(held.id(), Duration.ofMinutes(9), BOT.withFence(held.fence()));
    }

    List<String> findings() {
      return Verification.of(store).findings().stream()
          .map(f -> f.where() + ": " + f.problem())
          .toList();
    }

    private String lastOf(String stream) {
      String sql =
          "SELECT CAST(max(seq) AS TEXT) AS last FROM journal WHERE stream = '" + stream + "'";
      return Raw.texts(store, sql, "last").get(0);
    }

    Upkeep upkeep() {
      return upkeep;
    }

    private static List<Task> all(Store store) {
      return new Tasks(store).list(TaskFilter.ALL, null, 100).tasks();
    }

    @Test
    void an_untouched_store_is_whole() {
      var report = upkeep.verify();
      assertThat(report.findings()).isEmpty();
      assertThat(report.entries()).isEqualTo(5);
      assertThat(report.streams()).isEqualTo(3);
    }

    @Test
    void a_changed_payload_is_found() {
      Tamper.with(
          store, "UPDATE journal SET payload = '{\"title\":\"x\"}' WHERE stream = 'task/T-001'");
      assertThat(findings()).anyMatch(f -> f.contains("task/T-001") && f.contains("payload"));
    }

    @Test
    void every_changed_field_of_an_entry_is_found() {
      String entry = " WHERE stream = 'task/T-002' AND seq = " + lastOf("task/T-002");
      Map<String, String> forged =
          Map.of(
              "actor", "person:eve",
              "source", "rest",
              "kind", "task.failed",
              "at", "2020-01-01T00:00:00.000000Z",
              "previous_hash", "x",
              "hash", "y",
              "number", "9");
      forged.forEach(
          (field, value) -> {
            String was =
                Raw.texts(
                        store,
                        "SELECT CAST(" + field + " AS TEXT) AS was FROM journal" + entry,
                        "was")
                    .get(0);
            Tamper.with(store, "UPDATE journal SET " + field + " = '" + value + "'" + entry);
            assertThat(findings()).as(field).anyMatch(f -> f.startsWith("task/T-002"));
            Tamper.with(store, "UPDATE journal SET " + field + " = '" + was + "'" + entry);
            assertThat(findings()).as(field + " as it was").isEmpty();
          });
    }

    @Test
    void a_missing_entry_in_the_middle_is_found() {
      Tamper.with(store, "DELETE FROM journal WHERE stream = 'task/T-003' AND number = 2");
      assertThat(findings()).anyMatch(f -> f.contains("entry 3 follows where entry 2 should be"));
    }

    @Test
    void a_stream_cut_off_whole_is_found_by_the_seal() {
      settle();
      store.seal();
      Tamper.with(store, "DELETE FROM journal WHERE stream = 'task/T-003'");
      Tamper.with(store, "DELETE FROM tasks WHERE id = 'T-003'");
      assertThat(findings()).containsExactly("task/T-003: entry 3 was sealed and is missing");
    }

    @Test
    void a_changed_row_is_found_with_what_the_journal_says() {
      Tamper.with(store, "UPDATE tasks SET title = 'forged' WHERE id = 'T-001'");
      assertThat(findings())
          .containsExactly("tasks.T-001: title is \"forged\", the journal says \"größe ✓\"");
    }

    @Test
    void a_missing_row_an_unexplained_row_and_a_wrong_count_are_found() {
      Tamper.with(store, "UPDATE tasks SET unmet_dependencies = 0 WHERE id = 'T-002'");
      Tamper.with(store, "DELETE FROM tasks WHERE id = 'T-003'");
      Tamper.with(
          store,
          """
          INSERT INTO tasks (id, seq, title, description, task_type, status, version)
          VALUES ('T-900', 900, 'smuggled in', '', 'CODE', 'PENDING', 1)""");
      assertThat(findings())
          .containsExactlyInAnyOrder(
              "tasks.T-002: the count of unmet dependencies is wrong",
              "tasks.T-003: the row is missing",
              "tasks.T-900: no journal entry explains this row");
    }

    @Test
    void a_rebuild_makes_the_tables_right_again_and_says_what_differed() {
      List<Task> right = all(store);
      Tamper.with(store, "UPDATE tasks SET title = 'forged', priority = 99 WHERE id = 'T-001'");
      Tamper.with(store, "DELETE FROM task_dependencies");
      StoreAddress target = database().fresh();
      Rebuild.Result result = Rebuild.into(store, target);
      assertThat(result.before().findings())
          .extracting(Finding::where)
          .contains("tasks.T-001", "tasks.T-002");
      try (Store rebuilt = open(target)) {
        assertThat(Verification.of(rebuilt).findings()).isEmpty();
        assertThat(all(rebuilt)).isEqualTo(right);
        assertThat(new Tasks(rebuilt).create(NewTask.titled("next"), ADA).id())
            .isEqualTo(TaskId.of(4));
      }
    }

    @Test
    void a_damaged_stream_keeps_its_row_in_a_rebuild_and_is_named() {
      Tamper.with(store, "UPDATE journal SET payload = '{}' WHERE stream = 'task/T-001'");
      StoreAddress target = database().fresh();
      Rebuild.Result result = Rebuild.into(store, target);
      assertThat(result.kept()).extracting(Finding::where).containsExactly("task/T-001");
      try (Store rebuilt = open(target)) {
        assertThat(new Tasks(rebuilt).show(TaskId.of(1)).title()).isEqualTo("größe ✓");
      }
    }

    @Test
    void an_entry_that_cannot_even_be_read_is_a_finding_and_stops_neither_verify_nor_rebuild() {
      Tamper.with(store, "UPDATE journal SET actor = 'nobody' WHERE stream = 'task/T-001'");
      assertThat(findings()).contains("task/T-001: entry 1 cannot be read");
      StoreAddress target = database().fresh();
      assertThat(Rebuild.into(store, target).kept())
          .extracting(Finding::where)
          .contains("task/T-001");
      try (Store rebuilt = open(target)) {
        assertThat(new Tasks(rebuilt).show(TaskId.of(1)).title()).isEqualTo("größe ✓");
      }
    }

    @Test
    void a_rebuild_goes_on_where_a_whole_stream_is_gone() {
      Tamper.with(store, "DELETE FROM journal WHERE stream = 'task/T-001'");
      StoreAddress target = database().fresh();
      Rebuild.Result result = Rebuild.into(store, target);
      assertThat(result.kept()).extracting(Finding::where).containsExactly("task/T-001");
      try (Store rebuilt = open(target)) {
        assertThat(all(rebuilt)).hasSize(3);
      }
    }

    @Test
    void a_wrong_dependencies_column_is_found() {
      Tamper.with(store, "UPDATE tasks SET dependencies = '[\"T-003\"]' WHERE id = 'T-002'");
      assertThat(findings())
          .containsExactly("tasks.T-002: the column dependencies is not what the journal says");
    }

    @Test
    void a_follower_gets_each_entry_once_as_it_comes() throws Exception {
      List<String> seen = new ArrayList<>();
      Thread follower =
          new Thread(
              () ->
                  new Journal(store)
                      .follow(
                          Position.BEGINNING,
                          "task/T-003",
                          placed -> {
                            seen.add(placed.entry().content().kind());
                            return seen.size() < 4;
                          }));
      follower.start();
      tasks.cancel(TaskId.of(3), "enough", ADA);
      follower.join();
      assertThat(seen)
          .containsExactly("task.created", "task.held", "task.started", "task.cancelled");
    }

    @Test
    void a_backup_restores_to_either_database_with_everything_in_it() {
      Path file = folder.resolve("copy.sqlite3");
      upkeep.backup(file);
      List<Task> tasksBefore = all(store);
      List<JournalEntry> journal = store.reading(tx -> tx.journal().stream("task/T-003"));
      for (Databases other : Databases.values()) {
        StoreAddress target = other.fresh();
        Upkeep.restore(file, target, StoreSettings.DEFAULT.withClock(clock));
        try (Store restored = open(target)) {
          assertThat(all(restored)).as(other.name()).isEqualTo(tasksBefore);
          List<JournalEntry> same = restored.reading(tx -> tx.journal().stream("task/T-003"));
          assertThat(same).isEqualTo(journal);
          assertThat(Verification.of(restored).findings()).isEmpty();
          assertThat(new Tasks(restored).create(NewTask.titled("next"), ADA).id())
              .isEqualTo(TaskId.of(4));
        }
      }
    }

    @Test
    void a_position_in_the_old_history_is_refused_by_a_restored_store() {
      settle();
      Position here = store.reading(tx -> tx.journal().end());
      Path file = folder.resolve("copy.sqlite3");
      upkeep.backup(file);
      StoreAddress target = database().fresh();
      Upkeep.restore(file, target, StoreSettings.DEFAULT.withClock(clock));
      try (Store restored = open(target)) {
        assertThatThrownBy(() -> restored.reading(tx -> tx.journal().after(here, null, 10)))
            .isInstanceOf(Refusal.class)
            .hasMessageContaining("restored");
      }
    }

    @Test
    void nothing_is_ever_restored_over_a_store() throws IOException {
      Path file = folder.resolve("copy.sqlite3");
      upkeep.backup(file);
      byte[] before = Files.readAllBytes(file);
      assertThatThrownBy(() -> Upkeep.restore(file, address, StoreSettings.DEFAULT))
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.CONFLICT));
      assertThat(all(store)).hasSize(3);
      assertThatThrownBy(() -> upkeep.backup(file)).hasMessageContaining("exists already");
      assertThat(Files.readAllBytes(file)).isEqualTo(before);
      try (var left = Files.list(folder)) {
        assertThat(left).as("no half-made files").containsExactly(file);
      }
    }

    @Test
    void a_damaged_backup_is_not_restored() throws IOException {
      Path file = folder.resolve("copy.sqlite3");
      upkeep.backup(file);
      StoreAddress target = database().fresh();
      try (Store copy = Store.open(new StoreAddress.File(file), StoreSettings.DEFAULT)) {
        Tamper.with(copy, "UPDATE journal SET payload = '{}' WHERE stream = 'task/T-001'");
      }
      assertThatThrownBy(() -> Upkeep.restore(file, target, StoreSettings.DEFAULT))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("not whole");
      Upkeep.restore(sound(), target, StoreSettings.DEFAULT); // the place is still free
    }

    private Path sound() {
      Path file = folder.resolve("sound.sqlite3");
      upkeep.backup(file);
      return file;
    }

    @Test
    void a_backup_beside_writers_is_one_moment_of_the_store() throws Exception {
      AtomicBoolean writing = new AtomicBoolean(true);
      AtomicInteger made = new AtomicInteger();
      Thread writer =
          new Thread(
              () -> {
                while (writing.get()) {
                  Task task = tasks.create(NewTask.titled("t" + made.incrementAndGet()), ADA);
                  tasks.update(task.id(), JsonObject.of("priority", 1), null, ADA);
                }
              });
      writer.start();
      try {
        for (int i = 0; i < 3; i++) {
          int before = made.get();
          while (made.get() < before + 10) Pause.briefly();
          upkeep.backup(folder.resolve("copy" + i)); // refuses a copy that is not whole
        }
      } finally {
        writing.set(false);
        writer.join();
      }
    }
  }
}
