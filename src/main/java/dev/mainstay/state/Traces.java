package dev.mainstay.state;

import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Times;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.Executions.View;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What an execution leaves behind: its trace, lines to learn from, and a line of experience. */
public final class Traces {
  private static final Set<String> TRANSITIONS =
      Set.of(
          "exec.begun",
          "exec.status_changed",
          "state.step_moved",
          "exec.adapted",
          "exec.proposed",
          "exec.proposal_settled");
  private static final Set<String> TURNS = Set.of("state.actions_noted", "exec.feedback_given");

  private final Store store;

  public Traces(Store store) {
    this.store = store;
  }

  /** The whole execution in one object. */
  public JsonObject trace(TaskId id) {
    return store.reading(tx -> trace(tx, Executions.view(tx, id)));
  }

  private static JsonObject trace(Tx tx, View view) {
    Execution execution = view.execution();
    return redacted(
        head(view)
            .with("totals", totals(view))
            .with("tool_calls", toolCalls(view.history()))
            .with("state_transitions", transitions(tx, view))
            .with("steps", StepComparison.of(view).toJson())
            .with("final_outcome", outcome(execution))
            .with("quality_metrics", quality(tx, view)));
  }

  private static JsonObject head(View view) {
    Execution execution = view.execution();
    var identity = execution.head().identity();
    return JsonObject.of(
            "execution_id",
            execution.id(),
            "task_id",
            view.task().id().value(),
            "scenario",
            view.dossier().state().run().goal(),
            "mode",
            identity.mode())
        .with("type", identity.type() == null ? null : identity.type().typed())
        .with("simulated", identity.isSimulation() ? true : null)
        .with("start_time", Times.write(identity.startedAt()))
        .with("last_updated", Times.write(execution.head().updatedAt()));
  }

  private static JsonObject totals(View view) {
    Spent total = view.execution().figures().total();
    return JsonObject.of("cost", total.cost(), "time", total.time())
        .with("file_operations", total.fileOperations())
        .with("web_requests", total.webRequests())
        .with("steps", view.dossier().state().plan().steps().size())
        .with("records", view.history().size());
  }

  private static List<JsonObject> toolCalls(List<StepRecord> history) {
    List<JsonObject> calls = new ArrayList<>();
    for (StepRecord record : history) {
      JsonObject call =
          JsonObject.of("step", record.step(), "at", Times.write(record.at()))
              .with("tool", record.text(Field.TOOL_USED))
              .with("component", record.text(Field.COMPONENT_USED))
              .with("inputs", record.text(Field.REAL_INPUTS))
              .with("outputs", record.text(Field.REAL_OUTPUTS))
              .with("errors", record.text(Field.ERRORS))
              .with("state_changes", record.text(Field.STATE_CHANGES))
              .with("notes", record.text(Field.NOTES))
              .with("cost", record.spent().cost())
              .with("time", record.spent().time())
              .with("simulated", record.simulated() ? true : null);
      calls.add(call);
    }
    return calls;
  }

  private static List<JsonObject> transitions(Tx tx, View view) {
    List<JsonObject> transitions = new ArrayList<>();
    for (JournalEntry entry : ExecutionHistory.entries(tx, view.task().id(), TRANSITIONS)) {
      JsonObject payload = JsonText.object(entry.content().payload());
      payload = told(entry.content().kind(), payload);
      transitions.add(
          JsonObject.of(
              "at",
              Times.write(entry.origin().at()),
              "by",
              entry.origin().actor().toString(),
              "kind",
              entry.content().kind(),
              "what",
              payload));
    }
    return transitions;
  }

  /** Steps count from 1, as everywhere here, and a beginning is told without its files. */
  private static JsonObject told(String kind, JsonObject payload) {
    if (kind.equals("exec.begun")) {
      return JsonObject.of("to", ExecutionStatus.PLANNING, "mode", payload.get("mode"));
    }
    boolean moved = kind.equals("state.step_moved");
    return moved ? payload.with("step", payload.number("step") + 1) : payload;
  }

  private static String outcome(Execution execution) {
    return switch (execution.status()) {
      case COMPLETED_SUCCESS -> "success";
      case COMPLETED_FAILURE -> "failure";
      case PLANNING, IN_PROGRESS, PAUSED -> "unfinished";
    };
  }

  private static JsonObject quality(Tx tx, View view) {
    List<StepRecord> history = view.history();
    long failed = history.stream().filter(StepRecord::failed).count();
    StepComparison comparison = StepComparison.of(view);
    int adaptations = ExecutionHistory.entries(tx, view.task().id(), Set.of("exec.adapted")).size();
    int edited =
        ExecutionHistory.entries(tx, view.task().id(), Set.of("exec.history_edited")).size();
    return JsonObject.of("success_rate", ratio(history.size() - failed, history.size()))
        .with("failed_records", failed)
        .with("estimated_cost", comparison.estimatedCost())
        .with("actual_cost", comparison.cost())
        .with("estimated_time", comparison.estimatedTime())
        .with("actual_time", comparison.time())
        .with("adaptations", adaptations)
        .with("history_edits", edited)
        .with("open_proposals", view.execution().review().open().size());
  }

  private static BigDecimal ratio(long part, long whole) {
    if (whole == 0) return BigDecimal.ZERO;
    return BigDecimal.valueOf(part).divide(BigDecimal.valueOf(whole), 3, RoundingMode.HALF_EVEN);
  }

  /**
   * Lines to learn from: one for each step, with what was said as far as it is known. Only what was
   * really executed teaches anything.
   */
  public List<JsonObject> training(TaskId id, List<JsonObject> conversation) {
    return store.reading(
        tx -> {
          View view = Executions.view(tx, id);
          if (view.execution().head().identity().isSimulation()) {
            throw Refusal.conflict(
                "the execution is a SIMULATION, and only an EXECUTION gives training data");
          }
          List<JsonObject> said = conversation.isEmpty() ? observed(tx, id) : conversation;
          return lines(tx, view, said);
        });
  }

  private static List<JsonObject> lines(Tx tx, View view, List<JsonObject> said) {
    return List.of(
        redacted(
            head(view)
                .with("conversation_trace", said)
                .with("tool_calls", toolCalls(view.history()))
                .with("state_transitions", transitions(tx, view))
                .with(
                    "performance_metrics",
                    totals(view)
                        .with("final_outcome", outcome(view.execution()))
                        .with("quality", quality(tx, view)))));
  }

  /** What hooks saw of the turns: the tools of each, and what the person said about it. */
  private static List<JsonObject> observed(Tx tx, TaskId id) {
    List<JsonObject> turns = new ArrayList<>();
    for (JournalEntry entry : ExecutionHistory.entries(tx, id, TURNS)) {
      JsonObject payload = JsonText.object(entry.content().payload());
      boolean words = entry.content().kind().equals("exec.feedback_given");
      turns.add(
          JsonObject.of(
              "role",
              words ? "user" : "assistant",
              "at",
              Times.write(entry.origin().at()),
              "content",
              payload.textOrNull(words ? "words" : "summary")));
    }
    return turns;
  }

  private static JsonObject redacted(JsonObject line) {
    return Redactor.DEFAULT.redactObject(line);
  }

  /** Adds one line about an execution that is over to {@code .mainstay/log/experience.jsonl}. */
  public void logExperience(TaskId id, Path root) {
    JsonObject line =
        store.reading(
            tx -> {
              View view = Executions.view(tx, id);
              ExecutionStatus status = view.execution().status();
              Spent total = view.execution().figures().total();
              return redacted(
                  head(view)
                      .with("final_outcome", outcome(view.execution()))
                      .with("status", status)
                      .with("cost", total.cost())
                      .with("time", total.time())
                      .with("quality_metrics", quality(tx, view)));
            });
    append(root.resolve(".mainstay").resolve("log"), line);
  }

  /** It is a log and no part of the state, so a full disk stops nobody here. */
  private static void append(Path folder, JsonObject line) {
    try {
      Files.createDirectories(folder);
      try (var out =
          Files.newOutputStream(
              folder.resolve("experience.jsonl"),
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND,
              LinkOption.NOFOLLOW_LINKS)) {
        out.write((JsonText.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException notLogged) {
      return;
    }
  }
}
