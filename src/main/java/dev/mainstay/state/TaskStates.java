package dev.mainstay.state;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.render.Handover;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The run of a task: what it is for, how far it is, and what it must not forget. */
public final class TaskStates {
  private final Store store;

  public TaskStates(Store store) {
    this.store = store;
  }

  /** The state of the task's run; {@link TaskState#NONE} before the first. */
  public TaskState load(TaskId id) {
    return new Notebooks(store).known(id).dossier().state();
  }

  /** Starts the run; its goal holds until it ends. */
  public Receipt start(TaskId id, String goal, List<String> criteria, Call call) {
    String what = Redacted.text(goal);
    List<String> done = Redacted.texts(criteria);
    return write(
        id,
        call,
        "state.start",
        JsonObject.of("goal", what, "criteria", done),
        state -> state.start(what, done, call.actor()));
  }

  /** Changes what a run writes about itself: plan, current step, progress, scratchpad, blockers. */
  public Receipt update(TaskId id, TaskUpdate update, Call call) {
    TaskUpdate change = Redacted.update(update);
    return write(
        id,
        call,
        "state.update",
        JsonObject.of("update", change.toString()),
        state -> state.apply(change));
  }

  /** Another plan; steps whose label is unchanged keep their status. */
  public Receipt setPlan(TaskId id, List<String> labels, Call call) {
    return update(id, TaskUpdate.plan(labels.stream().map(Wish::of).toList()), call);
  }

  /** Moves one step, counted from 0. */
  public Receipt moveStep(TaskId id, int step, StepStatus to, @Nullable String note, Call call) {
    String why = note == null ? null : Redacted.text(note);
    return write(
        id,
        call,
        "state.step",
        JsonObject.of("step", step, "to", to, "note", why),
        state -> state.moveStep(step, to, why));
  }

  /** A standing order; binding ones are given by persons alone. */
  public Receipt addDirective(TaskId id, String text, boolean binding, Call call) {
    if (text.isBlank()) throw Refusal.invalid("a directive needs a text; say what is ordered");
    String order = Redacted.text(text);
    return write(
        id,
        call,
        "state.directive",
        JsonObject.of("text", order, "binding", binding),
        state -> state.recordDirective(order, binding, call.actor()));
  }

  /** Ends a standing order, named by its text or its number from 1. */
  public Receipt liftDirective(TaskId id, String item, Call call) {
    String named = Redacted.text(item);
    return write(
        id,
        call,
        "state.lift",
        JsonObject.of("item", named),
        state -> state.liftDirective(named, call.actor()));
  }

  public Receipt addCriterion(TaskId id, String text, Call call) {
    return addCriterion(id, text, null, call);
  }

  /** What must be true in the end; with a check, that command must have ended with 0. */
  public Receipt addCriterion(TaskId id, String text, @Nullable String check, Call call) {
    String criterion = Redacted.text(text);
    String command = check == null ? null : Redacted.text(check);
    return write(
        id,
        call,
        "state.criterion",
        JsonObject.of("text", criterion, "check", command),
        state -> state.addCriterion(criterion, command, call.actor()));
  }

  /** The caller's word that a criterion, counted from 0, is met; one with a check is refused. */
  public Receipt meetCriterion(TaskId id, int place, @Nullable String note, Call call) {
    String said = note == null ? null : Redacted.text(note);
    return write(
        id,
        call,
        "state.criterion.meet",
        JsonObject.of("place", place, "note", said),
        state -> state.meetCriterion(place, said, call.actor()));
  }

  /** Takes back that a criterion, counted from 0, is met. */
  public Receipt reopenCriterion(TaskId id, int place, Call call) {
    return write(
        id,
        call,
        "state.criterion.reopen",
        JsonObject.of("place", place),
        state -> state.reopenCriterion(place));
  }

  /** What the tools of one turn were seen to do. */
  public Receipt noteActions(TaskId id, String summary, Call call) {
    String seen = Redacted.text(summary);
    return write(
        id,
        call,
        "state.actions",
        JsonObject.of("summary", seen),
        state -> state.noteActions(seen));
  }

  /** A compression of the context, with the tokens before and after. */
  public Receipt logCompression(TaskId id, TaskStateEvent.Compressed seen, Call call) {
    String summary = Redacted.text(seen.summary());
    return write(
        id,
        call,
        "state.compression",
        seen.payload(),
        state ->
            state.logCompression(seen.action(), summary, seen.tokensBefore(), seen.tokensAfter()));
  }

  /** Every compression there ever was, oldest first, after the entry with this number. */
  public List<JournalEntry> compressions(TaskId id, long after, int limit) {
    if (limit < 1 || limit > Notebooks.PAGE_MAX) {
      throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", Notebooks.PAGE_MAX));
    }
    return store.reading(
        tx -> {
          tx.tasks().get(id);
          return tx.journal().ofKinds(id.stream(), Set.of("state.compressed"), after, limit);
        });
  }

  /** What the next context is told, and what renewing came to. */
  public record Renewal(Receipt receipt, String handover) {
    JsonObject toJson() {
      return receipt.toJson().with("handover", handover);
    }

    static Renewal fromJson(JsonObject json) {
      return new Renewal(Receipt.fromJson(json), json.text("handover"));
    }
  }

  /** A new context for the same run: all is carried over but scratchpad and recent actions. */
  public Renewal renew(TaskId id, String reason, Call call) {
    String why = Redacted.text(reason);
    return store.inTransaction(
        Once.of(
            call,
            "state.renew",
            Writing.asked(id).with("reason", why),
            Renewal::toJson,
            Renewal::fromJson),
        tx -> {
          Receipt receipt = Writing.write(tx, id, call, dossier -> dossier.state().renew(why));
          var renewed = tx.dossiers().get(id).dossier();
          return new Renewal(receipt, Handover.of(renewed, Prompts.wholeBy(id)));
        });
  }

  /** The run waits for a question, a child or a barrier. */
  public Receipt suspend(TaskId id, Waiting waiting, Call call) {
    Waiting on = new Waiting(waiting.on(), Redacted.text(waiting.what()));
    return write(
        id,
        call,
        "state.suspend",
        JsonObject.of("on", on.on(), "what", on.what()),
        state -> state.suspend(on));
  }

  /** What the run waited for has come: the same run goes on. */
  public Receipt resume(TaskId id, String answer, Call call) {
    String given = Redacted.text(answer);
    return write(
        id, call, "state.resume", JsonObject.of("answer", given), state -> state.resume(given));
  }

  /** What is left to do before the task can end, a sentence each; the disk is not asked. */
  public List<String> left(TaskId id) {
    return store.reading(tx -> tx.dossiers().missing(id));
  }

  /** The run is over; to be finished, nothing that its end asks for may be missing. */
  public Receipt end(TaskId id, RunPhase how, String reason, Call call) {
    String why = Redacted.text(reason);
    JsonObject asked = JsonObject.of("how", how, "reason", why).with("task", id.value());
    return store.inTransaction(
        Once.of(call, "state.end", asked, Receipt::toJson, Receipt::fromJson),
        tx ->
            Writing.write(
                tx,
                id,
                call,
                dossier -> {
                  var events = dossier.state().end(how, why);
                  if (how == RunPhase.FINISHED) tx.dossiers().refuseUnlessDone(id, dossier);
                  return events;
                }));
  }

  private Receipt write(
      TaskId id,
      Call call,
      String useCase,
      JsonObject asked,
      Function<TaskState, List<TaskStateEvent>> decision) {
    return Writing.write(
        store,
        call,
        useCase,
        asked.with("task", id.value()),
        dossier -> decision.apply(dossier.state()));
  }
}
