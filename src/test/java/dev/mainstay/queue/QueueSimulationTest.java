package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.queue.QueueSimulation.Ground;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.store.TestClock;
import dev.mainstay.upkeep.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of the queue. {@code -Dhistories=N} says how many, {@code -Dfirst=N} the first
 * seed, {@code -Dfolder=PATH} where their stores are made; {@code -Dseed=N} plays one alone.
 */
class QueueSimulationTest {
  private static final int HISTORIES = Integer.getInteger("histories", 200);
  private static final long FIRST = Long.getLong("first", 1);
  private static final int HISTORIES_A_STORE = 500;

  /** As a trace tells them: workers die, write with what they lost, and repeat themselves. */
  private static final Set<String> FAULTS = Set.of(" dies\n", " LEASE_LOST\n", " REPEAT ");

  @TempDir Path temp;
  private final Set<String> happened = ConcurrentHashMap.newKeySet();

  private Path folder() throws IOException {
    String given = System.getProperty("folder");
    return given == null ? temp : Files.createTempDirectory(Path.of(given), "histories");
  }

  /** Plays in a new store, and afterwards journal and tables must agree. */
  private static void on(Path folder, Consumer<Ground> play) {
    TestClock clock = new TestClock();
    var address = new StoreAddress.File(folder.resolve("state.sqlite3"));
    try (Store store = Store.open(address, StoreSettings.DEFAULT.withClock(clock))) {
      play.accept(new Ground(store, clock));
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }

  @Test
  void in_no_history_is_work_lost_done_twice_or_stuck() throws IOException {
    Long replayed = Long.getLong("seed");
    if (replayed != null) {
      on(temp, ground -> System.out.println(QueueSimulation.play(ground, replayed)));
      return;
    }
    Path folder = folder();
    int stores = (HISTORIES + HISTORIES_A_STORE - 1) / HISTORIES_A_STORE;
    // A stream of threads throws another failure than it met, without its words.
    Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();
    IntStream.range(0, stores)
        .parallel()
        .filter(number -> failures.isEmpty())
        .forEach(
            number -> {
              try {
                batch(folder, number);
              } catch (AssertionError failure) {
                failures.add(failure);
              }
            });
    for (AssertionError failure : failures) throw failure;
    assertThat(happened).as("faults that happened").isEqualTo(FAULTS);
    Files.deleteIfExists(folder);
  }

  private void batch(Path folder, int number) {
    int from = number * HISTORIES_A_STORE;
    int to = Math.min(from + HISTORIES_A_STORE, HISTORIES);
    try {
      Path own = Files.createDirectory(folder.resolve("s" + number));
      on(
          own,
          ground -> {
            for (int i = from; i < to; i++) note(QueueSimulation.play(ground, FIRST + i));
          });
      try (var files = Files.list(own)) {
        for (Path file : files.toList()) Files.delete(file);
      }
      Files.delete(own);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private void note(String trace) {
    for (String fault : FAULTS) if (trace.contains(fault)) happened.add(fault);
  }

  @Test
  void the_same_seed_gives_the_same_trace_wherever_it_is_played() throws IOException {
    StringBuilder alone = new StringBuilder();
    StringBuilder after = new StringBuilder();
    on(Files.createDirectory(temp.resolve("a")), g -> alone.append(QueueSimulation.play(g, 42)));
    on(
        Files.createDirectory(temp.resolve("b")),
        ground -> {
          QueueSimulation.play(ground, 41);
          after.append(QueueSimulation.play(ground, 42));
        });
    assertThat(after.toString()).isEqualTo(alone.toString()).contains("CLAIM");
  }
}
