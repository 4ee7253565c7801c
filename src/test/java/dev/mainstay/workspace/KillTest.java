package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.Workspace;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.upkeep.Upkeep;
import dev.mainstay.workspace.FileWrites.Written;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes files and state is killed at a random moment, again and again, on the same
 * workspace and store. {@code -Dkills=N} kills so often, {@code -Dseed=N} at the same moments as
 * before, as far as a machine repeats itself.
 */
class KillTest {
  private static final int KILLS = Integer.getInteger("kills", 50);
  private static final int NUMBERS_OF_A_ROUND = 100_000;

  /** The child is killed in the first writes, when it opens the store, or when it is warm. */
  private static final int WRITES_MAX = 12;

  private static final int DELAY_MICROS_MAX = 30_000;

  @TempDir Path temp;
  private Path root;
  private Path db;

  /** The newest version of each path that is known to have been finished. */
  private final Map<String, Integer> finished = new TreeMap<>();

  /** What the journal held after the last round: how often each version was written. */
  private final Map<String, Integer> written = new HashMap<>();

  private final Map<String, String> lastHash = new HashMap<>();
  private long entriesRead;
  private int inDoubt;

  @BeforeEach
  void makeWorkspace() throws IOException {
    root = Files.createDirectory(temp.resolve("workspace"));
    db = Files.createDirectory(root.resolve(".mainstay")).resolve("mainstay.sqlite3");
  }

  /** A process that waits for its turn: it starts while the round before is looked at. */
  private record Child(Process process, BufferedReader out, int first) {
    void go() throws IOException {
      assertThat(out.readLine()).isEqualTo("ready");
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    /** Kills it at a random moment; the last version that it said to have finished. */
    int killed(Random random) throws Exception {
      int last = first - 1;
      for (int left = random.nextInt(WRITES_MAX + 1); left > 0; left--) last = heard(out, last);
      process.waitFor(random.nextInt(DELAY_MICROS_MAX), TimeUnit.MICROSECONDS);
      // Process.destroyForcibly would close the pipe, and what was said last be lost.
      assertThat(process.toHandle().destroyForcibly()).isTrue();
      process.waitFor();
      assertThat(process.exitValue()).as("ended by the kill alone").isEqualTo(128 + 9);
      while (true) {
        int more = heard(out, last);
        if (more == last) return last;
        last = more;
      }
    }

    private static int heard(BufferedReader out, int last) throws IOException {
      String line = out.readLine();
      if (line == null) return last;
      assertThat(line).isEqualTo(Integer.toString(last + 1));
      return last + 1;
    }
  }

  private Child start(int round) throws IOException {
    int first = round * NUMBERS_OF_A_ROUND;
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                WritingProcess.class.getName(),
                db.toString(),
                root.toString(),
                Integer.toString(first))
            .redirectErrorStream(true)
            .start();
    return new Child(process, process.inputReader(), first);
  }

  @Test
  void a_writer_killed_at_any_moment_leaves_old_or_new_files_and_a_state_that_agrees()
      throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.printf("KillTest: %d kills, -Dseed=%d%n", KILLS, seed);
    Random random = new Random(seed);
    Child child = start(1);
    try {
      for (int round = 1; round <= KILLS; round++) {
        child.go();
        int last = child.killed(random);
        Child killed = child;
        child = start(round + 1);
        try {
          check(killed.first(), last);
        } catch (AssertionError | RuntimeException failure) {
          throw new AssertionError(
              "round %d, seed %d: %s".formatted(round, seed, failure), failure);
        }
      }
    } finally {
      child.process().toHandle().destroyForcibly();
    }
    System.out.printf(
        "KillTest: %d versions were finished, %d kills left one in doubt that had been made%n",
        written.size(), inDoubt);
    assertThat(written).isNotEmpty();
  }

  private void check(int first, int last) throws IOException {
    for (int number = first; number <= last; number++) {
      finished.put(new Version(number).path().value(), number);
    }
    Map<String, Version> found = wholeVersions();
    finished.forEach(
        (path, number) ->
            assertThat(found.get(path))
                .as(path)
                .extracting(Version::number)
                .isIn(after(number, last)));
    try (Store store = WritingProcess.open(db)) {
      Tracker tracker = Tracker.open(store, root);
      tracker.verify();
      assertThat(wholeVersions()).isEqualTo(found);
      noTempsLeft();
      assertThat(tracker.verify().differences()).isEmpty();
      agrees(tracker, found);
      readJournal(store, tracker.workspace().id());
      for (int number = first; number <= last; number++) isWrittenTimes(number, 1);
      found.forEach((path, version) -> assertThat(lastHash).containsEntry(path, version.hash()));
      repeat(store, tracker, first, last);
      Upkeep upkeep = new Upkeep(store, new StoreAddress.File(db));
      assertThat(upkeep.verify().findings()).isEmpty();
    }
  }

  /** The one that was finished, or else the one after the last that was: it was under way. */
  private static List<Integer> after(int finished, int last) {
    return List.of(finished, last + 1);
  }

  private Map<String, Version> wholeVersions() throws IOException {
    Map<String, Version> found = new TreeMap<>();
    for (String path : Version.PATHS) {
      Path file = root.resolve(path);
      if (!Files.exists(file)) continue;
      byte[] bytes = Files.readAllBytes(file);
      assertThat(Version.of(path, bytes))
          .as("%s, %d bytes, is whole", path, bytes.length)
          .isPresent();
      found.put(path, Version.of(path, bytes).orElseThrow());
    }
    return found;
  }

  private void noTempsLeft() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      assertThat(all.filter(each -> SafeFiles.isTemp(each.getFileName().toString()))).isEmpty();
    }
  }

  private void agrees(Tracker tracker, Map<String, Version> found) throws IOException {
    RepoState state = tracker.state();
    Map<String, String> hashes = new TreeMap<>();
    found.forEach((path, version) -> hashes.put(path, version.hash()));
    Map<String, String> known = new TreeMap<>();
    state.present().forEach(file -> known.put(file.path(), file.hash()));
    assertThat(known).isEqualTo(hashes);
    String view = Files.readString(root.resolve(".mainstay/repostate.json"));
    assertThat(RepoState.fromJson(JsonText.object(view))).isEqualTo(state);
  }

  /** Of each file, every entry goes on where the one before ended, and none is there twice. */
  private void readJournal(Store store, String workspace) {
    String stream = Workspace.stream(workspace);
    List<JournalEntry> news =
        store.reading(
            tx -> tx.journal().between(stream, entriesRead, tx.journal().head(stream).number()));
    for (JournalEntry entry : news) {
      entriesRead = entry.place().number();
      if (!entry.content().kind().equals("file.written")) continue;
      JsonObject payload = JsonText.object(entry.content().payload());
      String path = payload.text("path");
      assertThat(payload.textOrNull("old_hash")).as(path).isEqualTo(lastHash.get(path));
      lastHash.put(path, payload.text("new_hash"));
      assertThat(written.merge(payload.text("new_hash"), 1, Integer::sum)).as(path).isOne();
    }
  }

  private void isWrittenTimes(int number, int times) {
    assertThat(written.getOrDefault(new Version(number).hash(), 0))
        .as("%d", number)
        .isEqualTo(times);
  }

  /** Whoever does not know how a write ended repeats it; it is made once in all. */
  private void repeat(Store store, Tracker tracker, int first, int last) {
    Version next = new Version(last + 1);
    boolean made = written.containsKey(next.hash());
    if (made) inDoubt++;
    Version before = new Version(last);
    if (last >= first && before.key() != null)
      assertThat(write(tracker, before).changed()).isTrue();
    assertThat(write(tracker, next).hash()).isEqualTo(next.hash());
    finished.put(next.path().value(), next.number());
    readJournal(store, tracker.workspace().id());
    isWrittenTimes(next.number(), 1);
    assertThat(tracker.verify().differences()).isEmpty();
  }

  private static Written write(Tracker tracker, Version version) {
    return new FileWrites(tracker)
        .write(WritingProcess.wanted(version), WritingProcess.CALL.withKey(version.key()));
  }
}
