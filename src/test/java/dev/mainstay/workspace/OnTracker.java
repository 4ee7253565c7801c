package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store of its own, and what the disk holds by a walk that shares nothing with the scan. */
abstract class OnTracker {
  static final Call CALL = Call.by(Actor.agent("ada"), "test");

  @TempDir Path temp;
  Store store;

  @BeforeEach
  void openStore() {
    store =
        Store.open(
            new StoreAddress.File(temp.resolve("store/state.sqlite3")), StoreSettings.DEFAULT);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  static FileWrites.Written write(Tracker tracker, String path, String content) {
    return new FileWrites(tracker)
        .write(
            new FileWrites.Wanted(
                new RepoPath(path), content.getBytes(StandardCharsets.UTF_8), null, null),
            CALL);
  }

  /** Path and hash of what is known to be there. */
  static Map<String, String> known(Tracker tracker) {
    Map<String, String> known = new TreeMap<>();
    for (FileMeta file : tracker.state().present()) {
      known.put(file.path(), String.valueOf(file.hash()));
    }
    return known;
  }

  /** Path and hash of every plain file below the folder but git's and Mainstay's. */
  static Map<String, String> disk(Path root) throws IOException {
    Map<String, String> disk = new TreeMap<>();
    try (var all = Files.walk(root)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Path path = root.relativize(each);
        if (path.startsWith(".git") || path.startsWith(".mainstay")) continue;
        if (!Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) continue;
        disk.put(path.toString(), hash(each));
      }
    }
    return disk;
  }

  static String hash(Path file) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static void agrees(Tracker tracker) {
    assertThat(tracker.verify().differences()).isEmpty();
  }
}
