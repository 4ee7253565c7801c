package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.TaskState.Answer;
import dev.mainstay.domain.TaskState.Run;
import dev.mainstay.domain.TaskState.Waiting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happened to a task's run. A phase that may not follow is refused. */
public sealed interface RunEvent extends TaskStateEvent {
  Run applied(Run before);

  @Override
  default TaskState applyTo(TaskState before, Origin origin) {
    return before.with(applied(before.run()));
  }

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, TaskStateEvent>> READERS =
      Map.of(
          "state.started", p -> new Started(p.text("goal"), p.texts("criteria")),
          "state.renewed", p -> new Renewed(p.text("reason")),
          "state.suspended", Suspended::read,
          "state.resumed", Resumed::read,
          "state.ended", p -> new Ended(RunPhase.valueOf(p.text("how")), p.text("reason")));

  private static String reason(String text) {
    return Text.body("a reason", text, TaskState.REASON_CHARS_MAX).strip();
  }

  /** A run began. What the task knew before remains; what was about another goal does not. */
  record Started(String goal, List<String> criteria) implements RunEvent {
    public Started {
      var first = new Run(goal, unmet(criteria), RunPhase.RUNNING, 1, null);
      goal = first.goal();
      criteria = first.criteriaTexts().stream().distinct().toList();
    }

    @Override
    public Run applied(Run before) {
      if (before.phase().isLive()) throw new IllegalStateException("a run was started twice");
      List<Criterion> all = new ArrayList<>(isAbout(before) ? before.criteria() : List.of());
      Set<String> known = new HashSet<>();
      for (Criterion criterion : all) known.add(criterion.text());
      all.addAll(unmet(criteria.stream().filter(text -> !known.contains(text)).toList()));
      var answers = isAbout(before) ? before.answers() : List.<Answer>of();
      return new Run(goal, all, RunPhase.RUNNING, before.context() + 1, null, answers);
    }

    private static List<Criterion> unmet(List<String> texts) {
      return texts.stream().map(Criterion::of).toList();
    }

    /** Criteria and plan may be there before the first run; then they are meant for it. */
    private boolean isAbout(Run before) {
      return before.phase() == RunPhase.NOT_STARTED || before.goal().equals(goal);
    }

    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      boolean same = isAbout(before.run());
      Work work = before.work();
      return before
          .with(applied(before.run()))
          .with(same ? before.plan() : Plan.EMPTY)
          .with(same ? work.withoutScratchpad() : work.forAnotherGoal())
          .with(before.trail().restarted());
    }

    @Override
    public String kind() {
      return "state.started";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("goal", goal, "criteria", criteria);
    }
  }

  /** The run goes on in a new context. */
  record Renewed(String reason) implements RunEvent {
    public Renewed {
      reason = RunEvent.reason(reason);
    }

    @Override
    public Run applied(Run before) {
      return before.renewed();
    }

    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      return before
          .with(applied(before.run()))
          .with(before.work().withoutScratchpad())
          .with(before.trail().restarted());
    }

    @Override
    public String kind() {
      return "state.renewed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("reason", reason);
    }
  }

  /** The run waits for something. */
  record Suspended(Waiting waiting) implements RunEvent {
    @Override
    public Run applied(Run before) {
      return before.in(RunPhase.SUSPENDED, waiting);
    }

    @Override
    public String kind() {
      return "state.suspended";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("on", waiting.typed(), "what", waiting.what());
    }

    static Suspended read(JsonObject payload) {
      return new Suspended(Waiting.read(payload.text("on"), payload.text("what")));
    }
  }

  /**
   * The run received an answer and goes on. Entries written before answers were part of the state
   * do not say what was answered; the replay of those keeps no answer.
   */
  record Resumed(String answer, @Nullable Waiting to) implements RunEvent {
    public Resumed {
      answer = RunEvent.reason(answer);
    }

    @Override
    public Run applied(Run before) {
      return before.in(RunPhase.RUNNING, null);
    }

    @Override
    public TaskState applyTo(TaskState before, Origin origin) {
      Run run = applied(before.run());
      if (to == null || answer.isEmpty()) return before.with(run);
      return before.with(run.with(new Answer(to, answer, origin)));
    }

    @Override
    public String kind() {
      return "state.resumed";
    }

    @Override
    public JsonObject payload() {
      JsonObject payload = JsonObject.of("answer", answer);
      return to == null ? payload : payload.with("on", to.typed()).with("what", to.what());
    }

    static Resumed read(JsonObject payload) {
      Waiting to =
          payload.has("on") ? Waiting.read(payload.text("on"), payload.text("what")) : null;
      return new Resumed(payload.text("answer"), to);
    }
  }

  /** The run is over. */
  record Ended(RunPhase how, String reason) implements RunEvent {
    public Ended {
      reason = RunEvent.reason(reason);
    }

    @Override
    public Run applied(Run before) {
      return before.in(how, null);
    }

    @Override
    public String kind() {
      return "state.ended";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("how", how, "reason", reason);
    }
  }
}
