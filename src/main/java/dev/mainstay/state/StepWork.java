package dev.mainstay.state;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Execution.Running;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Limits;
import dev.mainstay.domain.PageEvent;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.References;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepDetails.Param;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.ToolKind;
import dev.mainstay.domain.Variables;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps of an execution, one after the other: what goes in, what came out, what it cost. */
public final class StepWork {
  private final Store store;

  public StepWork(Store store) {
    this.store = store;
  }

  /**
   * How a step went. What is null is taken from what is known: the inputs it was started with, the
   * time since then, the tools that were seen. Errors mean that it failed.
   */
  public record Report(
      Map<Field, String> texts, Usage usage, JsonObject variables, @Nullable Integer step) {
    public static final Report DONE = new Report(Map.of(), Usage.UNKNOWN, JsonObject.EMPTY, null);
  }

  /** What somebody says it used up. */
  public record Usage(
      @Nullable BigDecimal cost,
      @Nullable BigDecimal time,
      @Nullable Long fileOperations,
      @Nullable Long webRequests) {
    public static final Usage UNKNOWN = new Usage(null, null, null, null);

    JsonObject toJson() {
      return JsonObject.of("cost", cost, "time", time, "files", fileOperations, "web", webRequests);
    }
  }

  /** What starting a step came to; a step that waits for a person was not started. */
  public record Started(Outcome outcome, int step, @Nullable String waitsFor, JsonObject inputs) {
    JsonObject toJson() {
      return JsonObject.of("outcome", outcome.toJson(), "step", step, "waits_for", waitsFor)
          .with("inputs", inputs);
    }

    static Started fromJson(JsonObject json) {
      return new Started(
          Outcome.fromJson(json.object("outcome")),
          json.integer("step"),
          json.textOrNull("waits_for"),
          json.object("inputs"));
    }
  }

  /** Starts a step, by its number from 1, or the next one; persons need nobody's approval. */
  public Started start(TaskId id, @Nullable Integer number, Call call) {
    JsonObject asked = JsonObject.of("task", id.value(), "step", number);
    return store.inTransaction(
        Once.of(call, "exec.step.start", asked, Started::toJson, Started::fromJson),
        tx -> {
          tx.tasks().lock(id).admit(call);
          var before = tx.dossiers().get(id);
          Dossier dossier = before.dossier();
          Execution execution = mayWork(dossier);
          int place = place(dossier.state().plan(), number);
          Step step = dossier.state().plan().step(place);
          Running running = execution.head().running();
          if (running != null) return underWay(id, before.number(), running, place + 1);
          String why = call.actor().isPerson() ? null : Limits.approvalFor(execution, step);
          JsonObject inputs = why == null ? inputs(tx, id, dossier, step) : JsonObject.EMPTY;
          List<Event> events =
              why == null
                  ? started(dossier, place, inputs)
                  : Proposals.ask(execution, Proposal.Kind.STEP, step.label(), step.approval());
          Outcome outcome = ExecutionWriting.record(tx, id, before, events, call);
          return new Started(outcome, place + 1, waits(tx, id, step, why), inputs);
        });
  }

  /** Why, and with which proposal a person is asked. */
  private static @Nullable String waits(Tx tx, TaskId id, Step step, @Nullable String why) {
    if (why == null) return null;
    return tx.dossiers()
        .get(id)
        .dossier()
        .execution()
        .review()
        .find(Proposal.Kind.STEP, step.label(), step.approval())
        .map(open -> why + " (proposal " + open.number() + ")")
        .orElse(why);
  }

  private static Execution mayWork(Dossier dossier) {
    Execution execution = Executions.live(dossier);
    if (execution.status() != ExecutionStatus.PAUSED) return execution;
    String why = execution.head().reviewFor();
    throw Refusal.conflict(
        why == null
            ? "the execution is paused; 'mainstay exec resume' lets it go on"
            : Phrase.of(
                "the execution is paused for a person's review (%s); a person lets it go on with 'mainstay exec resume'",
                why));
  }

  private static int place(Plan plan, @Nullable Integer number) {
    if (number != null) {
      plan.step(number - 1);
      return number - 1;
    }
    if (plan.steps().isEmpty()) {
      throw Refusal.conflict(
          "the plan has no steps; write them into plan.md, or 'mainstay plan set TASK STEP...'");
    }
    return plan.next()
        .orElseThrow(
            () -> Refusal.conflict("no step is left; 'mainstay exec finish' ends the execution"));
  }

  /** To start what is under way is no event, whoever would have to approve of it. */
  private static Started underWay(TaskId id, long number, Running running, int wanted) {
    if (running.step() != wanted) {
      throw Refusal.conflict(
          Phrase.of(
              "step %d is under way; 'mainstay exec step finish' ends it first", running.step()));
    }
    Outcome nothing = new Outcome(id, 0, number, List.of(), false);
    return new Started(nothing, wanted, null, running.inputs());
  }

  private static List<Event> started(Dossier dossier, int place, JsonObject inputs) {
    List<Event> events = new ArrayList<>();
    if (dossier.execution().status() == ExecutionStatus.PLANNING) {
      events.add(new ExecutionEvent.StatusChanged(ExecutionStatus.IN_PROGRESS, null, false));
    }
    String label = dossier.state().plan().step(place).label();
    events.add(new ExecutionEvent.StepStarted(place + 1, label, inputs));
    events.addAll(dossier.state().moveStep(place, StepStatus.ACTIVE, null));
    return events;
  }

  private static JsonObject inputs(Tx tx, TaskId id, Dossier dossier, Step step) {
    JsonObject templates = JsonObject.EMPTY;
    for (Param input : step.details().inputs()) {
      templates = templates.with(input.name(), input.value());
    }
    if (templates.isEmpty()) return templates;
    List<BigDecimal> costs =
        ExecutionHistory.of(tx, id).stream().map(record -> record.spent().cost()).toList();
    String where = Phrase.of("the inputs of \"%s\"", step.label());
    Object resolved = References.resolve(templates, Variables.all(dossier, costs), where);
    return resolved instanceof JsonObject inputs ? inputs : templates;
  }

  /** Notes how the step that is under way ended, in the history and in the plan. */
  public Outcome finish(TaskId id, Report report, Call call) {
    Map<Field, String> texts = new EnumMap<>(Field.class);
    report.texts().forEach((field, text) -> texts.put(field, Redacted.text(text)));
    JsonObject variables = Redactor.DEFAULT.redactObject(report.variables());
    JsonObject asked =
        JsonObject.of("task", id.value(), "texts", texts.toString(), "step", report.step())
            .with("usage", report.usage().toJson())
            .with("variables", variables);
    return store.inTransaction(
        Executions.once(call, "exec.step.finish", asked),
        tx ->
            ExecutionWriting.write(
                tx,
                id,
                call,
                dossier -> {
                  Running running = running(dossier, report.step());
                  StepRecord record = record(dossier, running, texts, report.usage(), tx.now());
                  return finished(dossier, record, variables);
                }));
  }

  private static Running running(Dossier dossier, @Nullable Integer step) {
    Execution execution = Executions.live(dossier);
    Running running = execution.head().running();
    if (running == null || (step != null && running.step() != step)) {
      throw Refusal.conflict(
          Phrase.of(
              "%s; 'mainstay exec step start' does that first",
              step == null ? "no step was started" : Phrase.of("step %d was not started", step)));
    }
    if (execution.figures().records() >= Execution.RECORDS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "an execution has at most %,d entries in its history; finish it and begin another",
              Execution.RECORDS_MAX));
    }
    return running;
  }

  private static StepRecord record(
      Dossier dossier, Running running, Map<Field, String> said, Usage usage, Instant now) {
    Map<Field, String> texts = new EnumMap<>(said);
    Step step = dossier.state().plan().step(running.step() - 1);
    texts.putIfAbsent(Field.COMPONENT_USED, step.details().component());
    texts.putIfAbsent(Field.TOOL_USED, step.details().tool());
    if (!running.inputs().isEmpty()) {
      // Long ones are cut, or a step that took them could never be finished.
      String inputs = JsonText.write(running.inputs());
      texts.putIfAbsent(Field.REAL_INPUTS, Graphemes.cut(inputs, StepRecord.FIELD_CHARS_MAX));
    }
    BigDecimal took = BigDecimal.valueOf(Duration.between(running.since(), now).toMillis(), 3);
    String tool = texts.getOrDefault(Field.TOOL_USED, "");
    Spent once = tool.isEmpty() ? Spent.NOTHING : ToolKind.of(tool).once();
    Spent seen = running.seen();
    Spent spent =
        new Spent(
            usage.cost() == null ? BigDecimal.ZERO : usage.cost(),
            usage.time() == null ? took.max(BigDecimal.ZERO) : usage.time(),
            rest(usage.fileOperations(), once.fileOperations(), seen.fileOperations()),
            rest(usage.webRequests(), once.webRequests(), seen.webRequests()));
    boolean simulated = dossier.execution().head().identity().isSimulation();
    return new StepRecord(running.step(), now, simulated, spent, texts);
  }

  /** What was seen is counted already; a report adds only what goes beyond it. */
  private static long rest(@Nullable Long said, long byTool, long seen) {
    return Math.max(0, (said == null ? byTool : said) - seen);
  }

  private static List<Event> finished(Dossier dossier, StepRecord record, JsonObject variables) {
    List<Event> events = new ArrayList<>();
    events.add(new ExecutionEvent.StepRecorded(record));
    String errors = record.text(Field.ERRORS);
    String line = errors == null ? "" : errors.replaceAll("\\p{Cc}+", " ").strip();
    String note = line.isEmpty() ? null : Graphemes.cut(line, Plan.NOTE_CHARS_MAX);
    StepStatus to = errors == null ? StepStatus.DONE : StepStatus.FAILED;
    events.addAll(dossier.state().moveStep(record.step() - 1, to, note));
    JsonObject next = VariablePaths.set(dossier.execution().pages().variables(), variables);
    if (!next.equals(dossier.execution().pages().variables())) {
      events.add(new PageEvent.VariablesSet(next));
    }
    return events;
  }
}
