import java.util.List;
import java.util.Locale;

/** Curves of several over one axis, with their names beside their ends. */
final class LinePlot {
  /** The points of one curve. */
  record Curve(String who, List<Double> x, List<Double> y) {
    Curve {
      if (x.size() != y.size() || x.isEmpty()) {
        throw new IllegalArgumentException("a curve has as many x as y: " + who);
      }
    }
  }

  private static final double LEFT = 90;
  private static final double RIGHT = 300;
  private static final double TOP = 48;
  private static final double HEIGHT = 240;
  private static final double BOTTOM = 48;
  private static final double LABEL_STEP = 17;
  private static final int TICKS = 4;
  private static final double LINEAR_MAX = 100;

  private final Axis across;
  private final Axis up;
  private final Svg svg = new Svg();

  private LinePlot(List<Curve> curves, boolean isWide) {
    across = Axis.of(curves.stream().flatMap(each -> each.x().stream()).toList(), isWide);
    up = Axis.of(curves.stream().flatMap(each -> each.y().stream()).toList(), false);
  }

  /** Where sizes are many times each other they have the same room each. */
  static String of(String title, String xTitle, List<Curve> curves, boolean isWide) {
    LinePlot plot = new LinePlot(curves, isWide);
    plot.frame(title, xTitle);
    plot.draw(curves);
    return plot.svg.drawing(TOP + HEIGHT + BOTTOM, title);
  }

  private double x(double value) {
    return LEFT + across.at(value) * (Svg.WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return TOP + HEIGHT - up.at(value) * HEIGHT;
  }

  private void frame(String title, String xTitle) {
    svg.text(14, 24, "title", "start", title);
    for (double tick : up.ticks()) {
      svg.line("line", LEFT, y(tick), Svg.WIDTH - RIGHT, y(tick));
      svg.text(LEFT - 8, y(tick) + 4, "faint", "end", Figures.of(tick));
    }
    for (double tick : across.ticks()) {
      svg.text(x(tick), TOP + HEIGHT + 18, "faint", "middle", Figures.of(tick));
    }
    double middle = LEFT + (Svg.WIDTH - LEFT - RIGHT) / 2;
    svg.text(middle, TOP + HEIGHT + 38, "faint", "middle", xTitle);
  }

  private void draw(List<Curve> curves) {
    List<Curve> byEnd = curves.stream().sorted((a, b) -> Double.compare(last(b), last(a))).toList();
    double lowest = TOP - LABEL_STEP;
    int peer = 0;
    for (Curve each : byEnd) {
      String colour = Svg.colour(each.who(), peer);
      if (Sample.isPeer(each.who())) peer++;
      StringBuilder points = new StringBuilder();
      for (int i = 0; i < each.x().size(); i++) {
        points.append(
            String.format(Locale.ROOT, "%.1f,%.1f ", x(each.x().get(i)), y(each.y().get(i))));
      }
      svg.path(points.toString().strip(), colour, Sample.isFloor(each.who()));
      lowest = Math.max(lowest + LABEL_STEP, y(last(each)) + 4);
      svg.bar(Svg.WIDTH - RIGHT + 8, lowest - 9, 10, 10, colour);
      svg.text(Svg.WIDTH - RIGHT + 24, lowest, "", "start", each.who());
    }
  }

  private static double last(Curve curve) {
    return curve.y().get(curve.y().size() - 1);
  }

  /** From zero, or logarithmic where one end is many times the other. */
  private record Axis(double from, double to, boolean isLog) {
    static Axis of(List<Double> values, boolean mayBeLog) {
      double most = values.stream().mapToDouble(each -> each).max().orElse(1);
      double least = values.stream().mapToDouble(each -> each).min().orElse(0);
      if (least > 0 && most / least >= LINEAR_MAX && mayBeLog) return new Axis(least, most, true);
      return new Axis(0, round(most), false);
    }

    double at(double value) {
      if (to <= from) return 0;
      return isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    }

    double[] ticks() {
      if (isLog) {
        int count = (int) Math.round(Math.log10(to / from));
        double[] ticks = new double[count + 1];
        for (int i = 0; i <= count; i++) ticks[i] = from * Math.pow(10, i);
        return ticks;
      }
      double[] ticks = new double[TICKS + 1];
      for (int i = 0; i <= TICKS; i++) ticks[i] = to * i / TICKS;
      return ticks;
    }

    /** The next number above that four steps lead to. */
    private static double round(double most) {
      if (most <= 0) return 1;
      double step = Math.pow(10, Math.floor(Math.log10(most / TICKS)));
      for (double factor : new double[] {1, 2, 2.5, 5, 10}) {
        if (step * factor * TICKS >= most) return step * factor * TICKS;
      }
      return most;
    }
  }
}
