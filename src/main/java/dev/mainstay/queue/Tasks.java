package dev.mainstay.queue;

import dev.mainstay.domain.Budget;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskAlias;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskLine;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Text;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Make, look at, change and cancel tasks, and say what they wait for. */
public final class Tasks {
  public static final int PAGE_MAX = 1_000;

  private final Store store;

  public Tasks(Store store) {
    this.store = store;
  }

  /** Makes a task; it is ready at once when nothing it waits for is still open. */
  public Task create(NewTask asked, Call call) {
    NewTask wanted = redacted(asked);
    return store.inTransaction(
        once(call, "task.create", wanted.created().payload()), tx -> createdIn(tx, wanted, call));
  }

  /** The same within a transaction that has more to do with the task. */
  public static Task createIn(Tx tx, NewTask asked, Call call) {
    return createdIn(tx, redacted(asked), call);
  }

  private static Task createdIn(Tx tx, NewTask wanted, Call call) {
    String alias = wanted.brief().alias();
    if (alias != null) refuseTaken(tx, alias);
    if (wanted.parent() != null) Families.mustAdopt(tx, wanted.parent(), wanted, call);
    if (wanted.workflow() != null) tx.workflows().mustExist(wanted.workflow());
    int unmet = Dependencies.unmet(tx, wanted.dependencies());
    Task made = tx.tasks().create(tx.tasks().nextId(), wanted.created(), unmet, call);
    if (!wanted.terms().budget().isEmpty()) {
      tx.budgets().limit(made.id(), wanted.terms().budget());
    }
    if (wanted.parent() != null) tx.waiting().recountChildren(wanted.parent());
    return made;
  }

  /** Aliases are given one at a time, under the lock of the edges, which is taken first anyway. */
  private static void refuseTaken(Tx tx, String alias) {
    tx.dependencies().lockEdges();
    tx.tasks()
        .named(alias)
        .ifPresent(
            id -> {
              throw Refusal.conflict(
                  Phrase.of("the alias \"%s\" belongs to %s; choose another", alias, id));
            });
  }

  /**
   * The id of the task that is meant: an id as people type it, or an alias.
   *
   * @throws Refusal if the text is neither, or no task has this alias
   */
  public TaskId resolve(String named) {
    String text = named.strip();
    if (!TaskAlias.isOne(text)) return TaskId.parse(text);
    return store
        .<Optional<TaskId>>reading(tx -> tx.tasks().named(text))
        .orElseThrow(
            () ->
                Refusal.notFound(
                    Phrase.of(
                        "no task has the alias \"%s\"; 'mainstay task list' shows those there are",
                        text)));
  }

  /** A task as it would be made, without secrets; what cannot be one is refused. */
  public static NewTask checked(NewTask asked) {
    return redacted(asked);
  }

  /**
   * Makes tasks of a workflow that is there, all at once: each was checked, waits for nothing and
   * is a part of nothing.
   */
  public static List<Task> createAllIn(Tx tx, List<NewTask> checked, Call call) {
    List<TaskId> ids = tx.tasks().nextIds(checked.size());
    List<Task> made = new ArrayList<>();
    for (int i = 0; i < checked.size(); i++) {
      NewTask wanted = checked.get(i);
      boolean alone = wanted.parent() == null && wanted.dependencies().isEmpty();
      if (!alone) throw new IllegalStateException("a task that waits for others: " + wanted);
      made.add(tx.tasks().create(ids.get(i), wanted.created(), 0, call));
    }
    return made;
  }

  public Task show(TaskId id) {
    return store.reading(tx -> tx.tasks().get(id));
  }

  /** A part of a list, and the cursor that gets the next part, or null at the end. */
  public record Page(List<Task> tasks, @Nullable String next) {}

  /** Tasks in the order they were made. */
  public Page list(TaskFilter filter, @Nullable String cursor, int limit) {
    return list(filter, TaskOrder.OLDEST, cursor, limit);
  }

  /** Tasks in another order. */
  public Page list(TaskFilter filter, TaskOrder order, @Nullable String cursor, int limit) {
    checkLimit(limit);
    TaskOrder.Place after = cursor == null ? null : order.place(cursor);
    List<Task> found = store.reading(tx -> tx.tasks().list(filter, order, after, limit + 1));
    if (found.size() <= limit) return new Page(found, null);
    List<Task> page = found.subList(0, limit);
    return new Page(page, order.cursor(TaskLine.of(page.get(limit - 1))));
  }

  /** The same as lines, and the cursor that gets the next ones, or null at the end. */
  public record Lines(List<TaskLine> lines, @Nullable String next) {}

  /** What a person looks at in a list. */
  public Lines lines(TaskFilter filter, TaskOrder order, @Nullable String cursor, int limit) {
    checkLimit(limit);
    TaskOrder.Place after = cursor == null ? null : order.place(cursor);
    List<TaskLine> found = store.reading(tx -> tx.tasks().lines(filter, order, after, limit + 1));
    if (found.size() <= limit) return new Lines(found, null);
    List<TaskLine> page = found.subList(0, limit);
    return new Lines(page, order.cursor(page.get(limit - 1)));
  }

  /** Tasks that can be begun now, most urgent first, then oldest. */
  public List<Task> ready(@Nullable TaskType type, int limit) {
    checkLimit(limit);
    // What time has freed meanwhile is ready too; a look changes nothing when nothing is due.
    Expiry.bringBack(store, tx -> true, fault -> {});
    return store.reading(tx -> tx.tasks().ready(type, limit));
  }

  /**
   * Changes fields of a task's brief. With an expected version, somebody else's change in between
   * is a conflict and not overwritten.
   */
  public Task update(TaskId id, JsonObject changes, @Nullable Long expectedVersion, Call call) {
    JsonObject asked = Patches.checked(Redactor.DEFAULT.redactObject(changes));
    return store.inTransaction(
        once(call, "task.update", asked.with("id", id.value()).with("version", expectedVersion)),
        tx -> {
          Task task = tx.tasks().lock(id);
          task.admit(call);
          task.expectVersion(expectedVersion);
          Patches.mayChange(task, asked, call);
          JsonObject really = Patches.differing(task.brief(), Patches.marked(task.brief(), asked));
          if (really.isEmpty()) return task;
          return tx.tasks().record(task, List.of(new TaskEvent.Updated(really)), call);
        });
  }

  /** Ends a task that nobody wants any more, and what can no longer happen without it. */
  public Task cancel(TaskId id, String reason, Call call) {
    String why = reason(reason);
    return store.inTransaction(
        once(call, "task.cancel", JsonObject.of("id", id.value(), "reason", why)),
        tx -> {
          Task task = tx.tasks().lock(id);
          task.admit(call);
          return Moves.move(tx, task, List.of(new TaskEvent.Cancelled(why, null)), call);
        });
  }

  /** The same within a transaction that has locked it; nothing happens to one that has ended. */
  public static void cancelIn(Tx tx, Task locked, String reason, Call call) {
    if (locked.status().isEnded()) return;
    Moves.move(tx, locked, List.of(new TaskEvent.Cancelled(reason(reason), null)), call);
  }

  /** Tries a task again that failed or was cancelled, and all that ended only because of it. */
  public Task retry(TaskId id, String reason, Call call) {
    String why = reason(reason);
    return store.inTransaction(
        once(call, "task.retry", JsonObject.of("id", id.value(), "reason", why)),
        tx -> {
          tx.dependencies().lockEdges();
          Task task = tx.tasks().lock(id);
          task.admit(call);
          mustBeWanted(tx, task);
          return Reopening.of(tx, task, why, call);
        });
  }

  /** What a workflow made and goes on without would be done for nobody. */
  private static void mustBeWanted(Tx tx, Task task) {
    Object execution = task.brief().metadata().get("execution_id");
    if (task.links().workflow() == null || execution == null) return;
    if (!tx.workflowWaits().forTasks(List.of(task.id())).isEmpty()) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s was made by %s, which goes on without it; 'mainstay workflow show %s' tells what it"
                + " waits for",
            task.id(), execution, execution));
  }

  /** Sets on what terms a task is done; only a person gives an existing budget more room. */
  public Task setTerms(TaskId id, Terms terms, @Nullable Long expectedVersion, Call call) {
    JsonObject asked =
        JsonObject.of("id", id.value(), "terms", terms.toJson(), "version", expectedVersion);
    return store.inTransaction(
        once(call, "task.set_terms", asked),
        tx -> {
          Task task = tx.tasks().lock(id);
          task.admit(call);
          task.expectVersion(expectedVersion);
          if (task.links().terms().equals(terms)) return task;
          Families.mayLoosen(task, terms, call);
          Task after = tx.tasks().record(task, List.of(new TaskEvent.TermsSet(terms)), call);
          tx.budgets().limit(id, terms.budget());
          tx.waiting().freeBelow(id);
          return after;
        });
  }

  /** What a task and everything below it may cost, has cost and has promised, if it is limited. */
  public Optional<Budget> budget(TaskId id) {
    return store.reading(
        tx -> {
          tx.tasks().get(id);
          return tx.budgets().find(id);
        });
  }

  /** Makes a task wait for another; a circle of waiting is refused by name. */
  public Task depend(TaskId id, Dependency on, Call call) {
    JsonObject asked =
        JsonObject.of("id", id.value(), "on", on.on().value(), "kind", on.kind().typed());
    return store.inTransaction(
        once(call, "task.depend", asked),
        tx -> {
          Task task = lockBoth(tx, id, on.on());
          task.admit(call);
          if (task.links().dependencies().contains(on)) return task;
          mustWait(task);
          if (task.links().dependsOn(on.on())) {
            throw Refusal.conflict(
                Phrase.of(
                    "%s already waits for %s in another way; remove that first with 'mainstay task"
                        + " depend %s --on %s --remove'",
                    id, on.on(), id, on.on()));
          }
          Families.refuseAncestor(tx, id, on.on());
          Dependencies.refuseCircle(tx, id, on.on());
          int unmet = task.links().unmet() + Dependencies.unmet(tx, List.of(on));
          tx.dependencies().insert(id, on, task.links().dependencies().size());
          return Dependencies.recorded(tx, task, new TaskEvent.DependencyAdded(on), unmet, call);
        });
  }

  /** Makes a task wait for another no longer. */
  public Task undepend(TaskId id, TaskId other, Call call) {
    return store.inTransaction(
        once(call, "task.undepend", JsonObject.of("id", id.value(), "on", other.value())),
        tx -> {
          Task task = lockBoth(tx, id, other);
          task.admit(call);
          if (!task.links().dependsOn(other)) {
            throw Refusal.notFound(Phrase.of("%s does not wait for %s", id, other));
          }
          mustWait(task);
          tx.dependencies().delete(id, other);
          var event = new TaskEvent.DependencyRemoved(other);
          var left =
              task.links().dependencies().stream().filter(d -> !d.on().equals(other)).toList();
          return Dependencies.recorded(tx, task, event, Dependencies.unmet(tx, left), call);
        });
  }

  /** Locks in id order, whichever of the two waits for the other. */
  private static Task lockBoth(Tx tx, TaskId id, TaskId other) {
    if (id.equals(other)) throw Refusal.invalid(id + " cannot wait for itself");
    tx.dependencies().lockEdges();
    if (other.compareTo(id) < 0) tx.tasks().keepStill(List.of(other));
    Task task = tx.tasks().lock(id);
    if (other.compareTo(id) > 0) tx.tasks().keepStill(List.of(other));
    return task;
  }

  private static void mustWait(Task task) {
    if (task.status() != TaskStatus.PENDING) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is %s; what a task waits for can change only while it is PENDING",
              task.id(), task.status()));
    }
  }

  static Once<Task> once(Call call, String useCase, JsonObject request) {
    return Once.of(call, useCase, request, TaskJson::write, TaskJson::read);
  }

  static String reason(String text) {
    String why =
        Text.body("a reason", Redactor.DEFAULT.redact(text), Task.REASON_CHARS_MAX).strip();
    return why.isEmpty() ? "no reason was given" : why;
  }

  private static NewTask redacted(NewTask asked) {
    Brief brief = asked.brief();
    Patches.mustNotMark(brief.metadata());
    return new NewTask(
        new Brief(
            Redactor.DEFAULT.redact(brief.title()),
            Redactor.DEFAULT.redact(brief.description()),
            brief.type(),
            brief.priority(),
            Redactor.DEFAULT.redactObject(brief.metadata()),
            brief.alias() == null ? null : TaskAlias.checked(brief.alias())),
        asked.workflow(),
        asked.parent(),
        asked.dependencies(),
        asked.terms());
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", PAGE_MAX));
    }
  }
}
