import dev.mainstay.domain.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** bench/rows/writers: WritersRow WORK ROUNDS WRITERS WRITES PEERS-or-dash MAINSTAY. */
public final class WritersRow {
  private static final Say SAY = new Say("8 processes write one store at once");
  private static final Say.Metric LOST = Say.Metric.less("acknowledged writes lost", "writes");
  private static final Say.Metric RATE = Say.Metric.perSecond("acknowledged writes that are there");

  private final int writers;
  private final int writes;

  private WritersRow(int writers, int writes) {
    this.writers = writers;
    this.writes = writes;
  }

  public static void main(String[] arguments) throws Exception {
    var row = new WritersRow(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    Contest contest = new Contest(Path.of(arguments[0]));
    row.add(contest, McpServers.mainstay(arguments[5]));
    boolean hasPeers = !arguments[4].equals("-");
    if (hasPeers) {
      for (McpServers.Server each : McpServers.peers(Path.of(arguments[4]))) {
        boolean isFloor = each.who().equals(McpServers.ECHO);
        if (!isFloor && !each.who().equals(CliPeers.BACKLOG)) row.add(contest, each);
      }
    }
    if (hasPeers) row.facts();
    contest.run(Integer.parseInt(arguments[1]));
  }

  private void add(Contest contest, McpServers.Server server) {
    contest.add("", server.who(), (folder, round) -> run(server, folder, round));
  }

  private void run(McpServers.Server server, Path folder, int round) throws Exception {
    server.places().setup().in(folder);
    Map<String, String> environment = new HashMap<>();
    server
        .environment()
        .forEach((key, value) -> environment.put(key, value.replace("FOLDER", folder.toString())));
    List<McpChild> children = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    long acknowledged = 0;
    double took;
    try {
      for (int i = 0; i < writers; i++) {
        children.add(new McpChild(folder, environment, server.argv()));
      }
      List<Future<JsonObject>> begun = new ArrayList<>();
      for (McpChild each : children) begun.add(pool.submit(each::begin));
      for (Future<JsonObject> each : begun) each.get();
      CountDownLatch begin = new CountDownLatch(1);
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        int writer = i;
        all.add(
            pool.submit(
                () -> {
                  begin.await();
                  return write(server, folder, children.get(writer), writer);
                }));
      }
      long began = System.nanoTime();
      begin.countDown();
      for (Future<Integer> each : all) acknowledged += each.get();
      took = (System.nanoTime() - began) / 1e9;
    } finally {
      pool.shutdownNow();
      for (McpChild each : children) each.close();
    }
    long kept = server.places().kept().in(folder);
    SAY.sample(LOST, "", server.who(), round, Math.max(0, acknowledged - kept));
    SAY.sample(RATE, "", server.who(), round, Math.min(kept, acknowledged) / took);
    // That others lose writes is the figure of this row; that we do would make the run a failure.
    boolean ours = server.who().equals("mainstay");
    boolean ok = !ours || (kept == acknowledged && acknowledged == (long) writers * writes);
    String detail = kept + " of " + acknowledged + " acknowledged, " + writers * writes + " asked";
    SAY.check("what was acknowledged was counted after the end", "", server.who(), ok, detail);
  }

  /** How many were acknowledged; one that was refused with an error is not lost. */
  private int write(McpServers.Server server, Path folder, McpChild child, int writer) {
    int acknowledged = 0;
    for (int i = 0; i < writes; i++) {
      JsonObject given = server.write().arguments().apply(writer * 100_000 + i);
      if (given.has("projectRoot")) given = given.with("projectRoot", folder.toString());
      try {
        child.call(server.write().tool(), given);
        acknowledged++;
      } catch (java.io.IOException refused) {
        System.err.println(server.who() + ": " + refused.getMessage());
      }
    }
    return acknowledged;
  }

  private void facts() {
    SAY.fact(
        "all",
        writers
            + " servers of MCP on one store, each with a client that makes "
            + writes
            + " tasks or entities of its own, one after the other");
    SAY.fact("mainstay", "SQLite with synchronous FULL: each acknowledged write is on the disk");
    SAY.line(
        JsonObject.of("goal", "no acknowledged write is lost", "metric", LOST.name())
            .with("most", 0));
  }
}
