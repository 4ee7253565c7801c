package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several hands at once on one folder: everybody's edits are kept. */
@Timeout(300)
class TogetherTest {
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

  abstract static class Contract extends OnDirectory {
    private static final int ROUNDS = 25;
    private static final int TRIES_MAX = 200;

    Contract(Databases database) {
      super(database);
    }

    private void atOnce(List<Callable<Void>> works) throws Exception {
      CyclicBarrier start = new CyclicBarrier(works.size());
      ExecutorService threads = Executors.newFixedThreadPool(works.size());
      try {
        List<Future<Void>> all = new ArrayList<>();
        for (Callable<Void> work : works) {
          all.add(
              threads.submit(
                  () -> {
                    start.await();
                    return work.call();
                  }));
        }
        for (Future<Void> each : all) each.get();
      } finally {
        threads.shutdownNow();
      }
    }

    /**
     * Saves as an editor does that warns when the file changed under it: what it saves was made
     * from what is there, and if somebody came between all the same, it is made again.
     */
    private void person(int round) throws IOException {
      String wanted = "**side_effects**: none, " + round;
      for (int tries = 0; tries < TRIES_MAX; tries++) {
        String text = text(PageName.PLAN);
        int pour = text.indexOf("### Step 3");
        String next =
            text.substring(0, pour)
                + text.substring(pour).replaceFirst("\\*\\*side_effects\\*\\*:.*", wanted);
        if (round % 2 == 0) {
          Path saved = Files.writeString(folder.resolve("own.save"), next);
          if (!text(PageName.PLAN).equals(text)) continue;
          Files.move(saved, file(PageName.PLAN), StandardCopyOption.ATOMIC_MOVE);
        } else {
          if (!text(PageName.PLAN).equals(text)) continue;
          Files.writeString(file(PageName.PLAN), next);
        }
        if (text(PageName.PLAN).contains(wanted)) return;
      }
      throw new AssertionError("the file was never quiet");
    }

    private void retrying(Runnable work) {
      for (int tries = 0; ; tries++) {
        try {
          work.run();
          return;
        } catch (Refusal busy) {
          if (tries == TRIES_MAX || busy.code() != Refusal.Code.CONFLICT) throw busy;
        }
      }
    }

    @Test
    void a_person_and_an_agent_at_different_items_of_one_file_both_keep_their_edits()
        throws Exception {
      begun();
      atOnce(
          List.of(
              () -> {
                for (int round = 1; round <= ROUNDS; round++) person(round);
                return null;
              },
              () -> {
                for (int round = 1; round <= ROUNDS; round++) {
                  String label = "grind " + round;
                  retrying(this::sync);
                  states.moveStep(
                      task(), 0, round % 2 == 0 ? StepStatus.TODO : StepStatus.ACTIVE, label, BOT);
                  retrying(this::sync);
                }
                return null;
              }));
      sync();
      String text = text(PageName.PLAN);
      assertThat(text.substring(text.indexOf("### Step 3")))
          .contains("**side_effects**: none, " + ROUNDS);
      assertThat(plan().step(2).details().outlook().sideEffects()).isEqualTo("none, " + ROUNDS);
      assertThat(plan().step(0).note()).isEqualTo("grind " + ROUNDS);
      assertThat(text).contains("**note**: grind " + ROUNDS);
      assertThat(labels()).containsExactly("grind", "boil", "pour");
      settled();
    }

    @Test
    void two_processes_that_sync_one_folder_lose_nothing() throws Exception {
      begun();
      try (Store other = open(address)) {
        StateDirectories theirs = new StateDirectories(other);
        atOnce(
            List.of(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    done(1, "output " + round);
                    states.moveStep(task(), 0, StepStatus.TODO, null, BOT);
                    retrying(this::sync);
                  }
                  return null;
                },
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    retrying(() -> theirs.sync(folder, BOT));
                    executions.set(task(), Setting.MAX_WEB_REQUESTS, (long) round, ADA);
                    retrying(() -> theirs.sync(folder, BOT));
                  }
                  return null;
                }));
      }
      quiet();
      assertThat(view().history()).hasSize(ROUNDS);
      assertThat(view().history().get(ROUNDS - 1).text(Field.REAL_OUTPUTS))
          .isEqualTo("output " + (ROUNDS - 1));
      assertThat(text(PageName.HISTORY).split("### Step 1 Execution", -1)).hasSize(ROUNDS + 1);
      assertThat(text(PageName.CONSTRAINTS)).contains("**max_web_requests**: " + (ROUNDS - 1));
      assertThat(execution().setting(Setting.MAX_WEB_REQUESTS)).isEqualTo(ROUNDS - 1L);
      settled();
    }
  }
}
