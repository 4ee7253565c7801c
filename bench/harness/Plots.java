import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The plots of one row: bars of what was compared, and lines of what has a size or a curve. */
final class Plots {
  private final Path folder;
  private final List<String> names = new ArrayList<>();

  private Plots(Path folder) {
    this.folder = folder;
  }

  /** Writes them, and returns their names. */
  static List<String> write(Result result, String title, Path folder) throws IOException {
    Files.createDirectories(folder);
    Plots plots = new Plots(folder);
    plots.bars(result, title);
    plots.growth(result);
    plots.curves(result);
    return plots.names;
  }

  private void bars(Result result, String title) throws IOException {
    List<Sample> flat =
        result.measured().samples().stream().filter(each -> each.at().x() == null).toList();
    List<Cell> cells = Cell.of(flat).stream().filter(each -> each.whos().size() > 1).toList();
    if (!cells.isEmpty()) put(result.row(), BarPlot.of(title, cells));
  }

  /** What each figure costs beside what it costs at the smallest size. */
  private void growth(Result result) throws IOException {
    Map<String, Map<Double, List<Double>>> figures = new LinkedHashMap<>();
    for (Sample each : result.measured().samples()) {
      if (each.at().x() == null) continue;
      String name = each.metric() + (each.who().equals("mainstay") ? "" : ", " + each.who());
      double cost = each.more() ? 1 / each.at().value() : each.at().value();
      figures
          .computeIfAbsent(name, key -> new TreeMap<>())
          .computeIfAbsent(each.at().x(), key -> new ArrayList<>())
          .add(cost);
    }
    if (figures.isEmpty()) return;
    List<LinePlot.Curve> curves = new ArrayList<>();
    figures.forEach((name, points) -> curves.add(relative(name, points)));
    String title = "cost, where the smallest size costs 1";
    put(result.row() + "-growth", LinePlot.of(title, fact(result, "x"), curves, true));
  }

  private static LinePlot.Curve relative(String name, Map<Double, List<Double>> points) {
    List<Double> medians =
        points.values().stream().map(values -> new Spread(values).median()).toList();
    double first = medians.get(0);
    return new LinePlot.Curve(
        name,
        List.copyOf(points.keySet()),
        medians.stream().map(each -> first == 0 ? 1 : each / first).toList());
  }

  private void curves(Result result) throws IOException {
    Map<String, List<JsonObject>> drawn = new LinkedHashMap<>();
    for (JsonObject each : result.measured().curves()) {
      drawn.computeIfAbsent(each.text("curve"), key -> new ArrayList<>()).add(each);
    }
    for (Map.Entry<String, List<JsonObject>> each : drawn.entrySet()) {
      List<LinePlot.Curve> curves =
          each.getValue().stream()
              .map(
                  line ->
                      new LinePlot.Curve(
                          line.text("who"), numbers(line.list("x")), numbers(line.list("y"))))
              .toList();
      String across = each.getValue().get(0).text("x_title");
      put(
          result.row() + "-" + slug(each.getKey()),
          LinePlot.of(each.getKey(), across, curves, false));
    }
  }

  private static String fact(Result result, String name) {
    return result.measured().facts().stream()
        .filter(each -> each.text("fact").equals(name))
        .map(each -> each.text("text"))
        .findFirst()
        .orElse("");
  }

  private static List<Double> numbers(List<?> values) {
    return values.stream().map(Sample::number).toList();
  }

  private static String slug(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
  }

  private void put(String name, String drawing) throws IOException {
    Files.writeString(folder.resolve(name + ".svg"), drawing);
    names.add(name + ".svg");
  }
}
