package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.domain.JournalEntry.Content;
import dev.mainstay.domain.JournalEntry.Place;
import dev.mainstay.domain.JournalEntry.Seal;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.RunRecord.Span;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The runs of a task one after the other, and what becomes of what was known before each. */
class RunRecordTest {
  private static final TaskId ONE = TaskId.of(1);
  private static final Instant LATER = NOON.plusSeconds(60);

  private static TaskState applied(TaskState before, TaskStateEvent event) {
    return event.applyTo(before, by(ADA));
  }

  private static TaskState started(TaskState before, String goal) {
    return applied(before, new RunEvent.Started(goal, List.of()));
  }

  private static TaskState ended(TaskState before) {
    return applied(before, new RunEvent.Ended(RunPhase.FINISHED, " well "));
  }

  @Test
  void a_run_is_numbered_when_it_begins_and_keeps_its_number_to_its_end() {
    TaskState running = started(TaskState.NONE, "ship");
    Event begin = new RunEvent.Started("ship", List.of());
    RunRecord first = RunRecord.after(ONE, null, begin, running.run(), NOON);
    assertThat(first)
        .isEqualTo(new RunRecord(ONE, 1, "ship", RunPhase.RUNNING, new Span(NOON, null)));
    Event end = new RunEvent.Ended(RunPhase.FINISHED, "");
    RunRecord over = RunRecord.after(ONE, first, end, ended(running).run(), LATER);
    assertThat(over)
        .isEqualTo(new RunRecord(ONE, 1, "ship", RunPhase.FINISHED, new Span(NOON, LATER)));
    TaskState again = started(ended(running), "ship");
    assertThat(RunRecord.after(ONE, over, begin, again.run(), LATER))
        .isEqualTo(new RunRecord(ONE, 2, "ship", RunPhase.RUNNING, new Span(LATER, null)));
  }

  @Test
  void while_nothing_was_started_there_is_no_run_and_a_fork_begins_one() {
    Event end = new RunEvent.Renewed("full");
    assertThat(RunRecord.after(ONE, null, end, TaskState.NONE.run(), NOON)).isNull();
    var some = new RunRecord(ONE, 3, "ship", RunPhase.RUNNING, new Span(NOON, null));
    assertThat(RunRecord.after(ONE, some, end, TaskState.NONE.run(), NOON)).isSameAs(some);
    Event fork = new DossierEvent.Forked(TaskId.of(2), 5, Dossier.EMPTY);
    RunRecord forked = RunRecord.after(ONE, some, fork, started(TaskState.NONE, "a").run(), LATER);
    assertThat(forked.number()).isEqualTo(4);
    assertThat(RunRecord.isMovedBy(fork)).isTrue();
    assertThat(RunRecord.isMovedBy(end)).isTrue();
    assertThat(RunRecord.isMovedBy(new TaskStateEvent.ActionsNoted("x"))).isFalse();
  }

  @Test
  void the_same_goal_again_keeps_the_plan_and_another_goal_drops_it() {
    TaskState planned = started(TaskState.NONE, "ship").with(new Plan(List.of(Step.todo("a"))));
    assertThat(TaskState.NONE.isStarted()).isFalse();
    assertThat(planned.isStarted()).isTrue();
    TaskState over = ended(planned);
    assertThat(started(over, "ship").plan()).isEqualTo(planned.plan());
    assertThat(started(over, "rest").plan()).isEqualTo(Plan.EMPTY);
    assertThat(started(over, "ship").run().context()).isEqualTo(planned.run().context() + 1);
    TaskState early = TaskState.NONE.with(planned.plan());
    assertThat(started(early, "ship").plan()).as("it was meant for it").isEqualTo(planned.plan());
    assertThat(new RunEvent.Ended(RunPhase.FINISHED, " well ").payload().text("reason"))
        .isEqualTo("well");
  }

  @Test
  void going_back_is_refused_only_across_two_goals() {
    Dossier none = Dossier.EMPTY;
    Dossier ship =
        new Dossier(
            none.notebook(), started(TaskState.NONE, "ship"), none.observed(), none.execution());
    Dossier rest =
        new Dossier(
            none.notebook(), started(TaskState.NONE, "rest"), none.observed(), none.execution());
    assertThatThrownBy(() -> ship.restore(rest, "one", 3))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("a run with another goal (\"rest\")");
    Dossier planned =
        new Dossier(
            none.notebook(),
            TaskState.NONE.with(new Plan(List.of(Step.todo("a")))),
            none.observed(),
            none.execution());
    assertThat(ship.restore(planned, "one", 3)).as("before the run").hasSize(1);
    assertThat(planned.restore(rest, "one", 3)).as("a run elsewhere").hasSize(1);
    assertThat(ship.restore(ship, "one", 3)).as("nothing to do").isEmpty();
  }

  @Test
  void binding_orders_are_those_of_the_present_and_stand_once() {
    TaskState then = TaskState.NONE;
    then = applied(then, new TaskStateEvent.DirectiveRecorded("kept", false, null));
    then = applied(then, new TaskStateEvent.DirectiveRecorded("both", false, null));
    then = applied(then, new TaskStateEvent.DirectiveRecorded("lifted since", true, null));
    TaskState now =
        applied(TaskState.NONE, new TaskStateEvent.DirectiveRecorded("both", true, null));
    Dossier back = Dossier.EMPTY.after(new TaskStateEvent.PlanSet(Plan.EMPTY), by(CODER));
    Dossier before = new Dossier(back.notebook(), then, back.observed(), back.execution());
    Dossier after = new Dossier(back.notebook(), now, back.observed(), back.execution());
    assertThat(after.forkedAt(before).state().directives().items())
        .extracting(Directives.Directive::text, Directives.Directive::binding)
        .containsExactly(tuple("kept", false), tuple("both", true));
  }

  @Test
  void a_seal_changes_with_every_part_of_an_entry() {
    var place = new Place("task/T-001", 1);
    var content = new Content("task.created", "{}");
    Seal seal = JournalEntry.seal(place, by(ADA), content, JournalEntry.BEGINNING);
    assertThat(seal.payloadHash()).isEqualTo(JournalEntry.sha256("{}"));
    assertThat(seal.previousHash()).isEqualTo(JournalEntry.BEGINNING);
    assertThat(seal.hash()).matches("[0-9a-f]{64}");
    Set<String> hashes = new HashSet<>(List.of(seal.hash()));
    for (Seal other :
        List.of(
            JournalEntry.seal(new Place("task/T-002", 1), by(ADA), content, seal.previousHash()),
            JournalEntry.seal(new Place("task/T-001", 2), by(ADA), content, seal.previousHash()),
            JournalEntry.seal(place, by(CODER), content, seal.previousHash()),
            JournalEntry.seal(place, by(ADA, 1), content, seal.previousHash()),
            JournalEntry.seal(place, by(ADA), new Content("task.x", "{}"), seal.previousHash()),
            JournalEntry.seal(place, by(ADA), new Content("task.created", ""), seal.previousHash()),
            JournalEntry.seal(place, by(ADA), content, seal.hash()))) {
      assertThat(hashes.add(other.hash())).isTrue();
    }
    assertThat(JournalEntry.seal(place, by(ADA), content, seal.previousHash())).isEqualTo(seal);
  }
}
