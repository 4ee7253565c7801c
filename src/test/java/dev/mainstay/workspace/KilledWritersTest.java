package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Jvm;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.Workspace;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Upkeep;
import dev.mainstay.workspace.WritingProcess.Attempt;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes write into one workspace and are killed at a random moment, again and again over
 * the same files and the same store. {@code -Dkills=N} says how often, {@code -Dseed=N} when.
 */
@Order(1)
class KilledWritersTest {
  private static final int ROUNDS = Integer.getInteger("kills", 12);
  private static final List<String> WRITERS = List.of("ada", "bob");
  private static final long VERSIONS_A_ROUND = 1_000_000;
  private static final int DONE_MAX = 8;
  private static final long PAUSE_NANOS_MAX = 12_000_000;

  @TempDir Path temp;

  private Path root;
  private final Map<String, Long> acknowledged = new TreeMap<>();
  private final Map<String, Integer> journaled = new HashMap<>();
  private final Map<String, String> chain = new HashMap<>();
  private long journalEnd;
  private boolean hasty;
  private int done;
  private int unfinished;
  private int found;

  @BeforeEach
  void begin() throws IOException {
    root = Files.createDirectory(temp.resolve("workspace"));
    Files.createDirectory(root.resolve(".mainstay"));
  }

  /** One writer; what it said is read until the pipe's end, which outlives it. */
  private record Writer(Process process, List<String> said, CountDownLatch enough, Thread reader) {
    void go() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    void kill() throws InterruptedException {
      process.toHandle().destroyForcibly(); // the process's own method would close the pipe
      process.waitFor();
      reader.join();
    }

    List<Attempt> all(String word) {
      return said.stream().filter(line -> line.startsWith(word + " ")).map(Attempt::of).toList();
    }
  }

  private Writer start(String name, int round, int enough) throws IOException {
    Process process =
        new ProcessBuilder(
                Jvm.words(
                    Jvm.QUIET,
                    WritingProcess.class,
                    root.toString(),
                    name,
                    Long.toString(round * VERSIONS_A_ROUND),
                    Boolean.toString(hasty)))
            .redirectErrorStream(true)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.US_ASCII);
    List<String> said = new ArrayList<>();
    CountDownLatch latch = new CountDownLatch(enough);
    Thread reader = new Thread(() -> read(out, said, latch));
    reader.start();
    return new Writer(process, said, latch, reader);
  }

  private static void read(BufferedReader out, List<String> said, CountDownLatch latch) {
    out.lines()
        .forEach(
            line -> {
              said.add(line);
              if (line.startsWith("done ")) latch.countDown();
            });
    while (latch.getCount() > 0) latch.countDown(); // it ended by itself; the test will see why
  }

  @Test
  void killed_writers_leave_old_or_new_files_and_a_state_that_agrees() throws Exception {
    play();
    System.out.printf(
        "killed writers: %d writes acknowledged, %d in flight when killed, %d differences found%n",
        done, unfinished, found);
    assertThat(unfinished).as("kills that hit a write").isPositive();
  }

  /** The control: sooner or later one is killed between its word and its deed. */
  @Test
  void writers_that_say_so_before_they_have_written_are_caught() {
    hasty = true;
    assertThatThrownBy(this::play).isInstanceOf(AssertionError.class);
    assertThat(done).isPositive();
  }

  private void play() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.printf("killed writers: %d rounds, -Dseed=%d%n", ROUNDS, seed);
    Random random = new Random(seed);
    List<Writer> next = startAll(1, random);
    try {
      for (int round = 1; round <= ROUNDS; round++) {
        List<Writer> now = next;
        for (Writer writer : now) writer.go();
        for (Writer writer : now) writer.enough().await();
        LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
        for (Writer writer : now) writer.kill();
        next = round == ROUNDS ? List.of() : startAll(round + 1, random); // while we look
        try {
          check(now);
        } catch (AssertionError | RuntimeException failure) {
          throw new AssertionError(
              "round %d, seed %d: %s".formatted(round, seed, failure), failure);
        }
      }
    } finally {
      for (Writer writer : next) writer.kill();
    }
  }

  private List<Writer> startAll(int round, Random random) throws IOException {
    List<Writer> started = new ArrayList<>();
    int enough = random.nextInt(DONE_MAX);
    for (String name : WRITERS) started.add(start(name, round, enough));
    return started;
  }

  private void check(List<Writer> writers) throws Exception {
    for (Writer writer : writers) {
      assertThat(writer.said()).allMatch(line -> line.matches("ready|(begin|done) .*"));
    }
    try (Store store = Store.open(WritingProcess.store(root), StoreSettings.DEFAULT)) {
      Tracker tracker = Tracker.open(store, root);
      found += tracker.verify().differences().size();
      agrees(store, tracker);
      for (Writer writer : writers) {
        for (Attempt attempt : writer.all("done")) acknowledged(attempt);
      }
      for (Writer writer : writers) repeatWhatIsInDoubt(tracker, writer);
      agrees(store, tracker);
      assertThat(new Upkeep(store, WritingProcess.store(root)).verify().findings()).isEmpty();
    }
  }

  private void acknowledged(Attempt attempt) throws Exception {
    done++;
    assertThat(journaled).as("in the journal").containsEntry(hash(attempt.content()), 1);
    acknowledged.merge(attempt.path(), attempt.version(), Math::max);
    Attempt there = whole(attempt.path());
    assertThat(there.version()).isGreaterThanOrEqualTo(acknowledged.get(attempt.path()));
  }

  /** A write that was not acknowledged may have been made or not; asked again, it is, once. */
  private void repeatWhatIsInDoubt(Tracker tracker, Writer writer) throws Exception {
    List<Attempt> begun = new ArrayList<>(writer.all("begin"));
    begun.removeAll(writer.all("done"));
    assertThat(begun).hasSizeLessThanOrEqualTo(1);
    for (Attempt attempt : begun) {
      unfinished++;
      var first = new FileWrites(tracker).write(attempt.wanted(), attempt.call());
      var second = new FileWrites(tracker).write(attempt.wanted(), attempt.call());
      assertThat(second.changed()).isEqualTo(attempt.key() != null && first.changed());
      readJournal(tracker);
      acknowledged(attempt);
    }
  }

  /** Disk, state, view and journal say the same. */
  private void agrees(Store store, Tracker tracker) throws Exception {
    Tracker.Verified again = tracker.verify();
    assertThat(again.differences()).isEmpty();
    assertThat(again.leftOut()).isEmpty();
    assertThat(Tracker.open(store, root).verify().differences()).isEmpty();
    Map<String, String> disk = disk();
    RepoState state = tracker.state();
    Map<String, String> known = new TreeMap<>();
    for (FileMeta file : state.present()) known.put(file.path(), file.hash());
    assertThat(known).isEqualTo(disk);
    JsonObject view = JsonText.object(Files.readString(root.resolve(".mainstay/repostate.json")));
    assertThat(RepoState.fromJson(view)).isEqualTo(state);
    assertThat(root.resolve(".mainstay/repostate.json.new")).doesNotExist();
    readJournal(tracker);
    assertThat(chain).as("the last content that was journaled").isEqualTo(disk);
    assertThat(journaled.values()).as("writes journaled twice").allMatch(count -> count == 1);
    assertThat(store.<Object>reading(tx -> tx.fileWrites().list(tracker.workspace().id())))
        .isEqualTo(List.of());
  }

  /** Every entry begins with the content the one before it on this path ended with. */
  private void readJournal(Tracker tracker) {
    String stream = Workspace.stream(tracker.workspace().id());
    List<JournalEntry> entries =
        tracker
            .site()
            .store()
            .reading(
                tx -> tx.journal().between(stream, journalEnd, tx.journal().head(stream).number()));
    for (JournalEntry entry : entries) {
      journalEnd = entry.place().number();
      JsonObject written = JsonText.object(entry.content().payload());
      String before = chain.put(written.text("path"), written.text("new_hash"));
      assertThat(written.textOrNull("old_hash")).as(written.text("path")).isEqualTo(before);
      journaled.merge(written.text("new_hash"), 1, Integer::sum);
    }
  }

  private Map<String, String> disk() throws Exception {
    Map<String, String> disk = new TreeMap<>();
    try (var all = Files.walk(root)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        assertThat(each.getFileName().toString()).doesNotEndWith(".tmp");
        String path = root.relativize(each).toString();
        if (path.startsWith(".mainstay") || !Files.isRegularFile(each)) continue;
        disk.put(path, hash(Files.readAllBytes(each)));
        whole(path);
      }
    }
    return disk;
  }

  /** Which version a file is, all of it. */
  private Attempt whole(String path) throws IOException {
    byte[] content = Files.readAllBytes(root.resolve(path));
    int end = new String(content, StandardCharsets.ISO_8859_1).indexOf('\n');
    assertThat(end).as(path + " begins with its version").isPositive();
    String[] head = new String(content, 0, end, StandardCharsets.US_ASCII).split(" ");
    Attempt version = new Attempt(head[0], Long.parseLong(head[1]), null);
    assertThat(content).as(path).isEqualTo(version.content());
    return version;
  }

  private static String hash(byte[] content) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }
}
