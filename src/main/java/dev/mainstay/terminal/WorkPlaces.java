package dev.mainstay.terminal;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Folders of their own for workers that go on side by side: git worktrees, each on its branch. */
public interface WorkPlaces {
  /** A worker's folder, its branch, and the commit where that began. */
  record Place(Path folder, String branch, String base) {}

  /**
   * What was changed, as a patch.
   *
   * @param text null when it is too long to be kept, or no text
   */
  record Patch(@Nullable String text, Path file) {}

  /** Refuses a folder that is in no repository from which worktrees can be made. */
  void mustServe(Path folder);

  /**
   * Makes a place of that name in the folder's repository, beginning where the folder is now, or
   * gives the one there is, as it was left.
   */
  Place add(String name, Path folder);

  /** Whether a folder is somebody's own place. */
  boolean isPlace(Path folder);

  /**
   * All that differs from the base in the place of that name, committed or not; empty when nothing
   * does. Nothing is committed by this.
   */
  Optional<Patch> patch(String name, Path folder, String base);
}
