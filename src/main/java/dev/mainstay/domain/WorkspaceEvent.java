package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * What was done in a workspace through Mainstay, for the journal's reader. Nothing is made of these
 * events: what is in the files, the disk says.
 */
public sealed interface WorkspaceEvent extends Event {
  /** A file got another content. */
  record FileWritten(
      RepoPath path, @Nullable String oldHash, String newHash, long size, @Nullable TaskId task)
      implements WorkspaceEvent {
    public static final String KIND = "file.written";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("path", path.value(), "old_hash", oldHash, "new_hash", newHash)
          .with("size", size)
          .with("task", task == null ? null : task.value());
    }
  }

  /** Another story is worked on; what became of files is counted from here. */
  record StoryBegun(@Nullable String story) implements WorkspaceEvent {
    @Override
    public String kind() {
      return "workspace.story_begun";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("story", story);
    }
  }
}
