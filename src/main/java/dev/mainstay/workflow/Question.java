package dev.mainstay.workflow;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Times;
import java.time.Instant;
import java.util.List;

/** Something that a workflow wants to know from a person. */
public record Question(
    String execution, Asking by, String text, List<String> answers, Instant since) {

  /** The node that asks, and its token, by which one of several is meant. */
  public record Asking(String node, String token) {}

  public String node() {
    return by.node();
  }

  public JsonObject toJson() {
    return JsonObject.of("execution_id", execution, "node", by.node(), "question", text)
        .with("token", by.token())
        .with("answers", answers)
        .with("since", Times.write(since));
  }
}
