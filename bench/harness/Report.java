import java.util.List;

/** What a run found, for a terminal. */
final class Report {
  private Report() {}

  static String of(Result result) {
    StringBuilder text = new StringBuilder("== ").append(result.row()).append(" ==\n");
    for (Cell cell : result.measured().cells()) {
      text.append(cell.name()).append('\n');
      cell.whos().forEach((who, spread) -> text.append(line(cell, who, spread)));
      for (Cell.Pair each : cell.pairs()) {
        text.append("    ").append(each.ours()).append(" beside ").append(each.other());
        text.append(": ").append(said(each)).append('\n');
      }
    }
    for (Goal.Outcome each : result.measured().outcomes()) {
      text.append(each.reached() ? "reached: " : "MISSED: ").append(each.goal());
      text.append(" (").append(each.where()).append(": ").append(each.found()).append(")\n");
    }
    long checks = result.measured().checks().size();
    text.append(checks).append(" checks, ");
    List<?> failures = result.measured().failures();
    return text.append(failures.isEmpty() ? "all well\n" : failures.size() + " failed by others\n")
        .toString();
  }

  private static String line(Cell cell, String who, Spread spread) {
    return String.format(
        "  %-44s %12s  (%s to %s, %d rounds)%n",
        who,
        Figures.of(spread.median(), cell.unit()),
        Figures.of(spread.least()),
        Figures.of(spread.most()),
        spread.values().size());
  }

  static String said(Cell.Pair pair) {
    Ratio ratio = pair.ratio();
    if (!ratio.isKnown()) return ratio.text();
    if (Sample.isFloor(pair.other())) return ratio.inverse().text() + " times the floor's cost";
    return ratio.text() + " times as good";
  }
}
