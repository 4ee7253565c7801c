package dev.mainstay.workspace;

import dev.mainstay.domain.ScannedFile;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ScannedFile} as the index keeps it: in less memory, and with what a look at the disk
 * needs at hand.
 */
record Entry(String path, Path file, Stamp stamp, byte @Nullable [] hash, long hashedMicros) {
  private static final HexFormat HEX = HexFormat.of();

  static Entry of(ScannedFile known, Path root) {
    ScannedFile.Stat stat = known.stat();
    return new Entry(
        known.path(),
        root.resolve(known.path()),
        new Stamp(stat.size(), micros(stat.modTime()), stat.fileKey()),
        known.hash() == null ? null : HEX.parseHex(known.hash()),
        micros(known.hashedAt()));
  }

  static Entry unhashed(String path, Path file, Stamp stamp) {
    return new Entry(path, file, stamp, null, 0);
  }

  /** With the system's key in the place of its text, which takes longer to compare. */
  Entry with(Stamp agreeing) {
    if (agreeing.equals(stamp)) return this;
    return new Entry(path, file, agreeing, hash, hashedMicros);
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  /** Whether the content need not be read again, given that the disk says the same as before. */
  boolean isSettled() {
    return hash != null && stamp.isSettledAt(hashedMicros);
  }

  boolean hasContentOf(Entry other) {
    if (hash == null && other.hash == null) return stamp.agrees(other.stamp);
    return Arrays.equals(hash, other.hash);
  }

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The line of this file in the hash of the tree; without a hash, size and time stand for it. */
  String line() {
    String content = hash == null ? stamp.size() + ":" + stamp.modMicros() : HEX.formatHex(hash);
    return content + "  " + path + "\n";
  }

  ScannedFile scanned() {
    return new ScannedFile(
        path,
        hash == null ? null : HEX.formatHex(hash),
        new ScannedFile.Stat(stamp.size(), instant(stamp.modMicros()), stamp.keyText()),
        instant(hashedMicros));
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** The same files, each spelt out only when it is asked for: a first scan names every file. */
  static List<ScannedFile> scanned(List<Entry> entries) {
    return new AbstractList<>() {
      @Override
      public ScannedFile get(int index) {
        return entries.get(index).scanned();
      }

      @Override
      public int size() {
        return entries.size();
      }
    };
  }
}
