package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.render.Tokens;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole repositories as workspaces, compared with what git and a plain walk find. With {@code
 * -Dlong=true} the generated one has 50,000 files.
 */
class RealRepositoriesTest {
  private static final int COMMITS = 8;
  private static final int FILES = Boolean.getBoolean("long") ? 50_000 : 5_000;
  private static final int FILES_A_FOLDER = 100;
  private static final int ROUNDS = 3;
  private static final int SNAPSHOT_TOKENS_MAX = 500;

  @TempDir Path temp;
  private Path root;
  private Store store;

  @BeforeEach
  void open() {
    root = temp.resolve("workspace");
    Path file = temp.resolve("store/state.sqlite3");
    store = Store.open(new StoreAddress.File(file), StoreSettings.DEFAULT);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void each_commit_of_our_own_history_is_seen_as_git_sees_it() throws Exception {
    Path here = Path.of("").toAbsolutePath();
    assumeTrue(Files.exists(here.resolve(".git")), "not a clone");
    Git.at(here).run("clone", "-q", "--local", "--no-checkout", here.toString(), root.toString());
    Git git = Git.at(root);
    List<String> history = git.run("rev-list", "--reverse", "HEAD").lines().toList();
    Map<String, String> base = new TreeMap<>();
    for (int i = 0; i < COMMITS; i++) {
      String commit = history.get(i * (history.size() - 1) / (COMMITS - 1));
      git.run("checkout", "-q", "--detach", commit);
      Tracker tracker = Tracker.open(store, root); // as another process would
      assertThat(tracker.scan().leftOut()).as(commit).isEmpty();
      Map<String, String> now = new TreeMap<>();
      for (String path : git.files()) now.put(path, hash(root.resolve(path)));
      if (i == 0) base.putAll(now);
      knows(tracker, base, now);
    }
  }

  @Test
  void changes_to_one_file_in_a_hundred_are_all_seen() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.printf("a generated repository of %,d files: -Dseed=%d%n", FILES, seed);
    Random random = new Random(seed);
    for (int i = 0; i < FILES; i++) write(path(i), "file " + i);
    Git.init(root).run("add", "."); // a repository, so that its index is read, too
    Tracker tracker = Tracker.open(store, root);
    assertThat(tracker.scan().leftOut()).isEmpty();
    Map<String, String> base = walk();
    assertThat(base).hasSize(FILES);
    knows(tracker, base, base);
    for (int round = 1; round <= ROUNDS; round++) {
      change(random, round);
      if (random.nextBoolean()) tracker = Tracker.open(store, root);
      assertThat(tracker.scan().foundNothing()).isFalse();
      knows(tracker, base, walk());
      assertThat(Tokens.O200K.count(tracker.snapshot().text())).isLessThan(SNAPSHOT_TOKENS_MAX);
    }
  }

  private static String path(int number) {
    return "part%d/sub%d/File%d.java"
        .formatted(number / FILES_A_FOLDER % 10, number / FILES_A_FOLDER, number);
  }

  private void change(Random random, int round) throws IOException {
    List<String> there = new ArrayList<>(walk().keySet());
    Collections.shuffle(there, random);
    for (int i = 0; i < FILES / 100; i++) {
      String path = there.get(i);
      String another = "round%d/%d/new.txt".formatted(round, i);
      switch (random.nextInt(4)) {
        case 0 -> write(another, "new " + random.nextInt());
        case 1 -> write(path, "changed " + random.nextInt());
        case 2 -> Files.delete(root.resolve(path));
        default -> {
          Files.createDirectories(root.resolve(another).getParent());
          Files.move(root.resolve(path), root.resolve(another));
        }
      }
    }
  }

  private void write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  /** Paths, hashes and statuses are those; and a look at every byte finds nothing else. */
  private static void knows(Tracker tracker, Map<String, String> base, Map<String, String> now) {
    Map<String, String> expected = new TreeMap<>();
    TreeSet<String> paths = new TreeSet<>(base.keySet());
    paths.addAll(now.keySet());
    for (String path : paths) {
      String hash = now.getOrDefault(path, base.get(path));
      expected.put(path, "%s %s".formatted(status(base.get(path), now.get(path)), hash));
    }
    Map<String, String> known = new TreeMap<>();
    for (FileMeta file : tracker.state().files()) {
      // Of a deleted file the last content is known, which need not be the first.
      boolean gone = file.status() == FileStatus.DELETED;
      String hash = gone ? base.get(file.path()) : file.hash();
      known.put(file.path(), "%s %s".formatted(file.status(), hash));
    }
    assertThat(known).isEqualTo(expected);
    assertThat(tracker.verify().differences()).isEmpty();
  }

  private static FileStatus status(String before, String after) {
    if (before == null) return FileStatus.CREATED;
    if (after == null) return FileStatus.DELETED;
    return before.equals(after) ? FileStatus.UNCHANGED : FileStatus.MODIFIED;
  }

  private Map<String, String> walk() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (var all = Files.walk(root)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Path path = root.relativize(each);
        if (path.startsWith(".git") || path.startsWith(".mainstay")) continue;
        if (Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
          found.put(path.toString(), hash(each));
        }
      }
    }
    return found;
  }

  private static String hash(Path file) throws IOException {
    MessageDigest digest = Hasher.sha256();
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }
}
