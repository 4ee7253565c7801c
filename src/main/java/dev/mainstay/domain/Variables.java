package dev.mainstay.domain;

import dev.mainstay.domain.Execution.Figures;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The variables of an execution as its file shows them: what people and agents put there, and
 * beside it what Mainstay itself knows, which nobody can change there.
 */
public final class Variables {
  public static final int CHARS_MAX = 256 * 1024;

  /** Far less than JSON may have, since values stand inside other objects. */
  /** The objects that Mainstay fills. */
  public static final Set<String> OWN = Set.of("execution_metadata", "step_data", "cost_tracking");

  /** What the document's template has for everybody else. */
  public static final JsonObject INITIAL =
      JsonObject.of(
          "file_paths",
          JsonObject.of("output_file", "", "temp_dir", "workspace/temp/"),
          "extracted_data",
          JsonObject.of(
              "urls_processed",
              List.of(),
              "key_metrics",
              JsonObject.EMPTY,
              "flags",
              JsonObject.EMPTY));

  private Variables() {}

  /** Everything, with the cost of each step that was recorded, in their order. */
  public static JsonObject all(Dossier dossier, List<BigDecimal> stepCosts) {
    Execution execution = dossier.execution();
    Figures figures = execution.figures();
    Spent total = figures.total();
    Plan plan = dossier.state().plan();
    ExecutionType type = execution.head().identity().type();
    return execution
        .pages()
        .variables()
        .with(
            "execution_metadata",
            JsonObject.of(
                "execution_id",
                execution.id(),
                "goal",
                dossier.state().run().goal(),
                "mode",
                execution.head().identity().mode(),
                "type",
                type == null ? null : type.typed()))
        .with(
            "step_data",
            JsonObject.of("current_step", currentStep(plan), "total_steps", plan.steps().size()))
        .with(
            "cost_tracking",
            JsonObject.of("total_cost", total.cost(), "step_costs", stepCosts)
                .with("total_time", total.time())
                .with("file_operations", total.fileOperations())
                .with("web_requests", total.webRequests())
                .with("failures", figures.failures())
                .with("consecutive_failures", figures.consecutiveFailures()));
  }

  /** The step that is worked on or comes next, from 1; the last one when none is left. */
  public static int currentStep(Plan plan) {
    return plan.next().map(place -> place + 1).orElse(plan.steps().size());
  }

  /** Without what Mainstay fills itself. */
  public static JsonObject theirs(JsonObject all) {
    Map<String, @Nullable Object> theirs = new LinkedHashMap<>(all.asMap());
    theirs.keySet().removeAll(OWN);
    return JsonObject.copyOf(theirs);
  }
}
