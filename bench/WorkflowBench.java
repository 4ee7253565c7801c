import dev.mainstay.store.StoreAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Instances per second of "start, split in 3, 3 external tasks, join, end": {@code WorkflowBench
 * FOLDER INSTANCES WORKERS ROUNDS}. All take their turns round after round, each with a store that
 * was empty, so that whatever else the machine does meets all of them; the first round warms up.
 */
public final class WorkflowBench {
  private static final String OURS = "mainstay";

  private final Path folder;
  private final int workers;
  private final OwnPostgres server;
  private int stores;

  private WorkflowBench(Path folder, int workers, OwnPostgres server) {
    this.folder = folder;
    this.workers = workers;
    this.server = server;
  }

  private interface Opening {
    WorkflowEngine open() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    int instances = Integer.parseInt(args[1]);
    int workers = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    try (OwnPostgres server = new OwnPostgres()) {
      new WorkflowBench(Path.of(args[0]), workers, server).run(instances, rounds);
    }
    System.exit(0); // threads of the peer that outlive it are not waited for
  }

  private void run(int instances, int rounds) throws Exception {
    Map<String, List<Double>> figures = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) { // the first one warms up
      for (var each : contenders().entrySet()) {
        try (WorkflowEngine engine = each.getValue().open()) {
          double figure = WorkflowEngine.perSecond(engine, instances, workers);
          System.err.printf(Locale.ROOT, "round %d %s %.1f%n", round, each.getKey(), figure);
          List<Double> all = figures.computeIfAbsent(each.getKey(), name -> new ArrayList<>());
          if (round >= 0) all.add(figure);
        }
      }
    }
    double ours = 0;
    for (var each : figures.entrySet()) {
      double figure = median(each.getValue());
      if (each.getKey().startsWith(OURS)) ours = figure;
      System.out.printf(
          Locale.ROOT,
          "{\"engine\":\"%s\",\"workers\":%d,\"instances\":%d,\"per_second\":%.1f,\"ours_to_it\":%.2f}%n",
          each.getKey(),
          workers,
          instances,
          figure,
          ours / figure);
    }
  }

  /** Each of ours before the peers on the same kind of store. */
  private Map<String, Opening> contenders() {
    Map<String, Opening> all = new LinkedHashMap<>();
    all.put("mainstay postgresql", () -> new MainstayWorkflows(schema(), folder));
    for (FlowablePeer.Form form : FlowablePeer.Form.values()) {
      String name = "flowable postgresql " + form.typed();
      all.put(name, () -> new FlowablePeer(database(), form, workers));
    }
    all.put("mainstay sqlite", () -> new MainstayWorkflows(file(), folder));
    for (FlowablePeer.Form form : FlowablePeer.Form.values()) {
      all.put("flowable h2 " + form.typed(), () -> new FlowablePeer(h2(), form, workers));
    }
    return all;
  }

  private StoreAddress schema() {
    return StoreAddress.parse(server.url() + "?schema=b" + ++stores);
  }

  private StoreAddress file() {
    return new StoreAddress.File(folder.resolve("b" + ++stores + ".sqlite3"));
  }

  /** A database of its own: the peer looks for its tables in every schema. */
  private String database() throws Exception {
    String name = "b" + ++stores;
    try (Connection connection = DriverManager.getConnection(server.jdbc());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return server.jdbc().replace("/postgres?", "/" + name + "?");
  }

  /** Every commit is written at once; H2 leaves it to the disk when it is really there. */
  private String h2() {
    return "jdbc:h2:file:" + folder.resolve("b" + ++stores) + ";WRITE_DELAY=0";
  }

  private static double median(List<Double> figures) {
    return figures.stream().sorted().skip(figures.size() / 2).findFirst().orElse(0.0);
  }
}
