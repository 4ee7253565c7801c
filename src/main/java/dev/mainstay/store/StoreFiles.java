package dev.mainstay.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files that must not even be opened, by whatever name they lie below a folder: when one descriptor
 * of a database is closed, the process loses its locks on it.
 */
public final class StoreFiles {
  private final Set<String> paths = new HashSet<>();
  private final Set<Object> keys = new HashSet<>();

  /**
   * Asked anew for each scan, because a log may have come to the database since.
   *
   * @param root the folder's real path
   */
  public StoreFiles(Path root, Set<Path> files) {
    for (Path file : files) {
      Path real = real(file);
      if (real.startsWith(root)) paths.add(root.relativize(real).toString());
      try {
        Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
        if (key != null) keys.add(key);
      } catch (IOException notThere) {
        // Then there is no other name for it either.
      }
    }
  }

  private static Path real(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent == null) return absolute;
    try {
      return parent.toRealPath(new LinkOption[0]).resolve(absolute.getFileName());
    } catch (IOException notThere) {
      return absolute;
    }
  }

  /** Whether a file is one of them, by its path below the folder or by its key. */
  public boolean contains(String path, @Nullable Object key) {
    return paths.contains(path) || (key != null && keys.contains(key));
  }
}
