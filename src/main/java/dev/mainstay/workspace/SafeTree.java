package dev.mainstay.workspace;

import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.List;

/**
 * A workspace's folder, entered only from directory descriptors and never through a link: whoever
 * swaps a folder for a link while we are inside leads nobody out of it.
 */
final class SafeTree {
  private final Path root;

  private SafeTree(Path root) {
    this.root = root;
  }

  /** The folder may be named through links; what is below it may not. */
  static SafeTree at(Path folder) {
    try {
      Path real = folder.toRealPath();
      if (!Files.isDirectory(real)) throw Refusal.invalid(folder + " is not a folder");
      return new SafeTree(real);
    } catch (IOException missing) {
      throw Refusal.notFound("there is no folder " + folder);
    }
  }

  Path root() {
    return root;
  }

  /** Opens a folder below the root, name by name; the caller closes it. */
  SecureDirectoryStream<Path> open(List<String> names) throws IOException {
    SecureDirectoryStream<Path> at = openRoot();
    for (String name : names) {
      SecureDirectoryStream<Path> parent = at;
      try (parent) {
        at = parent.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS);
      }
    }
    return at;
  }

  private SecureDirectoryStream<Path> openRoot() throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(root);
    if (stream instanceof SecureDirectoryStream<Path> secure) return secure;
    stream.close();
    throw Refusal.unavailable(
        "this system cannot open files relative to a folder, so the workspace cannot be entered safely",
        null);
  }
}
