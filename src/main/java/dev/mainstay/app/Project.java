package dev.mainstay.app;

import dev.mainstay.trust.Ownership;
import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The project a command is called in: the folder whose {@code .mainstay} holds the store, and the
 * worktree whose files are worked on.
 */
record Project(Path root, Path workDir) {
  private static final Pattern WORKTREE =
      Pattern.compile("gitdir: (.*)[/\\\\]\\.git[/\\\\]worktrees[/\\\\].*");

  /**
   * Finds the nearest folder upwards that is a repository or has a store of the caller's own; a git
   * worktree uses its main repository's. Where there is none, the project is the folder itself.
   *
   * <p>The search ends below the home folder and below the root of the file system, and passes over
   * stores of other users and stores above the home folder: anybody may put one there.
   */
  static Project around(Path folder, UserFolders user) {
    Path start = folder.toAbsolutePath().normalize();
    Path home = real(user.home());
    for (Path at = start; at != null && at.getParent() != null; at = at.getParent()) {
      boolean isStart = at.equals(start);
      if (!isStart && isSame(at, home)) break;
      if ((isStart || !home.startsWith(at)) && hasOwnStore(at)) return new Project(at, at);
      Path git = at.resolve(".git");
      if (Files.isDirectory(git)) return new Project(at, at);
      if (Files.isRegularFile(git)) {
        Path main = mainRepository(at, git);
        return new Project(main == null ? at : main, at);
      }
    }
    return new Project(start, start);
  }

  private static Path real(Path home) {
    try {
      return home.toRealPath();
    } catch (IOException noHome) {
      return home;
    }
  }

  private static boolean isSame(Path folder, Path home) {
    try {
      return folder.equals(home) || Files.isSameFile(folder, home);
    } catch (IOException noHome) {
      return false;
    }
  }

  /** A folder that a workspace's view or its lock lies in is no place of a store. */
  private static boolean hasOwnStore(Path root) {
    Path folder = root.resolve(".mainstay");
    boolean isStore =
        Files.exists(folder.resolve("state.sqlite3"), LinkOption.NOFOLLOW_LINKS)
            || Files.exists(folder.resolve("config.toml"), LinkOption.NOFOLLOW_LINKS);
    return isStore && Ownership.isCallers(folder);
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
  boolean isAround(Path folder, UserFolders user) {
    Path other = around(folder, user).root();
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
