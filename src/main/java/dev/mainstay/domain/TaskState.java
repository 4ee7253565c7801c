package dev.mainstay.domain;

import dev.mainstay.domain.Criterion.Met;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Trail.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a task's run must not forget: it survives compression, renewal, hand-over and restart. All
 * methods here decide and return events; only the events' {@code applyTo} makes another state.
 */
public record TaskState(Run run, Plan plan, Work work, Directives directives, Trail trail) {
  public static final int GOAL_CHARS_MAX = 4_096;
  public static final int CRITERIA_MAX = 50;
  public static final int CRITERION_CHARS_MAX = 1_024;
  public static final int REASON_CHARS_MAX = 4_096;

  /** Older answers are dropped from the state; the journal keeps all of them. */
  public static final int ANSWERS_MAX = 3;

  public static final TaskState NONE =
      new TaskState(Run.NONE, Plan.EMPTY, Work.NONE, Directives.NONE, Trail.NONE);

  /** What a suspended run waits for. */
  public record Waiting(On on, String what) {
    /** The kinds of things a run waits for. */
    public enum On {
      QUESTION,
      CHILD,
      BARRIER
    }

    public Waiting {
      what = Text.body("what the run waits for", what, REASON_CHARS_MAX).strip();
      if (what.isEmpty()) throw Refusal.invalid("say what the run waits for");
    }

    /** The kind in lower case, as journal and interfaces write it. */
    public String typed() {
      return on.name().toLowerCase(Locale.ROOT);
    }

    static Waiting read(String on, String what) {
      return new Waiting(On.valueOf(on.toUpperCase(Locale.ROOT)), what);
    }
  }

  /** What a suspended run waited for and what it was answered, by whom. */
  public record Answer(Waiting to, String text, Origin origin) {
    public Answer {
      text = Text.body("an answer", text, REASON_CHARS_MAX).strip();
    }
  }

  /**
   * The run: its goal, how far it is, the number of its context, from 1, and the newest answers it
   * received, newest last. Older answers are in the journal.
   */
  public record Run(
      String goal,
      List<Criterion> criteria,
      RunPhase phase,
      int context,
      @Nullable Waiting waiting,
      List<Answer> answers) {
    public static final Run NONE = new Run("", List.of(), RunPhase.NOT_STARTED, 0, null);

    /** A run that has received no answer. */
    public Run(
        String goal,
        List<Criterion> criteria,
        RunPhase phase,
        int context,
        @Nullable Waiting waiting) {
      this(goal, criteria, phase, context, waiting, List.of());
    }

    public Run {
      answers =
          List.copyOf(answers.subList(Math.max(0, answers.size() - ANSWERS_MAX), answers.size()));
      goal = Text.body("a goal", goal, GOAL_CHARS_MAX).strip();
      criteria = List.copyOf(criteria);
      if (criteria.size() > CRITERIA_MAX) {
        throw Refusal.tooLarge(
            Phrase.of(
                "a run has at most %d criteria, not %d; put some of them together",
                CRITERIA_MAX, criteria.size()));
      }
      if ((phase == RunPhase.NOT_STARTED) != goal.isEmpty()) {
        throw new IllegalStateException("a run that is " + phase + " with goal \"" + goal + "\"");
      }
      if ((phase == RunPhase.SUSPENDED) != (waiting != null)) {
        throw new IllegalStateException("a run that is " + phase + " waits for " + waiting);
      }
    }

    /** What must be true in the end, in the words in which it was said. */
    public List<String> criteriaTexts() {
      return criteria.stream().map(Criterion::text).toList();
    }

    /** One criterion by its place, from 0. */
    public Criterion criterion(int place) {
      if (place < 0 || place >= criteria.size()) {
        throw Refusal.notFound(
            Phrase.of(
                "there is no criterion %d; the task has %d", (long) place + 1, criteria.size()));
      }
      return criteria.get(place);
    }

    Run with(List<Criterion> newCriteria) {
      return new Run(goal, newCriteria, phase, context, waiting, answers);
    }

    Run with(int place, @Nullable Met met) {
      List<Criterion> next = new ArrayList<>(criteria);
      next.set(place, criterion(place).with(met));
      return with(next);
    }

    Run in(RunPhase next, @Nullable Waiting newWaiting) {
      if (!phase.mayBecome(next)) {
        throw Refusal.conflict(
            Phrase.of("the run is %s and cannot become %s", phase.typed(), next.typed()));
      }
      return new Run(goal, criteria, next, context, newWaiting, answers);
    }

    /** The same in a new context. */
    Run renewed() {
      return new Run(goal, criteria, phase, context + 1, waiting, answers);
    }

    Run with(Answer answer) {
      List<Answer> more = new ArrayList<>(answers);
      more.add(answer);
      return new Run(goal, criteria, phase, context, waiting, more);
    }
  }

  public boolean isStarted() {
    return run.phase() != RunPhase.NOT_STARTED;
  }

  /** The labels of the steps that are not yet done, for whoever goes on. */
  public List<String> openSteps() {
    return plan.open().stream().map(plan::step).map(Step::label).toList();
  }

  /**
   * Starts the run. The goal holds until the run ends; after that the same goal may be tried again
   * by anybody, another one only be set by a person.
   */
  public List<TaskStateEvent> start(String goal, List<String> criteria, Actor by) {
    if (goal.isBlank()) throw Refusal.invalid("a run needs a goal that is not blank");
    if (run.phase().isLive()) {
      throw Refusal.conflict(
              Phrase.of(
                  "the run was already started and its goal does not change: \"%s\"",
                  Graphemes.cut(run.goal(), 200)))
          .reserved();
    }
    if (by.isAgent() && run.phase().isEnded() && !run.goal().equals(goal.strip())) {
      throw Refusal.conflict(
              Phrase.of(
                  "the run before had another goal, and only a person sets a new one; start it with: \"%s\"",
                  run.goal()))
          .reserved();
    }
    return decided(new RunEvent.Started(goal, criteria));
  }

  /**
   * One criterion more, or a check for one that is there; what is there already is no event. A
   * check is not taken away, and only a person puts another in its place.
   */
  public List<TaskStateEvent> addCriterion(String text, @Nullable String check, Actor by) {
    var event = new CriterionEvent.Added(text, check);
    int known = run.criteriaTexts().indexOf(event.text());
    if (known < 0) {
      List<Criterion> more = new ArrayList<>(run.criteria());
      more.add(new Criterion(event.text(), event.check(), null));
      run.with(more); // refuses one too many
      return List.of(event);
    }
    String was = run.criteria().get(known).check();
    if (event.check() == null || event.check().equals(was)) return List.of();
    if (was != null && !by.isPerson()) {
      throw Refusal.conflict(
          Phrase.of(
                  "criterion %d has the check \"%s\", and only a person puts another in its place; add",
                  known + 1, Graphemes.cut(was, 200))
              + " a criterion of its own for this one");
    }
    return List.of(event);
  }

  /**
   * Somebody's word that a criterion, counted from 0, is met. It stays with who gave it first,
   * unless there is another note or a person says what was only an agent's word.
   */
  public List<TaskStateEvent> meetCriterion(int place, @Nullable String note, Actor by) {
    Criterion criterion = run.criterion(place);
    if (criterion.check() != null) {
      throw Refusal.conflict(
          Phrase.of(
              "criterion %d is met by its check alone and by nobody's word; 'mainstay evidence run TASK' runs \"%s\"",
              place + 1, Graphemes.cut(criterion.check(), 200)));
    }
    var event = new CriterionEvent.MetByWord(place, note);
    Met was = criterion.met();
    boolean known = was != null && (event.note() == null || event.note().equals(was.note()));
    boolean weightier = was != null && by.isPerson() && !was.by().isPerson();
    return known && !weightier ? List.of() : List.of(event);
  }

  /** Takes back that a criterion, counted from 0, is met; one that is not met is no event. */
  public List<TaskStateEvent> reopenCriterion(int place) {
    Criterion criterion = run.criterion(place);
    return criterion.met() == null ? List.of() : List.of(new CriterionEvent.Reopened(place));
  }

  /** Only what differs becomes an event; the current step is one of the plan in the update. */
  public List<TaskStateEvent> apply(TaskUpdate update) {
    List<TaskStateEvent> events = new ArrayList<>();
    Plan next = plan;
    if (update.plan() != null) {
      next = plan.replacedBy(update.plan());
      events.addAll(setPlan(next));
    }
    if (update.currentStep() != null) {
      events.addAll(moved(next, update.currentStep(), StepStatus.ACTIVE, null));
    }
    var change = update.work().against(work);
    if (!change.equals(TaskUpdate.Change.NONE)) events.add(new TaskStateEvent.Updated(change));
    return List.copyOf(events);
  }

  /** Another plan; orders for a number of steps that ended with it are lifted. */
  public List<TaskStateEvent> setPlan(Plan next) {
    if (next.equals(plan)) return List.of();
    List<TaskStateEvent> events = new ArrayList<>(List.of(new TaskStateEvent.PlanSet(next)));
    Directives left = directives;
    for (int i = next.endedSince(plan); i > 0; i--) left = left.aged();
    events.addAll(left.expired());
    return List.copyOf(events);
  }

  /** Moves one step, counted from 0; the note says why it failed or was skipped. */
  public List<TaskStateEvent> moveStep(int step, StepStatus to, @Nullable String note) {
    List<TaskStateEvent> events = new ArrayList<>();
    for (TaskStateEvent.StepMoved moved : moved(plan, step, to, note)) {
      events.add(moved);
      if (moved.endsStep(plan)) events.addAll(directives.aged().expired());
    }
    return List.copyOf(events);
  }

  private static List<TaskStateEvent.StepMoved> moved(
      Plan plan, int step, StepStatus to, @Nullable String note) {
    var event = new TaskStateEvent.StepMoved(step, to, note);
    return event.applied(plan).equals(plan) ? List.of() : List.of(event);
  }

  /** A standing order; see {@link Directives} for who may give which, and how many. */
  public List<TaskStateEvent> recordDirective(String text, boolean binding, Actor by) {
    return directives.record(text, binding, by);
  }

  /** Ends a standing order, named by its text or its number from 1. */
  public List<TaskStateEvent> liftDirective(String item, Actor by) {
    return directives.lift(item, by);
  }

  /** What the tools of one turn did; a blank summary is no event. */
  public List<TaskStateEvent> noteActions(String summary) {
    return summary.isBlank() ? List.of() : List.of(new TaskStateEvent.ActionsNoted(summary));
  }

  /** A compression of the context, with the tokens before and after. */
  public List<TaskStateEvent> logCompression(
      String action, String summary, long tokensBefore, long tokensAfter) {
    return List.of(new TaskStateEvent.Compressed(action, summary, tokensBefore, tokensAfter));
  }

  /** A new context for the same run: all is carried over but scratchpad and recent actions. */
  public List<TaskStateEvent> renew(String reason) {
    if (!run.phase().isLive()) {
      throw Refusal.conflict(
          Phrase.of("the run is %s; only a run under way is renewed", run.phase().typed()));
    }
    return List.of(new RunEvent.Renewed(reason));
  }

  /** The run waits; it goes on by {@link #resume} without being started again. */
  public List<TaskStateEvent> suspend(Waiting waiting) {
    return decided(new RunEvent.Suspended(waiting));
  }

  /** Resumes the suspended run; the answer may be empty, and then only the phase changes. */
  public List<TaskStateEvent> resume(String answer) {
    Waiting waiting = run.waiting();
    if (waiting == null) {
      throw Refusal.conflict(Phrase.of("the run is %s and waits for nothing", run.phase().typed()));
    }
    return List.of(new RunEvent.Resumed(answer, waiting));
  }

  /** The run is over: finished, without progress, or abandoned. */
  public List<TaskStateEvent> end(RunPhase how, String reason) {
    if (!how.isEnded()) throw new IllegalArgumentException(how + " is no end");
    return decided(new RunEvent.Ended(how, reason));
  }

  private List<TaskStateEvent> decided(RunEvent event) {
    event.applied(run);
    return List.of(event);
  }

  /** The order that counts most when all else is forgotten: the newest binding one. */
  public @Nullable Directive newestBinding() {
    var binding = directives.items().stream().filter(Directive::binds).toList();
    return binding.isEmpty() ? null : binding.get(binding.size() - 1);
  }

  /** The same, with binding orders that are only shown. */
  public TaskState unconfirmed() {
    return directives.items().isEmpty() ? this : with(directives.unconfirmed());
  }

  /** The last compressions, newest last. */
  public List<Compression> lastCompressions(int most) {
    var all = trail.compressions();
    return all.subList(Math.max(0, all.size() - most), all.size());
  }

  TaskState with(Run newRun) {
    return new TaskState(newRun, plan, work, directives, trail);
  }

  TaskState with(Plan newPlan) {
    return new TaskState(run, newPlan, work, directives, trail);
  }

  TaskState with(Work newWork) {
    return new TaskState(run, plan, newWork, directives, trail);
  }

  TaskState with(Directives newDirectives) {
    return new TaskState(run, plan, work, newDirectives, trail);
  }

  TaskState with(Trail newTrail) {
    return new TaskState(run, plan, work, directives, newTrail);
  }
}
