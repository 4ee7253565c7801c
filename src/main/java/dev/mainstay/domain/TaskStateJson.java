package dev.mainstay.domain;

import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.TaskState.Answer;
import dev.mainstay.domain.TaskState.Run;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.Trail.Compression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task's state as the store keeps it and as interfaces show it. */
public final class TaskStateJson {
  private TaskStateJson() {}

  /** For interfaces: as stored, except that directives which are not confirmed do not bind. */
  public static JsonObject show(TaskState state) {
    var directives = state.directives().items().stream().map(Directive::toShownJson).toList();
    return write(state).with("directives", directives);
  }

  /** For the store: the same bytes whether the store is trusted or not. */
  public static JsonObject write(TaskState state) {
    Run run = state.run();
    Waiting waiting = run.waiting();
    Work work = state.work();
    Trail trail = state.trail();
    return JsonObject.of("goal", run.goal(), "criteria", run.criteriaTexts(), "phase", run.phase())
        .with("criteria_states", run.criteria().stream().map(Criterion::toJson).toList())
        .with("context", run.context())
        .with("waiting_on", waiting == null ? null : waiting.typed())
        .with("waiting_for", waiting == null ? null : waiting.what())
        .with("answers", run.answers().stream().map(TaskStateJson::answer).toList())
        .with("plan", state.plan().toJson())
        .with("current_step", state.plan().current())
        .with("progress", work.progress())
        .with("scratchpad", work.scratchpad())
        .with("blocked_on", work.blockedOn())
        .with("preserved_refs", work.preservedRefs())
        .with("directives", state.directives().items().stream().map(Directive::toJson).toList())
        .with("directives_dropped", state.directives().dropped())
        .with("recent_actions", trail.actions())
        .with("recent_actions_dropped", trail.actionsDropped())
        .with("compression_log", trail.compressions().stream().map(Compression::toJson).toList())
        .with("compression_log_dropped", trail.compressionsDropped());
  }

  public static TaskState read(JsonObject json) {
    return new TaskState(
        new Run(
            json.text("goal"),
            criteria(json),
            RunPhase.valueOf(json.text("phase")),
            json.integer("context"),
            waiting(json),
            json.objects("answers").stream().map(TaskStateJson::answer).toList()),
        Plan.fromJson(json.objects("plan")),
        new Work(
            json.text("progress"),
            json.text("scratchpad"),
            json.texts("blocked_on"),
            json.texts("preserved_refs")),
        new Directives(
            json.objects("directives").stream().map(Directive::fromJson).toList(),
            json.number("directives_dropped")),
        new Trail(
            json.texts("recent_actions"),
            json.number("recent_actions_dropped"),
            json.objects("compression_log").stream().map(Compression::fromJson).toList(),
            json.number("compression_log_dropped")));
  }

  /** The texts are the sources' field; what else is known stands beside them, place by place. */
  private static List<Criterion> criteria(JsonObject json) {
    List<Criterion> texts = json.list("criteria").stream().map(Criterion::read).toList();
    List<Criterion> states = json.list("criteria_states").stream().map(Criterion::read).toList();
    if (states.size() != texts.size()) return texts;
    List<Criterion> criteria = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      Criterion state = states.get(i);
      criteria.add(new Criterion(texts.get(i).text(), state.check(), state.met()));
    }
    return criteria;
  }

  private static @Nullable Waiting waiting(JsonObject json) {
    String on = json.textOrNull("waiting_on");
    if (on == null) return null;
    return Waiting.read(on, json.text("waiting_for"));
  }

  private static JsonObject answer(Answer answer) {
    return Note.write(answer.origin())
        .with("on", answer.to().typed())
        .with("what", answer.to().what())
        .with("answer", answer.text());
  }

  private static Answer answer(JsonObject json) {
    var to = Waiting.read(json.text("on"), json.text("what"));
    return new Answer(to, json.text("answer"), Note.read(json));
  }
}
