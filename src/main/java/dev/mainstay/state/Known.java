package dev.mainstay.state;

import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.ExecutionJson;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateJson;

/** What is known about a task, and the number of the journal entry it is known since. */
public record Known(TaskId task, long number, Dossier dossier) {
  /** The notebook plainly and with its authors, the run's state, and what was seen of it. */
  public JsonObject toJson() {
    JsonObject execution = ExecutionJson.write(dossier.execution());
    return JsonObject.of(
        "task_id",
        task.value(),
        "number",
        number,
        "notebook",
        dossier.notebook().toBlob(),
        "notes",
        dossier.notebook().toJson(),
        "task_state",
        TaskStateJson.show(dossier.state()),
        "observed",
        dossier.observed().toJson(),
        "execution",
        execution.isEmpty() ? null : execution);
  }
}
