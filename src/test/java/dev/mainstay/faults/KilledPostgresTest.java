package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
  private final List<AskingWriter> writers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Random random = new Random(Long.getLong("seed", System.nanoTime()));
  private int kills;

  @BeforeEach
  void start() {
    server = new KillablePostgres(temp.resolve("data"));
    patient = Store.open(server.address(), StoreSettings.DEFAULT.withPatience(PATIENCE));
    impatient = Store.open(server.address(), StoreSettings.DEFAULT.withPatience(NO_PATIENCE));
  }

  @AfterEach
  void stop() throws InterruptedException {
    end();
    patient.close();
    impatient.close();
    server.close();
  }

  private void end() throws InterruptedException {
    writers.forEach(AskingWriter::stop);
    for (Thread each : threads) each.join();
  }

  private void begin(AskingWriter writer) {
    writers.add(writer);
    Thread thread = new Thread(writer, writer.name());
    threads.add(thread);
    thread.start();
  }

  /** After some progress, at a random moment. */
  private void kill() {
    int wanted = done() + 1 + random.nextInt(PROGRESS_MAX);
    KillablePostgres.await("work goes on", () -> done() >= wanted || !wrongs().isEmpty());
    LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
    server.kill();
    kills++;
    server.start(Map.of());
  }

  private int done() {
    return writers.stream().mapToInt(AskingWriter::done).sum();
  }

  private int unknown() {
    return writers.stream().mapToInt(AskingWriter::unknown).sum();
  }

  private List<String> wrongs() {
    return writers.stream().flatMap(each -> each.wrongs().stream()).toList();
  }

  @Test
  void nothing_acknowledged_is_lost_and_nothing_is_done_twice() throws Exception {
    for (int i = 0; i < 4; i++) begin(new AskingWriter("asks-again-" + i, impatient, true));
    for (int i = 0; i < 2; i++) begin(new AskingWriter("keyed-" + i, patient, true));
    for (int i = 0; i < 2; i++) begin(new AskingWriter("bare-" + i, patient, false));
    while (kills < KILLS || unknown() == 0) {
      assertThat(kills).as("kills before a commit was cut off").isLessThan(KILLS + KILLS_MORE_MAX);
      kill();
      assertThat(wrongs()).isEmpty();
    }
    end();
    int kept = writers.stream().mapToInt(AskingWriter::keptUnheard).sum();
    System.out.printf(
        "killed PostgreSQL: %d kills, %d writes acknowledged, %d commits without an answer"
            + " of which %d were kept%n",
        kills, done(), unknown(), kept);
    assertThat(wrongs()).isEmpty();
    List<String> asked = writers.stream().flatMap(each -> each.titles().stream()).toList();
    assertThat(titles()).containsExactlyInAnyOrderElementsOf(asked);
    checkStreams();
    assertThat(Verification.of(patient).findings()).isEmpty();
  }

  private List<String> titles() {
    List<String> titles = new ArrayList<>();
    String cursor = null;
    do {
      Tasks.Page page =
          new Tasks(patient).list(new TaskFilter(null, null, null, null), cursor, 1_000);
      for (Task task : page.tasks()) titles.add(task.brief().title());
      cursor = page.next();
    } while (cursor != null);
    return titles;
  }

  /** Each task was made, held and completed, each once. */
  private void checkStreams() {
    Map<String, List<String>> kinds = new TreeMap<>();
    KillablePostgres.await("the journal is settled", () -> journal().size() == entries());
    for (JournalEntry entry : journal()) {
      if (!entry.place().stream().startsWith("task/")) continue;
      kinds
          .computeIfAbsent(entry.place().stream(), stream -> new ArrayList<>())
          .add(entry.content().kind());
    }
    assertThat(kinds.values()).hasSize(titles().size()).allMatch(AskingWriter.STEPS::equals);
  }

  private List<JournalEntry> journal() {
    return patient.reading(
        tx ->
            tx.journal().after(Position.BEGINNING, null, 10_000_000).stream()
                .map(placed -> placed.entry())
                .toList());
  }

  private long entries() {
    return patient.reading(tx -> tx.journal().count());
  }

  /** The same writers who repeat what they are not sure of without saying that it is the same. */
  @Test
  void whoever_repeats_without_a_key_does_something_twice() throws Exception {
    for (int i = 0; i < 8; i++) begin(new AskingWriter("forgets-" + i, impatient, false));
    while (titles().stream().distinct().count() == titles().size()) {
      assertThat(kills).as("kills before something was done twice").isLessThan(KILLS_MORE_MAX);
      kill();
    }
    end();
    assertThat(unknown()).isPositive();
    assertThat(titles()).hasSizeGreaterThan((int) titles().stream().distinct().count());
  }
}
