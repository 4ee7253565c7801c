package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Jvm;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Executions;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Upkeep;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that works on a state directory is killed at a random moment, again and again over the
 * same store. {@code -Dkills=N} says how often, {@code -Dseed=N} when.
 */
@Order(1)
class KilledSyncTest {
  private static final int ROUNDS = Integer.getInteger("kills", 12);
  private static final int ROUNDS_A_FOLDER = 25;
  private static final long NUMBERS_A_ROUND = 100_000;
  private static final int SAID_MAX = 8;
  private static final long PAUSE_NANOS_MAX = 40_000_000;

  @TempDir Path temp;

  private Path root;
  private final Set<Long> acknowledged = new HashSet<>();
  private boolean hasty;
  private int done;
  private int unfinished;
  private int written;

  @BeforeEach
  void libraries() throws IOException {
    Files.createDirectory(temp.resolve("tmp"));
  }

  /** An execution of its own for some rounds, since histories have an end. */
  private void begin(int round) throws IOException {
    root = Files.createDirectory(temp.resolve("round-" + round));
    acknowledged.clear();
    SyncingProcess.begin(root);
  }

  /** What it said is read until the pipe's end, which outlives it. */
  private record Worker(
      Process process,
      List<String> said,
      CountDownLatch ready,
      CountDownLatch enough,
      Thread reader) {
    void go() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    void kill() throws InterruptedException {
      process.toHandle().destroyForcibly(); // the process's own method would close the pipe
      process.waitFor();
      reader.join();
    }

    Set<Long> all(String word) {
      Set<Long> numbers = new HashSet<>();
      for (String line : said) {
        if (line.startsWith(word + " ")) numbers.add(Long.valueOf(line.split(" ")[1]));
      }
      return numbers;
    }
  }

  private Worker start(int round, int enough) throws IOException {
    List<String> options = new ArrayList<>(Jvm.QUIET);
    options.add("-Djava.io.tmpdir=" + temp.resolve("tmp")); // it begins with a store of its own
    Process process =
        new ProcessBuilder(
                Jvm.words(
                    options,
                    SyncingProcess.class,
                    root.toString(),
                    Long.toString(round * NUMBERS_A_ROUND),
                    Boolean.toString(hasty)))
            .redirectErrorStream(true)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.US_ASCII);
    List<String> said = new ArrayList<>();
    CountDownLatch ready = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(enough);
    Thread reader = new Thread(() -> read(out, said, ready, latch));
    reader.start();
    return new Worker(process, said, ready, latch, reader);
  }

  private static void read(
      BufferedReader out, List<String> said, CountDownLatch ready, CountDownLatch latch) {
    out.lines()
        .forEach(
            line -> {
              said.add(line);
              if (ready.getCount() > 0) ready.countDown();
              else latch.countDown();
            });
    ready.countDown();
    while (latch.getCount() > 0) latch.countDown(); // it ended by itself; the test will see why
  }

  @Test
  void a_killed_sync_leaves_every_file_whole_and_loses_nothing_that_was_acknowledged()
      throws Exception {
    play();
    System.out.printf(
        "killed syncs: %d steps acknowledged, %d in flight, %d files written by survivors%n",
        done, unfinished, written);
    assertThat(unfinished).as("kills that hit a step").isPositive();
  }

  /** The control: sooner or later it is killed between its word and its deed. */
  @Test
  void one_that_says_so_before_it_has_done_the_step_is_caught() {
    hasty = true;
    assertThatThrownBy(this::play).isInstanceOf(AssertionError.class);
    assertThat(done).isPositive();
  }

  private void play() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.printf("killed syncs: %d rounds, -Dseed=%d%n", ROUNDS, seed);
    Random random = new Random(seed);
    begin(1);
    Worker next = start(1, random.nextInt(SAID_MAX));
    try {
      for (int round = 1; round <= ROUNDS; round++) {
        Worker now = next;
        now.ready().await();
        now.go();
        now.enough().await();
        LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
        now.kill();
        boolean anew = round % ROUNDS_A_FOLDER == 0;
        if (!anew) next = start(round + 1, random.nextInt(SAID_MAX)); // while we look
        check(round, seed, now);
        if (anew) {
          begin(round + 1);
          next = start(round + 1, random.nextInt(SAID_MAX));
        }
      }
    } finally {
      next.kill();
    }
  }

  private void check(int round, long seed, Worker worker) throws Exception {
    try {
      check(worker);
    } catch (AssertionError | RuntimeException failure) {
      throw new AssertionError("round %d, seed %d: %s".formatted(round, seed, failure), failure);
    }
  }

  private void check(Worker worker) throws Exception {
    assertThat(worker.said()).allMatch(line -> line.matches("ready|(begin|done|edited) \\d+"));
    Path folder = SyncingProcess.folder(root);
    for (PageName page : PageName.values()) {
      Page.read(page, Files.readString(folder.resolve(page.file()))); // whole, or it is a fault
    }
    acknowledged.addAll(worker.all("done"));
    done += worker.all("done").size();
    Set<Long> doubtful = new HashSet<>(worker.all("begin"));
    doubtful.removeAll(worker.all("done"));
    unfinished += doubtful.size();
    try (Store store = Store.open(SyncingProcess.store(root), StoreSettings.DEFAULT)) {
      StateDirectories directories = new StateDirectories(store);
      Report report = directories.sync(folder, SyncingProcess.ADA);
      written += report.written().size();
      assertThat(report.findings()).isEmpty();
      Report again = directories.sync(folder, SyncingProcess.ADA);
      assertThat(again.written()).isEmpty();
      assertThat(again.taken()).isZero();
      agrees(store, folder, doubtful);
      edits(folder, worker);
      assertThat(new Upkeep(store, SyncingProcess.store(root)).verify().findings()).isEmpty();
    }
  }

  /** Every step that was acknowledged is there once, on both sides, and at most one more. */
  private void agrees(Store store, Path folder, Set<Long> doubtful) throws IOException {
    TaskId task = new StateDirectories(store).get(folder).task();
    List<StepRecord> history = new Executions(store).view(task).history();
    List<Long> known =
        history.stream()
            .map(record -> String.valueOf(record.text(Field.REAL_OUTPUTS)))
            .map(text -> Long.valueOf(text.replaceAll("\\D", "")))
            .toList();
    assertThat(known).doesNotHaveDuplicates().containsAll(acknowledged);
    Set<Long> more = new HashSet<>(known);
    more.removeAll(acknowledged);
    assertThat(doubtful).containsAll(more);
    acknowledged.addAll(more);
    List<Long> shown =
        Files.readAllLines(folder.resolve(PageName.HISTORY.file())).stream()
            .filter(line -> line.startsWith("- **real_outputs**:"))
            .map(line -> Long.valueOf(line.replaceAll("\\D", "")))
            .toList();
    assertThat(shown).isEqualTo(known);
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .allMatch(name -> name.matches("[a-z]+\\.(md|json)|\\.mainstay\\.lock|own\\.save"));
    }
  }

  /** The last edit that was taken is still there, or a later one. */
  private static void edits(Path folder, Worker worker) throws IOException {
    String plan = Files.readString(folder.resolve(PageName.PLAN.file()));
    String context = Files.readString(folder.resolve(PageName.CONTEXT.file()));
    for (long number : worker.all("edited")) {
      boolean even = number % 2 == 0;
      String text = even ? context : plan;
      String shown =
          text.lines()
              .filter(line -> line.startsWith(even ? "Known " : "- **side_effects**: none"))
              .findFirst()
              .orElseThrow();
      assertThat(Long.parseLong(shown.replaceAll("\\D", ""))).isGreaterThanOrEqualTo(number);
    }
  }
}
