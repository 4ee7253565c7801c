import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.Map;

/** The absolute figures of a row, with the machine, its load and everybody's settings. */
final class Aside {
  private Aside() {}

  static String of(Result result) {
    StringBuilder out = new StringBuilder("<details><summary>Absolute figures, settings, machine");
    out.append("</summary>\n\n| what | who | median | least to most | rounds |\n");
    out.append("|---|---|---|---|---|\n");
    for (Cell cell : result.measured().cells()) {
      cell.whos().entrySet().forEach(each -> out.append(line(cell, each)));
    }
    out.append('\n');
    for (JsonObject each : result.measured().facts()) {
      if (each.text("fact").equals("x")) continue;
      out.append("- ").append(each.has("who") ? each.text("who") + ": " : "");
      out.append(each.text("text")).append('\n');
    }
    List<JsonObject> checks = result.measured().checks();
    out.append("- ").append(checks.size()).append(" checks, among them: ");
    out.append(checks.isEmpty() ? "none" : checks.get(0).text("check")).append(".\n");
    return out.append(circumstances(result.circumstances())).append("\n</details>\n").toString();
  }

  private static String line(Cell cell, Map.Entry<String, Spread> who) {
    Spread spread = who.getValue();
    return String.format(
        "| %s | %s | %s | %s to %s | %d |%n",
        cell.name(),
        who.getKey(),
        Figures.of(spread.median(), cell.unit()),
        Figures.of(spread.least()),
        Figures.of(spread.most()),
        spread.values().size());
  }

  private static String circumstances(JsonObject all) {
    return String.format(
        "- %s, %s cores, %s, %s, disk %s; load %s before and %s after; Java %s, Node.js %s;"
            + " commit %s%s, %s%s.%n",
        all.text("processor"),
        all.text("cores"),
        all.text("memory"),
        all.text("system"),
        all.text("disk"),
        all.text("load_before"),
        all.text("load_after"),
        all.text("java"),
        all.text("node"),
        all.text("commit"),
        Boolean.TRUE.equals(all.get("changed_since")) ? " with changes" : "",
        all.text("at"),
        all.has("stopped_early") ? "; stopped before its last round" : "");
  }
}
