package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import dev.mainstay.terminal.TerminalStates;
import dev.mainstay.upkeep.Retention.Step;
import dev.mainstay.upkeep.RetentionPlan.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetentionRacesTest {
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
    void a_stream_that_changes_between_archive_and_delete_stays_and_so_does_what_it_refers_to() {
      TaskId first = done();
      TaskId second = task(null, first);
      complete(second);
      TaskId other = done();
      timePasses();
      var result =
          gc(
              file(),
              Limits.DEFAULT,
              step -> {
                if (step == Step.VERIFIED)
                  tasks.update(second, JsonObject.of("priority", 5), null, ADA);
              });
      assertThat(result.changed()).containsExactlyInAnyOrder(first.value(), second.value());
      assertThat(result.report().leaving().ids())
          .containsExactlyInAnyOrder(first.value(), second.value(), other.value(), BOT_STATE);
      assertThat(result.left()).as("the other task and the worker's state").isEqualTo(2);
      assertThat(here()).containsExactly(first.value(), second.value());
      assertThat(entries(file()).keySet()).anyMatch(key -> key.startsWith(other.stream()));
      assertThat(findings()).isEmpty();
    }

    @Test
    void a_row_that_came_meanwhile_without_an_entry_keeps_the_task() {
      TaskId done = done();
      timePasses();
      gc(
          file(),
          Limits.DEFAULT,
          step -> {
            if (step == Step.VERIFIED) {
              Raw.run(
                  store,
                  "INSERT INTO task_artifacts (task_id, artifact_type, content) VALUES ('T-001', 'TEXT', 'late')");
            }
          });
      assertThat(here()).containsExactly(done.value());
    }

    @Test
    void a_task_that_is_referred_to_meanwhile_stays() {
      TaskId done = done();
      timePasses();
      gc(
          file(),
          Limits.DEFAULT,
          step -> {
            if (step == Step.VERIFIED) task(null, done);
          });
      assertThat(here()).hasSize(2);
      assertThat(findings()).isEmpty();
    }

    @Test
    void cut_off_at_any_step_nothing_is_lost_and_the_next_run_goes_on() {
      for (Step step : Step.values()) {
        TaskId first = done();
        complete(task(null, first));
        done();
        timePasses();
        Map<String, JournalEntry> before = entries(store);
        Path file = folder.resolve(step + ".gz");
        AtomicInteger times = new AtomicInteger();
        assertThatThrownBy(
                () ->
                    gc(
                        file,
                        new Limits(100, 100, 1),
                        at -> {
                          if (at != step) return;
                          boolean now = step.ordinal() < 3 || times.incrementAndGet() == 2;
                          if (now) throw new IllegalStateException("killed");
                        }))
            .hasMessageContaining("killed");
        Map<String, JournalEntry> together = new TreeMap<>(entries(store));
        if (Files.exists(file)) together.putAll(entries(file));
        assertThat(together).as(step.name()).isEqualTo(before);
        assertThat(findings()).as(step.name()).isEmpty();
        Path next = folder.resolve(step + "-next.gz");
        gc(next, Limits.DEFAULT, at -> {});
        assertThat(here()).isEmpty();
        together.clear();
        together.putAll(entries(next));
        if (Files.exists(file)) together.putAll(entries(file));
        assertThat(together).as(step.name()).isEqualTo(before);
      }
    }

    @Test
    void a_run_is_bounded_and_the_next_one_takes_the_rest() {
      for (int i = 0; i < 5; i++) done();
      timePasses();
      var first = gc(folder.resolve("1"), new Limits(100, 2, 1), step -> {});
      assertThat(first.left()).isEqualTo(2);
      assertThat(first.report().more()).isTrue();
      assertThat(first.archive().streams()).hasSize(2);
      var second = gc(folder.resolve("2"), Limits.DEFAULT, step -> {});
      assertThat(second.left()).as("three tasks and the worker's state").isEqualTo(4);
      assertThat(here()).isEmpty();
      assertThat(second.report().more()).isFalse();
    }

    @Test
    void what_a_terminal_says_after_it_left_begins_anew_and_leaves_again() {
      done();
      TerminalStates states = new TerminalStates(store);
      for (int i = 0; i < 2; i++) {
        states.checkpoint("bot", JsonObject.of("step", i), ADA);
        states.checkpoint("bot", JsonObject.of("step", i + 1), ADA);
        assertThat(findings()).isEmpty();
        timePasses();
        Path file = folder.resolve("archive-" + i);
        assertThat(gc(file, Limits.DEFAULT, step -> {}).report().leaving().ids())
            .contains(BOT_STATE);
        assertThat(entries(file)).containsKeys(BOT_STATE + " 1", BOT_STATE + " 2");
        assertThat(findings()).isEmpty();
      }
    }

    @Test
    void a_file_that_exists_is_never_written_over() throws IOException {
      done();
      timePasses();
      Files.writeString(file(), "precious");
      assertThatThrownBy(this::gc)
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("exists already");
      Path taken = folder.resolve("taken");
      assertThatThrownBy(
              () ->
                  gc(
                      taken,
                      Limits.DEFAULT,
                      step -> {
                        if (step == Step.WRITTEN) write(taken);
                      }))
          .hasMessageContaining("exists already");
      assertThat(file()).hasContent("precious");
      assertThat(taken).hasContent("mine");
      assertThat(here()).hasSize(1);
      try (var files = Files.list(folder)) {
        assertThat(files).as("no half-made files").hasSize(2);
      }
    }

    private static void write(Path file) {
      try {
        Files.writeString(file, "mine");
      } catch (IOException fault) {
        throw new java.io.UncheckedIOException(fault);
      }
    }

    @Test
    void the_schedule_gives_the_turn_to_one_and_names_files_by_day() {
      done();
      timePasses();
      settle();
      Path archives = folder.resolve("archive");
      Duration daily = Duration.ofDays(1);
      Retention retention = new Retention(store);
      assertThat(retention.scheduled(AGE, daily, archives))
          .containsOnlyKeys(archives.resolve("2026-02-02-1.jsonl.gz"));
      assertThat(retention.scheduled(AGE, daily, archives)).isEmpty();
      done();
      timePasses();
      settle();
      assertThat(retention.scheduled(AGE, daily, archives))
          .containsOnlyKeys(archives.resolve("2026-03-05-1.jsonl.gz"));
    }

    @Test
    void a_turn_takes_as_many_files_as_it_needs() {
      for (int i = 0; i < 7; i++) done();
      timePasses();
      settle();
      Retention retention = new Retention(store, new Limits(100, 3, 1), step -> {});
      var files = retention.scheduled(AGE, Duration.ofDays(1), folder.resolve("archive"));
      assertThat(files).hasSizeGreaterThan(2);
      assertThat(new Retention(store).plan(AGE).leaving().tasks()).isZero();
    }

    @Test
    void a_turn_that_failed_comes_again_within_the_hour() throws IOException {
      done();
      timePasses();
      settle();
      Path archives = Files.writeString(folder.resolve("archive"), "no folder");
      Duration daily = Duration.ofDays(1);
      Retention retention = new Retention(store);
      assertThatThrownBy(() -> retention.scheduled(AGE, daily, archives))
          .isInstanceOf(Refusal.class);
      Files.delete(archives);
      assertThat(retention.scheduled(AGE, daily, archives)).isEmpty();
      clock.advance(Duration.ofHours(1));
      assertThat(retention.scheduled(AGE, daily, archives)).hasSize(1);
    }
  }
}
