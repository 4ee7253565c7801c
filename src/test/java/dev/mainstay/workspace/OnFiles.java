package dev.mainstay.workspace;

import dev.mainstay.Pause;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.ScannedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A workspace on the disk. Its index runs an hour ahead of it, so that no file is so young that it
 * must be read twice; {@link #racy} gives one that is not.
 */
abstract class OnFiles {
  static final Instant LONG_AGO = Instant.parse("2026-01-02T03:04:05.123456Z");
  private static final Clock AHEAD = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));

  @TempDir Path temp;
  Path root;
  FileIndex index;
  private int writes;

  @BeforeEach
  void begin() throws IOException {
    root = Files.createDirectory(temp.resolve("workspace"));
    index = index(ScanLimits.DEFAULT);
  }

  FileIndex index(ScanLimits limits, Path... never) {
    return new FileIndex(SafeTree.at(root), limits, () -> Set.of(never), AHEAD);
  }

  FileIndex racy() {
    return new FileIndex(SafeTree.at(root), ScanLimits.DEFAULT, Set.of());
  }

  static ScanLimits limits(int files, long fileBytes, long totalBytes, int depth) {
    return new ScanLimits(files, fileBytes, totalBytes, depth, Duration.ofSeconds(60));
  }

  Path write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    // Two writes within one tick of the disk's clock must not look alike by chance.
    Instant time = LONG_AGO.plusSeconds(++writes);
    for (Path each = file; each.startsWith(root); each = each.getParent()) setTime(each, time);
    return file;
  }

  void create(String... paths) throws IOException {
    for (String path : paths) write(path, path);
  }

  void setTime(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  /** Waits for the disk's clock to move on. */
  void nextTick() throws IOException {
    Path probe = temp.resolve("probe");
    Object first = changed(probe);
    while (changed(probe).equals(first)) Pause.briefly();
  }

  private static Object changed(Path probe) throws IOException {
    return Files.getAttribute(Files.writeString(probe, ""), "unix:ctime");
  }

  void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) Files.delete(each);
    }
  }

  ScanResult look(String... paths) {
    return index.look(Stream.of(paths).map(RepoPath::new).toList());
  }

  static List<String> paths(Collection<ScannedFile> files) {
    return files.stream().map(ScannedFile::path).toList();
  }

  List<String> paths() {
    return paths(index.files());
  }

  /** All that a scan has to tell, in one line. */
  static String told(ScanResult result) {
    return "added %s, changed %s, gone %s"
        .formatted(paths(result.added()), paths(result.changed()), paths(result.gone()));
  }
}
