package dev.mainstay.cli;

import dev.mainstay.domain.Amount;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionJson;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Proposal;
import dev.mainstay.state.Executions.View;
import dev.mainstay.state.StepComparison;
import dev.mainstay.state.StepComparison.Row;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code mainstay exec show}: how far it is, and what was estimated against what it took. */
@CommandLine.Command(
    name = "show",
    description = "Show how far the execution is, with estimated and actual cost and time.",
    footer = {"", "Example:", "  mainstay exec show"})
final class ExecShowCommand extends ExecCommand {
  ExecShowCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    var worked = looking((house, task) -> house.executions().view(task));
    View view = worked.answer();
    StepComparison comparison = StepComparison.of(view);
    if (json) {
      session.json(
          ExecutionJson.write(view.execution())
              .with("task_id", view.task().id().value())
              .with("goal", view.dossier().state().run().goal())
              .with("steps", comparison.toJson())
              .with("findings", json(worked.findings())));
      return ExitCodes.OK;
    }
    Execution execution = view.execution();
    session.print(
        Phrase.of(
            "%s (%s): %s%s",
            execution.id(),
            view.task().id(),
            execution.status(),
            execution.head().identity().isSimulation() ? ", only simulated" : ""));
    session.print(table(comparison));
    worked.findings().forEach(finding -> session.note(Printable.line(finding.toString())));
    String review = execution.head().reviewFor();
    if (review != null) session.note("waits for a person's review: " + Printable.line(review));
    for (Proposal proposal : execution.review().open()) {
      session.note(
          Printable.line(
              Phrase.of(
                  "proposal %d waits for a person: %s",
                  proposal.number(), proposal.shown(execution))));
    }
    return ExitCodes.OK;
  }

  private List<String> table(StepComparison comparison) {
    Table table =
        new Table(
            session.columns(), "#", "STATUS", "COST", "ESTIMATED", "TIME", "ESTIMATED", "STEP");
    for (Row row : comparison.rows()) {
      table.row(
          Integer.toString(row.number()),
          row.step().status().typed() + (row.step().isSimulated() ? " (simulated)" : ""),
          money(row.cost()),
          money(row.step().details().outlook().cost()),
          seconds(row.time()),
          seconds(row.step().details().outlook().time()),
          row.step().label());
    }
    table.row(
        "",
        "total",
        money(comparison.cost()),
        money(comparison.estimatedCost()),
        seconds(comparison.time()),
        seconds(comparison.estimatedTime()),
        "");
    return table.lines();
  }

  private static String money(@Nullable BigDecimal amount) {
    return amount == null ? "-" : "$" + Amount.plain(amount);
  }

  private static String seconds(@Nullable BigDecimal amount) {
    return amount == null ? "-" : amount.toPlainString() + "s";
  }
}
