package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Jvm;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight processes write to one file; {@code -Doperations=N} says how much, all together. */
class CrowdTest {
  private static final int PROCESSES = 8;
  private static final int OPERATIONS = Integer.getInteger("operations", 400);
  private static final int BUSY = 5;
  private static final int PAGE = 1_000;

  @TempDir Path folder;

  private StoreAddress.File address() {
    return new StoreAddress.File(folder.resolve("state.sqlite3"));
  }

  private Process start(int number) throws IOException {
    return new ProcessBuilder(
            Jvm.words(
                Jvm.QUIET,
                CrowdProcess.class,
                address().path().toString(),
                "p" + number,
                Integer.toString(OPERATIONS / PROCESSES)))
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void eight_processes_lose_nothing_and_only_one_without_the_lock_finds_it_busy() throws Exception {
    Store.open(address(), StoreSettings.DEFAULT).close();
    List<Process> crowd = new ArrayList<>();
    Rude rude = new Rude(address().path());
    try {
      for (int i = 1; i <= PROCESSES; i++) crowd.add(start(i));
      for (Process each : crowd) assertThat(each.inputReader().readLine()).isEqualTo("ready");
      rude.start();
      for (Process each : crowd) {
        each.getOutputStream().write('\n');
        each.getOutputStream().flush();
      }
      for (Process each : crowd) {
        assertThat(each.inputReader().lines().toList()).containsExactly("done");
      }
    } finally {
      rude.over.set(true);
      for (Process each : crowd) each.destroyForcibly();
      rude.join();
    }
    check();
    assertThat(rude.found).as("a writer without lock file and patience").isPositive();
  }

  private void check() {
    try (Store store = Store.open(address(), StoreSettings.DEFAULT)) {
      Set<String> titles = new HashSet<>();
      String cursor = null;
      do {
        Tasks.Page page = new Tasks(store).list(TaskFilter.ALL, cursor, PAGE);
        for (Task each : page.tasks()) assertThat(titles.add(each.title())).isTrue();
        cursor = page.next();
      } while (cursor != null);
      assertThat(titles).hasSize(OPERATIONS / PROCESSES * PROCESSES);
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }

  /** The negative control: it begins to write whenever it likes and never waits, until it must. */
  private static final class Rude extends Thread {
    private static final long PAUSE_NANOS = 1_000_000;

    private final Path file;
    private final AtomicBoolean over = new AtomicBoolean();
    private int found;

    Rude(Path file) {
      this.file = file;
    }

    @Override
    public void run() {
      while (!over.get() && found == 0) {
        try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + file);
            Statement statement = raw.createStatement()) {
          statement.execute("PRAGMA busy_timeout = 0");
          while (!over.get()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("ROLLBACK");
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        } catch (SQLException notNow) {
          if ((notNow.getErrorCode() & 0xff) == BUSY) found++;
        }
      }
    }
  }
}
