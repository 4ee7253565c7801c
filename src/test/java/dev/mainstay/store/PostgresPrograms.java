package dev.mainstay.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The programs of PostgreSQL that tests start. Their library unpacks them once on a machine, and
 * cannot go on where a process was killed while it did so: each later start would fail.
 */
public final class PostgresPrograms {
  private static final String WHOLE = ".exists";
  private static final String LOCK = "epg-lock";

  private PostgresPrograms() {}

  /** Takes away what was unpacked in part, unless somebody is at it. */
  public static void tidy() {
    String elsewhere = System.getProperty("ot.epg.working-dir");
    Path usual = Path.of(System.getProperty("java.io.tmpdir"), "embedded-pg");
    try {
      tidy(elsewhere == null ? usual : Path.of(elsewhere));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  static void tidy(Path home) throws IOException {
    if (!Files.isDirectory(home)) return;
    try (Stream<Path> versions = Files.list(home)) {
      for (Path each : versions.filter(Files::isDirectory).toList()) {
        if (!Files.exists(each.resolve(WHOLE))) clear(each);
      }
    }
  }

  private static void clear(Path version) throws IOException {
    Path lock = version.resolve(LOCK);
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock mine = channel.tryLock()) {
      // Whoever had the lock a moment ago may have finished meanwhile.
      if (mine == null || Files.exists(version.resolve(WHOLE))) return;
      List<Path> parts;
      try (Stream<Path> all = Files.walk(version)) {
        parts = all.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path part : parts) {
        if (!part.equals(version) && !part.equals(lock)) Files.deleteIfExists(part);
      }
    } catch (OverlappingFileLockException busy) {
      return; // by another test of this process
    }
  }
}
