import dev.mainstay.domain.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** bench/rows/state: StateRow WORK TURNS ROUNDS PEERS-or-dash MAINSTAY. */
public final class StateRow {
  private static final Say SAY = new Say("save and load task state per turn");
  private static final Say.Metric SAVE = Say.Metric.ms("save a turn");
  private static final Say.Metric LOAD = Say.Metric.ms("load for the next turn");
  private static final Say.Metric READ = Say.Metric.ms("read all turns back");
  private static final Say.Metric SIZE = Say.Metric.less("size on disk", "bytes");
  private static final Say.Metric GROWTH = Say.Metric.less("size on disk of a turn", "bytes");
  private static final Say.Metric CPU = Say.Metric.ms("processor time a turn");
  private static final int WARM_UP = 100;
  private static final int FEW = 2;
  private static final double TWICE_AT_MOST = 1.25;
  private static final String SQLITE = "SQLite";
  private static final String POSTGRESQL = "PostgreSQL";
  private static final String FLOOR = "floor: an upsert of what is new";
  private static final String MCP = "MCP on stdio";

  private final int turns;
  private final Optional<Path> peers;
  private final Path mainstay;

  private StateRow(int turns, Optional<Path> peers, Path mainstay) {
    this.turns = turns;
    this.peers = peers;
    this.mainstay = mainstay;
  }

  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[3]);
    boolean hasPeers = !arguments[3].equals("-");
    var row =
        new StateRow(
            Integer.parseInt(arguments[1]),
            hasPeers ? Optional.of(home) : Optional.empty(),
            Path.of(arguments[4]));
    Contest contest = new Contest(Path.of(arguments[0]));
    row.onSqlite(contest);
    if (!hasPeers) {
      contest.run(Integer.parseInt(arguments[2]));
      return;
    }
    row.overMcp(contest);
    try (OwnPostgres postgres = new OwnPostgres()) {
      row.onPostgres(contest, postgres);
      row.facts();
      contest.run(Integer.parseInt(arguments[2]));
    }
  }

  private void onSqlite(Contest contest) {
    onSqlite(contest, "mainstay", StateOurs.class, "");
    onSqlite(contest, FLOOR, StateFloor.class, "jdbc:sqlite:");
    peers.ifPresent(
        home -> {
          for (String mode : List.of("sqlite", "sqlite-delta")) {
            String who = langgraph("SqliteSaver 1.0.4", mode);
            contest.add(
                SQLITE,
                who,
                (folder, round) ->
                    inFolder(who, round, folder, node(home, mode, db(folder).toString())));
          }
        });
  }

  private void onSqlite(Contest contest, String who, Class<?> program, String prefix) {
    Command command =
        (name, folder, all, before) -> Child.java(program, prefix + db(folder), all, before);
    contest.add(
        SQLITE,
        who,
        (folder, round) -> {
          inFolder(who, round, folder, command.in("", folder, turns, WARM_UP));
          if (peers.isEmpty()) return;
          long all = Folders.bytes(folder.resolve("data"));
          told(
              SQLITE,
              who,
              round,
              all,
              (many, before) -> {
                Path other = Files.createDirectories(folder.resolve("size-" + before));
                Files.createDirectories(other.resolve("data"));
                Child.json(other, command.in("", other, many, before));
                return Folders.bytes(other.resolve("data"));
              });
        });
  }

  /** How large a store is after so many turns of warm-up and so many turns. */
  private interface Size {
    long after(int turns, int before) throws Exception;
  }

  /** What a turn adds to the tables of an empty store, and whether as many again add as much. */
  private void told(String variant, String who, int round, long all, Size size) throws Exception {
    long first = all - size.after(1, FEW - 1);
    long second = size.after(turns, turns + 2 * WARM_UP) - all;
    SAY.sample(GROWTH, variant, who, round, (double) first / (turns + WARM_UP - FEW));
    SAY.check(
        "twice as many turns take twice the space",
        variant,
        who,
        second <= TWICE_AT_MOST * first,
        "%,d bytes, then %,d".formatted(first, second));
  }

  private static String langgraph(String saver, String mode) {
    return "LangGraph " + saver + (mode.endsWith("-delta") ? ", DeltaChannel (beta)" : "");
  }

  private List<String> node(Path home, String mode, String place) {
    return List.of("node", home.resolve("langgraph.mjs").toString(), mode, place, "" + turns);
  }

  private static Path db(Path folder) {
    return folder.resolve("data").resolve("state.sqlite3");
  }

  private void inFolder(String who, int round, Path folder, List<String> argv) throws Exception {
    Files.createDirectories(folder.resolve("data"));
    double cpu = Cpu.ofEndedChildren();
    told(SQLITE, who, round, Child.json(folder, argv));
    SAY.sample(CPU, SQLITE, who, round, (Cpu.ofEndedChildren() - cpu) / turns);
    SAY.sample(SIZE, SQLITE, who, round, Folders.bytes(folder.resolve("data")));
  }

  private void told(String variant, String who, int round, JsonObject found) {
    SAY.sample(SAVE, variant, who, round, number(found, "save"));
    SAY.sample(LOAD, variant, who, round, number(found, "load"));
    SAY.sample(READ, variant, who, round, number(found, "read"));
    boolean ok = found.text("sha256").equals(Hash.of(StateText.all(turns)));
    SAY.check("all turns are read back as they were written", variant, who, ok, null);
  }

  private static double number(JsonObject found, String key) {
    return Double.parseDouble(found.text(key));
  }

  private void onPostgres(Contest contest, OwnPostgres postgres) {
    onPostgres(
        contest,
        postgres,
        "mainstay",
        (name, folder, all, before) ->
            Child.java(StateOurs.class, url(postgres, name), all, before));
    onPostgres(
        contest,
        postgres,
        FLOOR,
        (name, folder, all, before) ->
            Child.java(
                StateFloor.class,
                postgres.jdbc().replace("/postgres?", "/" + name + "?"),
                all,
                before));
    Path home = peers.orElseThrow();
    onPostgres(
        contest,
        postgres,
        langgraph("PostgresSaver 1.0.5", "postgresql"),
        (name, folder, all, before) -> node(home, "postgresql", url(postgres, name)));
  }

  private interface Command {
    List<String> in(String database, Path folder, int turns, int before);
  }

  private static String url(OwnPostgres postgres, String name) {
    return postgres.url().replaceFirst("/postgres$", "/" + name);
  }

  private void onPostgres(Contest contest, OwnPostgres postgres, String who, Command command) {
    contest.add(
        POSTGRESQL,
        who,
        (folder, round) -> {
          String name = "d" + Math.abs(folder.getFileName().toString().hashCode());
          try (Connection connection = DriverManager.getConnection(postgres.jdbc());
              Statement statement = connection.createStatement()) {
            InDatabase play =
                (database, all, before) ->
                    Child.json(folder, command.in(database, folder, all, before));
            long all =
                inDatabase(
                    statement,
                    name,
                    () -> told(POSTGRESQL, who, round, play.of(name, turns, WARM_UP)));
            SAY.sample(SIZE, POSTGRESQL, who, round, all);
            if (who.startsWith("LangGraph")) return;
            told(
                POSTGRESQL,
                who,
                round,
                all,
                (many, before) -> {
                  String other = name + "_" + before;
                  return inDatabase(statement, other, () -> play.of(other, many, before));
                });
          }
        });
  }

  private interface InDatabase {
    JsonObject of(String database, int turns, int before) throws Exception;
  }

  private interface Step {
    void run() throws Exception;
  }

  /** How much a database of its own has grown by this. */
  private static long inDatabase(Statement statement, String name, Step step) throws Exception {
    statement.execute("CREATE DATABASE " + name);
    long before = size(statement, name);
    step.run();
    long after = size(statement, name);
    statement.execute("DROP DATABASE " + name + " WITH (FORCE)");
    return after - before;
  }

  private static long size(Statement statement, String name) throws Exception {
    try (ResultSet row = statement.executeQuery("SELECT pg_database_size('" + name + "')")) {
      row.next();
      return row.getLong(1);
    }
  }

  private void overMcp(Contest contest) {
    contest.add(MCP, "mainstay", this::mainstayOverMcp);
    contest.add(MCP, "server-memory 2026.8.31", this::memoryOverMcp);
  }

  private void mainstayOverMcp(Path folder, int round) throws Exception {
    Files.createDirectories(folder.resolve(".git"));
    List<String> argv = List.of(mainstay.toString(), "mcp");
    try (McpChild server = new McpChild(folder, Map.of("MAINSTAY_TERMINAL", "bench"), argv)) {
      server.begin();
      server.call("create_task", JsonObject.of("title", "one", "begin", true));
      double cpu = server.cpuMs();
      long saving = 0;
      long loading = 0;
      String last = "";
      for (int turn = 0; turn < turns; turn++) {
        JsonObject delta = StateOurs.delta(StateText.notes(turn)).toJson().with("task", "T-001");
        long began = System.nanoTime();
        server.call("update", delta);
        long saved = System.nanoTime();
        last = server.call("state", JsonObject.of("task", "T-001"));
        loading += System.nanoTime() - saved;
        saving += saved - began;
      }
      SAY.sample(CPU, MCP, "mainstay", round, (server.cpuMs() - cpu) / turns);
      SAY.sample(SAVE, MCP, "mainstay", round, saving / 1e6 / turns);
      SAY.sample(LOAD, MCP, "mainstay", round, loading / 1e6 / turns);
      boolean ok = last.contains("turn " + (turns - 1) + ".");
      SAY.check("the last turn is in what is loaded", MCP, "mainstay", ok, null);
    }
    SAY.sample(SIZE, MCP, "mainstay", round, Folders.bytes(folder.resolve(".mainstay")));
  }

  private void memoryOverMcp(Path folder, int round) throws Exception {
    String who = "server-memory 2026.8.31";
    Path file = folder.resolve("memory.jsonl");
    Path home = peers.orElseThrow();
    String program = "node_modules/@modelcontextprotocol/server-memory/dist/index.js";
    List<String> argv = List.of("node", home.resolve(program).toString());
    try (McpChild server =
        new McpChild(folder, Map.of("MEMORY_FILE_PATH", file.toString()), argv)) {
      server.begin();
      JsonObject entity = JsonObject.of("name", "one", "entityType", "task");
      JsonObject whole = entity.with("observations", List.of());
      server.call("create_entities", JsonObject.of("entities", List.of(whole)));
      double cpu = server.cpuMs();
      long saving = 0;
      long loading = 0;
      String last = "";
      for (int turn = 0; turn < turns; turn++) {
        List<String> notes = StateText.notes(turn);
        JsonObject added = JsonObject.of("entityName", "one", "contents", notes);
        long began = System.nanoTime();
        server.call("add_observations", JsonObject.of("observations", List.of(added)));
        long saved = System.nanoTime();
        last = server.call("open_nodes", JsonObject.of("names", List.of("one")));
        loading += System.nanoTime() - saved;
        saving += saved - began;
      }
      SAY.sample(CPU, MCP, who, round, (server.cpuMs() - cpu) / turns);
      SAY.sample(SAVE, MCP, who, round, saving / 1e6 / turns);
      SAY.sample(LOAD, MCP, who, round, loading / 1e6 / turns);
      boolean ok = last.contains("turn " + (turns - 1) + ".7:") && last.contains("turn 0.0:");
      SAY.check("first and last turn are in what is loaded", MCP, who, ok, null);
    }
    SAY.sample(SIZE, MCP, who, round, Files.size(file));
  }

  private void facts() {
    SAY.fact(
        "SQLite",
        "WAL and synchronous FULL for everybody; a JVM (with the options that the launcher gives a"
            + " server) or a Node.js each, warmed up");
    SAY.fact("PostgreSQL", "one server, fsync, synchronous_commit and full_page_writes on");
    SAY.fact(
        "LangGraph",
        "the saver's own put and getTuple, without the graph around it; with DeltaChannel putWrites"
            + " and put, and getDeltaChannelHistory to load");
    SAY.fact(
        "server-memory 2026.8.31",
        "writes the whole file each time and never flushes it to the disk: it has no durable setting");
    for (String variant : List.of(SQLITE, POSTGRESQL)) {
      SAY.line(
          JsonObject.of("goal", "within 2 times the floor for durable writes")
              .with("variant", variant)
              .with("metric", SAVE.name())
              .with("against", FLOOR)
              .with("times", 2));
      SAY.line(
          JsonObject.of(
                  "goal",
                  "store size linear in what was written: a turn takes at most 5 times the floor's")
              .with("variant", variant)
              .with("metric", GROWTH.name())
              .with("against", FLOOR)
              .with("times", 5));
    }
  }
}
