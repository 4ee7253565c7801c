package dev.mainstay.store;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.Task.Links;
import dev.mainstay.domain.Task.Progress;
import dev.mainstay.domain.Task.Stamps;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskLine;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Waiting;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.JournalTable.Head;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tasks as they stand. A task changes here and in the journal at once, by {@link #record}. */
public final class TaskTable {
  private final Tx tx;

  TaskTable(Tx tx) {
    this.tx = tx;
  }

  public TaskId nextId() {
    return tx.sql(tx.dialect().nextTaskNumber()).one(row -> TaskId.of(row.number("number")));
  }

  /** The ids of several new tasks, asked for at once; nobody has told anything about them yet. */
  public List<TaskId> nextIds(int count) {
    List<TaskId> ids = new ArrayList<>();
    tx.dialect().nextTaskNumbers(tx, count, row -> ids.add(TaskId.of(row.number("number"))));
    tx.finish();
    for (TaskId id : ids) tx.heads().put(id.stream(), Head.NONE);
    return ids;
  }

  /** Makes a task of its first event. */
  public Task create(TaskId id, TaskEvent.Created created, int unmet, Call call) {
    tx.journal().append(id.stream(), call, List.of(created));
    Task task = withUnmet(created.first(id, tx.now()), unmet);
    insert(task);
    if (task.isReady()) tx.brings(News.READY);
    return task;
  }

  /** Journals the events and brings the row to what they make of it. */
  public Task record(Task before, List<? extends TaskEvent> events, Call call) {
    Task after = before;
    for (TaskEvent event : events) after = event.applyTo(after, tx.now());
    tx.journal().append(before.id().stream(), call, events);
    update(before, after);
    if (after.isReady()) tx.brings(News.READY);
    return after;
  }

  private void insert(Task task) {
    insertRow(task);
    tx.dependencies().insertAll(task);
  }

  private void insertRow(Task task) {
    Map<String, @Nullable Object> columns = TaskColumns.of(task);
    String names = String.join(", ", columns.keySet());
    String binds = columns.keySet().stream().map(c -> ":" + c).collect(Collectors.joining(", "));
    Sql sql = tx.sql("INSERT INTO tasks (" + names + ") VALUES (" + binds + ")");
    columns.forEach(sql::bind);
    sql.about(name(task.id())).later();
  }

  /** Sets only what differs: an index is rewritten whenever one of its columns is set at all. */
  private void update(Task before, Task after) {
    Map<String, @Nullable Object> columns = TaskColumns.changed(before, after);
    if (columns.isEmpty()) return;
    String sets =
        columns.keySet().stream().map(c -> c + " = :" + c).collect(Collectors.joining(", "));
    Sql sql = tx.sql("UPDATE tasks SET " + sets + " WHERE id = :task").bind("task", after.id());
    columns.forEach(sql::bind);
    sql.about(name(after.id())).later();
  }

  /** What changes of a task's row, and of rows that hang on it, are about. */
  static String name(TaskId id) {
    return "task " + id;
  }

  /**
   * Puts a task's row back, without a journal entry, when a store is made anew. Whom it waits for
   * comes when all rows are there, as a task may wait for a younger one.
   */
  public void restore(Task task) {
    insertRow(task);
  }

  /** Rows that no journal entry explains. */
  public List<String> unexplained() {
    return tx.sql(
            """
            SELECT id FROM tasks WHERE NOT EXISTS (
              SELECT 1 FROM journal WHERE stream = 'task/' || tasks.id AND number = 1)
            ORDER BY seq""")
        .list(row -> row.text("id"));
  }

  /** The ids that the dependencies column shows, which is only a view of the edges. */
  public List<String> dependencyColumn(TaskId id) {
    return tx.sql("SELECT dependencies FROM tasks WHERE id = :id")
        .bind("id", id)
        .one(row -> row.jsonList("dependencies").stream().map(String::valueOf).toList());
  }

  /** Counters are derived, so this is no event. */
  public void setUnmet(TaskId id, int unmet) {
    tx.sql("UPDATE tasks SET unmet_dependencies = :unmet WHERE id = :id")
        .bind("id", id)
        .bind("unmet", unmet)
        .update();
    if (unmet == 0) tx.brings(News.READY);
  }

  /** A heartbeat: lease times are local, so this is no event. */
  public void renew(TaskId id, Instant until) {
    tx.sql(
            """
            UPDATE tasks SET lease_until = :until, heartbeat_at = :now
            WHERE id = :id AND lease_holder IS NOT NULL""")
        .bind("id", id)
        .bind("now", tx.now())
        .bind("until", until)
        .update();
  }

  /** Held tasks whose lease is over, longest over first. */
  public List<TaskId> expired(int limit) {
    return tx.sql(
            """
            SELECT id FROM tasks WHERE lease_until IS NOT NULL AND lease_until <= :now
            ORDER BY lease_until LIMIT :limit""")
        .bind("now", tx.now())
        .bind("limit", limit)
        .list(row -> new TaskId(row.text("id")));
  }

  public Optional<Task> find(TaskId id) {
    return select("WHERE id = :id", "").bind("id", id).first(TaskTable::task).map(this::withKinds);
  }

  /** The task that its caller gave this name. */
  public Optional<TaskId> named(String alias) {
    return tx.sql("SELECT id FROM tasks WHERE alias = :alias")
        .bind("alias", alias)
        .first(row -> new TaskId(row.text("id")));
  }

  public Task get(TaskId id) {
    return find(id).orElseThrow(() -> unknown(id));
  }

  /** Those of these tasks that there are, in id order. */
  public List<Task> get(Collection<TaskId> ids) {
    if (ids.isEmpty()) return List.of();
    return withKinds(
        select("WHERE id IN (:ids) ORDER BY seq", "").bind("ids", ids).list(TaskTable::task));
  }

  /** The task, kept as it is for this transaction until it ends. */
  public Task lock(TaskId id) {
    return select("WHERE id = :id", tx.dialect().forUpdate())
        .bind("id", id)
        .first(TaskTable::task)
        .map(this::withKinds)
        .orElseThrow(() -> unknown(id));
  }

  /** The same on one journey with what is asked for with it, which sees the task locked. */
  Task lockWith(TaskId id, Runnable asking) {
    return getWith(
        id,
        tx.dialect().forUpdate(),
        () -> {
          var head = Outlook.heads(tx, "WHERE id = :id").bind("id", id);
          head.later(row -> Outlook.tellHead(tx, row));
          asking.run();
        });
  }

  /** The task as it is, on one journey with what is asked for with it. */
  Task getWith(TaskId id, Runnable asking) {
    return getWith(id, "", asking);
  }

  private Task getWith(TaskId id, String lock, Runnable asking) {
    List<Task> found = new ArrayList<>();
    select("WHERE id = :id", lock).bind("id", id).later(row -> found.add(task(row)));
    asking.run();
    tx.finish();
    if (found.isEmpty()) throw unknown(id);
    return withKinds(found.get(0));
  }

  /** A task that is locked, and what a change of it has to reckon with. */
  public record Locked(Task task, Outlook outlook) {}

  /** Locks a task and looks around it, in one go; what is seen is as of after it was locked. */
  public Locked lockAndLook(TaskId id) {
    Locked known = tx.takeLocked(id);
    if (known != null) return known;
    var locked = lockAndLook(List.of(id), tx.dialect().forUpdate(), seen -> seen.tell(tx));
    if (locked.isEmpty()) throw unknown(id);
    return locked.get(0);
  }

  /** The same for several at once, without those that somebody else has locked. */
  List<Locked> lockFree(Collection<TaskId> ids, Consumer<Outlook.Seen> seen) {
    return lockAndLook(ids, tx.dialect().skipLocked(), seen);
  }

  private List<Locked> lockAndLook(
      Collection<TaskId> ids, String lock, Consumer<Outlook.Seen> consumer) {
    List<Task> locked = new ArrayList<>();
    Map<TaskId, Outlook> outlooks = new HashMap<>();
    select("WHERE id IN (:ids)", lock).bind("ids", ids).later(row -> locked.add(task(row)));
    Outlook.soon(
        tx,
        ids,
        seen -> {
          outlooks.put(seen.task(), seen.outlook());
          consumer.accept(seen);
        });
    tx.finish();
    return withKinds(locked).stream()
        .map(task -> new Locked(task, outlooks.getOrDefault(task.id(), Outlook.UNKNOWN)))
        .toList();
  }

  /** These tasks, in id order, which nobody can change until this transaction ends. */
  public List<Task> keepStill(Collection<TaskId> ids) {
    if (ids.isEmpty()) return List.of();
    List<Task> found =
        select("WHERE id IN (:ids) ORDER BY seq", tx.dialect().forShare())
            .bind("ids", ids)
            .list(TaskTable::task);
    for (TaskId id : ids) {
      if (found.stream().noneMatch(task -> task.id().equals(id))) throw unknown(id);
    }
    return found;
  }

  /** Tasks in the order they were made, after the one with number {@code after}. */
  public List<Task> list(TaskFilter filter, long after, int limit) {
    return list(filter, TaskOrder.OLDEST, new TaskOrder.Place(0, after), limit);
  }

  /** Tasks in an order, from its beginning or after a place in it. */
  public List<Task> list(
      TaskFilter filter, TaskOrder order, TaskOrder.@Nullable Place after, int limit) {
    return withKinds(new TaskListing(tx).list(filter, order, after, limit));
  }

  /** The same, as much as a list shows of them. */
  public List<TaskLine> lines(
      TaskFilter filter, TaskOrder order, TaskOrder.@Nullable Place after, int limit) {
    return new TaskListing(tx).lines(filter, order, after, limit);
  }

  /** How many tasks a filter lets through. */
  public long count(TaskFilter filter) {
    return new TaskListing(tx).count(filter);
  }

  /** Tasks that can be begun now, most urgent first, then oldest. */
  public List<Task> ready(@Nullable TaskType type, int limit) {
    return withKinds(new ReadyTasks(tx).list(type, limit));
  }

  /**
   * The same for somebody who takes them, of these types or, without any, of all: locked, and
   * without those that others are taking.
   */
  public List<Task> claimable(Collection<TaskType> types, int limit) {
    List<Task> locked = withKinds(new ReadyTasks(tx).lock(types, limit));
    Outlook.lookUpHeads(
        tx, locked.stream().filter(task -> !tx.heads().containsKey(task.id().stream())).toList());
    return locked;
  }

  /** How many can be begun now, counted up to a limit. */
  public int readyCount(Collection<TaskType> types, int limit) {
    return new ReadyTasks(tx).count(types, limit);
  }

  private Sql select(String rest, String lock) {
    return tx.sql("SELECT * FROM tasks " + rest + " " + lock);
  }

  private Task withKinds(Task task) {
    return withKinds(List.of(task)).get(0);
  }

  /** The dependencies column has only ids; the kinds are in their own table. */
  private List<Task> withKinds(List<Task> tasks) {
    var waiting =
        tasks.stream().filter(t -> !t.links().dependencies().isEmpty()).map(Task::id).toList();
    if (waiting.isEmpty()) return tasks;
    var dependencies = tx.dependencies().of(waiting);
    return tasks.stream()
        .map(task -> withDependencies(task, dependencies.getOrDefault(task.id(), List.of())))
        .toList();
  }

  private static Task withDependencies(Task task, List<Dependency> dependencies) {
    return task.with(task.links().with(dependencies));
  }

  static Task withUnmet(Task task, int unmet) {
    return task.with(task.links().withUnmet(unmet));
  }

  private static Refusal unknown(TaskId id) {
    return Refusal.notFound(
        "there is no task " + id + "; 'mainstay task list' shows those there are");
  }

  /** Nobody writes a task that cannot be read again: such a row says that the file is damaged. */
  static Task task(Row row) {
    try {
      return read(row);
    } catch (IllegalArgumentException
        | IllegalStateException
        | DateTimeException
        | ArithmeticException damage) {
      throw Faults.damagedRow(damage);
    }
  }

  private static Task read(Row row) {
    String parent = row.textOrNull("parent_id");
    String holder = row.textOrNull("lease_holder");
    var dependencies =
        row.jsonList("dependencies").stream()
            .map(id -> Dependency.on(new TaskId(String.valueOf(id))))
            .toList();
    return new Task(
        new TaskId(row.text("id")),
        new Brief(
            row.text("title"),
            row.text("description"),
            new TaskType(row.text("task_type")),
            row.integer("priority"),
            row.json("metadata"),
            row.textOrNull("alias")),
        new Links(
            row.textOrNull("workflow_id"),
            parent == null ? null : new TaskId(parent),
            dependencies,
            Terms.fromJson(row.json("terms")),
            waiting(row)),
        new Progress(
            TaskStatus.valueOf(row.text("status")),
            row.textOrNull("reason"),
            row.integer("attempt"),
            row.number("fence"),
            holder == null ? null : lease(holder, row)),
        new Stamps(
            row.number("version"),
            row.instant("created_at"),
            row.instant("updated_at"),
            row.instantOrNull("completed_at")));
  }

  static Waiting waiting(Row row) {
    return new Waiting(
        row.integer("unmet_dependencies"),
        row.integer("open_children"),
        row.instantOrNull("delayed_until"),
        row.integer("over_budget") == 1);
  }

  private static Lease lease(String holder, Row row) {
    return new Lease(
        holder,
        row.instant("lease_since"),
        row.instant("heartbeat_at"),
        row.instant("lease_until"),
        row.jsonList("lease_helpers").stream().map(String::valueOf).toList());
  }
}
