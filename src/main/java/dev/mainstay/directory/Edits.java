package dev.mainstay.directory;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PageEvent;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.Variables;
import dev.mainstay.state.Courses;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Proposals;
import dev.mainstay.state.StepRights;
import dev.mainstay.state.VariablePaths;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was changed in the files, as events. Nobody knows whose hand was in a file, so no edit has
 * more rights than an agent: what loosens a limit or lifts a binding order becomes a proposal. What
 * cannot be taken is reported, either put right in the file or left there for its author.
 */
final class Edits {
  /** The hand in a file may be anybody's. */
  static final Actor SOMEBODY = Actor.agent("state-directory");

  /** What was not taken: it stays in the file as it is, or what is true is written there again. */
  record Problem(String key, String sentence, boolean stays) {}

  private final Tx tx;
  private final TaskId id;
  private final Call call;
  private final Items before;
  private final Items after;
  private final List<Event> events = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final List<Finding> notes = new ArrayList<>();
  private Dossier now;

  /** The items that the store says, and what they are to be by the files. */
  Edits(Tx tx, TaskId id, Call call, Dossier dossier, Sides sides) {
    this.tx = tx;
    this.id = id;
    this.call = call;
    this.now = dossier;
    this.before = sides.before();
    this.after = sides.after();
  }

  record Sides(Items before, Items after) {}

  List<Event> events() {
    return events;
  }

  List<Problem> problems() {
    return problems;
  }

  /** What was taken away, so that nobody loses it unawares. */
  List<Finding> notes() {
    return notes;
  }

  /**
   * Takes everything that can be taken, each thing by itself. The entries are the last of those in
   * the file.
   */
  void take(List<JsonObject> appended, long entries) {
    appended(appended, entries - appended.size());
    attempt("steps", this::plan);
    for (Setting setting : Setting.values()) setting(setting);
    directives();
    attempt("rules", this::rules);
    attempt("behaviours", this::behaviours);
    attempt("passages", this::context);
    attempt("var", this::variables);
    try {
      apply(status());
    } catch (Refusal refused) {
      // A refused status that stayed in the file would contradict the store from then on.
      restore("meta/status", refused.sentence());
    }
  }

  private boolean attempt(String key, Supplier<List<? extends Event>> decision) {
    try {
      apply(decision.get());
      return true;
    } catch (Refusal refused) {
      problems.add(new Problem(key, refused.sentence(), true));
      return false;
    }
  }

  private void apply(List<? extends Event> more) {
    Origin origin = new Origin(call.actor(), call.source(), tx.now());
    Dossier next = now;
    for (Event event : more) next = next.after(event, origin);
    now = next;
    events.addAll(more);
  }

  private boolean changed(String key) {
    return !Objects.equals(before.get(key), after.get(key));
  }

  private boolean changedUnder(String prefix) {
    return !before.under(prefix).equals(after.under(prefix));
  }

  private void gone(PageName page, String what) {
    notes.add(new Finding(page.file(), null, Finding.Kind.NOTE, what));
  }

  private void restore(String key, String sentence) {
    problems.add(new Problem(key, sentence + "; what is true was written there again", false));
  }

  private void appended(List<JsonObject> entries, long before) {
    boolean simulation = now.execution().head().identity().isSimulation();
    for (int i = 0; i < entries.size(); i++) {
      JsonObject entry = Redactor.DEFAULT.redactObject(entries.get(i));
      boolean taken = attempt("entry/" + (before + i + 1), () -> recorded(entry, simulation));
      if (!taken) return; // later ones come after it
    }
  }

  private List<Event> recorded(JsonObject entry, boolean simulation) {
    if (now.execution().figures().records() >= Execution.RECORDS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "an execution has at most %,d entries in its history; finish it and begin another",
              Execution.RECORDS_MAX));
    }
    return List.of(new ExecutionEvent.StepRecorded(EntryItems.record(entry, simulation)));
  }

  private List<? extends Event> plan() {
    if (!changed("steps") && !changedUnder("step/")) return List.of();
    Plan is = now.state().plan();
    Items possible = after;
    for (String step : after.texts("steps")) {
      String key = "step/" + step + "/status";
      if (attempt(key, () -> moved(is, step))) continue;
      String was = before.text(key);
      possible = was == null ? possible.without(key) : possible.with(key, was);
    }
    Plan wanted = redacted(StepItems.plan(possible));
    for (String step : before.texts("steps")) {
      if (!after.texts("steps").contains(step)) {
        gone(PageName.PLAN, Phrase.of("the step \"%s\" was taken away", StepItems.label(step)));
      }
    }
    List<Event> events = new ArrayList<>(now.state().setPlan(wanted));
    events.addAll(started(is, wanted));
    return events;
  }

  /** A step that a file says is running was started by that. */
  private List<Event> started(Plan is, Plan wanted) {
    Integer place = wanted.current();
    if (place == null || now.execution().head().running() != null) return List.of();
    String label = wanted.step(place).label();
    Integer was = is.current();
    if (was != null && is.step(was).label().equals(label)) return List.of();
    List<Event> events = new ArrayList<>();
    if (now.execution().status() == ExecutionStatus.PLANNING) {
      events.add(new ExecutionEvent.StatusChanged(ExecutionStatus.IN_PROGRESS, null, false));
    }
    events.add(new ExecutionEvent.StepStarted(place + 1, label, JsonObject.EMPTY));
    return events;
  }

  /** Refuses what a step cannot become, and asks a person where only a person starts it. */
  private List<? extends Event> moved(Plan is, String id) {
    Step step = StepItems.step(after, id);
    StepStatus old = StepStatus.TODO;
    List<String> ids = StepItems.ids(is);
    if (ids.contains(id)) old = is.step(ids.indexOf(id)).status();
    if (old == step.status()) return List.of();
    if (!old.mayBecome(step.status())) {
      throw Refusal.conflict(
          Phrase.of(
              "step \"%s\" is %s and cannot become %s; set it to PENDING first",
              step.label(), StepItems.word(old), StepItems.word(step.status())));
    }
    if (now.execution().head().identity().isSimulation()) return List.of();
    Step was = ids.contains(id) ? is.step(ids.indexOf(id)) : new Step(step.label(), old, null);
    int number = ids.indexOf(id) + 1;
    String why =
        StepRights.refusal(now.execution(), was.with(step.details()), step.status(), number);
    if (why == null) return List.of();
    apply(
        Proposals.ask(
            now.execution(),
            Proposal.Kind.STEP,
            step.label(),
            was.with(step.details()).approval()));
    throw Refusal.conflict(
        Phrase.of(
            "step \"%s\" cannot become %s: %s", step.label(), StepItems.word(step.status()), why));
  }

  private static Plan redacted(Plan plan) {
    return new Plan(
        plan.steps().stream()
            .map(
                step ->
                    new Step(
                        Redactor.DEFAULT.redact(step.label()),
                        step.status(),
                        step.note(),
                        StepDetailsRedaction.of(step.details())))
            .toList());
  }

  private void setting(Setting setting) {
    String key = "setting/" + setting.key();
    if (!changed(key)) return;
    Object wanted = after.get(key);
    if (wanted == null) restore(key, setting.key() + " cannot be left out");
    else {
      attempt(
          key,
          () -> {
            List<Event> decided = Proposals.set(now.execution(), setting, wanted, false);
            boolean proposed =
                decided.stream().anyMatch(ConstraintEvent.Proposed.class::isInstance);
            boolean open =
                decided.isEmpty()
                    && !setting.value(wanted).equals(now.execution().setting(setting));
            if (proposed || open) {
              String looser = "looser limits are proposals, which a person accepts";
              problems.add(new Problem(key, looser, false));
            }
            return decided;
          });
    }
  }

  private void directives() {
    List<String> were = before.texts("directives");
    List<String> wanted = after.texts("directives");
    long binding = now.state().directives().binding().size();
    if (wanted.size() - binding > Directives.OTHERS_MAX && !wanted.equals(were)) {
      String sentence =
          "%,d directives are too many: beside the binding ones %d are kept; take some away";
      problems.add(
          new Problem(
              "directives", Phrase.of(sentence, wanted.size(), Directives.OTHERS_MAX), true));
      return;
    }
    for (String text : were) {
      if (!wanted.contains(text)) attempt("directive/" + Items.part(text), () -> lifted(text));
    }
    for (String text : wanted) {
      if (!were.contains(text)) {
        String order = Redactor.DEFAULT.redact(text);
        String key = "directive/" + Items.part(text);
        attempt(key, () -> now.state().recordDirective(order, false, call.actor()));
        boolean marked =
            after.get(key) instanceof JsonObject marks && Boolean.TRUE.equals(marks.get("binding"));
        if (marked)
          restore(
              key,
              "a directive from a file does not bind; a person gives it by 'mainstay directive add --binding'");
      } else if (changed("directive/" + Items.part(text))) {
        restore(
            "directive/" + Items.part(text), "the mark of a directive is not changed in the file");
      }
    }
  }

  private List<? extends Event> lifted(String text) {
    Optional<Directive> order =
        now.state().directives().items().stream()
            .filter(each -> each.text().equals(text))
            .findFirst();
    if (order.isEmpty()) return List.of();
    if (!order.get().binding()) return List.of(new TaskStateEvent.DirectiveLifted(text));
    restore("directive/" + Items.part(text), "a binding directive is lifted by a person alone");
    return Proposals.ask(now.execution(), Proposal.Kind.LIFT, text, "");
  }

  private List<? extends Event> rules() {
    if (!changed("rules")) return List.of();
    List<String> rules =
        new ArrayList<>(after.texts("rules").stream().map(Redactor.DEFAULT::redact).toList());
    List<Event> asked = new ArrayList<>();
    for (String rule : before.texts("rules")) {
      if (rules.contains(rule)) continue;
      if (!Executions.tightens(rule)) {
        gone(PageName.CONSTRAINTS, Phrase.of("the rule \"%s\" was taken away", rule));
        continue;
      }
      rules.add(rule);
      asked.addAll(Proposals.ask(now.execution(), Proposal.Kind.RULE, rule, ""));
      apply(asked);
      asked.clear();
      restore("rule/" + Items.part(rule), "only a person drops a rule that tightens a limit");
    }
    if (rules.equals(now.execution().constraints().rules())) return asked;
    ConstraintEvent.RulesSet set = new ConstraintEvent.RulesSet(rules);
    set.applyTo(now.execution(), new Origin(call.actor(), call.source(), tx.now()));
    return List.of(set);
  }

  /** A behaviour for this kind of work takes effect when its words change. */
  private List<? extends Event> behaviours() {
    if (!changed("behaviours") && !changedUnder("behaviour/")) return List.of();
    List<Behaviour> wanted = new ArrayList<>();
    for (String name : after.texts("behaviours")) {
      String text = after.text("behaviour/" + Items.part(name));
      wanted.add(new Behaviour(name, Redactor.DEFAULT.redact(text == null ? "" : text)));
    }
    List<Event> decided = new ArrayList<>();
    decided.add(new ConstraintEvent.BehavioursSet(wanted));
    Execution execution = now.execution();
    var type = execution.head().identity().type();
    if (type == null) return decided;
    for (Behaviour behaviour : wanted) {
      boolean same = execution.constraints().behaviours().contains(behaviour);
      if (same || !behaviour.name().equals(type.behaviour())) continue;
      for (var set : behaviour.settings().entrySet()) {
        decided.addAll(Proposals.set(execution, set.getKey(), set.getValue(), false));
      }
    }
    return decided;
  }

  private List<? extends Event> context() {
    if (!changed("passages") && !changedUnder("passage/")) return List.of();
    PageEvent.ContextSet set = new PageEvent.ContextSet(PassageItems.list(after));
    set.applyTo(now.execution(), new Origin(call.actor(), call.source(), tx.now()));
    return List.of(set);
  }

  private List<? extends Event> variables() {
    JsonObject wanted = Variables.theirs(VariableItems.object(after));
    if (wanted.equals(Variables.theirs(VariableItems.object(before)))) return List.of();
    return List.of(
        new PageEvent.VariablesSet(VariablePaths.checked(Redactor.DEFAULT.redactObject(wanted))));
  }

  private List<? extends Event> status() {
    if (!changed("meta/status")) return List.of();
    ExecutionStatus wanted = ExecutionStatus.parse(text(after.text("meta/status")));
    if (!wanted.isEnded()) return Courses.to(now.execution(), wanted, null, SOMEBODY);
    boolean success = wanted == ExecutionStatus.COMPLETED_SUCCESS;
    ExecutionStatus is = now.execution().status();
    if (!is.mayBecome(wanted)) throw is.refusal(wanted); // the file does not pause on the way
    return Courses.end(tx, id, now, new Courses.End(success, null, SOMEBODY));
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** What is wrong with the rules as they are now, by the keys of their lines. */
  static List<Problem> rules(Items items) {
    List<Problem> problems = new ArrayList<>();
    for (String rule : items.texts("rules")) {
      String problem = Executions.problem(rule);
      if (problem != null) {
        problems.add(new Problem("rule/" + Items.part(rule), problem, true));
      }
    }
    return problems;
  }
}
