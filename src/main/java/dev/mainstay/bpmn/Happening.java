package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to an execution. One for a token that is gone, or stands elsewhere, is nothing.
 */
public sealed interface Happening {
  /** It begins, at its plain start or at a named one. */
  record Begin(@Nullable String start, JsonObject variables) implements Happening {}

  /** The work of a token is done: a task, an answer, a called workflow. */
  record Done(String token, JsonObject result) implements Happening {}

  /** The work of a token has failed; a text that begins with a code and a colon names an error. */
  record Failed(String token, String error) implements Happening {}

  /** The moment a token waits for has come. */
  record Due(String token) implements Happening {}

  /** The message a token waits for has come. */
  record Arrived(String token, JsonObject content) implements Happening {}

  /** Somebody has mended what was wrong, perhaps with these variables: try again. */
  record Retry(String token, JsonObject variables) implements Happening {}

  /** Somebody says to go on as if it were done, with this result. */
  record Skip(String token, JsonObject result) implements Happening {}

  /** What to write where happenings are kept. */
  default JsonObject toJson() {
    return HappeningJson.write(this);
  }

  static Happening fromJson(JsonObject json) {
    return HappeningJson.read(json);
  }
}
