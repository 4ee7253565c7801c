package dev.mainstay.session;

import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.trust.Ownership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where an agent works, read from the folder it was started in. Git itself never runs. */
public final class Places {
  private static final String GIT_FOLDER = "gitdir:";
  private static final String BRANCH = "ref: refs/heads/";
  private static final int POINTER_BYTES_MAX = 8_192;

  private Places() {}

  /**
   * The worktree around a folder and its branch, which is empty where there is none; a folder that
   * is in no repository is a place of its own.
   */
  public static Place around(Path folder) {
    Path start = folder.toAbsolutePath().normalize();
    for (Path at = start; at != null && at.getParent() != null; at = at.getParent()) {
      if (Files.exists(at.resolve(".git"))) return new Place(at.toString(), branch(at));
      Path store = at.resolve(".mainstay");
      if (Files.exists(store.resolve("state.sqlite3")) && Ownership.isCallers(store)) {
        return new Place(at.toString(), "");
      }
    }
    return new Place(start.toString(), "");
  }

  private static String branch(Path worktree) {
    Path git = worktree.resolve(".git");
    if (Files.isRegularFile(git)) {
      String pointer = small(git);
      if (pointer == null || !pointer.startsWith(GIT_FOLDER)) return "";
      git = worktree.resolve(pointer.substring(GIT_FOLDER.length()).strip());
    }
    String head = small(git.resolve("HEAD"));
    return head != null && head.startsWith(BRANCH) ? head.substring(BRANCH.length()).strip() : "";
  }

  private static @Nullable String small(Path file) {
    try {
      return Files.size(file) > POINTER_BYTES_MAX ? null : Files.readString(file).strip();
    } catch (IOException unreadable) {
      return null;
    }
  }
}
