package dev.mainstay.state;

import dev.mainstay.domain.AdaptationRule;
import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Constraints;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.Feedback;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Limits;
import dev.mainstay.domain.Pages;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.Variables;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Executions of plans: begin one, say how it goes, keep within its limits, end it. */
public final class Executions {
  private final Store store;

  public Executions(Store store) {
    this.store = store;
  }

  /** What is asked for: a goal, or a task that has one. */
  public record Beginning(
      @Nullable TaskId task,
      @Nullable String goal,
      @Nullable ExecutionMode mode,
      @Nullable ExecutionType type) {
    /** The mode that is meant; without a word it is the real thing. */
    ExecutionMode meant() {
      return mode == null ? ExecutionMode.EXECUTION : mode;
    }
  }

  /** What is known of an execution, with the history of its steps. */
  public record View(Task task, long number, Dossier dossier, List<StepRecord> history) {
    public Execution execution() {
      return dossier.execution();
    }
  }

  /** The task and the id of an execution that was begun. */
  public record Started(TaskId task, String execution) {}

  /** Begins an execution, of a new task where none is named; one under way is not replaced. */
  public Outcome begin(Beginning asked, Call call) {
    return begin(asked, call, (tx, begun) -> {});
  }

  /** The same, with something that happens in the same transaction. */
  public Outcome begin(Beginning asked, Call call, BiConsumer<Tx, Started> also) {
    String goal = asked.goal() == null ? null : Redacted.text(asked.goal());
    UUID uuid = UUID.randomUUID();
    JsonObject request =
        JsonObject.of("goal", goal, "mode", asked.meant(), "type", asked.type())
            .with("task", asked.task() == null ? null : asked.task().value());
    return store.inTransaction(
        once(call, "exec.begin", request),
        tx -> {
          TaskId id = asked.task() != null ? asked.task() : newTask(tx, goal, call);
          String name = Phrase.of("exec_%s_%s", compact(tx.now()), uuid);
          var identity = new Identity(name, asked.meant(), asked.type(), tx.now());
          Outcome outcome =
              ExecutionWriting.write(tx, id, call, dossier -> begun(dossier, goal, identity, call));
          also.accept(tx, new Started(id, name));
          return outcome;
        });
  }

  private static String compact(Instant at) {
    return Times.write(at.truncatedTo(ChronoUnit.SECONDS))
        .replaceAll("[-:]|\\.\\d+", ""); // 20261116T031500Z
  }

  private static TaskId newTask(Tx tx, @Nullable String goal, Call call) {
    if (goal == null || goal.isBlank()) {
      throw Refusal.invalid("an execution needs a goal; say it with --goal, or name a --task");
    }
    var created = new TaskEvent.Created(Task.Brief.ofWords(goal), null, null, List.of());
    return tx.tasks().create(tx.tasks().nextId(), created, 0, call).id();
  }

  private static List<Event> begun(
      Dossier dossier, @Nullable String goal, Identity identity, Call call) {
    Execution before = dossier.execution();
    if (before.isLive()) {
      throw Refusal.conflict(
          Phrase.of(
              "the task has the execution %s, which is %s; finish that one first",
              before.id(), before.status()));
    }
    if (before.isBegun() && !call.actor().isPerson()) {
      // Else an agent would pass every limit by beginning anew.
      List<String> passed = Limits.passed(before);
      if (!passed.isEmpty()) {
        throw Refusal.conflict(
                Phrase.of(
                    "the execution before went too far (%s), and only a person begins another",
                    String.join("; ", passed)))
            .reserved();
      }
    }
    List<Event> events = new ArrayList<>();
    if (!dossier.state().run().phase().isLive()) {
      String wanted = goal == null ? dossier.state().run().goal() : goal;
      events.addAll(dossier.state().start(wanted, List.of(), call.actor()));
    } else if (goal != null && !goal.strip().equals(dossier.state().run().goal())) {
      throw Refusal.conflict(
          Phrase.of(
              "the task has another goal, which does not change: \"%s\"",
              dossier.state().run().goal()));
    }
    Plan plan = dossier.state().plan();
    Plan fresh = identity.isSimulation() ? plan : plan.withoutSimulation();
    boolean achieved = before.isBegun() && before.status() == ExecutionStatus.COMPLETED_SUCCESS;
    if (achieved && !before.head().identity().isSimulation()) {
      fresh = fresh.reopened(); // it is all to be done again
    }
    if (!fresh.equals(plan)) events.add(new TaskStateEvent.PlanSet(fresh));
    Constraints constraints = constraints(identity.type());
    if (before.isBegun() && !call.actor().isPerson()) {
      constraints = constraints.noLooserThan(before.constraints());
    }
    Pages known = before.isBegun() ? before.pages() : pages();
    events.add(new ExecutionEvent.Begun(identity, constraints, known));
    return events;
  }

  /** What an execution of this kind begins with. */
  public static Constraints constraints(@Nullable ExecutionType type) {
    Map<Setting, Object> preset = new LinkedHashMap<>();
    if (type != null) {
      for (Behaviour behaviour : Behaviour.INITIAL) {
        if (behaviour.name().equals(type.behaviour())) preset.putAll(behaviour.settings());
      }
    }
    return new Constraints(new Settings(preset), AdaptationRule.DOCUMENT_RULES, Behaviour.INITIAL);
  }

  private static Pages pages() {
    return new Pages(Variables.INITIAL, Passage.INITIAL, Map.of());
  }

  /** Everything about a task's execution; a task without one is refused. */
  public View view(TaskId id) {
    return store.reading(tx -> view(tx, id));
  }

  /** The same within a transaction. */
  public static View view(Tx tx, TaskId id) {
    Task task = tx.tasks().get(id);
    Stored stored = tx.dossiers().get(id);
    begun(stored.dossier());
    return new View(task, stored.number(), stored.dossier(), ExecutionHistory.of(tx, id));
  }

  static Execution begun(Dossier dossier) {
    if (!dossier.execution().isBegun()) {
      throw Refusal.notFound(
          "the task has no execution; 'mainstay exec init --task TASK' begins one");
    }
    return dossier.execution();
  }

  /** A person's words; what is neither praise nor complaint is refused unless it is said to be. */
  public Outcome feedback(TaskId id, String words, @Nullable Boolean positive, Call call) {
    String said = Redacted.text(words);
    Feedback heard = Feedback.in(said);
    if (positive == null && heard == Feedback.NONE) {
      throw Refusal.invalid(
          "whether that praises or complains is not clear; say --positive or --negative");
    }
    boolean praise = positive != null ? positive : heard == Feedback.POSITIVE;
    if (!call.actor().isPerson()) {
      throw Refusal.conflict(
              Phrase.of(
                  "feedback is a person's, at a terminal and outside an agent, and %s is none",
                  call.actor()))
          .reserved();
    }
    return write(
        id,
        call,
        "exec.feedback",
        JsonObject.of("words", said, "positive", praise),
        dossier -> feedback(dossier, praise, said));
  }

  /** What follows when a person's prompt praises or complains; most prompts do neither. */
  public static List<Event> heard(Dossier dossier, String prompt) {
    Feedback heard = Feedback.in(prompt);
    if (heard == Feedback.NONE || !dossier.execution().isLive()) return List.of();
    // A prompt may hold what no database keeps; that is no reason not to take it.
    String kept = prompt.replaceAll("[\\x00\\p{Cs}]", "\uFFFD");
    return feedback(dossier, heard == Feedback.POSITIVE, kept);
  }

  private static List<Event> feedback(Dossier dossier, boolean positive, String words) {
    live(dossier);
    String kept = Graphemes.cut(words, ExecutionEvent.FeedbackGiven.WORDS_CHARS_MAX);
    return List.of(new ExecutionEvent.FeedbackGiven(positive, kept));
  }

  static Execution live(Dossier dossier) {
    Execution execution = begun(dossier);
    if (!execution.isLive()) {
      throw Refusal.conflict(
          Phrase.of(
              "the execution %s is over (%s); 'mainstay exec init --task TASK' begins another",
              execution.id(), execution.status()));
    }
    return execution;
  }

  /** Another value of a constraint; an agent that would loosen it makes a proposal. */
  public Outcome set(TaskId id, Setting setting, Object value, Call call) {
    Object wanted = setting.value(value);
    return write(
        id,
        call,
        "exec.set",
        JsonObject.of("setting", setting.key(), "value", wanted),
        dossier -> Proposals.set(live(dossier), setting, wanted, call.actor().isPerson()));
  }

  /** What a host says its tools have used up, beyond what was seen and recorded. */
  public Outcome reported(TaskId id, Spent spent, String tools, Call call) {
    String said = Redacted.text(tools);
    return write(
        id,
        call,
        "exec.reported",
        JsonObject.of("spent", spent.toJson(), "tools", said),
        dossier -> {
          live(dossier);
          return spent.isNothing() ? List.of() : List.of(new ExecutionEvent.ToolsSeen(spent, said));
        });
  }

  /** A person accepts a proposal, or turns it down. */
  public Outcome settle(TaskId id, int number, boolean accepted, Call call) {
    return write(
        id,
        call,
        "exec.settle",
        JsonObject.of("number", number, "accepted", accepted),
        dossier -> {
          begun(dossier);
          return Proposals.settle(dossier, number, accepted, call.actor());
        });
  }

  public Outcome pause(TaskId id, @Nullable String why, Call call) {
    String reason = why == null ? null : Redacted.text(why);
    return write(
        id,
        call,
        "exec.pause",
        JsonObject.of("why", reason),
        dossier -> Courses.paused(begun(dossier), reason, call.actor()));
  }

  /** Goes on after a pause; after one for review only a person says so, within the limits. */
  public Outcome resume(TaskId id, Call call) {
    return write(
        id,
        call,
        "exec.resume",
        JsonObject.EMPTY,
        dossier -> Courses.to(begun(dossier), ExecutionStatus.IN_PROGRESS, null, call.actor()));
  }

  /** Ends it; with success only when every step is done, and then the run is finished, too. */
  public Outcome finish(TaskId id, boolean success, @Nullable String why, Call call) {
    String reason = why == null ? null : Redacted.text(why);
    return store.inTransaction(
        once(
            call,
            "exec.finish",
            JsonObject.of("task", id.value(), "success", success, "why", reason)),
        tx ->
            ExecutionWriting.write(
                tx,
                id,
                call,
                dossier ->
                    Courses.end(tx, id, dossier, new Courses.End(success, reason, call.actor()))));
  }

  Outcome write(TaskId id, Call call, String useCase, JsonObject asked, Writing.Decision decision) {
    return store.inTransaction(
        once(call, useCase, asked.with("task", id.value())),
        tx -> ExecutionWriting.write(tx, id, call, decision));
  }

  static Once<Outcome> once(Call call, String useCase, JsonObject asked) {
    return Once.of(call, useCase, asked, Outcome::toJson, Outcome::fromJson);
  }

  /** Whether a rule is about a limit or the review level, which agents do not loosen. */
  public static boolean tightens(String rule) {
    try {
      Setting setting = Setting.of(AdaptationRule.parse(rule).field());
      return switch (setting.kind()) {
        case DOLLARS, SECONDS, COUNT -> true;
        case CHOICE, TOOLS -> setting == Setting.HUMAN_REVIEW_TRIGGER_LEVEL;
      };
    } catch (Refusal unreadable) {
      return false;
    }
  }

  /** What is wrong with an adaptation rule, in one sentence; null when it can be asked. */
  public static @Nullable String problem(String rule) {
    List<String> problems = Adaptations.problems(rule);
    return problems.isEmpty() ? null : problems.get(0);
  }
}
