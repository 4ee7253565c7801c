package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Resolution;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.domain.TaskUpdate.Change;
import dev.mainstay.render.Neutral;
import dev.mainstay.state.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** {@code update}: what a model writes down of its task, in one call. */
final class UpdateTool implements Offered {
  private static final int STEPS_MAX = Plan.STEPS_MAX;

  /** The sections of the notebook that an agent adds to; goals are a person's. */
  private static final List<String> NOTES =
      List.of("decisions", "constraints", "hypotheses", "history", "open_issues", "next_focus");

  private final Rooms rooms;

  UpdateTool(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public String name() {
    return "update";
  }

  @Override
  public String description() {
    return "Write down as you go: the plan, which steps are done, decisions with their reason, open"
        + " issues, what comes next. Only what you give changes.";
  }

  @Override
  public JsonObject schema() {
    JsonObject texts = Schemas.list(Schemas.text());
    JsonObject places = Schemas.number(1, STEPS_MAX);
    JsonObject step =
        Schemas.object(
            List.of("step", "status"),
            "step",
            places,
            "status",
            Schemas.choice("todo", "active", "done", "failed", "skipped"),
            "note",
            Schemas.text(Plan.NOTE_CHARS_MAX));
    JsonObject resolved =
        Schemas.object(
            List.of("item", "how"),
            "item",
            Schemas.text(),
            "how",
            Schemas.choice("settled", "confirmed", "refuted"));
    return Schemas.object(
        List.of(),
        "plan",
        Schemas.said("all steps; same label keeps its status", Schemas.list(Schemas.text())),
        "steps",
        Schemas.list(step),
        "decisions",
        texts,
        "constraints",
        texts,
        "hypotheses",
        texts,
        "history",
        Schemas.said("what was done", texts),
        "open_issues",
        texts,
        "next_focus",
        Schemas.text(),
        "progress",
        Schemas.text(),
        "blocked_on",
        texts,
        "directive",
        Schemas.said("a standing order you were given", Schemas.text()),
        "met",
        Schemas.said("numbers of criteria that you know are met", Schemas.list(places)),
        "resolve",
        Schemas.said("an open issue or hypothesis by number or text", Schemas.list(resolved)),
        "task",
        Schemas.text());
  }

  @Override
  public Tool.Hints hints() {
    return WRITES;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    boolean nothing = arguments.asMap().keySet().stream().allMatch("task"::equals);
    if (nothing) {
      throw Refusal.invalid(
          "update needs something to write down, such as plan, steps or decisions");
    }
    TaskId id = visit.task(arguments);
    var writing = new Writing(visit, id, arguments);
    writing.all();
    TaskState state = rooms.states().load(id);
    String next =
        state
            .plan()
            .next()
            .map(place -> Phrase.of(" Next step: %d. %s", place + 1, label(state, place)))
            .orElse("");
    String done =
        writing.changed.isEmpty()
            ? "nothing changed: all of it was known already; take the next step."
            : String.join("; ", writing.changed) + ".";
    return Reply.text(Phrase.of("%s: %s%s", id, done, next));
  }

  private static String label(TaskState state, int place) {
    return Neutral.line(state.plan().step(place).label());
  }

  /** One update, part by part; each is a use case of its own under its own key. */
  private final class Writing {
    private final Visit visit;
    private final TaskId id;
    private final JsonObject wanted;
    private final List<String> changed = new ArrayList<>();

    Writing(Visit visit, TaskId id, JsonObject wanted) {
      this.visit = visit;
      this.id = id;
      this.wanted = wanted;
    }

    void all() {
      try {
        work();
        steps();
        notes();
        directive();
        criteria();
        resolutions();
      } catch (Refusal refusal) {
        if (changed.isEmpty()) throw refusal;
        throw new Refusal(
            refusal.code(),
            Phrase.of(
                "%s. Before that was done: %s", refusal.sentence(), String.join("; ", changed)),
            refusal);
      }
    }

    private void done(Receipt receipt, String what) {
      if (receipt.isChange()) changed.add(what);
    }

    /** Plan and what the run writes about itself go together. */
    private void work() {
      List<Wish> plan =
          wanted.has("plan") ? wanted.texts("plan").stream().map(Wish::of).toList() : null;
      var change =
          new Change(
              wanted.textOrNull("progress"),
              null,
              wanted.has("blocked_on") ? wanted.texts("blocked_on") : null,
              null);
      if (plan == null && change.equals(Change.NONE)) return;
      String what = plan == null ? "" : Phrase.of("plan (%d)", plan.size());
      if (!change.equals(Change.NONE)) what += what.isEmpty() ? "progress" : ", progress";
      var update = new TaskUpdate(plan, null, change);
      done(rooms.states().update(id, update, visit.callFor(id, "work")), what + " set");
    }

    private void steps() {
      for (JsonObject step : wanted.objects("steps")) {
        int number = step.integer("step");
        StepStatus to = StepStatus.parse(step.text("status"));
        var call = visit.callFor(id, "step-" + number + "-" + to.typed());
        Receipt receipt =
            rooms.states().moveStep(id, number - 1, to, step.textOrNull("note"), call);
        done(receipt, Phrase.of("step %d %s", number, to.typed()));
      }
    }

    private void notes() {
      JsonObject notes = JsonObject.EMPTY;
      for (String section : NOTES) notes = notes.with(section, wanted.get(section));
      NotebookDelta delta = NotebookDelta.fromJson(notes);
      if (delta.isEmpty()) return;
      Notebook before = rooms.notebooks().load(id);
      Receipt receipt = rooms.notebooks().merge(id, delta, visit.callFor(id, "notes"));
      boolean same = rooms.notebooks().load(id).toBlob().equals(before.toBlob());
      if (same) return;
      changed.add(
          "noted "
              + delta.texts().entrySet().stream()
                  .map(each -> count(each.getKey(), each.getValue().size()))
                  .collect(Collectors.joining(", ")));
      changed.addAll(receipt.notices());
    }

    private void directive() {
      String order = wanted.textOrNull("directive");
      if (order == null) return;
      var call = visit.callFor(id, "directive");
      done(rooms.states().addDirective(id, order, false, call), "directive noted, not binding");
    }

    private void criteria() {
      for (Object each : wanted.list("met")) {
        int number = Integer.parseInt(String.valueOf(each));
        var call = visit.callFor(id, "met-" + number);
        done(
            rooms.states().meetCriterion(id, number - 1, null, call),
            Phrase.of("criterion %d met by your word", number));
      }
    }

    private void resolutions() {
      int count = 0;
      for (JsonObject each : wanted.objects("resolve")) {
        Resolution how = Resolution.parse(each.text("how"));
        var call = visit.callFor(id, "resolve-" + ++count);
        done(rooms.notebooks().resolve(id, each.text("item"), how, call), "1 " + how.typed());
      }
    }
  }

  private static String count(Notebook.Section section, int count) {
    String name = section.key().replace('_', ' ');
    return section == Notebook.Section.NEXT_FOCUS ? name : Phrase.of("%s (%d)", name, count);
  }
}
