package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskUpdate.Change;
import dev.mainstay.domain.Trail.Compression;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskStateTest {
  private static TaskState applied(TaskState before, List<TaskStateEvent> events) {
    TaskState after = before;
    for (var event : events) after = event.applyTo(after, by(ADA));
    return after;
  }

  private static TaskState started() {
    return applied(TaskState.NONE, TaskState.NONE.start("ship", List.of("tests pass"), ADA));
  }

  private static TaskState busy() {
    TaskState state = started();
    state = applied(state, state.apply(TaskUpdate.plan(List.of(Wish.of("a"), Wish.of("b")))));
    var change = new Change("half way", "x = 1", List.of("review"), List.of("call-7"));
    state = applied(state, state.apply(TaskUpdate.work(change)));
    state = applied(state, state.recordDirective("no pushes", true, ADA));
    state = applied(state, state.noteActions("read, write"));
    return applied(state, state.logCompression("snip", "3 messages", 900, 500));
  }

  private static TaskState ended(TaskState state, RunPhase how) {
    return applied(state, state.end(how, "why"));
  }

  @Test
  void the_goal_is_set_when_the_run_starts_and_refused_afterwards() {
    TaskState state = started();
    assertThat(state.run().goal()).isEqualTo("ship");
    assertThat(state.run().criteriaTexts()).containsExactly("tests pass");
    assertThatThrownBy(() -> state.start("ship", List.of(), ADA)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> state.start("other", List.of(), ADA)).hasMessageContaining("\"ship\"");
    assertThatThrownBy(() -> TaskUpdate.fromJson(JsonObject.of("goal", "other")))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.CONFLICT));
    assertThatThrownBy(() -> TaskState.NONE.start(" ", List.of(), ADA)).isInstanceOf(Refusal.class);
  }

  @Test
  void an_agent_starts_an_ended_run_again_only_with_its_goal() {
    TaskState over = ended(busy(), RunPhase.NO_PROGRESS);
    assertThatThrownBy(() -> over.start("something easier", List.of(), CODER))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("ship");
    TaskState again = applied(over, over.start("ship", List.of("is fast"), CODER));
    assertThat(again.plan()).isEqualTo(busy().plan());
    assertThat(again.run().criteriaTexts()).containsExactly("tests pass", "is fast");
    assertThat(again.work().scratchpad()).isEmpty();
    TaskState other = applied(over, over.start("something else", List.of(), ADA));
    assertThat(other.plan()).isEqualTo(Plan.EMPTY);
    assertThat(other.run().criteria()).isEmpty();
    assertThat(other.directives()).isEqualTo(busy().directives());
    assertThat(other.work().preservedRefs()).containsExactly("call-7");
  }

  @Test
  void what_was_prepared_before_the_first_run_is_there_in_it() {
    TaskState state = applied(TaskState.NONE, TaskState.NONE.addCriterion("documented", null, ADA));
    state = applied(state, state.apply(TaskUpdate.plan(List.of(Wish.of("a")))));
    state = applied(state, state.start("ship", List.of("tests pass"), ADA));
    assertThat(state.run().criteriaTexts()).containsExactly("documented", "tests pass");
    assertThat(state.openSteps()).containsExactly("a");
    assertThat(state.addCriterion("documented", null, ADA)).isEmpty();
  }

  @Test
  void an_update_changes_what_it_names_and_nothing_else() {
    TaskState state = busy();
    var events = state.apply(TaskUpdate.fromJson(JsonObject.of("progress", "done")));
    assertThat(events)
        .containsExactly(new TaskStateEvent.Updated(new Change("done", null, null, null)));
    TaskState after = applied(state, events);
    assertThat(after.work().scratchpad()).isEqualTo("x = 1");
    assertThat(after.work().blockedOn()).containsExactly("review");
    var cleared = TaskUpdate.fromJson(JsonObject.of("blocked_on", List.of(), "scratchpad", ""));
    assertThat(applied(after, after.apply(cleared)).work())
        .isEqualTo(new Work("done", "", List.of(), List.of("call-7")));
    assertThat(after.apply(TaskUpdate.fromJson(JsonObject.of("progress", "done")))).isEmpty();
  }

  @Test
  void what_is_observed_or_unknown_cannot_be_written() {
    assertThatThrownBy(() -> TaskUpdate.fromJson(JsonObject.of("recent_actions", List.of("lied"))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("observed");
    assertThatThrownBy(() -> TaskUpdate.fromJson(JsonObject.of("scratch_pad", "x")))
        .hasMessageContaining("\"scratchpad\"");
    assertThatThrownBy(() -> TaskUpdate.fromJson(JsonObject.of("current_step", -1)))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void six_actions_are_kept_and_blank_ones_are_none() {
    TaskState state = started();
    assertThat(state.noteActions("  ")).isEmpty();
    for (int i = 1; i <= 8; i++) state = applied(state, state.noteActions("turn " + i));
    assertThat(state.trail().actions()).hasSize(6).startsWith("turn 3").endsWith("turn 8");
    assertThat(state.trail().actionsDropped()).isEqualTo(2);
    var longOne = state.noteActions("x".repeat(300));
    assertThat(longOne.get(0).payload().text("summary")).hasSize(300);
    assertThat(applied(state, longOne).trail().actions().get(5)).hasSize(256);
  }

  @Test
  void the_compression_log_only_grows() {
    TaskState state = started();
    for (int i = 1; i <= 5; i++)
      state = applied(state, state.logCompression("snip", "s" + i, i, 0));
    assertThat(state.trail().compressions())
        .extracting(Compression::summary)
        .containsExactly("s1", "s2", "s3", "s4", "s5");
    assertThat(state.lastCompressions(3))
        .extracting(Compression::summary)
        .containsExactly("s3", "s4", "s5");
    assertThatThrownBy(() -> TaskState.NONE.logCompression("snip", "s", -1, 0))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void renewal_carries_everything_but_scratchpad_and_recent_actions() {
    TaskState before = busy();
    TaskState after = applied(before, before.renew("context full"));
    assertThat(after.run().goal()).isEqualTo("ship");
    assertThat(after.run().context()).isEqualTo(before.run().context() + 1);
    assertThat(after.plan()).isEqualTo(before.plan());
    assertThat(after.directives()).isEqualTo(before.directives());
    assertThat(after.work())
        .isEqualTo(new Work("half way", "", List.of("review"), List.of("call-7")));
    assertThat(after.trail().actions()).isEmpty();
    assertThat(after.trail().compressions()).isEqualTo(before.trail().compressions());
    assertThatThrownBy(() -> TaskState.NONE.renew("")).isInstanceOf(Refusal.class);
  }

  @Test
  void a_suspended_run_goes_on_without_a_second_start() {
    for (Waiting.On on : Waiting.On.values()) {
      TaskState before = busy();
      var waiting = new Waiting(on, "which colour?\nor none");
      TaskState asleep = applied(before, before.suspend(waiting));
      assertThat(asleep.run().waiting()).isEqualTo(waiting);
      assertThatThrownBy(() -> asleep.start("ship", List.of(), CODER)).isInstanceOf(Refusal.class);
      assertThatThrownBy(() -> asleep.suspend(waiting)).isInstanceOf(Refusal.class);
      TaskState awake = applied(asleep, asleep.resume("blue"));
      assertThat(awake.run().answers()).extracting(TaskState.Answer::text).containsExactly("blue");
      assertThat(awake.run().phase()).isEqualTo(before.run().phase());
      assertThat(awake.run().waiting()).isNull();
      assertThat(awake.plan()).isEqualTo(before.plan());
      assertThat(awake.directives()).isEqualTo(before.directives());
      assertThatThrownBy(() -> before.resume("blue")).isInstanceOf(Refusal.class);
    }
    assertThatThrownBy(() -> TaskState.NONE.suspend(new Waiting(Waiting.On.CHILD, "T-002")))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void a_run_without_progress_is_over() {
    TaskState over = ended(started(), RunPhase.NO_PROGRESS);
    assertThat(over.run().phase()).isEqualTo(RunPhase.NO_PROGRESS);
    assertThatThrownBy(() -> over.end(RunPhase.FINISHED, "")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> over.renew("")).isInstanceOf(Refusal.class);
  }

  @Test
  void what_is_too_long_is_refused_and_not_cut() {
    assertThatThrownBy(() -> TaskState.NONE.start("x".repeat(4_097), List.of(), ADA))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> TaskState.NONE.start("x", List.of("x".repeat(1_025)), ADA))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Change("x".repeat(1_025), null, null, null))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Change(null, "x".repeat(8_193), null, null))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Change(null, null, List.of("x".repeat(513)), null))
        .isInstanceOf(Refusal.class);
    var criteria = java.util.stream.IntStream.range(0, 51).mapToObj(i -> "c" + i).toList();
    assertThatThrownBy(() -> TaskState.NONE.start("x", criteria, ADA)).isInstanceOf(Refusal.class);
  }
}
