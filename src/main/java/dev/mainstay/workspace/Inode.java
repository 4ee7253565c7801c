package dev.mainstay.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Map;
import java.util.Optional;

/** What the system tells about a file only when asked by its whole path. */
record Inode(int links, int mode) {
  private static final int KIND = 0170000;

  /** Believed only when the path leads to the very file that was seen through a descriptor. */
  static Optional<Inode> of(Path place, PosixFileAttributes seen) throws IOException {
    Map<String, Object> known =
        Files.readAttributes(place, "unix:nlink,mode,fileKey", LinkOption.NOFOLLOW_LINKS);
    if (known.get("nlink") instanceof Integer links
        && known.get("mode") instanceof Integer mode
        && String.valueOf(known.get("fileKey")).equals(HeldFolder.key(seen))) {
      return Optional.of(new Inode(links, mode));
    }
    return Optional.empty();
  }

  /** What it is, in words that follow "is". */
  static String words(Path place, PosixFileAttributes seen) {
    if (seen.isRegularFile()) return "a file";
    if (seen.isDirectory()) return "a folder";
    if (seen.isSymbolicLink()) return "a symbolic link";
    try {
      return of(place, seen).map(Inode::special).orElse("neither a file nor a folder");
    } catch (IOException gone) {
      return "neither a file nor a folder";
    }
  }

  private String special() {
    return switch (mode & KIND) {
      case 0010000 -> "a FIFO";
      case 0020000, 0060000 -> "a device";
      case 0140000 -> "a socket";
      default -> "neither a file nor a folder";
    };
  }
}
