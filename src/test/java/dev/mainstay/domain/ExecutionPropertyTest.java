package dev.mainstay.domain;

import static dev.mainstay.domain.ExecutionSamples.anyExecution;
import static dev.mainstay.domain.ExecutionSamples.anyLine;
import static dev.mainstay.domain.ExecutionSamples.anyObject;
import static dev.mainstay.domain.ExecutionSamples.anySetting;
import static dev.mainstay.domain.ExecutionSamples.anySpent;
import static dev.mainstay.domain.ExecutionSamples.anyValue;
import static dev.mainstay.domain.ExecutionSamples.one;
import static dev.mainstay.domain.NotebookSamples.anyActor;
import static dev.mainstay.domain.NotebookSamples.anyText;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ExecutionPropertyTest {
  private static final List<String> KINDS =
      List.copyOf(new TreeSet<>(ExecutionEvent.READERS.keySet()));

  /** An event of this kind; a new kind without a case here fails every test below. */
  private static ExecutionEvent any(String kind, Random random, Execution now) {
    Setting setting = anySetting(random);
    Object value = anyValue(random, setting);
    return switch (kind) {
      case "exec.begun" ->
          new ExecutionEvent.Begun(
              ExecutionSamples.anyIdentity(random),
              ExecutionSamples.anyConstraints(random),
              ExecutionSamples.anyPages(random));
      case "exec.status_changed" ->
          new ExecutionEvent.StatusChanged(
              one(random, List.of(ExecutionStatus.values())),
              random.nextBoolean() ? null : anyLine(random),
              random.nextBoolean());
      case "exec.step_started" ->
          new ExecutionEvent.StepStarted(
              1 + random.nextInt(9), anyLine(random), anyObject(random, 2));
      case "exec.step_recorded" ->
          new ExecutionEvent.StepRecorded(ExecutionSamples.anyRecord(random));
      case "exec.tools_seen" -> new ExecutionEvent.ToolsSeen(anySpent(random), anyText(random));
      case "exec.feedback_given" ->
          new ExecutionEvent.FeedbackGiven(random.nextBoolean(), anyText(random));
      case "exec.setting_changed" -> new ConstraintEvent.SettingChanged(setting, value);
      case "exec.adapted" ->
          new ConstraintEvent.Adapted(setting, value, anyLine(random), anyObject(random, 1));
      case "exec.rules_standing" ->
          new ConstraintEvent.RulesStanding(ExecutionSamples.anyLines(random));
      case "exec.rules_set" -> new ConstraintEvent.RulesSet(ExecutionSamples.anyLines(random));
      case "exec.behaviours_set" ->
          new ConstraintEvent.BehavioursSet(ExecutionSamples.anyBehaviours(random));
      case "exec.proposed" ->
          new ConstraintEvent.Proposed(
              now.review().proposals() + 1,
              one(random, List.of(Proposal.Kind.values())),
              anyLine(random),
              random.nextBoolean() ? "" : anyText(random));
      case "exec.proposal_settled" -> settled(random, now);
      case "exec.variables_set" -> new PageEvent.VariablesSet(anyObject(random, 3));
      case "exec.context_set" -> new PageEvent.ContextSet(ExecutionSamples.anyPassages(random));
      case "exec.layout_set" ->
          new PageEvent.LayoutSet(one(random, List.of("plan.md", "history.md")), anyText(random));
      case "exec.history_edited" ->
          new PageEvent.HistoryEdited(List.of(1, random.nextInt(9)), anyLine(random));
      default -> throw new AssertionError("no sample of " + kind);
    };
  }

  private static ExecutionEvent settled(Random random, Execution now) {
    List<Proposal> open = now.review().open();
    int number = open.isEmpty() ? 1 : one(random, open).number();
    return new ConstraintEvent.Settled(number, random.nextBoolean());
  }

  private static ExecutionEvent read(Event event) {
    String text = JsonText.write(event.payload());
    assertThat(JsonText.write(JsonText.object(text))).isEqualTo(text);
    return ExecutionEvent.read(event.kind(), JsonText.object(text));
  }

  @Test
  void every_kind_of_event_comes_back_from_the_text_of_its_payload() {
    Seeds.forAll(
        300,
        random -> {
          for (String kind : KINDS) {
            ExecutionEvent event = any(kind, random, Execution.NONE);
            assertThat(event.kind()).isEqualTo(kind);
            assertThat(read(event)).isEqualTo(event);
            assertThat(Dossier.isAbout(kind)).isTrue();
            assertThat(Dossier.read(kind, event.payload())).isEqualTo(event);
          }
        });
  }

  @Test
  void an_execution_comes_back_from_its_text() {
    Seeds.forAll(
        1_000,
        random -> {
          Execution execution = anyExecution(random);
          String text = JsonText.write(ExecutionJson.write(execution));
          assertThat(ExecutionJson.read(JsonText.object(text))).isEqualTo(execution);
        });
    assertThat(ExecutionJson.read(ExecutionJson.write(Execution.NONE))).isEqualTo(Execution.NONE);
  }

  @Test
  void details_of_a_step_and_entries_of_the_history_come_back_from_their_text() {
    Seeds.forAll(
        500,
        random -> {
          StepDetails details = ExecutionSamples.anyDetails(random);
          assertThat(StepDetails.fromJson(JsonText.object(JsonText.write(details.toJson()))))
              .isEqualTo(details);
          StepRecord record = ExecutionSamples.anyRecord(random);
          assertThat(StepRecord.fromJson(JsonText.object(JsonText.write(record.toJson()))))
              .isEqualTo(record);
        });
  }

  @Test
  void a_replay_of_any_events_gives_the_same_dossier_and_its_text_holds_it() {
    Seeds.forAll(
        200,
        random -> {
          Dossier direct = Dossier.EMPTY;
          Dossier replayed = Dossier.EMPTY;
          for (Event event : anyEvents(random)) {
            Origin origin = by(anyActor(random), random.nextInt(90));
            Event applicable = event;
            if (event instanceof ConstraintEvent.Proposed
                || event instanceof ConstraintEvent.Settled) {
              applicable = any(event.kind(), random, direct.execution());
            }
            boolean nothingOpen =
                applicable instanceof ConstraintEvent.Settled
                    && direct.execution().review().open().isEmpty();
            if (nothingOpen) continue;
            direct = direct.after(applicable, origin);
            replayed =
                replayed.after(
                    Dossier.read(
                        applicable.kind(), JsonText.object(JsonText.write(applicable.payload()))),
                    origin);
            assertThat(replayed).isEqualTo(direct);
          }
          String text = JsonText.write(direct.toJson());
          assertThat(Dossier.fromJson(JsonText.object(text))).isEqualTo(direct);
        });
  }

  private static List<Event> anyEvents(Random random) {
    List<Event> events = new ArrayList<>();
    events.add(any("exec.begun", random, Execution.NONE));
    for (int i = 0; i < 30; i++) {
      boolean plan = random.nextInt(4) == 0;
      events.add(plan ? anyPlan(random) : any(one(random, KINDS), random, Execution.NONE));
    }
    return events;
  }

  private static Event anyPlan(Random random) {
    List<Plan.Step> steps = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      String label = "step " + random.nextInt(4);
      StepStatus status = one(random, List.of(StepStatus.TODO, StepStatus.DONE, StepStatus.FAILED));
      steps.add(new Plan.Step(label, status, null, ExecutionSamples.anyDetails(random)));
    }
    return new TaskStateEvent.PlanSet(new Plan(steps));
  }

  @Test
  void an_id_has_the_form_of_the_document() {
    assertThatThrownBy(
            () ->
                new Execution.Identity(
                    "run 1", ExecutionMode.EXECUTION, null, NotebookSamples.NOON))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("exec_20260131T120000Z_<uuid>");
  }
}
