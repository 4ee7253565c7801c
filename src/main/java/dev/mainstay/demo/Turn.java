package dev.mainstay.demo;

import dev.mainstay.domain.JsonObject;

/** One turn of a scripted agent: how long its prompt was, and what came of it. */
public record Turn(int number, int tokens, String action, Outcome outcome) {
  /** What a turn did to the files and to the story. */
  public enum Outcome {
    WROTE,
    NO_OP,
    CHECKED,
    REFUSED,
    DONE
  }

  public JsonObject toJson() {
    return JsonObject.of("turn", number, "tokens", tokens, "action", action, "outcome", outcome);
  }

  static Turn fromJson(JsonObject json) {
    return new Turn(
        json.integer("turn"),
        json.integer("tokens"),
        json.text("action"),
        Outcome.valueOf(json.text("outcome")));
  }
}
