import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A figure that ours should keep: at most so many times the cost of another (somebody, or another
 * variant), or an absolute bound. It holds for each of ours and each place that it does not
 * exclude.
 */
record Goal(JsonObject line) {

  /** What became of it at one place. */
  record Outcome(String goal, String where, String found, boolean reached) {}

  static Goal of(JsonObject line) {
    boolean isBound = line.has("most") || line.has("least");
    boolean isRatio = line.has("times") && (line.has("against") || line.has("against_variant"));
    if (isBound == isRatio) {
      throw new IllegalArgumentException(
          "a goal has most, least, or times with against or against_variant: " + line);
    }
    line.text("goal");
    return new Goal(line);
  }

  List<Outcome> outcomes(List<Cell> cells) {
    List<Outcome> all = new ArrayList<>();
    for (Cell cell : cells) {
      if (!wants("variant", cell.variant()) || !wants("metric", cell.metric())) continue;
      cell.whos()
          .forEach(
              (who, spread) -> {
                boolean isMeant =
                    line.has("who") ? line.text("who").equals(who) : Sample.isOurs(who);
                if (isMeant) add(all, cells, cell, who);
              });
    }
    return all;
  }

  private boolean wants(String key, String value) {
    return !line.has(key) || line.text(key).equals(value);
  }

  private void add(List<Outcome> all, List<Cell> cells, Cell cell, String who) {
    Spread own = cell.whos().get(who);
    String where = cell.name() + (who.equals("mainstay") ? "" : " (" + who + ")");
    if (line.has("times")) {
      Spread other = against(cells, cell, who);
      if (other == null) return;
      double cost = cell.more() ? other.median() / own.median() : own.median() / other.median();
      if (own.median() == other.median()) cost = 1;
      boolean reached = cost <= Sample.number(line.get("times"));
      all.add(new Outcome(line.text("goal"), where, Figures.of(cost) + " times", reached));
      return;
    }
    boolean reached =
        line.has("most")
            ? own.median() <= Sample.number(line.get("most"))
            : own.median() >= Sample.number(line.get("least"));
    String found = Figures.of(own.median(), cell.unit());
    all.add(new Outcome(line.text("goal"), where, found, reached));
  }

  private Spread against(List<Cell> cells, Cell cell, String who) {
    if (line.has("against")) return cell.whos().get(line.text("against"));
    for (Cell each : cells) {
      if (each.variant().equals(line.text("against_variant"))
          && each.metric().equals(cell.metric())) return each.whos().get(who);
    }
    return null;
  }
}
