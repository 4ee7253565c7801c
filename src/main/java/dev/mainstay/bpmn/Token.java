package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Where an execution is, once for each thing that goes on in it.
 *
 * @param position the node it stands at; for one that is COMPLETED the node it has left
 * @param parent the token in whose sub-process, loop or activity it lives, or null
 */
public record Token(String id, String position, Status status, @Nullable String parent, Load load) {

  public enum Status {
    /** What its node asks for is being done. */
    IN_PROGRESS,
    /** It waits for a moment or a message. */
    WAITING,
    /** Its node is done, and the join it went on to waits for others. */
    COMPLETED,
    /** Something went wrong, and somebody has to say how to go on. */
    INCIDENT
  }

  /**
   * @param edge on which a COMPLETED token left its node
   * @param locals variables that only this token and what lives in it can see
   * @param loop how far a loop is
   * @param problem what went wrong
   */
  public record Load(
      @Nullable String edge, JsonObject locals, JsonObject loop, @Nullable String problem) {
    public static final Load NONE = new Load(null, JsonObject.EMPTY, JsonObject.EMPTY, null);
  }

  /** The number in its id, by which tokens are in the order in which they were made. */
  public long number() {
    return Long.parseLong(id.substring(id.indexOf('-') + 1));
  }

  public JsonObject toJson() {
    return JsonObject.of("id", id, "position", position, "status", status, "parent", parent)
        .with("edge", load.edge())
        .with("locals", load.locals().isEmpty() ? null : load.locals())
        .with("loop", load.loop().isEmpty() ? null : load.loop())
        .with("problem", load.problem());
  }

  public static Token fromJson(JsonObject json) {
    return new Token(
        json.text("id"),
        json.text("position"),
        Status.valueOf(json.text("status")),
        json.textOrNull("parent"),
        new Load(
            json.textOrNull("edge"),
            json.object("locals"),
            json.object("loop"),
            json.textOrNull("problem")));
  }
}
