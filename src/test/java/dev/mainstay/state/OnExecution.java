package dev.mainstay.state;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.state.StepWork.Usage;
import dev.mainstay.store.Databases;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of executions begin with: a task, and rooms to execute its plan. */
abstract class OnExecution extends OnState {
  Executions executions;
  StepWork work;
  TaskStates states;

  OnExecution(Databases database) {
    super(database);
  }

  @BeforeEach
  void executionRooms() {
    executions = new Executions(store);
    work = new StepWork(store);
    states = new TaskStates(store);
  }

  Outcome begin(ExecutionMode mode, @Nullable ExecutionType type, Call call) {
    return executions.begin(new Beginning(ONE, "the goal", mode, type), call);
  }

  /** An execution of a plan with these steps. */
  void begun(String... labels) {
    begin(ExecutionMode.EXECUTION, null, ADA);
    states.setPlan(ONE, List.of(labels), ADA);
  }

  void plan(Step... steps) {
    decide(new TaskStateEvent.PlanSet(new Plan(List.of(steps))));
  }

  void rules(String... rules) {
    decide(new ConstraintEvent.RulesSet(Arrays.asList(rules)));
  }

  /** As a file that somebody edited would be taken over. */
  Outcome decide(Event... events) {
    return store.inTransaction(
        Executions.once(ADA, "test", JsonObject.EMPTY),
        tx -> ExecutionWriting.write(tx, ONE, ADA, dossier -> List.of(events)));
  }

  Execution now() {
    return executions.view(ONE).execution();
  }

  ExecutionStatus status() {
    return now().status();
  }

  Object setting(Setting setting) {
    return now().setting(setting);
  }

  Step step(int number) {
    return states.load(ONE).plan().step(number - 1);
  }

  StepStatus stepStatus(int number) {
    return step(number).status();
  }

  static Report failed(String errors) {
    return new Report(Map.of(Field.ERRORS, errors), Usage.UNKNOWN, JsonObject.EMPTY, null);
  }

  static Report using(@Nullable String cost, @Nullable String time) {
    Usage usage =
        new Usage(
            cost == null ? null : new BigDecimal(cost),
            time == null ? null : new BigDecimal(time),
            null,
            null);
    return new Report(Map.of(), usage, JsonObject.EMPTY, null);
  }

  static Report setting(JsonObject variables) {
    return new Report(Map.of(), Usage.UNKNOWN, variables, null);
  }

  /** A step from its start to its end, by a person, who needs nobody's approval. */
  Outcome run(Report report) {
    work.start(ONE, null, ADA);
    return work.finish(ONE, report, ADA);
  }

  List<String> kinds() {
    return store.reading(
        tx ->
            tx.journal().stream(ONE.stream()).stream()
                .map(entry -> entry.content().kind())
                .toList());
  }

  List<JsonObject> payloads(String kind) {
    return store.reading(
        tx ->
            tx.journal().stream(ONE.stream()).stream()
                .map(JournalEntry::content)
                .filter(content -> content.kind().equals(kind))
                .map(content -> JsonText.object(content.payload()))
                .toList());
  }
}
