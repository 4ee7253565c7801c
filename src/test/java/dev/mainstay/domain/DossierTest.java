package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Execution.Running;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Plan.Step;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DossierTest {
  private static final Origin ORIGIN = by(ADA);
  private static final Spent SOME = new Spent(new BigDecimal("0.2"), BigDecimal.TEN, 1, 1);

  private static Event plan(String... labels) {
    return new TaskStateEvent.PlanSet(new Plan(Arrays.stream(labels).map(Step::todo).toList()));
  }

  private static Event begun(String id) {
    return new ExecutionEvent.Begun(
        new Execution.Identity(id, ExecutionMode.EXECUTION, null, NOON),
        Execution.NONE.constraints(),
        new Pages(JsonObject.of("a", 1), Passage.INITIAL, Map.of("plan.md", "mine")));
  }

  private static Dossier after(Dossier dossier, Event... events) {
    for (Event event : events) dossier = dossier.after(event, ORIGIN);
    return dossier;
  }

  private static Dossier underWay() {
    return after(
        Dossier.EMPTY,
        new RunEvent.Started("goal", List.of()),
        plan("a", "b", "c"),
        begun("exec_1_a"),
        new ExecutionEvent.StatusChanged(ExecutionStatus.IN_PROGRESS, null, false));
  }

  @Test
  void going_back_keeps_the_figures_and_brings_variables_and_notes_back() {
    Dossier then = underWay();
    Dossier now =
        after(
            then,
            new ExecutionEvent.ToolsSeen(SOME, "Read"),
            new ConstraintEvent.SettingChanged(Setting.PRIORITY, "cost_efficiency"),
            new ConstraintEvent.Proposed(1, Proposal.Kind.STEP, "a", ""),
            new PageEvent.VariablesSet(JsonObject.of("a", 2)),
            new PageEvent.ContextSet(List.of(new Passage("## Other", "x\n"))));
    Dossier back = after(now, now.restore(then, "one", 4).toArray(new Event[0]));
    assertThat(back.execution().pages()).isEqualTo(then.execution().pages());
    assertThat(back.execution().figures()).isEqualTo(now.execution().figures());
    assertThat(back.execution().constraints()).isEqualTo(now.execution().constraints());
    assertThat(back.execution().review()).isEqualTo(now.execution().review());
    assertThat(back.execution().head()).isEqualTo(now.execution().head());
  }

  @Test
  void going_back_to_before_the_execution_leaves_it_as_it_is() {
    Dossier before = after(Dossier.EMPTY, new RunEvent.Started("goal", List.of()), plan("a"));
    Dossier now = after(before, begun("exec_1_a"), plan("a", "b"));
    Dossier back = after(now, now.restore(before, "one", 2).toArray(new Event[0]));
    assertThat(back.execution().pages()).isEqualTo(now.execution().pages());
    assertThat(back.state().plan()).isEqualTo(before.state().plan());
    Dossier other = after(now, begun("exec_2_b"), new PageEvent.VariablesSet(JsonObject.EMPTY));
    Dossier kept = after(other, other.restore(now, "two", 4).toArray(new Event[0]));
    assertThat(kept.execution()).as("pages of another execution").isEqualTo(other.execution());
  }

  @Test
  void a_fork_has_no_execution() {
    Dossier now = underWay();
    assertThat(now.forkedAt(now).execution()).isEqualTo(Execution.NONE);
    assertThat(now.forkedAt(now).state().plan()).isEqualTo(now.state().plan());
  }

  @Test
  void a_step_under_way_follows_its_label_through_another_plan() {
    Dossier running =
        after(underWay(), new ExecutionEvent.StepStarted(2, "b", JsonObject.of("in", 1)));
    Running moved = after(running, plan("x", "a", "b")).execution().head().running();
    assertThat(moved).isEqualTo(new Running(3, NOON, JsonObject.of("in", 1), Spent.NOTHING));
    assertThat(after(running, plan("a", "c")).execution().head().running()).isNull();
    assertThat(after(running, plan("c", "b")).execution().head().running())
        .isEqualTo(running.execution().head().running());
  }

  @Test
  void an_execution_is_updated_by_what_changes_it_or_its_plan_and_by_nothing_else() {
    Dossier now = underWay();
    Origin later = by(ADA, 5);
    assertThat(updated(now, new TaskStateEvent.ActionsNoted("Read"), later)).isEqualTo(NOON);
    assertThat(updated(now, new ExecutionEvent.FeedbackGiven(true, "great"), later))
        .isEqualTo(NOON);
    assertThat(updated(now, plan("z"), later)).isEqualTo(later.at());
    assertThat(updated(now, new PageEvent.VariablesSet(JsonObject.EMPTY), later))
        .isEqualTo(later.at());
  }

  private static Object updated(Dossier dossier, Event event, Origin origin) {
    return dossier.after(event, origin).execution().head().updatedAt();
  }

  @Test
  void the_end_of_an_execution_ends_the_step_under_way() {
    Dossier running = after(underWay(), new ExecutionEvent.StepStarted(1, "a", JsonObject.EMPTY));
    Dossier ended =
        after(
            running,
            new ExecutionEvent.StatusChanged(ExecutionStatus.PAUSED, null, false),
            new ExecutionEvent.StatusChanged(ExecutionStatus.COMPLETED_FAILURE, null, false));
    assertThat(ended.execution().head().running()).isNull();
    assertThat(ended.execution().isLive()).isFalse();
  }
}
