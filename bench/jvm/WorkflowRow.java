import dev.mainstay.bench.Lines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Instances per second of "start, split in 3, 3 external tasks, join, end": {@code WorkflowRow
 * FOLDER all|embedded INSTANCES ROUNDS WORKERS}. All take their turns round after round, each with
 * a store that was empty; the first round warms up and is not counted.
 */
public final class WorkflowRow {
  private static final Lines.Metric INSTANCES = new Lines.Metric("instances", "1/s", true);
  private static final Lines.Metric PROCESSOR =
      new Lines.Metric("processor time of an instance", "ms", false);
  private static final String OURS = "mainstay";
  private static final String FLOOR = "floor: bare statements for each instance";
  static final String FLOWABLE = "Flowable 8.0.0";
  static final String OPERATON = "Operaton 1.0.3";

  private final Lines lines = new Lines("parallel workflow instances");
  private final QueueSupply servers;
  private final QueueSupply files;
  private final Path folder;
  private final Processor processor;
  private int databases;

  private WorkflowRow(OwnPostgres server, Path folder) throws Exception {
    processor = new Processor(server);
    servers = new QueueSupply(server, folder);
    files = new QueueSupply(null, folder);
    this.folder = folder;
  }

  /** An engine on a database of its own. */
  interface Peer {
    WorkflowEngine open(String jdbc, int workers) throws Exception;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Peer> peers() {
    try {
      Object all = Class.forName("WorkflowPeers").getDeclaredConstructor().newInstance();
      return ((Supplier<Map<String, Peer>>) all).get();
    } catch (ClassNotFoundException left) {
      return Map.of();
    } catch (ReflectiveOperationException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  private interface Opening {
    WorkflowEngine open() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    boolean[] kinds = args[1].equals("all") ? new boolean[] {true, false} : new boolean[] {false};
    try (OwnPostgres server = kinds[0] ? new OwnPostgres() : null) {
      WorkflowRow row = new WorkflowRow(server, Path.of(args[0]));
      row.settings();
      row.lines.goal("within 2 times the floor", INSTANCES, FLOOR, 2);
      int[] how = new int[] {0, Integer.parseInt(args[2]), Integer.parseInt(args[4])};
      for (int round = 0; round <= Integer.parseInt(args[3]); round++) {
        how[0] = round;
        for (boolean postgres : kinds) row.run(postgres, how);
      }
    }
    System.exit(0); // threads of a peer that outlive it are not waited for
  }

  private void settings() {
    lines.settings(
        OURS,
        "PostgreSQL 18 with fsync, synchronous_commit and full_page_writes on, or SQLite with WAL and"
            + " synchronous FULL; up to three tasks a claim, each completed by itself, all journaled");
    lines.settings(FLOOR, "the same databases and durability, up to three tasks a claim");
    lines.settings(
        FLOWABLE,
        "history off, event registry and identity off; external workers with exclusive='false' and an"
            + " executor that looks every 50 ms, or receive tasks triggered by whoever started them;"
            + " H2 2.4.240 in a file with WRITE_DELAY=0, which writes each commit but does not force it"
            + " to the disk");
    lines.settings(
        OPERATON,
        "history and metrics off, job executor off (nothing is asynchronous); external tasks fetched"
            + " and locked up to three at once, or receive tasks; the same H2");
  }

  /**
   * @param how the round, how many instances, and by how many workers
   */
  private void run(boolean postgres, int[] how) throws Exception {
    String variant = (postgres ? "PostgreSQL, " : "embedded, ") + how[2] + " workers";
    List<Map.Entry<String, Opening>> all =
        new ArrayList<>(contestants(postgres, how[2]).entrySet());
    Collections.rotate(all, how[0]);
    for (var each : all) turn(variant, each.getKey(), each.getValue(), how);
  }

  private void turn(String variant, String who, Opening opening, int[] how) throws Exception {
    String sentence = "all instances ended, and each task was done once";
    int round = how[0];
    try (WorkflowEngine engine = opening.open()) {
      double before = processor.millis();
      double figure = WorkflowEngine.perSecond(engine, how[1], how[2]);
      double used = (processor.millis() - before) / how[1];
      if (round == 0) return;
      lines.check(sentence, variant, who, true, how[1] + " instances");
      lines.sample(variant, who, INSTANCES, round, figure);
      lines.sample(variant, who, PROCESSOR, round, used);
    } catch (IllegalStateException wrong) {
      wrong.printStackTrace();
      lines.check(sentence, variant, who, false, wrong.toString());
    }
  }

  private Map<String, Opening> contestants(boolean postgres, int workers) {
    QueueSupply supply = postgres ? servers : files;
    Map<String, Opening> all = new LinkedHashMap<>();
    all.put(OURS, () -> new MainstayWorkflows(supply.next().address(), folder));
    all.put(FLOOR, () -> new BareWorkflows(supply.next().jdbc(), postgres, workers));
    peers().forEach((who, peer) -> all.put(who, () -> peer.open(database(postgres), workers)));
    return all;
  }

  /** Every commit is written at once; H2 leaves it to the disk when it is really there. */
  private String database(boolean postgres) throws Exception {
    if (postgres) return servers.next().jdbc();
    return "jdbc:h2:file:" + folder.resolve("h" + ++databases) + ";WRITE_DELAY=0";
  }
}
