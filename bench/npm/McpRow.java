import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Tokens;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** bench/rows/mcp: McpRow WORK ROUNDS SECONDS PEERS-or-dash MAINSTAY. */
public final class McpRow {
  private static final Say SAY = new Say("MCP");
  private static final String STDIO = "stdio";
  private static final String HTTP = "HTTP";
  private static final int WARM_CALLS = 400;
  private static final int SECONDS_MAX = 120;

  private final double seconds;

  private McpRow(double seconds) {
    this.seconds = seconds;
  }

  public static void main(String[] arguments) throws Exception {
    McpRow row = new McpRow(Double.parseDouble(arguments[2]));
    Contest contest = new Contest(Path.of(arguments[0]));
    String mainstay = arguments[4];
    boolean hasPeers = !arguments[3].equals("-");
    row.add(contest, McpServers.mainstay(mainstay));
    if (hasPeers) {
      Path home = Path.of(arguments[3]);
      for (McpServers.Server each : McpServers.peers(home)) row.add(contest, each);
      contest.add(HTTP, "mainstay", (folder, round) -> row.ourHttp(folder, round, mainstay));
      contest.add(HTTP, McpServers.ECHO, (folder, round) -> row.echoHttp(folder, round, home));
    }
    if (hasPeers) facts();
    contest.run(Integer.parseInt(arguments[1]));
  }

  private void add(Contest contest, McpServers.Server server) {
    contest.add(STDIO, server.who(), (folder, round) -> onStdio(server, folder, round));
  }

  private void onStdio(McpServers.Server server, Path folder, int round) throws Exception {
    server.places().setup().in(folder);
    Map<String, String> environment = new HashMap<>();
    server.environment().forEach((key, value) -> environment.put(key, placed(value, folder)));
    long began = System.nanoTime();
    long written;
    try (McpChild child = new McpChild(folder, environment, server.argv())) {
      child.begin();
      sample(Say.Metric.ms("first answer"), server, round, (System.nanoTime() - began) / 1e6);
      JsonObject listed = child.ask("tools/list", JsonObject.EMPTY);
      String tools = JsonText.write(listed.list("tools"));
      Say.Metric tokens = Say.Metric.less("tools/list", "tokens");
      sample(tokens, server, round, Tokens.O200K.count(tools));
      Caller caller = (tool, given) -> child.call(tool, given);
      long[] calls = new long[1];
      Rate writes = rate(caller, child::cpuMs, server.write(), folder, calls);
      sample(Say.Metric.perSecond("write calls"), server, round, writes.perSecond());
      sample(Say.Metric.ms("processor time of a write"), server, round, writes.cpu());
      written = writes.calls();
      Rate reads = rate(caller, child::cpuMs, server.read(), folder, calls);
      sample(Say.Metric.perSecond("read calls"), server, round, reads.perSecond());
      sample(Say.Metric.ms("processor time of a read"), server, round, reads.cpu());
      Say.Metric memory = Say.Metric.less("resident memory", "bytes");
      sample(memory, server, round, child.residentBytes());
    }
    long kept = server.places().kept().in(folder);
    boolean ok = kept < 0 || kept == written;
    String detail = kept < 0 ? "it keeps nothing" : kept + " of " + written;
    SAY.check("what was acknowledged is there after its end", STDIO, server.who(), ok, detail);
  }

  private static void sample(Say.Metric metric, McpServers.Server server, int round, double value) {
    SAY.sample(metric, STDIO, server.who(), round, value);
  }

  private interface Caller {
    String call(String tool, JsonObject arguments) throws Exception;
  }

  private record Rate(long calls, double perSecond, double cpu) {}

  private interface Clock {
    double ms() throws IOException;
  }

  /** One client that waits for each answer, after some calls that are not counted. */
  private Rate rate(Caller caller, Clock cpu, McpServers.Asked asked, Path folder, long[] number)
      throws Exception {
    long warm = System.nanoTime() + (long) (seconds * 1e9);
    long calls = 0;
    for (int i = 0; i < WARM_CALLS && System.nanoTime() < warm; i++, calls++) {
      caller.call(asked.tool(), arguments(asked, folder, number));
    }
    double before = cpu.ms();
    long began = System.nanoTime();
    long until = began + (long) (seconds * 1e9);
    long counted = 0;
    while (System.nanoTime() < until) {
      caller.call(asked.tool(), arguments(asked, folder, number));
      counted++;
    }
    double took = (System.nanoTime() - began) / 1e9;
    return new Rate(calls + counted, counted / took, (cpu.ms() - before) / counted);
  }

  private static JsonObject arguments(McpServers.Asked asked, Path folder, long[] number) {
    JsonObject given = asked.arguments().apply((int) number[0]++);
    return given.has("projectRoot") ? given.with("projectRoot", folder.toString()) : given;
  }

  private static String placed(String value, Path folder) {
    return value.replace("FOLDER", folder.toString());
  }

  private void ourHttp(Path folder, int round, String mainstay) throws Exception {
    Files.createDirectories(folder.resolve(".git"));
    Path log = folder.resolve("server.log");
    ProcessBuilder builder = new ProcessBuilder(mainstay, "serve", "--port", "0");
    builder.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile());
    Process server = builder.start();
    try {
      String address = await(server, log);
      String token = Files.readString(folder.resolve(".mainstay/token")).strip();
      McpHttp client = new McpHttp(URI.create(address + "/mcp"), Optional.of(token));
      McpServers.Server ours = McpServers.mainstay(mainstay);
      http("mainstay", client, server, ours, round);
      Say.Metric memory = Say.Metric.less("resident memory", "bytes");
      SAY.sample(memory, HTTP, "mainstay", round, McpChild.resident(server.pid()));
    } finally {
      server.destroy();
      if (!server.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) server.destroyForcibly();
    }
  }

  private static String await(Process server, Path log) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (server.isAlive() && System.nanoTime() < until) {
      var address =
          java.util.regex.Pattern.compile("http://127\\.0\\.0\\.1:\\d+")
              .matcher(Files.readString(log));
      if (address.find()) return address.group();
      Thread.sleep(50);
    }
    throw new IOException("the server does not start: " + Files.readString(log));
  }

  private void echoHttp(Path folder, int round, Path home) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("node", home.resolve("echo.mjs").toString(), "http");
    builder.directory(folder.toFile()).redirectError(folder.resolve("stderr").toFile());
    Process server = builder.start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      URI address = URI.create("http://127.0.0.1:" + said.readLine() + "/mcp");
      McpServers.Server asked = McpServers.echo(home);
      http(McpServers.ECHO, new McpHttp(address, Optional.empty()), server, asked, round);
      Say.Metric memory = Say.Metric.less("resident memory", "bytes");
      SAY.sample(memory, HTTP, McpServers.ECHO, round, McpChild.resident(server.pid()));
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  private void http(String who, McpHttp client, Process server, McpServers.Server asked, int round)
      throws Exception {
    client.begin();
    long[] calls = new long[1];
    Path none = Path.of("");
    Clock cpu = () -> Cpu.of(server.pid());
    Rate writes = rate(client::call, cpu, asked.write(), none, calls);
    SAY.sample(Say.Metric.perSecond("write calls"), HTTP, who, round, writes.perSecond());
    SAY.sample(Say.Metric.ms("processor time of a write"), HTTP, who, round, writes.cpu());
    Rate reads = rate(client::call, cpu, asked.read(), none, calls);
    SAY.sample(Say.Metric.perSecond("read calls"), HTTP, who, round, reads.perSecond());
    SAY.sample(Say.Metric.ms("processor time of a read"), HTTP, who, round, reads.cpu());
    boolean ok = writes.calls() > 0 && reads.calls() > 0;
    SAY.check("each call was answered without an error", HTTP, who, ok, null);
  }

  private static void facts() {
    SAY.fact("all", "one client that waits for each answer; some calls before are not counted");
    SAY.fact("mainstay", "create_task and state; each write is flushed to the disk");
    SAY.fact(McpServers.MEMORY, "create_entities and open_nodes; nothing is flushed to the disk");
    SAY.fact(
        CliPeers.TASK_MASTER,
        "add_task with a title and get_task, TASK_MASTER_TOOLS=standard; nothing is flushed");
    SAY.fact(CliPeers.BACKLOG, "task_create and task_view, without git; nothing is flushed");
    SAY.fact("HTTP", "none of the peers speaks it");
    for (String metric : List.of("read calls", "first answer")) {
      SAY.line(
          JsonObject.of("goal", "within 2 times the floor", "metric", metric)
              .with("against", McpServers.ECHO)
              .with("times", 2));
    }
    SAY.line(
        JsonObject.of("goal", "under 256 MB of memory", "metric", "resident memory")
            .with("most", 256 * 1_024 * 1_024));
  }
}
