package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.TaskStateEvent.DirectiveLifted;
import dev.mainstay.domain.TaskStateEvent.DirectiveRecorded;
import dev.mainstay.domain.TaskStateEvent.PlanSet;
import dev.mainstay.domain.TaskStateEvent.StepMoved;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a simulation leaves of a plan, and how steps that end age the orders that count them. */
class PlanStepsTest {
  private static Step step(String label, StepStatus status, String note) {
    return new Step(label, status, note);
  }

  private static Plan plan(Step... steps) {
    return new Plan(List.of(steps));
  }

  private static TaskState ordered(Plan plan, int steps) {
    return new DirectiveRecorded("be brief", false, steps)
        .applyTo(TaskState.NONE.with(plan), by(CODER));
  }

  private static TaskState applied(TaskState before, List<TaskStateEvent> events) {
    TaskState after = before;
    for (var event : events) after = event.applyTo(after, by(CODER));
    return after;
  }

  private static List<Integer> left(TaskState state) {
    return state.directives().items().stream().map(Directive::stepsLeft).toList();
  }

  @Test
  void a_step_that_ended_in_a_simulation_says_so_and_how_it_failed() {
    Step done = step("a", StepStatus.DONE, null).simulated();
    assertThat(done).isEqualTo(step("a", StepStatus.DONE, "simulated"));
    assertThat(done.isSimulated()).isTrue();
    Step failed = step("a", StepStatus.FAILED, "no rights").simulated();
    assertThat(failed).isEqualTo(step("a", StepStatus.FAILED, "simulated: no rights"));
    assertThat(failed.isSimulated()).isTrue();
    assertThat(failed.simulated()).isSameAs(failed);
    assertThat(step("a", StepStatus.FAILED, null).simulated().note()).isEqualTo("simulated");
    assertThat(step("a", StepStatus.SKIPPED, "why").simulated().note()).isEqualTo("simulated");
    assertThat(step("a", StepStatus.FAILED, "x".repeat(256)).simulated().note())
        .startsWith("simulated: xxx")
        .hasSizeLessThanOrEqualTo(256);
    assertThat(step("a", StepStatus.DONE, "simulated annealing").isSimulated()).isFalse();
    assertThat(Step.todo("a").isSimulated()).isFalse();
  }

  @Test
  void what_was_only_simulated_is_to_be_done_again_and_the_rest_stays() {
    Step really = step("a", StepStatus.DONE, null);
    Step only = step("b", StepStatus.DONE, "simulated");
    Step why = step("c", StepStatus.SKIPPED, "not needed");
    assertThat(plan(really, only, why).withoutSimulation())
        .isEqualTo(plan(really, Step.todo("b"), why));
    assertThat(plan(really, only, why).reopened())
        .isEqualTo(plan(Step.todo("a"), Step.todo("b"), Step.todo("c")));
  }

  @Test
  void a_step_with_other_details_is_else_the_same_and_needs_another_approval() {
    Step before = step("a", StepStatus.FAILED, "why");
    StepDetails details = new StepDetails("", "Read", List.of(), List.of(), Outlook.NONE);
    Step after = before.with(details);
    assertThat(after).isEqualTo(new Step("a", StepStatus.FAILED, "why", details));
    assertThat(after.approval()).endsWith(" a").isNotEqualTo(before.approval());
    assertThat(before.approval()).matches("[0-9a-f]{16} a");
    assertThat(Step.isApprovalOf("a", before.approval())).isTrue();
    assertThat(Step.isApprovalOf("b", before.approval())).isFalse();
    assertThat(Step.isApprovalOf("a", step("b a", StepStatus.TODO, null).approval())).isFalse();
  }

  @Test
  void a_plan_has_a_hundred_steps_and_not_one_more() {
    List<Step> most = Collections.nCopies(Plan.STEPS_MAX, Step.todo("a"));
    assertThat(new Plan(most).steps()).hasSize(100);
    List<Step> more = Stream.concat(most.stream(), Stream.of(Step.todo("b"))).toList();
    assertThatThrownBy(() -> new Plan(more)).hasMessageContaining("at most 100 steps, not 101");
    assertThatThrownBy(
            () -> plan(step("a", StepStatus.SKIPPED, null)).moved(0, StepStatus.DONE, ""))
        .hasMessage("step 1 is skipped and cannot become done; set it to todo first");
  }

  @Test
  void work_comes_to_an_end_by_done_failed_or_skipped() {
    assertThat(Arrays.stream(StepStatus.values()).filter(StepStatus::isEnd))
        .containsExactly(StepStatus.DONE, StepStatus.FAILED, StepStatus.SKIPPED);
    assertThatThrownBy(() -> StepStatus.parse("finished"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("\"finished\" is not a step's status; use todo, active");
  }

  @Test
  void only_steps_that_ended_since_then_are_counted() {
    Plan before =
        plan(Step.todo("a"), step("b", StepStatus.DONE, null), Step.todo("c"), Step.todo("d"));
    Plan after =
        plan(
            step("a", StepStatus.DONE, null),
            step("b", StepStatus.DONE, null),
            step("c", StepStatus.FAILED, null),
            step("d", StepStatus.ACTIVE, null),
            step("new", StepStatus.DONE, null));
    assertThat(after.endedSince(before)).isEqualTo(2);
    assertThat(before.endedSince(before)).isZero();
  }

  @Test
  void each_step_that_ends_makes_an_order_for_some_steps_shorter() {
    TaskState state = ordered(plan(Step.todo("a"), Step.todo("b"), Step.todo("c")), 2);
    assertThat(left(state)).containsExactly(2);
    TaskState active = applied(state, state.moveStep(0, StepStatus.ACTIVE, null));
    assertThat(left(active)).as("a step that began").containsExactly(2);
    TaskState one = applied(active, active.moveStep(0, StepStatus.DONE, null));
    assertThat(left(one)).containsExactly(1);
    assertThat(one.moveStep(1, StepStatus.SKIPPED, null))
        .containsExactly(
            new StepMoved(1, StepStatus.SKIPPED, null), new DirectiveLifted("be brief"));
    TaskState two = applied(one, one.moveStep(1, StepStatus.SKIPPED, null));
    assertThat(two.directives().items()).isEmpty();
    TaskState told = new StepMoved(0, StepStatus.DONE, "by hand").applyTo(one, by(CODER));
    assertThat(left(told)).as("the same end in other words").containsExactly(1);
  }

  @Test
  void a_plan_in_which_steps_ended_lifts_the_orders_that_are_over() {
    TaskState state = ordered(plan(Step.todo("a"), Step.todo("b")), 2);
    Plan both = plan(step("a", StepStatus.DONE, null), step("b", StepStatus.FAILED, null));
    assertThat(state.setPlan(both))
        .containsExactly(new PlanSet(both), new DirectiveLifted("be brief"));
    assertThat(applied(state, state.setPlan(both)).directives().items()).isEmpty();
    Plan first = plan(step("a", StepStatus.DONE, null), Step.todo("b"));
    assertThat(state.setPlan(first)).containsExactly(new PlanSet(first));
    assertThat(left(applied(state, state.setPlan(first)))).containsExactly(1);
    assertThat(state.setPlan(state.plan())).isEmpty();
  }

  @Test
  void an_order_that_is_over_does_not_become_shorter_than_nothing() {
    Directive once = new Directive("a", false, by(CODER), 1);
    assertThat(once.isOver()).isFalse();
    assertThat(once.aged().isOver()).isTrue();
    assertThat(once.aged().aged()).isEqualTo(once.aged());
    Directive always = new Directive("a", false, by(CODER));
    assertThat(always.aged()).isSameAs(always);
    assertThat(always.isOver()).isFalse();
  }

  @Test
  void an_order_is_lifted_by_an_event_that_comes_back() {
    var lifted = new DirectiveLifted("be brief");
    assertThat(lifted.kind()).isEqualTo("state.directive_lifted");
    assertThat(lifted.payload()).isEqualTo(JsonObject.of("text", "be brief"));
    assertThat(TaskStateEvent.read(lifted.kind(), lifted.payload())).isEqualTo(lifted);
  }

  @Test
  void the_order_that_counts_most_is_the_newest_binding_one() {
    assertThat(TaskState.NONE.newestBinding()).isNull();
    TaskState state = TaskState.NONE;
    for (String text : List.of("first", "second")) {
      state = applied(state, ADA, text, true);
    }
    state = applied(state, CODER, "not binding", false);
    assertThat(state.newestBinding().text()).isEqualTo("second");
  }

  private static TaskState applied(TaskState before, Actor by, String text, boolean binding) {
    TaskState after = before;
    for (var event : before.recordDirective(text, binding, by)) {
      after = event.applyTo(after, by(by));
    }
    return after;
  }

  @Test
  void a_binding_order_is_the_persons_who_bound_it_and_another_stays_with_its_author() {
    TaskState wished = applied(TaskState.NONE, CODER, "a", false);
    assertThat(applied(wished, ADA, "a", true).directives().items())
        .containsExactly(new Directive("a", true, by(ADA)));
    TaskState persons = applied(TaskState.NONE, ADA, "a", false);
    assertThat(applied(persons, CODER, "a", false).directives().items())
        .containsExactly(new Directive("a", false, by(ADA)));
  }
}
