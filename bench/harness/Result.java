import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One run of a row: what was measured, and under which circumstances. */
record Result(String row, Measured measured, JsonObject circumstances) {

  static Result read(Path file) throws IOException {
    JsonObject stored = JsonText.object(Files.readString(file));
    return new Result(stored.text("row"), Measured.of(stored), stored.object("circumstances"));
  }

  static List<Result> readAll(Path folder) throws IOException {
    List<Result> all = new ArrayList<>();
    if (!Files.isDirectory(folder)) return all;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.filter(file -> file.toString().endsWith(".json")).sorted().toList()) {
        all.add(read(each));
      }
    }
    return all;
  }

  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text());
  }

  /** A line for each of the many, so that a difference between two runs can be read. */
  String text() {
    StringBuilder text = new StringBuilder("{\n");
    text.append("\"row\":").append(JsonText.write(row));
    text.append(",\n\"circumstances\":").append(JsonText.write(circumstances));
    list(text, "facts", measured.facts());
    list(text, "checks", measured.checks());
    list(text, "goals", measured.goals().stream().map(Goal::line).toList());
    list(text, "outcomes", measured.outcomes().stream().map(Result::json).toList());
    List<Cell> cells = measured.cells();
    list(text, "aggregates", cells.stream().flatMap(Result::aggregates).toList());
    list(text, "ratios", cells.stream().flatMap(Result::ratios).toList());
    list(text, "samples", measured.samples().stream().map(Sample::json).toList());
    list(text, "curves", measured.curves());
    return text.append("\n}\n").toString();
  }

  private static void list(StringBuilder text, String name, List<JsonObject> items) {
    text.append(",\n").append(JsonText.write(name)).append(":[");
    for (int i = 0; i < items.size(); i++) {
      text.append(i == 0 ? "\n" : ",\n").append(JsonText.write(items.get(i)));
    }
    text.append(']');
  }

  private static JsonObject json(Goal.Outcome each) {
    return JsonObject.of("goal", each.goal(), "where", each.where(), "found", each.found())
        .with("reached", each.reached());
  }

  private static Stream<JsonObject> aggregates(Cell cell) {
    return cell.whos().entrySet().stream()
        .map(
            each ->
                named(cell, each.getKey())
                    .with("unit", cell.unit())
                    .with("median", each.getValue().median())
                    .with("min", each.getValue().least())
                    .with("max", each.getValue().most())
                    .with("rounds", each.getValue().values().size()));
  }

  private static Stream<JsonObject> ratios(Cell cell) {
    return cell.pairs().stream()
        .map(
            each ->
                named(cell, each.ours())
                    .with("beside", each.other())
                    .with("verdict", each.ratio().verdict().name())
                    .with("better_by", each.ratio().text()));
  }

  private static JsonObject named(Cell cell, String who) {
    return JsonObject.of("variant", cell.variant(), "metric", cell.metric(), "who", who);
  }
}
