package dev.mainstay.workspace;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.Workspace.Story;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code repostate.json} says that was there before the store knew the folder: all that is
 * left when a store was lost. The file is kept under another name, since the first view of the new
 * store replaces it. Story and open tasks are taken over only from a trusted folder: a branch or an
 * archive can bring such a file as well.
 */
final class LeftState {
  static final Call CALL = Call.by(Actor.SYSTEM, StateFile.NAME);

  private LeftState() {}

  /**
   * The story in the file, without secrets; {@link Story#NONE} if there is no readable one, or the
   * folder is not trusted.
   */
  static Story of(Path folder, boolean isTrusted) {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return Story.NONE;
    StateFile file = new StateFile(folder);
    if (!file.setAside() || !isTrusted) return Story.NONE;
    JsonObject left = file.read().orElse(JsonObject.EMPTY);
    try {
      return new Story(storyId(left), RepoStates.redacted(RepoState.openTasks(left)));
    } catch (Refusal unusable) {
      return Story.NONE;
    }
  }

  private static @Nullable String storyId(JsonObject left) {
    String id = left.get("story_id") instanceof String text ? text.strip() : "";
    return id.isEmpty() ? null : Redactor.DEFAULT.redact(id);
  }
}
