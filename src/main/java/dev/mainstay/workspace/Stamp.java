package dev.mainstay.workspace;

import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Size, time of change and identity of a file: what can be compared without opening it. The key is
 * the system's own, or the text of one when it comes from the store.
 */
record Stamp(long size, long modMicros, Object key) {
  /**
   * A file written again within the same tick of the clock keeps its time. Only a time clearly
   * older than the look at the content proves that the content is still the one looked at.
   */
  private static final long RACY_MICROS = TimeUnit.SECONDS.toMicros(2);

  static Stamp of(BasicFileAttributes file) {
    Object key = file.fileKey();
    return new Stamp(
        file.size(), file.lastModifiedTime().to(TimeUnit.MICROSECONDS), key == null ? "" : key);
  }

  /** Whether the disk still says the same; spelt out because it runs once per file and scan. */
  boolean agrees(BasicFileAttributes file) {
    return file.size() == size
        && file.lastModifiedTime().to(TimeUnit.MICROSECONDS) == modMicros
        && hasKey(file.fileKey());
  }

  boolean agrees(Stamp other) {
    return other.size == size && other.modMicros == modMicros && hasKey(other.key);
  }

  private boolean hasKey(@Nullable Object other) {
    if (key.equals(other)) return true;
    return (key instanceof String || other instanceof String) && text(key).equals(text(other));
  }

  /** Whether a look at that time is proof against a second change that left no trace. */
  boolean isSettledAt(long lookedMicros) {
    return modMicros < lookedMicros - RACY_MICROS;
  }

  /** {@code fe00:31}: the device and the inode, as the store keeps it. */
  String keyText() {
    return text(key);
  }

  /** The JDK gives a key no other access than its text, {@code (dev=fe00,ino=31)}. */
  private static String text(@Nullable Object key) {
    if (key == null) return "";
    String text = key.toString();
    int inode = text.indexOf(",ino=");
    if (inode < 0 || !text.startsWith("(dev=")) return text;
    return text.substring("(dev=".length(), inode)
        + ":"
        + text.substring(inode + ",ino=".length(), text.length() - 1);
  }
}
