import java.util.List;
import java.util.Map;

/** Bars with whiskers from the least to the most, a panel for each figure with its own scale. */
final class BarPlot {
  private static final double LEFT = 350;
  private static final double RIGHT = 130;
  private static final double BAR = 16;
  private static final double STEP = 23;
  private static final double HEAD = 34;
  private static final double GAP = 14;

  /** Beyond this the short bars could not be told from each other. */
  private static final double LINEAR_MAX = 60;

  private BarPlot() {}

  static String of(String title, List<Cell> cells) {
    Svg svg = new Svg();
    double y = GAP;
    for (Cell each : cells) y = panel(svg, each, y);
    return svg.drawing(y, title);
  }

  private static double panel(Svg svg, Cell cell, double top) {
    double most = 0;
    double least = Double.MAX_VALUE;
    for (Spread each : cell.whos().values()) {
      most = Math.max(most, each.most());
      if (each.least() > 0) least = Math.min(least, each.least());
    }
    boolean isLog = least < Double.MAX_VALUE && most / least > LINEAR_MAX;
    Scale scale = new Scale(isLog ? least / 2 : 0, most, isLog);
    String way = (cell.more() ? "more" : "less") + " is better" + (isLog ? ", logarithmic" : "");
    svg.text(GAP, top + 14, "title", "start", cell.name());
    svg.text(Svg.WIDTH - GAP, top + 14, "faint", "end", way);
    double y = top + HEAD;
    int peer = 0;
    for (Map.Entry<String, Spread> each : cell.whos().entrySet()) {
      String colour = Svg.colour(each.getKey(), peer);
      if (Sample.isPeer(each.getKey())) peer++;
      bar(svg, cell, each, scale, y, colour);
      y += STEP;
    }
    return y + GAP;
  }

  private static void bar(
      Svg svg, Cell cell, Map.Entry<String, Spread> who, Scale scale, double y, String colour) {
    Spread spread = who.getValue();
    double middle = y + BAR / 2;
    svg.text(LEFT - 10, middle + 4, "", "end", who.getKey());
    svg.bar(LEFT, y, scale.at(spread.median()), BAR, colour);
    double from = LEFT + scale.at(spread.least());
    double to = LEFT + scale.at(spread.most());
    if (to - from > 2) {
      svg.line("whisker", from, middle, to, middle);
      svg.line("whisker", from, middle - 4, from, middle + 4);
      svg.line("whisker", to, middle - 4, to, middle + 4);
    }
    String value = Figures.of(spread.median(), cell.unit());
    svg.text(Math.max(to, LEFT + 1) + 8, middle + 4, "faint", "start", value);
  }

  private record Scale(double from, double to, boolean isLog) {
    double at(double value) {
      double room = Svg.WIDTH - LEFT - RIGHT;
      if (to <= from || value <= from) return 0;
      if (!isLog) return room * value / to;
      return room * Math.log(value / from) / Math.log(to / from);
    }
  }
}
