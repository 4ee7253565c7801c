package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Execution.Figures;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.StepDetails.Outlook;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static Execution having(Spent total, String level) {
    Settings settings = new Settings(Map.of(Setting.HUMAN_REVIEW_TRIGGER_LEVEL, level));
    return Execution.NONE
        .with(new Constraints(settings, List.of(), List.of()))
        .with(new Figures(total, 0, 0, 0));
  }

  private static Spent spent(String cost, String time, long files, long web) {
    return new Spent(new BigDecimal(cost), new BigDecimal(time), files, web);
  }

  private static Step step(StepStatus status, String cost, String time, String sideEffects) {
    var outlook =
        new Outlook(
            cost == null ? null : new BigDecimal(cost),
            time == null ? null : new BigDecimal(time),
            sideEffects);
    return new Step("a", status, null, new StepDetails("", "", List.of(), List.of(), outlook));
  }

  private static final Step PLAIN = step(StepStatus.TODO, null, null, "");

  @Test
  void exactly_at_a_limit_nothing_is_passed_and_beyond_it_the_sentence_has_both_figures() {
    assertThat(Limits.passed(having(spent("0.5", "300", 20, 5), "high"))).isEmpty();
    assertThat(Limits.passed(having(spent("0.51", "300.001", 21, 6), "high")))
        .containsExactly(
            "max_cost_per_task is passed (cost $0.51 of $0.50)",
            "max_execution_time is passed (time 300.001s of 300s)",
            "max_file_operations is passed (21 file operations of 20)",
            "max_web_requests is passed (6 web requests of 5)");
  }

  @Test
  void low_asks_for_every_step() {
    Execution low = having(Spent.NOTHING, "low");
    assertThat(Limits.approvalFor(low, PLAIN)).contains("\"low\"");
    assertThat(Limits.approvalFor(low, step(StepStatus.TODO, null, null, "none"))).isNotNull();
  }

  @Test
  void medium_asks_for_side_effects_and_for_what_failed_before() {
    Execution medium = having(Spent.NOTHING, "medium");
    assertThat(Limits.approvalFor(medium, PLAIN)).isNull();
    for (String none : List.of("none", "None.", "no", "-", "n/a", " nothing ")) {
      assertThat(Limits.approvalFor(medium, step(StepStatus.TODO, null, null, none))).isNull();
    }
    assertThat(Limits.approvalFor(medium, step(StepStatus.TODO, null, null, "deletes a table")))
        .contains("side effects", "\"medium\"");
    assertThat(Limits.approvalFor(medium, step(StepStatus.FAILED, null, null, "")))
        .contains("failed before", "\"medium\"");
  }

  @Test
  void high_asks_only_when_the_estimate_would_pass_a_limit() {
    Execution high = having(spent("0.4", "290", 0, 0), "high");
    assertThat(Limits.approvalFor(high, step(StepStatus.FAILED, "0.1", "10", "deletes"))).isNull();
    assertThat(Limits.approvalFor(high, step(StepStatus.TODO, "0.11", null, "")))
        .isEqualTo("by its estimate max_cost_per_task is passed (cost $0.51 of $0.50)");
    assertThat(Limits.approvalFor(high, step(StepStatus.TODO, null, "11", "")))
        .contains("max_execution_time");
  }

  @Test
  void an_approved_step_needs_no_second_word() {
    Execution low = having(Spent.NOTHING, "low");
    Execution approved = low.with(low.review().approving(PLAIN.approval()));
    assertThat(Limits.approvalFor(approved, PLAIN)).isNull();
    assertThat(Limits.approvalFor(approved.with(approved.review().started("a")), PLAIN))
        .isNotNull();
  }

  @Test
  void tools_count_by_their_names_with_or_without_a_server() {
    for (String file :
        List.of("Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "read_file", "apply_patch")) {
      assertThat(ToolKind.of(file)).isEqualTo(ToolKind.FILE);
      assertThat(ToolKind.of("mcp__files__" + file)).isEqualTo(ToolKind.FILE);
    }
    for (String web : List.of("WebFetch", "WebSearch", "web_fetch", "google_web_search")) {
      assertThat(ToolKind.of(web)).isEqualTo(ToolKind.WEB);
      assertThat(ToolKind.of("mcp__net__" + web)).isEqualTo(ToolKind.WEB);
    }
    for (String other : List.of("Bash", "Task", "", "mcp__", "mcp__x__", "Reader", "READ")) {
      assertThat(ToolKind.of(other)).isEqualTo(ToolKind.OTHER);
    }
    assertThat(ToolKind.FILE.once()).isEqualTo(spent("0", "0", 1, 0));
    assertThat(ToolKind.WEB.once()).isEqualTo(spent("0", "0", 0, 1));
    assertThat(ToolKind.OTHER.once().isNothing()).isTrue();
  }
}
