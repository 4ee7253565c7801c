import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.queue.NewTask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** bench/rows/cli: CliRow WORK ROUNDS RUNS PEERS-or-dash MAINSTAY JDK TASKS. */
public final class CliRow {
  /** How many there are to list. */
  static int tasks = 1_000;

  static final String TITLE = "Task number ";
  private static final int SECONDS_MAX = 120;
  private static final Say SAY = new Say("the command line");

  /** Somebody's three commands, and what must be in the answers. */
  record Tool(
      String who,
      Path folder,
      Map<String, String> environment,
      List<String> show,
      List<String> list,
      List<String> create) {}

  private final Path work;
  private final int runs;
  private final List<Tool> tools = new ArrayList<>();
  private int made;

  private CliRow(Path work, int runs) {
    this.work = work;
    this.runs = runs;
  }

  public static void main(String[] arguments) throws Exception {
    tasks = Integer.parseInt(arguments[6]);
    CliRow row = new CliRow(Path.of(arguments[0]), Integer.parseInt(arguments[2]));
    Path mainstay = Path.of(arguments[4]);
    Path jdk = Path.of(arguments[5]);
    row.mainstay("mainstay", mainstay);
    boolean hasPeers = !arguments[3].equals("-");
    if (hasPeers) row.mainstay("mainstay, socket", mainstay);
    row.floors(jdk);
    if (hasPeers) CliPeers.add(row.tools, row.work, Path.of(arguments[3]));
    int rounds = Integer.parseInt(arguments[1]);
    if (!hasPeers) {
      row.run(rounds);
      return;
    }
    facts();
    Process server = row.serve(mainstay);
    try {
      row.run(rounds);
    } finally {
      server.destroy();
      if (!server.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) server.destroyForcibly();
    }
  }

  private static int shown() {
    return tasks / 2;
  }

  private void mainstay(String who, Path program) throws Exception {
    Path folder = Files.createDirectories(work.resolve("of-" + who.replace(", ", "-")));
    Files.createDirectories(folder.resolve(".git"));
    String mainstay = program.toString();
    Map<String, String> environment = Map.of("MAINSTAY_TERMINAL", "bench");
    Child.run(folder, environment, List.of(mainstay, "task", "create", TITLE + 1));
    String store = folder.resolve(".mainstay/state.sqlite3").toString();
    try (Mainstay open = Mainstay.open(store)) {
      Call bot = Call.by(Actor.agent("bench"), "bench");
      for (int i = 2; i <= tasks; i++) open.tasks().create(NewTask.titled(TITLE + i), bot);
    }
    tools.add(
        new Tool(
            who,
            folder,
            environment,
            List.of(mainstay, "task", "show", "T-" + shown()),
            List.of(mainstay, "task", "list", "--limit", "" + tasks),
            List.of(mainstay, "task", "create")));
  }

  private void floors(Path jdk) throws Exception {
    Path folder = Files.createDirectories(work.resolve("floor"));
    Path db = folder.resolve("tasks.sqlite3");
    StringBuilder sql = new StringBuilder("PRAGMA journal_mode=WAL; BEGIN;");
    sql.append("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, status TEXT);");
    for (int i = 1; i <= tasks; i++) {
      sql.append("INSERT INTO tasks (title, status) VALUES ('" + TITLE + i + "', 'READY');");
    }
    Path script = Files.writeString(folder.resolve("make.sql"), sql.append("COMMIT;"));
    List<String> make = List.of("sqlite3", db.toString(), ".read " + script);
    Child.run(folder, Map.of(), make).well(make);
    String limit = " ORDER BY id LIMIT " + tasks;
    tools.add(
        new Tool(
            "floor: sqlite3",
            folder,
            Map.of(),
            List.of("sqlite3", db.toString(), "SELECT * FROM tasks WHERE id = " + shown()),
            List.of("sqlite3", db.toString(), "SELECT * FROM tasks" + limit),
            List.of("sqlite3", db.toString(), "INSERT INTO tasks (title) VALUES (hex(?))")));
    Path hello = folder.resolve("Hello.java");
    Files.writeString(
        hello,
        "public class Hello { public static void main(String[] a) { System.out.println(\""
            + TITLE
            + "\" + (a.length == 0 ? \"\" : a[0])); } }");
    List<String> compiler = List.of(jdk + "/bin/javac", "-d", folder.toString(), hello.toString());
    Child.run(folder, Map.of(), compiler).well(compiler);
    List<String> java = List.of(jdk + "/bin/java", "-cp", folder.toString(), "Hello", "" + shown());
    tools.add(new Tool("floor: bare JVM", folder, Map.of(), java, java, java));
  }

  private Process serve(Path mainstay) throws Exception {
    Path folder = work.resolve("of-mainstay-socket");
    ProcessBuilder builder = new ProcessBuilder(mainstay.toString(), "serve", "--port", "0");
    builder.directory(folder.toFile());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("server.log").toFile());
    Process server = builder.start();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (!Files.exists(folder.resolve(".mainstay/socket"))) {
      if (!server.isAlive() || System.nanoTime() > until) {
        server.destroy();
        throw new IllegalStateException(Files.readString(folder.resolve("server.log")));
      }
      Thread.sleep(100);
    }
    return server;
  }

  private void run(int rounds) throws Exception {
    for (Tool each : tools) right(each);
    Contest contest = new Contest(work);
    for (Tool each : tools) {
      contest.add("", each.who(), (folder, round) -> measure(each, round));
    }
    contest.run(rounds);
    for (Tool each : tools) kept(each);
  }

  private List<String> creating(Tool tool) {
    List<String> argv = new ArrayList<>(tool.create());
    String title = "New task " + ++made;
    if (tool.who().equals("floor: sqlite3")) {
      argv.set(2, "INSERT INTO tasks (title, status) VALUES ('" + title + "', 'READY')");
    } else if (tool.who().startsWith("task-master")) {
      argv.addAll(List.of("--title", title, "--description", title));
    } else if (!tool.who().equals("floor: bare JVM")) {
      argv.add(title);
    }
    return argv;
  }

  /** The median of a few runs, and the mean of their processor time. */
  private record Took(double ms, double cpu) {}

  private void measure(Tool tool, int round) throws Exception {
    measure("show one", tool, round, tool.show());
    measure(String.format(java.util.Locale.ROOT, "list %,d", tasks), tool, round, tool.list());
    measure("create one", tool, round, null);
  }

  private void measure(String what, Tool tool, int round, List<String> argv) throws Exception {
    Took took = median(tool, argv);
    SAY.sample(Say.Metric.ms(what), "", tool.who(), round, took.ms());
    SAY.sample(Say.Metric.ms(what + ", processor time"), "", tool.who(), round, took.cpu());
  }

  private Took median(Tool tool, List<String> fixed) throws Exception {
    double[] took = new double[runs];
    double cpu = Cpu.ofEndedChildren();
    for (int i = 0; i < runs; i++) {
      List<String> argv = fixed == null ? creating(tool) : fixed;
      took[i] = Child.run(tool.folder(), tool.environment(), argv).well(argv).ms();
    }
    cpu = (Cpu.ofEndedChildren() - cpu) / runs;
    java.util.Arrays.sort(took);
    return new Took(took[runs / 2], cpu);
  }

  /** That the commands answer what was asked, before anything is measured. */
  private static void right(Tool tool) throws Exception {
    Child.Ended shown = Child.run(tool.folder(), tool.environment(), tool.show());
    boolean ok = shown.exit() == 0 && shown.said().contains(TITLE + shown());
    SAY.check("the task that was asked for is shown", "", tool.who(), ok, null);
    if (tool.who().equals("floor: bare JVM")) return;
    Child.Ended listed = Child.run(tool.folder(), tool.environment(), tool.list());
    long lines = listed.said().lines().filter(line -> line.contains(TITLE.strip())).count();
    // A table for people wraps its lines; the last one must be there in any case.
    boolean all = lines >= tasks && listed.said().contains(TITLE + tasks);
    SAY.check("all tasks are listed", "", tool.who(), all, lines + " lines");
  }

  /** That what was acknowledged is there in the end. */
  private void kept(Tool tool) throws Exception {
    if (tool.who().equals("floor: bare JVM")) return;
    List<String> argv = creating(tool);
    String title = "New task " + made;
    Child.run(tool.folder(), tool.environment(), argv).well(argv);
    List<String> list = new ArrayList<>(tool.list());
    int limit = list.indexOf("--limit");
    if (tool.who().startsWith("mainstay")) list.addAll(List.of("--order", "newest"));
    if (limit > 0) list.set(limit + 1, "20");
    if (tool.who().equals("floor: sqlite3")) list.set(2, "SELECT * FROM tasks");
    String said = Child.run(tool.folder(), tool.environment(), list).said();
    SAY.check("a task that was made is listed", "", tool.who(), said.contains(title), null);
  }

  private static void facts() {
    SAY.fact("processor time", "of the command itself; what a server does for it is not in it");
    SAY.fact("mainstay", "each command a JVM of its own, with the start-up cache");
    SAY.fact("mainstay, socket", "the same commands while `mainstay serve` runs in the project");
    SAY.fact("floor: bare JVM", "hello world on the JDK that the launcher takes");
    SAY.line(
        JsonObject.of("goal", "under 5 times a bare JVM", "who", "mainstay", "times", 5)
            .with("against", "floor: bare JVM"));
    for (String metric : List.of("show one", "list 1,000", "create one")) {
      SAY.line(
          JsonObject.of("goal", "under 30 ms through the socket", "who", "mainstay, socket")
              .with("metric", metric)
              .with("most", 30));
    }
  }
}
