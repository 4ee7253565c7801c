package dev.mainstay.domain;

import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.JournalEntry.Origin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is remembered about a task beside its row: the notebook that everybody shares, the state of
 * its run, what Mainstay itself saw of it, and the execution of its plan. It is bounded, however
 * long its history is, and changes by events alone.
 */
public record Dossier(Notebook notebook, TaskState state, Observed observed, Execution execution) {
  public static final Dossier EMPTY =
      new Dossier(Notebook.EMPTY, TaskState.NONE, Observed.NONE, Execution.NONE);

  /** The kinds of entries that belong to a dossier and not to the task's row. */
  public static Set<String> kinds() {
    Set<String> kinds = new TreeSet<>(NotebookEvent.READERS.keySet());
    kinds.addAll(TaskStateEvent.READERS.keySet());
    kinds.addAll(ObservedEvent.READERS.keySet());
    kinds.addAll(ExecutionEvent.READERS.keySet());
    kinds.addAll(DossierEvent.READERS.keySet());
    return kinds;
  }

  /** Whether entries of this kind belong to a dossier. */
  public static boolean isAbout(String kind) {
    return NotebookEvent.READERS.containsKey(kind)
        || TaskStateEvent.READERS.containsKey(kind)
        || ObservedEvent.READERS.containsKey(kind)
        || ExecutionEvent.READERS.containsKey(kind)
        || DossierEvent.READERS.containsKey(kind);
  }

  /** The event that an entry of a dossier holds. */
  public static Event read(String kind, JsonObject payload) {
    if (NotebookEvent.READERS.containsKey(kind)) return NotebookEvent.read(kind, payload);
    if (TaskStateEvent.READERS.containsKey(kind)) return TaskStateEvent.read(kind, payload);
    if (ObservedEvent.READERS.containsKey(kind)) return ObservedEvent.read(kind, payload);
    if (ExecutionEvent.READERS.containsKey(kind)) return ExecutionEvent.read(kind, payload);
    return DossierEvent.read(kind, payload);
  }

  /** The dossier after an event of any of its kinds. */
  public Dossier after(Event event, Origin origin) {
    Dossier next = applied(event, origin);
    if (!next.execution.isBegun()) return next;
    boolean planned = !next.state.plan().equals(state.plan());
    Execution followed =
        planned ? next.execution.following(state.plan(), next.state.plan()) : next.execution;
    if (!planned && followed.equals(execution)) return next;
    return next.with(followed.with(followed.head().at(origin.at())));
  }

  private Dossier applied(Event event, Origin origin) {
    if (event instanceof NotebookEvent noted) {
      return new Dossier(noted.applyTo(notebook, origin), state, observed, execution);
    }
    if (event instanceof TaskStateEvent changed) {
      return new Dossier(notebook, changed.applyTo(state, origin), observed, execution);
    }
    if (event instanceof ObservedEvent seen) return with(seen.applyTo(observed, origin));
    if (event instanceof ExecutionEvent executed) return with(executed.applyTo(execution, origin));
    if (event instanceof DossierEvent whole) return whole.applyTo(this);
    throw new IllegalArgumentException("no event of a dossier: " + event.kind());
  }

  /** Marks this place in the history with a name. */
  public List<DossierEvent> mark(String name) {
    return List.of(new DossierEvent.CheckpointSaved(name));
  }

  /**
   * Goes back to an earlier place. Notebook, plan, work and directives become what they were then.
   * What nobody may undo stays as it is: the run and its goal, binding directives, what was
   * observed, and the execution with what it used up; its variables and notes go back. A place
   * under another goal is refused, or going back would be a way to change it.
   */
  public List<DossierEvent> restore(Dossier then, String place, long number) {
    boolean otherGoal =
        then.state.isStarted()
            && state.isStarted()
            && !then.state.run().goal().equals(state.run().goal());
    if (otherGoal) {
      throw Refusal.conflict(
          Phrase.of(
              "%s belongs to a run with another goal (\"%s\"), and a goal does not change; fork it instead",
              place, Graphemes.cut(then.state.run().goal(), 200)));
    }
    TaskState back =
        new TaskState(
            state.run(),
            then.state.plan(),
            then.state.work(),
            directives(then.state.directives()),
            state.trail());
    boolean same = execution.isBegun() && execution.id().equals(then.execution.id());
    Execution pages = same ? execution.with(then.execution.pages()) : execution;
    Dossier wanted = new Dossier(then.notebook, back, observed, pages);
    return equals(wanted) ? List.of() : List.of(new DossierEvent.Restored(place, number, wanted));
  }

  /**
   * What a fork of an earlier moment begins with; binding orders are those of the present. What was
   * seen was seen of this task, and its execution is its own, so the fork begins without.
   */
  public Dossier forkedAt(Dossier then) {
    TaskState was = then.state;
    var orders = directives(was.directives());
    return new Dossier(
        then.notebook,
        new TaskState(was.run(), was.plan(), was.work(), orders, was.trail()),
        Observed.NONE,
        Execution.NONE);
  }

  /** The same, with binding directives that are only shown. */
  public Dossier unconfirmed() {
    return new Dossier(notebook, state.unconfirmed(), observed, execution);
  }

  Dossier with(Observed newObserved) {
    return new Dossier(notebook, state, newObserved, execution);
  }

  Dossier with(Execution newExecution) {
    return new Dossier(notebook, state, observed, newExecution);
  }

  private Directives directives(Directives then) {
    List<Directive> binding = state.directives().binding();
    Set<String> texts = new HashSet<>();
    for (Directive directive : binding) texts.add(directive.text());
    List<Directive> all = new ArrayList<>();
    for (Directive directive : then.items()) {
      if (!directive.binding() && !texts.contains(directive.text())) all.add(directive);
    }
    all.addAll(binding);
    return new Directives(all, then.dropped());
  }

  /** Everything, with authors and counts. */
  public JsonObject toJson() {
    return JsonObject.of("notebook", notebook.toJson(), "task_state", TaskStateJson.write(state))
        .with("observed", observed.toJson())
        .with("execution", ExecutionJson.write(execution));
  }

  public static Dossier fromJson(JsonObject json) {
    return new Dossier(
        Notebook.fromJson(json.object("notebook")),
        TaskStateJson.read(json.object("task_state")),
        Observed.fromJson(json.object("observed")),
        ExecutionJson.read(json.object("execution")));
  }
}
