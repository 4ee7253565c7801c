package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Jvm;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.queue.Wanted;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is stopped for longer than its lease wakes up and finds that it has lost it. */
class StoppedWorkerTest {
  private static final Call SECOND = Call.by(Actor.agent("second"), "test");

  /** Longer than a write takes, and much shorter than a lease. */
  private static final Duration IMPATIENCE = Duration.ofMillis(200);

  @TempDir Path temp;

  @ParameterizedTest
  @EnumSource(Databases.class)
  void who_was_stopped_past_its_lease_writes_nothing(Databases database) throws Exception {
    StoreAddress address = database.fresh();
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      new Tasks(store).create(NewTask.titled("one"), Call.by(Actor.person("ada"), "test"));
      Process first = begin(address);
      try (BufferedReader said = first.inputReader(StandardCharsets.UTF_8)) {
        assertThat(said.readLine()).isEqualTo("held 1");
        stop(first, store, address);
        Task task = takenOver(store);
        assertThat(KillablePostgres.isStopped(first.pid())).as("it is still stopped").isTrue();
        List<String> before = known(store);
        KillablePostgres.signal("CONT", first.pid());
        List<String> answers = new ArrayList<>();
        for (String line; (line = said.readLine()) != null; ) answers.add(line);
        assertThat(answers)
            .containsExactlyElementsOf(
                StalledWorker.steps(store, task.id(), SECOND).keySet().stream()
                    .map(step -> step + " LEASE_LOST")
                    .toList());
        assertThat(known(store)).as("nothing was changed").isEqualTo(before);
        assertThat(Verification.of(store).findings()).isEmpty();
      } finally {
        first.destroyForcibly();
      }
    }
  }

  /** All rows but the marks by which the store would know a transaction again, and their count. */
  private static List<String> known(Store store) {
    return Raw.dump(store).stream()
        .filter(row -> !row.startsWith("idempotency_keys[key=auto:"))
        .filter(row -> !row.startsWith("store_meta[name=last_commit,"))
        .toList();
  }

  /** What the first was refused is refused for its fence alone. */
  @Test
  void the_same_steps_are_taken_from_one_who_holds_the_task() {
    try (Store store = Store.open(Databases.SQLITE.fresh(), StoreSettings.DEFAULT)) {
      new Tasks(store).create(NewTask.titled("one"), Call.by(Actor.person("ada"), "test"));
      for (String last : List.of("release", "fail")) {
        Task task = takenOver(store);
        Map<String, Runnable> steps =
            StalledWorker.steps(store, task.id(), SECOND.withFence(task.fence()));
        for (String step : List.of("renew", "accept", "start", "spend", "update", last)) {
          assertThat(StalledWorker.answer(steps.get(step))).as(step).isEqualTo("TAKEN");
        }
      }
    }
  }

  /** Not in the middle of a transaction, or the others would wait until the database ends it. */
  private static void stop(Process process, Store store, StoreAddress address) {
    while (true) {
      KillablePostgres.signal("STOP", process.pid());
      KillablePostgres.await("it is stopped", () -> KillablePostgres.isStopped(process.pid()));
      if (address instanceof StoreAddress.File) {
        // Stopped while it waits in line, it is given the lock once the first look is over.
        if (isUnlocked(address) && isUnlocked(address)) return;
      } else if (isFree(store)) {
        return;
      }
      KillablePostgres.signal("CONT", process.pid());
    }
  }

  /** On SQLite whoever writes has the lock file, and keeps it while it is stopped. */
  private static boolean isUnlocked(StoreAddress address) {
    try (Store impatient = Store.open(address, StoreSettings.DEFAULT.withPatience(IMPATIENCE))) {
      return impatient.seal() >= 0;
    } catch (Refusal waitsInVain) {
      return false;
    }
  }

  /** Nobody is in the middle of a write. */
  private static boolean isFree(Store store) {
    String locks =
        """
        SELECT mode FROM pg_locks
        WHERE relation = 'tasks'::regclass AND mode IN ('RowShareLock', 'RowExclusiveLock')\
        """;
    return Raw.texts(store, locks, "mode").isEmpty();
  }

  /** As soon as the lease is over by the database's clock. */
  private static Task takenOver(Store store) {
    Wanted wanted = new Wanted("second", List.of(), 1, Leases.LEASE_MAX);
    List<Task> got = new ArrayList<>();
    KillablePostgres.await(
        "the second gets it",
        () -> {
          got.addAll(new Leases(store).claim(wanted, SECOND));
          return !got.isEmpty();
        });
    return got.get(0);
  }

  private Process begin(StoreAddress address) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(Jvm.words(List.of(), StalledWorker.class, url(address)));
    return builder.redirectError(temp.resolve("worker.log").toFile()).start();
  }

  private static String url(StoreAddress address) {
    if (!(address instanceof StoreAddress.Server server)) return address.shown();
    String user = server.login().getProperty("user");
    return address.shown().replaceFirst("//", "//" + user + "@") + "&sslmode=disable";
  }
}
