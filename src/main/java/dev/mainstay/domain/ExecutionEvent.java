package dev.mainstay.domain;

import dev.mainstay.domain.Execution.Figures;
import dev.mainstay.domain.Execution.Head;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.Execution.Review;
import dev.mainstay.domain.Execution.Running;
import dev.mainstay.domain.JournalEntry.Origin;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happened to an execution. Who did it, and when, is in the journal's entry. */
public sealed interface ExecutionEvent extends Event
    permits ConstraintEvent,
        PageEvent,
        ExecutionEvent.Begun,
        ExecutionEvent.StatusChanged,
        ExecutionEvent.StepStarted,
        ExecutionEvent.StepRecorded,
        ExecutionEvent.ToolsSeen,
        ExecutionEvent.FeedbackGiven {
  Execution applyTo(Execution before, Origin origin);

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, ExecutionEvent>> READERS = readers();

  private static Map<String, Function<JsonObject, ExecutionEvent>> readers() {
    Map<String, Function<JsonObject, ExecutionEvent>> readers = new HashMap<>();
    readers.putAll(ConstraintEvent.READERS);
    readers.putAll(PageEvent.READERS);
    readers.put("exec.begun", Begun::read);
    readers.put("exec.status_changed", StatusChanged::read);
    readers.put("exec.step_started", StepStarted::read);
    readers.put(StepRecorded.KIND, p -> new StepRecorded(StepRecord.fromJson(p)));
    readers.put("exec.tools_seen", ToolsSeen::read);
    readers.put("exec.feedback_given", FeedbackGiven::read);
    return Map.copyOf(readers);
  }

  static ExecutionEvent read(String kind, JsonObject payload) {
    var reader = READERS.get(kind);
    if (reader == null) throw new IllegalArgumentException("no such execution event: " + kind);
    return reader.apply(payload);
  }

  /** An execution began, in place of the one before, which is over. */
  record Begun(Identity identity, Constraints constraints, Pages pages) implements ExecutionEvent {
    @Override
    public Execution applyTo(Execution before, Origin origin) {
      Head head = new Head(identity, ExecutionStatus.PLANNING, origin.at(), null, null);
      return new Execution(head, constraints, Figures.NONE, pages, Review.NONE);
    }

    @Override
    public String kind() {
      return "exec.begun";
    }

    @Override
    public JsonObject payload() {
      return identity
          .toJson()
          .with("constraints", constraints.toJson())
          .with("pages", pages.toJson());
    }

    static Begun read(JsonObject payload) {
      return new Begun(
          Identity.fromJson(payload),
          Constraints.fromJson(payload.object("constraints")),
          Pages.fromJson(payload.object("pages")));
    }
  }

  /** It became something else; when it was paused for a person's review, why says what for. */
  record StatusChanged(ExecutionStatus to, @Nullable String why, boolean review)
      implements ExecutionEvent {
    public static final int WHY_CHARS_MAX = 4_096;

    public StatusChanged {
      if (why != null) why = Text.body("the reason", why, WHY_CHARS_MAX).strip();
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      Head head = before.head();
      Running running = to.isEnded() ? null : head.running();
      return before.with(head.with(running).in(to, review ? why : null));
    }

    @Override
    public String kind() {
      return "exec.status_changed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("to", to, "why", why, "review", review ? true : null);
    }

    static StatusChanged read(JsonObject payload) {
      return new StatusChanged(
          ExecutionStatus.parse(payload.text("to")),
          payload.textOrNull("why"),
          Boolean.TRUE.equals(payload.get("review")));
    }
  }

  /** A step was begun with these inputs, in which all references are resolved. */
  record StepStarted(int step, String label, JsonObject inputs) implements ExecutionEvent {
    public StepStarted {
      JsonObject.shallow("the inputs of a step", inputs);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      Running running = new Running(step, origin.at(), inputs, Spent.NOTHING);
      return before.with(before.head().with(running)).with(before.review().started(label));
    }

    @Override
    public String kind() {
      return "exec.step_started";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("step", step, "label", label, "inputs", inputs);
    }

    static StepStarted read(JsonObject payload) {
      return new StepStarted(
          payload.integer("step"), payload.text("label"), payload.object("inputs"));
    }
  }

  /** An entry of the history. */
  record StepRecorded(StepRecord record) implements ExecutionEvent {
    public static final String KIND = "exec.step_recorded";

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      Running running = before.head().running();
      boolean over = running != null && running.step() == record.step();
      Execution counted = before.with(before.figures().after(record));
      return over ? counted.with(counted.head().with((Running) null)) : counted;
    }

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return record.toJson();
    }
  }

  /** Tools were seen at work, or their host said what they cost. */
  record ToolsSeen(Spent spent, String tools) implements ExecutionEvent {
    public static final int TOOLS_CHARS_MAX = 4_096;

    public ToolsSeen {
      tools = Text.body("the tools", tools, TOOLS_CHARS_MAX);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      Execution counted = before.with(before.figures().plus(spent));
      Running running = before.head().running();
      if (running == null) return counted;
      Spent seen = running.seen().plus(spent);
      return counted.with(
          counted
              .head()
              .with(new Running(running.step(), running.since(), running.inputs(), seen)));
    }

    @Override
    public String kind() {
      return "exec.tools_seen";
    }

    @Override
    public JsonObject payload() {
      return spent.toJson().with("tools", tools);
    }

    static ToolsSeen read(JsonObject payload) {
      return new ToolsSeen(Spent.fromJson(payload), payload.text("tools"));
    }
  }

  /** A person praised or complained; the rules hear it, and it is in the journal. */
  record FeedbackGiven(boolean positive, String words) implements ExecutionEvent {
    public static final int WORDS_CHARS_MAX = 4_096;

    public FeedbackGiven {
      words = Text.body("feedback", words, WORDS_CHARS_MAX);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before;
    }

    @Override
    public String kind() {
      return "exec.feedback_given";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("positive", positive, "words", words);
    }

    static FeedbackGiven read(JsonObject payload) {
      return new FeedbackGiven(Boolean.TRUE.equals(payload.get("positive")), payload.text("words"));
    }
  }
}
