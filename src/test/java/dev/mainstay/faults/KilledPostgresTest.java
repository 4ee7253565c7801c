package dev.mainstay.faults;

import static dev.mainstay.faults.AskingWriter.Habit.FORGETFUL;
import static dev.mainstay.faults.AskingWriter.Habit.WITHOUT_KEY;
import static dev.mainstay.faults.AskingWriter.Habit.WITH_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PostgreSQL is killed with all of its processes and started again, while eight writers work.
 * {@code -Dkills=N} says how often, {@code -Dseed=N} makes the same choices again.
 */
@Order(1)
class KilledPostgresTest {
  private static final int KILLS = Integer.getInteger("kills", 3);

  /** By then somebody's commit was cut off, or nobody works. */
  private static final int KILLS_MORE_MAX = 60;

  private static final int PROGRESS_MAX = 60;
  private static final long PAUSE_NANOS_MAX = 15_000_000;

  /** So short that a writer is told at once that nobody knows. */
  private static final Duration NO_PATIENCE = Duration.ofNanos(1);

  /** Longer than any recovery takes, even on a machine that has other things to do. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path temp;

  private KillablePostgres server;
  private Store patient;
  private Store impatient;
  private final Writers writers = new Writers();
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int kills;

  @BeforeEach
  void start() {
    server = new KillablePostgres(temp.resolve("data"));
    patient = Store.open(server.address(), StoreSettings.DEFAULT.withPatience(PATIENCE));
    impatient = Store.open(server.address(), StoreSettings.DEFAULT.withPatience(NO_PATIENCE));
  }

  @AfterEach
  void stop() throws InterruptedException {
    writers.abandon();
    patient.close();
    impatient.close();
    writers.end();
    server.close();
  }

  /** After some progress, at a random moment. */
  private void kill() {
    writers.awaitMore(1 + random.nextInt(PROGRESS_MAX));
    LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
    server.kill();
    kills++;
    server.start(Map.of());
  }

  @Test
  void nothing_acknowledged_is_lost_and_nothing_is_done_twice() throws Exception {
    System.out.printf("killed PostgreSQL: -Dseed=%d%n", seed);
    for (int i = 0; i < 4; i++) writers.begin(new AskingWriter("asks-" + i, impatient, WITH_KEY));
    for (int i = 0; i < 2; i++) writers.begin(new AskingWriter("keyed-" + i, patient, WITH_KEY));
    for (int i = 0; i < 2; i++) writers.begin(new AskingWriter("bare-" + i, patient, WITHOUT_KEY));
    while (kills < KILLS || writers.unknown() == 0) {
      assertThat(kills).as("kills before a commit was cut off").isLessThan(KILLS + KILLS_MORE_MAX);
      kill();
      assertThat(writers.wrongs()).isEmpty();
    }
    writers.end();
    System.out.printf(
        "killed PostgreSQL: %d kills, %d writes acknowledged, %d commits without an answer"
            + " of which %d were kept%n",
        kills, writers.done(), writers.unknown(), writers.keptUnheard());
    WritersCheck.eachIsThereOnce(patient, writers.all());
  }

  /** The same writers who repeat what they are not sure of without saying that it is the same. */
  @Test
  void whoever_repeats_without_a_key_does_something_twice() throws Exception {
    for (int i = 0; i < 8; i++)
      writers.begin(new AskingWriter("forgets-" + i, impatient, FORGETFUL));
    while (!WritersCheck.isSomethingTwice(patient)) {
      assertThat(kills).as("kills before something was done twice").isLessThan(KILLS_MORE_MAX);
      kill();
    }
    assertThat(writers.unknown()).isPositive();
  }
}
