package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.ObservedTurn.ToolUse;
import dev.mainstay.domain.WorkflowExecution.Caller;
import dev.mainstay.domain.WorkflowExecution.Home;
import dev.mainstay.domain.WorkflowExecution.Standing;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowWait.About;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.domain.WorkflowWait.Place;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkflowRowsTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void an_execution_comes_back_from_its_json_whole_and_bare() {
    var full =
        new WorkflowExecution(
            "e-1",
            "w",
            new Home("s", "h", "/r", new Caller("e-0", "t-3")),
            new Standing(Status.FAILED, "n", JsonObject.of("a", 1L), "broke", 4),
            new WorkflowExecution.Stamps("person:ada", NOON, NOON.plusSeconds(1)));
    var bare =
        new WorkflowExecution(
            "e-2",
            "w",
            new Home("s", "h", "/r", null),
            new Standing(Status.RUNNING, null, JsonObject.EMPTY, null, 0),
            new WorkflowExecution.Stamps("person:ada", NOON, null));
    assertThat(WorkflowExecution.fromJson(full.toJson())).isEqualTo(full);
    assertThat(WorkflowExecution.fromJson(bare.toJson())).isEqualTo(bare);
    assertThat(full.status().isOver()).isTrue();
    assertThat(bare.status().isOver()).isFalse();
    assertThat(Status.PAUSED.isOver()).isFalse();
    assertThat(WorkflowExecution.stream("e-1")).isEqualTo("execution/e-1");
  }

  @Test
  void a_wait_for_something_elsewhere_can_be_withdrawn_under_its_name() {
    var wait = new WorkflowWait(new Place("e", "t-1"), "n", Kind.TASK, About.named("T-001"), NOON);
    assertThat(wait.isElsewhere()).isTrue();
    assertThat(wait.execution() + wait.token()).isEqualTo("et-1");
    WorkflowWait gone = wait.withdrawn(NOON.plusSeconds(1));
    assertThat(gone.token()).isEqualTo("T-001");
    assertThat(gone.kind()).isEqualTo(Kind.WITHDRAWN);
    assertThat(gone.isElsewhere()).isFalse();
    var timer = new WorkflowWait(new Place("e", "t"), "n", Kind.TIMER, About.moment(NOON), NOON);
    assertThat(timer.about().due()).isEqualTo(NOON);
    assertThatThrownBy(timer::name).hasMessageContaining("TIMER has no name");
    assertThat(About.message("m", "c").correlation()).isEqualTo("c");
    assertThat(About.question(JsonObject.of("q", 1L)).question().isEmpty()).isFalse();
    var call = new WorkflowWait(new Place("e", "t"), "n", Kind.CALL, About.named("e-2"), NOON);
    assertThat(call.isElsewhere()).isTrue();
  }

  @Test
  void a_turn_is_summed_up_by_its_tools_and_files() {
    ToolUse read = ToolUse.of("Read", "a", "b");
    ToolUse write = ToolUse.of("Write", "a", "b");
    var turn = new ObservedTurn(List.of(read, write, read), List.of("x", "y", "x"));
    assertThat(turn.summary()).isEqualTo("Read x2, Write; files: x, y");
    assertThat(new ObservedTurn(List.of(), List.of("x")).summary()).isEmpty();
    List<String> many = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");
    assertThat(new ObservedTurn(List.of(read), many).summary()).endsWith("j and 2 more");
    assertThat(turn.hash()).isEqualTo(new ObservedTurn(turn.tools(), turn.files()).hash());
    assertThat(turn.hash()).isNotEqualTo(new ObservedTurn(turn.tools(), List.of("x")).hash());
    assertThat(turn.hash()).isNotEqualTo(new ObservedTurn(List.of(read), turn.files()).hash());
    int most = ObservedTurn.TOOLS_MAX;
    assertThat(new ObservedTurn(Collections.nCopies(most, read), List.of()).tools()).hasSize(most);
    assertThatThrownBy(() -> new ObservedTurn(Collections.nCopies(most + 1, read), List.of()))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void a_checkpoint_has_a_name_that_is_no_number_and_no_time() {
    var checkpoint = new Checkpoint(new TaskId("T-001"), "before it/2", 1, NOON);
    assertThat(Checkpoint.fromJson(checkpoint.toJson())).isEqualTo(checkpoint);
    for (String no : List.of("now", "1st", "a:b")) {
      assertThatThrownBy(() -> new Checkpoint(new TaskId("T-001"), no, 1, NOON))
          .isInstanceOf(Refusal.class);
    }
    assertThatThrownBy(() -> new Checkpoint(new TaskId("T-001"), "a", 0, NOON))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void what_a_type_of_task_requires_comes_back_from_its_json() {
    var rule = new TaskTypeRule(TaskType.CODE, List.of(Requirement.TESTS), 3, NOON);
    assertThat(TaskTypeRule.fromJson(rule.toJson())).isEqualTo(rule);
    TaskTypeRule none = TaskTypeRule.none(TaskType.CODE);
    assertThat(TaskTypeRule.fromJson(none.toJson())).isEqualTo(none);
    assertThat(PromptSize.of(3, 0).transcript()).isNull();
    assertThat(PromptSize.of(3, 5).transcript()).isEqualTo(5);
    assertThatThrownBy(() -> PromptSize.of(-1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> PromptSize.of(1, -1)).isInstanceOf(IllegalStateException.class);
  }
}
