package dev.mainstay.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The project a command is called in: the repository's root, whose store all its folders share, and
 * the worktree, whose files are worked on.
 */
record Project(Path root, Path workDir) {
  private static final Pattern WORKTREE =
      Pattern.compile("gitdir: (.*)[/\\\\]\\.git[/\\\\]worktrees[/\\\\].*");

  /**
   * The nearest folder upwards that has a store or is a repository; a git worktree uses its main
   * repository's. Where there is none of these, the folder itself.
   */
  static Project around(Path folder) {
    Path start = folder.toAbsolutePath().normalize();
    for (Path at = start; at != null; at = at.getParent()) {
      Path git = at.resolve(".git");
      if (hasStore(at) || Files.isDirectory(git)) return new Project(at, at);
      if (Files.isRegularFile(git)) {
        Path main = mainRepository(at, git);
        return new Project(main == null ? at : main, at);
      }
    }
    return new Project(start, start);
  }

  /** A folder that a workspace's view or its lock lies in is no place of a store. */
  private static boolean hasStore(Path root) {
    Path folder = root.resolve(".mainstay");
    return Files.exists(folder.resolve("state.sqlite3"))
        || Files.exists(folder.resolve("config.toml"));
  }

  private static @Nullable Path mainRepository(Path worktree, Path git) {
    try {
      Matcher matcher = WORKTREE.matcher(Files.readString(git).strip());
      return matcher.matches() ? worktree.resolve(matcher.group(1)).normalize() : null;
    } catch (IOException unreadable) {
      return null;
    }
  }

  /** Whether the folder belongs to this project, by whatever name it is called. */
  boolean isAround(Path folder) {
    Path other = around(folder).root();
    try {
      return other.equals(root) || Files.isSameFile(other, root);
    } catch (IOException gone) {
      return false;
    }
  }

  Path folder() {
    return root.resolve(".mainstay");
  }

  Path store() {
    return folder().resolve("state.sqlite3");
  }

  Path configFile() {
    return folder().resolve("config.toml");
  }
}
