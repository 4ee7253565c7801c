package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A workflow that was started, and how it stands.
 *
 * @param workflow the id of the version it runs by
 */
public record WorkflowExecution(
    String id, String workflow, Home home, Standing standing, Stamps stamps) {

  public enum Status {
    RUNNING,
    PAUSED,
    COMPLETED,
    FAILED,
    CANCELLED;

    public boolean isOver() {
      return this != RUNNING && this != PAUSED;
    }
  }

  /** In which session and folder its agents work, and which execution called it, if one did. */
  public record Home(String session, String host, String folder, @Nullable Caller caller) {}

  /** The execution that called this one, and its token that waits for it. */
  public record Caller(String execution, String token) {}

  /**
   * @param node where it is; of several places the first
   * @param data tokens and variables, as the table shows them
   * @param error what went wrong, while something is wrong
   * @param version grows with every change
   */
  public record Standing(
      Status status,
      @Nullable String node,
      JsonObject data,
      @Nullable String error,
      long version) {}

  public record Stamps(String startedBy, Instant startedAt, @Nullable Instant completedAt) {}

  public Status status() {
    return standing.status();
  }

  /** The stream of the journal that tells its story. */
  public static String stream(String id) {
    return "execution/" + id;
  }

  public JsonObject toJson() {
    Caller caller = home.caller();
    Instant completed = stamps.completedAt();
    return JsonObject.of("id", id, "workflow_id", workflow, "session_name", home.session())
        .with("host", home.host())
        .with("work_dir", home.folder())
        .with("parent_execution", caller == null ? null : caller.execution())
        .with("parent_token", caller == null ? null : caller.token())
        .with("status", standing.status().name())
        .with("current_node_id", standing.node())
        .with("execution_data", standing.data())
        .with("error_message", standing.error())
        .with("version", standing.version())
        .with("started_by", stamps.startedBy())
        .with("started_at", Times.write(stamps.startedAt()))
        .with("completed_at", completed == null ? null : Times.write(completed));
  }

  public static WorkflowExecution fromJson(JsonObject json) {
    String caller = json.textOrNull("parent_execution");
    String completed = json.textOrNull("completed_at");
    return new WorkflowExecution(
        json.text("id"),
        json.text("workflow_id"),
        new Home(
            json.text("session_name"),
            json.text("host"),
            json.text("work_dir"),
            caller == null ? null : new Caller(caller, json.text("parent_token"))),
        new Standing(
            Status.valueOf(json.text("status")),
            json.textOrNull("current_node_id"),
            json.object("execution_data"),
            json.textOrNull("error_message"),
            json.number("version")),
        new Stamps(
            json.text("started_by"),
            Times.read(json.text("started_at")),
            completed == null ? null : Times.read(completed)));
  }
}
