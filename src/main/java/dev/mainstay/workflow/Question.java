package dev.mainstay.workflow;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Times;
import java.time.Instant;
import java.util.List;

/** Something that a workflow wants to know from a person. */
public record Question(
    String execution, String node, String text, List<String> answers, Instant since) {
  public JsonObject toJson() {
    return JsonObject.of("execution_id", execution, "node", node, "question", text)
        .with("answers", answers)
        .with("since", Times.write(since));
  }
}
