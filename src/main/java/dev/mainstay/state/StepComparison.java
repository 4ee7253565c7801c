package dev.mainstay.state;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.state.Executions.View;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was estimated against what it really took, step by step and in total. */
public record StepComparison(List<Row> rows) {
  /** One step; without a record nothing is known of what it took. */
  public record Row(
      int number, Step step, @Nullable BigDecimal cost, @Nullable BigDecimal time, int records) {
    JsonObject toJson() {
      var outlook = step.details().outlook();
      return JsonObject.of("step", number, "label", step.label(), "status", step.status().typed())
          .with("estimated_cost", outlook.cost())
          .with("actual_cost", cost)
          .with("estimated_time", outlook.time())
          .with("actual_time", time)
          .with("records", records)
          .with("simulated", step.isSimulated() ? true : null);
    }
  }

  public StepComparison {
    rows = List.copyOf(rows);
  }

  /** A step that was tried several times took what all tries took. */
  public static StepComparison of(View view) {
    Plan plan = view.dossier().state().plan();
    List<Row> rows = new ArrayList<>();
    for (int place = 0; place < plan.steps().size(); place++) {
      int number = place + 1;
      List<StepRecord> tries =
          view.history().stream().filter(record -> record.step() == number).toList();
      BigDecimal cost = null;
      BigDecimal time = null;
      for (StepRecord record : tries) {
        cost = plus(cost, record.spent().cost());
        time = plus(time, record.spent().time());
      }
      rows.add(new Row(number, plan.step(place), cost, time, tries.size()));
    }
    return new StepComparison(rows);
  }

  public @Nullable BigDecimal cost() {
    BigDecimal sum = null;
    for (Row row : rows) sum = plus(sum, row.cost());
    return sum;
  }

  public @Nullable BigDecimal time() {
    BigDecimal sum = null;
    for (Row row : rows) sum = plus(sum, row.time());
    return sum;
  }

  public @Nullable BigDecimal estimatedCost() {
    BigDecimal sum = null;
    for (Row row : rows) sum = plus(sum, row.step().details().outlook().cost());
    return sum;
  }

  public @Nullable BigDecimal estimatedTime() {
    BigDecimal sum = null;
    for (Row row : rows) sum = plus(sum, row.step().details().outlook().time());
    return sum;
  }

  private static @Nullable BigDecimal plus(@Nullable BigDecimal sum, @Nullable BigDecimal more) {
    if (sum == null) return more;
    return more == null ? sum : sum.add(more);
  }

  public JsonObject toJson() {
    return JsonObject.of("steps", rows.stream().map(Row::toJson).toList())
        .with("estimated_cost", estimatedCost())
        .with("actual_cost", cost())
        .with("estimated_time", estimatedTime())
        .with("actual_time", time());
  }
}
