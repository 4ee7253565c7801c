package dev.mainstay.trust;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Tells whether a file belongs to the user who runs this process. */
public final class Ownership {
  private static final Path SELF = Path.of("/proc/self");

  private Ownership() {}

  /** The user id of this process. */
  private static final class User {
    static final long ID = id();

    private static long id() {
      try {
        return uid(SELF);
      } catch (IOException | UnsupportedOperationException notLinux) {
        return ofNewFile();
      }
    }
  }

  /** The JDK has no getuid; a file made by this process has its user id. */
  private static long ofNewFile() {
    try {
      Path file = Files.createTempFile("mainstay", "");
      try {
        return uid(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Whether the caller owns the file itself; a link is not followed. */
  public static boolean isCallers(Path file) {
    try {
      return uid(file) == User.ID;
    } catch (IOException | UnsupportedOperationException missing) {
      return false;
    }
  }

  private static long uid(Path file) throws IOException {
    // /proc/self is a link, which belongs to root in some kernels; the folder behind it does not.
    Object uid =
        file.equals(SELF)
            ? Files.getAttribute(file, "unix:uid")
            : Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    return ((Number) uid).longValue();
  }
}
