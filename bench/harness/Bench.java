import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs rows, keeps their results, and writes the document; see bench/run and bench/compare. */
public final class Bench {
  private static final int USAGE = 2;

  private boolean smoke;
  private boolean documentOnly;
  private boolean keep;
  private Path rows = Path.of("bench/rows");
  private Path results = Path.of("bench/results");
  private Path docs = Path.of("docs");
  private final List<String> names = new ArrayList<>();

  private Bench() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("compare")) {
      Comparison comparison =
          Comparison.of(
              Result.readAll(Path.of(arguments[1])), Result.readAll(Path.of(arguments[2])));
      System.out.print(comparison.text());
      System.exit(comparison.hasRegressions() ? 1 : 0);
    }
    Bench bench = new Bench();
    bench.parse(List.of(arguments).subList(1, arguments.length));
    System.exit(bench.run() ? 0 : 1);
  }

  private void parse(List<String> arguments) throws IOException {
    for (int i = 0; i < arguments.size(); i++) {
      String each = arguments.get(i);
      switch (each) {
        case "--smoke" -> smoke = true;
        case "--document" -> documentOnly = true;
        case "--keep" -> keep = true;
        case "--rows" -> rows = folder(arguments, ++i);
        case "--results" -> results = folder(arguments, ++i);
        case "--docs" -> docs = folder(arguments, ++i);
        default -> names.add(each);
      }
    }
    List<String> known = known();
    for (String each : names) {
      if (known.contains(each)) continue;
      usage("there is no row " + each + "; there are " + String.join(" ", known) + ".");
    }
    if (names.isEmpty()) names.addAll(known);
  }

  private static Path folder(List<String> arguments, int place) {
    if (place >= arguments.size()) usage(arguments.get(place - 1) + " needs a folder.");
    return Path.of(arguments.get(place));
  }

  private static void usage(String sentence) {
    System.err.println("bench/run: " + sentence);
    System.exit(USAGE);
  }

  /** A row is a program without an ending. */
  private List<String> known() throws IOException {
    try (Stream<Path> files = Files.list(rows)) {
      return files
          .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.contains("."))
          .sorted()
          .toList();
    }
  }

  private boolean run() throws IOException, InterruptedException {
    boolean well = true;
    if (!documentOnly) {
      for (String each : names) well &= measure(each);
    }
    if (!smoke) new Document(rows, docs).write(Result.readAll(results));
    return well;
  }

  private boolean measure(String name) throws IOException, InterruptedException {
    String place = smoke ? name + "-smoke" : name;
    Path work = Path.of("target/bench/work").resolve(place).toAbsolutePath();
    Files.createDirectories(work.getParent());
    Path begun = work.resolveSibling(place + ".begun");
    JsonObject before;
    Measured measured;
    try {
      if (keep) {
        before = JsonText.object(Files.readString(begun)).with("stopped_early", true);
        measured = Measured.of(RowProcess.kept(work)).ofWholeRounds();
      } else {
        System.err.println("bench/run: " + name + ", load " + Circumstances.load());
        before = Circumstances.before(work.getParent());
        Files.writeString(begun, JsonText.write(before));
        Path program = rows.resolve(name).toAbsolutePath();
        measured = Measured.of(RowProcess.lines(program, work, smoke));
      }
    } catch (IOException | IllegalArgumentException failed) {
      System.err.println("bench/run: " + name + " FAILED: " + failed.getMessage());
      return false;
    }
    for (JsonObject each : measured.failures()) System.err.println("bench/run: WRONG: " + each);
    if (!measured.ownFailures().isEmpty()) {
      System.err.println(
          "bench/run: " + name + " FAILED: what it did was not right, so there is no number");
      return false;
    }
    if (measured.checks().isEmpty()) {
      System.err.println("bench/run: " + name + " FAILED: it checked nothing");
      return false;
    }
    Result result = new Result(name, measured.trusted(), Circumstances.after(before));
    Path kept = smoke ? Path.of("target/bench/smoke") : results;
    result.write(kept.resolve(name + ".json"));
    System.out.print(Report.of(result));
    return true;
  }
}
