package dev.mainstay.store;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.CompletionGate;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.DossierEvent;
import dev.mainstay.domain.DossierEvent.EvidenceWaived;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.ExecutionJson;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Requirement;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStateJson;
import dev.mainstay.domain.TaskTypeRule;
import dev.mainstay.domain.Workspace;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.NotebookTable.Whole;
import dev.mainstay.store.RecentNotebooks.Met;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered about each task. A dossier changes here and in the journal at once, by {@link
 * #record}; {@code state} shows its notebook as other programs read it.
 */
public final class DossierTable {
  /** After these, what was done before says nothing about going round in circles. */
  private static final Set<String> FRESH_STARTS =
      Set.of("state.started", "state.renewed", "state.resumed");

  private static final int EXECUTION_CHARS_MAX = JsonText.DOCUMENT_BYTES_MAX / 2;

  /**
   * What is new in a notebook since it was written whole has so many characters at most, about as
   * many as a page of the file holds: then it is written whole again.
   */
  static final int NOTES_SINCE_CHARS_MAX = 3_500;

  private static final RecentNotebooks NOTEBOOKS = new RecentNotebooks();
  private static final Recent<TaskState> STATES = new Recent<>(TaskStateJson::read);
  private static final Recent<Observed> SEEN = new Recent<>(Observed::fromJson);

  private final Tx tx;

  DossierTable(Tx tx) {
    this.tx = tx;
  }

  /** A dossier and the number of the entry that changed it last; 0 before the first. */
  public record Stored(long number, Dossier dossier) {
    public static final Stored NONE = new Stored(0, Dossier.EMPTY);
  }

  public Stored get(TaskId task) {
    return find(task).orElse(Stored.NONE);
  }

  public Optional<Stored> find(TaskId task) {
    Met known = NOTEBOOKS.of(task);
    return select(task, known).first(row -> stored(task, known, row));
  }

  /** All of it as it stands there, whatever is known already, and nobody knows it afterwards. */
  public Optional<Stored> examine(TaskId task) {
    return select(task, Met.NONE).first(row -> stored(met(Met.NONE, row), row));
  }

  /** A task and what is remembered about it. */
  public record Open(Task task, Stored stored) {}

  /** Reads a task and what is remembered about it, on one journey. */
  public Open open(TaskId id) {
    return open(id, tx.tasks()::getWith);
  }

  /** The same, and the task is locked before. */
  public Open lock(TaskId id) {
    return open(id, tx.tasks()::lockWith);
  }

  private Open open(TaskId id, BiFunction<TaskId, Runnable, Task> way) {
    List<Stored> found = new ArrayList<>();
    Met known = NOTEBOOKS.of(id);
    Runnable asking = () -> select(id, known).later(row -> found.add(stored(id, known, row)));
    Task task = way.apply(id, asking);
    return new Open(task, found.isEmpty() ? Stored.NONE : found.get(0));
  }

  /** A notebook that is known already need not be read: it may be long. */
  private Sql select(TaskId task, Met known) {
    return tx.sql(
            """
            SELECT d.number, d.notes_since, d.task_state, d.observed, d.execution, d.base_hash,
              n.hash AS notebook_hash, CASE WHEN n.hash <> :known THEN n.notebook END AS notebook
            FROM dossiers d
            LEFT JOIN notebooks n ON n.task_id = d.task_id AND n.hash = d.base_hash
            WHERE d.task_id = :task""")
        .bind("task", task)
        .bind("known", known.whole().hash());
  }

  private Stored stored(TaskId task, Met known, Row row) {
    Met met = met(known, row);
    keep(task, met);
    return stored(met, row);
  }

  private static Met met(Met known, Row row) {
    String hash = row.text("base_hash");
    if (!hash.isEmpty() && row.textOrNull("notebook_hash") == null) {
      throw Refusal.unavailable(
          "the store is damaged: the notebook that this dossier goes on from is missing; 'mainstay rebuild' makes a sound store beside this one",
          null);
    }
    return RecentNotebooks.read(known, hash, row.textOrNull("notebook"), row.text("notes_since"));
  }

  private Stored stored(Met met, Row row) {
    TaskState state = STATES.of(row.textOrNull("task_state"));
    Dossier dossier =
        new Dossier(
            met.notebook(),
            tx.isTrusted() ? state : state.unconfirmed(),
            SEEN.of(row.textOrNull("observed")),
            ExecutionJson.read(row.json("execution")));
    return new Stored(row.number("number"), dossier);
  }

  private void keep(TaskId task, Met met) {
    tx.wholes().put(task, met.whole());
    NOTEBOOKS.keep(task, met);
  }

  /** The current hashes of the workspaces in which evidence was seen, as far as they are known. */
  public Map<String, String> trees(Observed observed) {
    Map<String, String> trees = new HashMap<>();
    for (String id : observed.workspaces()) {
      tx.workspaces().find(id).ifPresent(workspace -> trees.put(id, workspace.files().treeHash()));
    }
    return trees;
  }

  /** Refuses the end of a task while something it asks for is missing, and says what. */
  public void refuseUnlessDone(TaskId task, Dossier dossier) {
    refuseUnlessDone(task, dossier, tx.taskTypes().ofTask(task));
  }

  /**
   * The same for the end of a task itself, where a person may do without the evidence that its type
   * requires: the reason then goes to the journal, with what was done without.
   */
  public void refuseUnlessDone(TaskId task, @Nullable String override, Call call) {
    if (override != null && !call.actor().isPerson()) {
      throw Refusal.conflict(
              "only a person overrides what a type of task requires; show the evidence or ask one")
          .reserved();
    }
    Stored stored = get(task);
    Observed seen = stored.dossier().observed();
    Optional<TaskTypeRule> rule = tx.taskTypes().ofTask(task);
    if (override == null || rule.isEmpty()) {
      refuseUnlessDone(task, stored.dossier(), rule);
      return;
    }
    refuseUnlessDone(task, stored.dossier(), Optional.empty());
    var unproven = CompletionGate.unproven(rule.get(), seen, trees(seen));
    if (unproven.isEmpty()) return;
    var waived = new EvidenceWaived(unproven.stream().map(Requirement::text).toList(), override);
    record(task, stored, List.of(waived), call);
  }

  /** What stands between a task and its end, a sentence each. */
  public List<String> missing(TaskId task) {
    return missing(task, get(task).dossier(), tx.taskTypes().ofTask(task));
  }

  private void refuseUnlessDone(TaskId task, Dossier dossier, Optional<TaskTypeRule> rule) {
    CompletionGate.refuse(task, missing(task, dossier, rule));
  }

  private List<String> missing(TaskId task, Dossier dossier, Optional<TaskTypeRule> rule) {
    Observed seen = dossier.observed();
    Map<String, String> trees = trees(seen);
    List<String> missing =
        new ArrayList<>(CompletionGate.missing(task, dossier.state(), seen, trees));
    rule.ifPresent(asked -> missing.addAll(CompletionGate.missing(task, asked, seen, trees)));
    for (Workspace workspace : tx.workspaces().ofStory(task.value())) {
      missing.addAll(CompletionGate.missing(dossier.state(), workspace));
    }
    return missing;
  }

  /** Journals the events and brings the rows to what they make of them. */
  public Stored record(TaskId task, Stored before, List<? extends Event> events, Call call) {
    if (events.isEmpty()) return before;
    Origin origin = new Origin(call.actor(), call.source(), tx.now());
    Dossier after = before.dossier();
    for (Event event : events) {
      after = after.after(event, origin);
      if (RunRecord.isMovedBy(event)) {
        tx.runs().follow(task, event, after.state().run(), origin.at());
      }
    }
    long number = tx.journal().append(task.stream(), call, events).number();
    Stored next = new Stored(number, after);
    if (before.number() == 0) keep(task, insert(task, next));
    else update(task, before, next);
    long first = number - events.size() + 1;
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i) instanceof DossierEvent.CheckpointSaved saved) {
        tx.checkpoints().insert(task, saved.name(), first + i, origin.at());
      }
    }
    if (events.stream().anyMatch(event -> FRESH_STARTS.contains(event.kind()))) {
      tx.sessions().forgetRepeats(task);
    }
    tx.snapshots().keepIfDue(task.stream(), before.number(), next);
    return next;
  }

  /** Puts the rows back, without a journal entry, when a store is made anew. */
  public void restore(TaskId task, Stored stored) {
    insert(task, stored);
  }

  private Met insert(TaskId task, Stored stored) {
    Met written = written(task, Whole.NONE, stored.dossier().notebook());
    tx.sql(
            """
            INSERT INTO dossiers
              (task_id, number, notes_since, task_state, observed, execution, base_hash)
            VALUES (:task, :number, :notes_since, :task_state, :observed, :execution, :base_hash)""")
        .bind("task", task)
        .bind("number", stored.number())
        .bind("notes_since", new JsonRaw(written.since()))
        .bind("base_hash", written.whole().hash())
        .bind("task_state", TaskStateJson.write(stored.dossier().state()))
        .bind("observed", stored.dossier().observed().toJson())
        .bind("execution", execution(stored.dossier()))
        .update();
    return written;
  }

  /** What could not be read again, alone or in a snapshot with the rest, is not written. */
  private static JsonObject execution(Dossier dossier) {
    JsonObject execution = ExecutionJson.write(dossier.execution());
    int chars = execution.isEmpty() ? 0 : JsonText.write(execution).length();
    if (chars > EXECUTION_CHARS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "variables, notes and texts of the execution are too large together (%,d characters of %,d); move some of them into files of your own",
              chars, EXECUTION_CHARS_MAX));
    }
    return execution;
  }

  /**
   * What is new of a notebook, to be kept in the dossier. It is written whole once that is too
   * long, or where nobody knows which one the dossier goes on from.
   */
  private Met written(TaskId task, @Nullable Whole whole, Notebook now) {
    String since = whole == null ? "" : JsonText.write(now.toJson(whole.notebook()));
    return whole == null || since.length() > NOTES_SINCE_CHARS_MAX
        ? new Met(tx.notebooks().put(task, now), "{}", now)
        : new Met(whole, since, now);
  }

  /**
   * Writes only the part that changed: the others may be long. An event leaves the parts it does
   * not concern as they are, the very objects; comparing what they hold would cost a hook's JVM
   * more than the whole update, for it makes the code that compares them first. A dossier that
   * somebody else has changed since, as it was read without its lock, or whose notebook was
   * rewritten without what is to be forgotten, is a division by zero: null in SQLite, which the
   * table does not take.
   */
  private void update(TaskId task, Stored before, Stored next) {
    Dossier was = before.dossier();
    Dossier is = next.dossier();
    Map<String, Object> parts = new LinkedHashMap<>();
    if (is.state() != was.state()) parts.put("task_state", TaskStateJson.write(is.state()));
    if (is.observed() != was.observed()) parts.put("observed", is.observed().toJson());
    if (is.execution() != was.execution()) parts.put("execution", execution(is));
    Whole whole = tx.wholes().get(task);
    boolean noted = is.notebook() != was.notebook();
    if (noted) {
      Met written = written(task, whole, is.notebook());
      keep(task, written);
      parts.put("base_hash", written.whole().hash());
      parts.put("notes_since", new JsonRaw(written.since()));
    }
    StringBuilder changed = new StringBuilder();
    for (String part : parts.keySet())
      changed.append(", ").append(part).append(" = :").append(part);
    Sql update =
        tx.sql(
                """
                UPDATE dossiers SET number =
                  CASE WHEN number = :was<same> THEN :number ELSE 1 / (number - number) END<changed>
                WHERE task_id = :task""")
            .define("changed", changed.toString())
            .define("same", noted && whole != null ? " AND base_hash = :base" : "")
            .bind("task", task)
            .bind("number", next.number())
            .bind("was", before.number())
            .bind("base", whole == null ? "" : whole.hash());
    parts.forEach(update::bind);
    update.later();
  }
}
