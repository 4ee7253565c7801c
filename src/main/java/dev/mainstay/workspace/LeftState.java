package dev.mainstay.workspace;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.Workspace.Story;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code repostate.json} says that was there before the store knew the folder: all that is
 * left when a store was lost. Its story and open tasks are taken over, and the file is kept under
 * another name, since the first view of the new store replaces it.
 */
final class LeftState {
  static final Call CALL = Call.by(Actor.SYSTEM, StateFile.NAME);

  private LeftState() {}

  /** The story in the file, without secrets; {@link Story#NONE} if there is no readable one. */
  static Story of(Path folder) {
    StateFile file = new StateFile(folder);
    if (!file.setAside()) return Story.NONE;
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
