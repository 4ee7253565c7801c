import dev.mainstay.bench.Lines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What each operation takes among few and among very many tasks: {@code GrowthRow DATABASE FOLDER
 * ROUNDS TIMES TASKS...}. All stores are filled first, and then take turns, round after round; the
 * first round warms up and is not counted.
 */
public final class GrowthRow {
  private static final String OURS = "mainstay";
  private static final int SLOW_EVERY = 10;

  private final Lines lines = new Lines("growth");
  private final int times;

  private GrowthRow(int times) {
    this.times = times;
  }

  public static void main(String[] args) throws Exception {
    boolean postgres = args[0].equals("postgresql");
    GrowthRow row = new GrowthRow(Integer.parseInt(args[3]));
    try (OwnPostgres server = postgres ? new OwnPostgres() : null) {
      QueueSupply supply = new QueueSupply(server, Path.of(args[1]));
      List<GrowthStore> stores = new ArrayList<>();
      for (int i = 4; i < args.length; i++) {
        QueueSupply.Place place = supply.next();
        long start = System.nanoTime();
        stores.add(new GrowthStore(place, place.typed(), Integer.parseInt(args[i])));
        System.err.printf(
            "%s tasks filled in %.0f s%n", args[i], (System.nanoTime() - start) / 1e9);
      }
      row.run(stores, Integer.parseInt(args[2]));
      for (GrowthStore store : stores) store.close();
    }
    System.exit(0);
  }

  private void run(List<GrowthStore> stores, int rounds) throws Exception {
    lines.settings(
        OURS,
        "one caller who waits for each answer; of " + times + " a round the tenth percentile");
    lines.fact("x", null, "tasks");
    int most = stores.get(stores.size() - 1).tasks();
    String[] apart = {named(most), named(stores.get(0).tasks())};
    for (String operation : stores.get(0).operations().keySet()) {
      lines.goal("at most 1.5 times from " + apart[1] + " to " + apart[0], operation, apart, 1.5);
    }
    for (int round = 0; round <= rounds; round++) {
      var figures = figures(stores);
      for (var each : figures.entrySet()) {
        if (round > 0) report(stores, each.getKey(), each.getValue(), round);
      }
    }
    for (GrowthStore store : stores) {
      String wrong = store.wrong();
      lines.check(
          "each life left one task, created and completed once",
          named(store.tasks()),
          OURS,
          wrong.isEmpty(),
          wrong);
    }
  }

  private void report(List<GrowthStore> stores, String operation, double[] micros, int round) {
    Lines.Metric metric = new Lines.Metric(operation, "us", false);
    for (int i = 0; i < micros.length; i++) {
      int size = stores.get(i).tasks();
      lines.sample(named(size), OURS, metric, round, micros[i], size);
    }
  }

  private static String named(int tasks) {
    return String.format(Locale.ROOT, "%,d tasks", tasks);
  }

  /** Microseconds of each operation in each store; a busy moment meets all stores alike. */
  private Map<String, double[]> figures(List<GrowthStore> stores) throws Exception {
    Map<String, List<List<Double>>> all = new LinkedHashMap<>();
    for (int i = 0; i < times; i++) {
      for (String operation : stores.get(0).operations().keySet()) {
        if (operation.equals(GrowthStore.SLOW) && i % SLOW_EVERY != 0) continue;
        List<List<Double>> micros = all.computeIfAbsent(operation, name -> lists(stores.size()));
        for (int turn = 0; turn < stores.size(); turn++) {
          int s = (turn + i) % stores.size(); // whoever comes first finds the processor cold
          GrowthStore.Operation step = stores.get(s).operations().get(operation);
          long start = System.nanoTime();
          step.run();
          micros.get(s).add((System.nanoTime() - start) / 1e3);
        }
      }
    }
    Map<String, double[]> figures = new LinkedHashMap<>();
    all.forEach(
        (operation, micros) ->
            figures.put(operation, micros.stream().mapToDouble(GrowthRow::undisturbed).toArray()));
    return figures;
  }

  private static List<List<Double>> lists(int count) {
    return Stream.generate(() -> (List<Double>) new ArrayList<Double>()).limit(count).toList();
  }

  /** What one takes whom the rest of the machine disturbs least: nine of ten took longer. */
  private static double undisturbed(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 10).findFirst().orElseThrow();
  }
}
