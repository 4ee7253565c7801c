package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Trail.Compression;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happened to a task's state. Who did it, and when, is in the journal's entry. */
public sealed interface TaskStateEvent extends Event
    permits RunEvent,
        CriterionEvent,
        TaskStateEvent.Updated,
        TaskStateEvent.PlanSet,
        TaskStateEvent.StepMoved,
        TaskStateEvent.DirectiveRecorded,
        TaskStateEvent.DirectiveLifted,
        TaskStateEvent.ActionsNoted,
        TaskStateEvent.Compressed {
  TaskState applyTo(TaskState before, Origin origin);

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, TaskStateEvent>> READERS = readers();

  private static Map<String, Function<JsonObject, TaskStateEvent>> readers() {
    Map<String, Function<JsonObject, TaskStateEvent>> readers = new HashMap<>(RunEvent.READERS);
    readers.putAll(CriterionEvent.READERS);
    readers.put("state.updated", p -> new Updated(TaskUpdate.Change.fromJson(p)));
    readers.put("state.plan_set", p -> new PlanSet(Plan.fromJson(p.objects("steps"))));
    readers.put("state.step_moved", StepMoved::read);
    readers.put("state.directive_recorded", DirectiveRecorded::read);
    readers.put("state.directive_lifted", p -> new DirectiveLifted(p.text("text")));
    readers.put("state.actions_noted", p -> new ActionsNoted(p.text("summary")));
    readers.put("state.compressed", Compressed::read);
    return Map.copyOf(readers);
  }

  static TaskStateEvent read(String kind, JsonObject payload) {
    var reader = READERS.get(kind);
    if (reader == null) throw new IllegalArgumentException("no such state event: " + kind);
    return reader.apply(payload);
  }

  /** The run wrote about itself; the payload holds only what it changed. */
  record Updated(TaskUpdate.Change change) implements TaskStateEvent {
    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      return before.with(before.work().changed(change));
    }

    @Override
    public String kind() {
      return "state.updated";
    }

    @Override
    public JsonObject payload() {
      return change.toJson();
    }
  }

  /** There is another plan. */
  record PlanSet(Plan plan) implements TaskStateEvent {
    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      Directives directives = before.directives();
      for (int i = plan.endedSince(before.plan()); i > 0; i--) directives = directives.aged();
      return before.with(plan).with(directives);
    }

    @Override
    public String kind() {
      return "state.plan_set";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("steps", plan.toJson());
    }
  }

  /** One step, counted from 0, is in another status. */
  record StepMoved(int step, StepStatus to, @Nullable String note) implements TaskStateEvent {
    public StepMoved {
      if (note != null) note = Text.line("a step's note", note, Plan.NOTE_CHARS_MAX);
    }

    Plan applied(Plan plan) {
      return plan.moved(step, to, note);
    }

    /** Whether a step comes to its end by this, for better or worse. */
    boolean endsStep(Plan before) {
      return to.isEnd() && before.step(step).status() != to;
    }

    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      TaskState after = before.with(applied(before.plan()));
      return endsStep(before.plan()) ? after.with(after.directives().aged()) : after;
    }

    @Override
    public String kind() {
      return "state.step_moved";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("step", step, "to", to.typed(), "note", note);
    }

    static StepMoved read(JsonObject payload) {
      return new StepMoved(
          payload.integer("step"),
          StepStatus.parse(payload.text("to")),
          payload.textOrNull("note"));
    }
  }

  /** Somebody gave a standing order, or gave it again. */
  record DirectiveRecorded(String text, boolean binding, @Nullable Integer steps)
      implements TaskStateEvent {
    /** For as many steps as its words say. */
    public DirectiveRecorded(String text, boolean binding) {
      this(text, binding, StepExpiry.of(text));
    }

    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      return before.with(before.directives().with(this, origin));
    }

    @Override
    public String kind() {
      return "state.directive_recorded";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("text", text, "binding", binding, "steps", steps);
    }

    static DirectiveRecorded read(JsonObject payload) {
      return new DirectiveRecorded(
          payload.text("text"),
          Boolean.TRUE.equals(payload.get("binding")),
          payload.integerOrNull("steps"));
    }
  }

  /** A standing order stands no more. */
  record DirectiveLifted(String text) implements TaskStateEvent {
    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      return before.with(before.directives().without(text));
    }

    @Override
    public String kind() {
      return "state.directive_lifted";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("text", text);
    }
  }

  /** The tools of one turn were seen at work. */
  record ActionsNoted(String summary) implements TaskStateEvent {
    public ActionsNoted {
      summary = Text.body("a turn's summary", summary, Trail.OBSERVED_CHARS_MAX).strip();
    }

    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      return before.with(before.trail().acted(summary));
    }

    @Override
    public String kind() {
      return "state.actions_noted";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("summary", summary);
    }
  }

  /** The context was made smaller. */
  record Compressed(String action, String summary, long tokensBefore, long tokensAfter)
      implements TaskStateEvent {
    public Compressed {
      action = Text.line("a compression's action", action, Trail.COMPRESSION_ACTION_CHARS_MAX);
      summary = Text.body("a compression's summary", summary, Trail.OBSERVED_CHARS_MAX).strip();
      if (tokensBefore < 0 || tokensAfter < 0) {
        throw Refusal.invalid("a context cannot have fewer than 0 tokens");
      }
    }

    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      String cut = Graphemes.cut(summary, Trail.COMPRESSION_SUMMARY_CHARS_MAX);
      var entry = new Compression(action, cut, tokensBefore, tokensAfter, origin.at());
      return before.with(before.trail().compressed(entry));
    }

    @Override
    public String kind() {
      return "state.compressed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of(
          "action", action, "summary", summary, "before", tokensBefore, "after", tokensAfter);
    }

    static Compressed read(JsonObject payload) {
      return new Compressed(
          payload.text("action"),
          payload.text("summary"),
          payload.number("before"),
          payload.number("after"));
    }
  }
}
