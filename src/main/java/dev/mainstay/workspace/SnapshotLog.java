package dev.mainstay.workspace;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * {@code .mainstay/log/snapshots.jsonl}: what was shown in each turn, for whoever wonders why an
 * agent did what it did. It is no part of the state, so a full disk does not stop anybody here.
 */
final class SnapshotLog {
  static final long BYTES_MAX = 8L * 1024 * 1024;
  private static final String NAME = "snapshots.jsonl";

  private final Path folder;

  SnapshotLog(Path folder) {
    this.folder = folder;
  }

  Path path() {
    return folder.resolve("log").resolve(NAME);
  }

  /** One line more; a log that is full is put aside, in place of the one before. */
  void append(JsonObject line) {
    try {
      Path log = folder.resolve("log");
      if (!Files.isDirectory(log, LinkOption.NOFOLLOW_LINKS)) Files.createDirectory(log);
      if (Files.exists(path()) && Files.size(path()) > BYTES_MAX) {
        Files.move(path(), path().resolveSibling(NAME + ".1"), StandardCopyOption.REPLACE_EXISTING);
      }
      // A link here could lead anywhere; a log that is one is not written.
      try (var out =
          Files.newOutputStream(
              path(),
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND,
              LinkOption.NOFOLLOW_LINKS)) {
        out.write((JsonText.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException notLogged) {
      return;
    }
  }
}
