package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Plan.Wish;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static TaskState applied(TaskState before, List<TaskStateEvent> events) {
    TaskState after = before;
    for (var event : events) after = event.applyTo(after, by(CODER));
    return after;
  }

  private static TaskState planned(String... labels) {
    return set(TaskState.NONE, labels);
  }

  private static TaskState set(TaskState state, String... labels) {
    return applied(state, state.apply(TaskUpdate.plan(Stream.of(labels).map(Wish::of).toList())));
  }

  private static TaskState moved(TaskState state, int step, StepStatus to) {
    return applied(state, state.moveStep(step, to, null));
  }

  @Test
  void steps_that_are_done_or_skipped_are_open_no_more() {
    TaskState state = planned("a", "b", "c", "d");
    state =
        moved(moved(moved(state, 0, StepStatus.DONE), 1, StepStatus.SKIPPED), 2, StepStatus.FAILED);
    assertThat(state.openSteps()).containsExactly("c", "d");
    assertThat(state.plan().next()).contains(2);
  }

  @Test
  void a_new_plan_keeps_the_status_of_unchanged_labels() {
    TaskState state =
        moved(moved(planned("a", "b", "c"), 0, StepStatus.DONE), 1, StepStatus.ACTIVE);
    state = set(state, "new", "b", "a");
    assertThat(state.plan().steps())
        .containsExactly(
            Step.todo("new"),
            new Step("b", StepStatus.ACTIVE, null),
            new Step("a", StepStatus.DONE, null));
    assertThat(state.plan().current()).isEqualTo(1);
    assertThat(set(state, "new").plan().current()).isNull();
  }

  @Test
  void of_equal_labels_the_first_keeps_the_status_of_the_first() {
    TaskState state = moved(planned("test", "test"), 0, StepStatus.DONE);
    assertThat(set(state, "test", "test", "test").plan().steps())
        .extracting(Step::status)
        .containsExactly(StepStatus.DONE, StepStatus.TODO, StepStatus.TODO);
  }

  @Test
  void one_step_is_active_at_a_time_and_it_is_the_current_one() {
    TaskState state = moved(planned("a", "b"), 0, StepStatus.ACTIVE);
    state = applied(state, state.apply(TaskUpdate.current(1)));
    assertThat(state.plan().current()).isEqualTo(1);
    assertThat(state.plan().step(0).status()).isEqualTo(StepStatus.TODO);
    assertThat(moved(state, 1, StepStatus.DONE).plan().current()).isNull();
    assertThat(planned("a").plan().current()).isNull();
  }

  @Test
  void a_todo_list_with_statuses_is_taken_as_it_is() {
    TaskState state = moved(planned("a", "b"), 0, StepStatus.ACTIVE);
    var update =
        TaskUpdate.fromJson(
            JsonObject.of(
                "plan",
                List.of(
                    JsonObject.of("label", "a"),
                    JsonObject.of("label", "b", "status", "active"),
                    "c")));
    assertThat(applied(state, state.apply(update)).plan().steps())
        .extracting(Step::status)
        .containsExactly(StepStatus.TODO, StepStatus.ACTIVE, StepStatus.TODO);
  }

  @Test
  void an_update_may_bring_a_plan_and_its_current_step() {
    var update = TaskUpdate.fromJson(JsonObject.of("plan", List.of("a", "b"), "current_step", 1));
    assertThat(applied(TaskState.NONE, TaskState.NONE.apply(update)).plan().current()).isEqualTo(1);
  }

  @Test
  void a_step_that_is_not_there_is_refused_with_the_number_of_those_that_are() {
    assertThatThrownBy(() -> planned("a", "b").moveStep(2, StepStatus.DONE, null))
        .isInstanceOf(Refusal.class)
        .hasMessage("there is no step 3; the plan has 2");
    assertThatThrownBy(() -> planned("a").moveStep(Integer.MAX_VALUE, StepStatus.DONE, null))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void what_was_skipped_is_taken_up_before_it_is_done() {
    TaskState state = moved(planned("a"), 0, StepStatus.SKIPPED);
    assertThatThrownBy(() -> state.moveStep(0, StepStatus.DONE, null)).isInstanceOf(Refusal.class);
    assertThat(moved(moved(state, 0, StepStatus.TODO), 0, StepStatus.DONE).openSteps()).isEmpty();
  }

  @Test
  void nothing_new_is_no_event() {
    TaskState state = moved(planned("a", "b"), 0, StepStatus.DONE);
    assertThat(state.moveStep(0, StepStatus.DONE, null)).isEmpty();
    assertThat(state.apply(TaskUpdate.plan(List.of(Wish.of("a"), Wish.of("b"))))).isEmpty();
  }

  @Test
  void a_plan_has_its_limits() {
    assertThatThrownBy(
            () -> TaskState.NONE.apply(TaskUpdate.plan(Collections.nCopies(101, Wish.of("a")))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("100");
    assertThatThrownBy(() -> Wish.of("x".repeat(257))).isInstanceOf(Refusal.class);
    assertThatThrownBy(
            () ->
                TaskState.NONE.apply(
                    TaskUpdate.plan(
                        List.of(
                            new Wish("a", StepStatus.ACTIVE), new Wish("b", StepStatus.ACTIVE)))))
        .isInstanceOf(Refusal.class);
  }
}
