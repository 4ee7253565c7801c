package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepDetails.Param;
import dev.mainstay.domain.StepRecord.Field;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepDetailsTest {
  private static StepRecord record(int step, Map<Field, String> texts) {
    return new StepRecord(step, NOON, false, Spent.NOTHING, texts);
  }

  @Test
  void a_step_keeps_the_types_of_its_parameters() {
    var list = new Param("urls", List.of("a", 2));
    assertThat(list.value()).isEqualTo(List.of("a", 2L));
    assertThat(new Param("n", 3).value()).isEqualTo(3L);
    assertThat(new Param("half", 0.5).value()).isEqualTo(new BigDecimal("0.5"));
    assertThat(new Param(" name ", "v").name()).isEqualTo("name");
  }

  @Test
  void values_so_deep_that_they_could_not_be_read_again_are_refused() {
    Object deep = "x";
    for (int level = 0; level < JsonObject.DEPTH_INSIDE_MAX; level++) deep = List.of(deep);
    Object deeper = List.of(deep);
    assertThat(new Param("x", deep).value()).isEqualTo(deep);
    JsonObject inputs = JsonObject.of("x", deeper);
    assertThatThrownBy(() -> new Param("x", deeper))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("at most 32 levels deep");
    assertThatThrownBy(() -> new ExecutionEvent.StepStarted(1, "a", inputs))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("at most 32 levels deep");
    assertThatThrownBy(() -> new Pages(inputs, List.of(), Map.of())).isInstanceOf(Refusal.class);
  }

  @Test
  void two_parameters_of_one_name_and_too_many_are_refused() {
    List<Param> twice = List.of(new Param("a", 1), new Param("a", 2));
    assertThatThrownBy(() -> new StepDetails("", "", twice, List.of(), Outlook.NONE))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("two inputs of a step have one name");
    List<Param> many = new ArrayList<>();
    for (int i = 0; i <= StepDetails.PARAMS_MAX; i++) many.add(new Param("p" + i, i));
    assertThatThrownBy(() -> new StepDetails("", "", List.of(), many, Outlook.NONE))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("at most 50 expected outputs");
  }

  @Test
  void an_estimate_is_never_negative_and_a_name_is_one_line() {
    assertThatThrownBy(() -> new Outlook(new BigDecimal("-1"), null, ""))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("an estimated cost cannot be negative");
    assertThatThrownBy(() -> new StepDetails("a\nb", "", List.of(), List.of(), Outlook.NONE))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("one line");
    assertThat(new StepDetails("  ", " Read ", List.of(), List.of(), Outlook.NONE))
        .isEqualTo(new StepDetails("", "Read", List.of(), List.of(), Outlook.NONE));
  }

  @Test
  void the_fields_of_an_entry_are_those_of_the_document() {
    assertThat(Arrays.stream(Field.values()).map(Field::key))
        .containsExactly(
            "component_used",
            "tool_used",
            "real_inputs",
            "real_outputs",
            "errors",
            "state_changes",
            "notes");
  }

  @Test
  void an_entry_failed_exactly_when_it_names_errors() {
    assertThat(record(1, Map.of(Field.ERRORS, "boom")).failed()).isTrue();
    assertThat(record(1, Map.of(Field.ERRORS, " \n ")).failed()).isFalse();
    assertThat(record(1, Map.of(Field.NOTES, "boom")).failed()).isFalse();
    assertThat(record(1, Map.of(Field.NOTES, " x ")).texts()).isEqualTo(Map.of(Field.NOTES, "x"));
  }

  @Test
  void an_entry_has_a_step_of_a_plan_and_bounded_texts() {
    for (int bad : List.of(0, -1, Plan.STEPS_MAX + 1)) {
      assertThatThrownBy(() -> record(bad, Map.of()))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("between 1 and 100");
    }
    String long1 = "x".repeat(StepRecord.FIELD_CHARS_MAX + 1);
    assertThatThrownBy(() -> record(1, Map.of(Field.REAL_OUTPUTS, long1)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("real_outputs has 20,001 characters");
  }

  @Test
  void what_was_used_up_is_never_negative() {
    assertThatThrownBy(() -> new Spent(BigDecimal.ZERO, BigDecimal.ZERO, -1, 0))
        .isInstanceOf(Refusal.class);
    Spent one = new Spent(new BigDecimal("0.10"), new BigDecimal("1.5"), 2, 3);
    assertThat(one.plus(one))
        .isEqualTo(new Spent(new BigDecimal("0.2"), new BigDecimal("3"), 4, 6));
  }

  @Test
  void variables_are_theirs_and_beside_them_what_mainstay_knows() {
    Plan plan = new Plan(List.of(new Plan.Step("a", StepStatus.DONE, null), Plan.Step.todo("b")));
    var identity =
        new Execution.Identity("exec_1_a", ExecutionMode.SIMULATION, ExecutionType.LEGAL, NOON);
    var origin = NotebookSamples.by(NotebookSamples.ADA);
    var mine = Variables.INITIAL.with("file_paths", JsonObject.of("output_file", "out.md"));
    Dossier dossier =
        Dossier.EMPTY
            .after(new RunEvent.Started("the goal", List.of()), origin)
            .after(new TaskStateEvent.PlanSet(plan), origin)
            .after(
                new ExecutionEvent.Begun(
                    identity, Execution.NONE.constraints(), new Pages(mine, List.of(), Map.of())),
                origin);
    JsonObject all = Variables.all(dossier, List.of(new BigDecimal("0.1")));
    assertThat(Variables.theirs(all)).isEqualTo(mine);
    assertThat(all.asMap().keySet())
        .containsExactlyInAnyOrder(
            "execution_metadata", "step_data", "file_paths", "extracted_data", "cost_tracking");
    assertThat(all.object("execution_metadata"))
        .isEqualTo(
            JsonObject.of("execution_id", "exec_1_a", "goal", "the goal", "mode", "SIMULATION")
                .with("type", "legal"));
    assertThat(all.object("step_data"))
        .isEqualTo(JsonObject.of("current_step", 2, "total_steps", 2));
    assertThat(all.object("cost_tracking").list("step_costs"))
        .isEqualTo(List.of(new BigDecimal("0.1")));
    assertThat(References.resolve("{{file_paths.output_file}}", all)).isEqualTo("out.md");
  }
}
