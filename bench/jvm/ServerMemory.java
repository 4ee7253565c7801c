import dev.mainstay.bench.Lines;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a server takes of the machine's memory while agents work through it: {@code ServerMemory
 * FOLDER ROUNDS SECONDS WORKERS COMMAND...}, the command starts a server. Each worker makes tasks,
 * claims, notes, asks for prompts and completes over HTTP, beside one who looks at what a person's
 * page shows, and one who follows the journal.
 */
public final class ServerMemory {
  private static final Lines.Metric LARGEST = new Lines.Metric("resident at most", "MB", false);
  private static final Lines.Metric AFTER = new Lines.Metric("resident in the end", "MB", false);
  private static final String OURS = "mainstay";
  private static final double MOST = 256;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int NOTE_CHARS = 2_000;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, Boolean> worked = new ConcurrentHashMap<>();
  private final LongAdder twice = new LongAdder();
  private final String url;
  private final String token;

  private ServerMemory(String url, String token) {
    this.url = url;
    this.token = token;
  }

  public static void main(String[] args) throws Exception {
    int workers = Integer.parseInt(args[3]);
    Lines lines = new Lines("memory of the server");
    lines.goal("under 256 MB with the -Xmx that serve sets", LARGEST, MOST);
    for (int round = 1; round <= Integer.parseInt(args[1]); round++) {
      Path folder = Files.createDirectories(Path.of(args[0]).resolve("server-" + round));
      List<String> command = Arrays.asList(args).subList(4, args.length);
      run(lines, round, folder, command, Double.parseDouble(args[2]), workers);
    }
    System.exit(0);
  }

  private static void run(
      Lines lines, int round, Path folder, List<String> command, double seconds, int workers)
      throws Exception {
    // The project of a server is the repository it is in, and that must not be ours.
    new ProcessBuilder("git", "init", "-q", folder.toString()).inheritIO().start().waitFor();
    Path said = folder.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    Process server = builder.redirectOutput(said.toFile()).start();
    try {
      String url = address(server, said);
      String token = Files.readString(folder.resolve(".mainstay/token")).strip();
      String variant = workers + " workers";
      if (round == 1) settings(lines, server.pid());
      ServerMemory load = new ServerMemory(url, token);
      long done = load.work(workers, seconds);
      double rss = megabytes(server.pid(), "VmRSS");
      double most = megabytes(server.pid(), "VmHWM");
      long completed = load.completed();
      lines.check(
          "each task was done once, and the server still answers",
          variant,
          OURS,
          completed == done && load.twice.sum() == 0 && done > 0,
          completed + " completed, " + done + " done by the workers");
      lines.sample(variant, OURS, LARGEST, round, most);
      lines.sample(variant, OURS, AFTER, round, rss);
      System.err.printf("%d lives in %.0f s%n", done, seconds);
    } finally {
      server.destroy();
      if (!server.waitFor(60, TimeUnit.SECONDS)) server.destroyForcibly();
    }
  }

  private static String address(Process server, Path said) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && server.isAlive()) {
      for (String word : Files.readString(said).split("[\\s#]+")) {
        if (word.matches("http://127\\.0\\.0\\.1:\\d+/?")) return word.replaceAll("/$", "");
      }
      Thread.sleep(50);
    }
    throw new IOException("the server did not start: " + Files.readString(said));
  }

  private static void settings(Lines lines, long pid) throws IOException {
    String all = Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
    StringBuilder options = new StringBuilder();
    for (String each : all.split(" ")) {
      if (each.startsWith("-X") && !each.contains("/") && !each.startsWith("-Xlog")) {
        options.append(' ').append(each);
      }
    }
    lines.settings(OURS, "SQLite, the JVM's options:" + (options.isEmpty() ? " none" : options));
  }

  private static double megabytes(long pid, String field) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith(field + ":")) {
        return Double.parseDouble(line.replaceAll("\\D", "")) / 1024;
      }
    }
    throw new IOException("no " + field + " of " + pid);
  }

  private long work(int count, double seconds) throws Exception {
    for (int i = 0; i < count; i++) {
      send("POST", "/terminals", JsonObject.of("id", "worker-" + i), null);
    }
    Workers workers = new Workers(count, this::live);
    Workers looking = new Workers(1, worker -> look());
    workers.begin();
    looking.begin();
    Thread.sleep((long) (seconds * 1e3));
    workers.end();
    looking.end();
    return workers.done();
  }

  /** One task's life, by whoever comes next. */
  private boolean live(int worker) throws Exception {
    String note = ("what was done by " + worker + " ").repeat(NOTE_CHARS / 20);
    send("POST", "/tasks", JsonObject.of("title", "something to do", "description", note), null);
    JsonObject wanted = JsonObject.of("worker", "worker-" + worker, "wait_seconds", 10L);
    JsonObject claimed = send("POST", "/tasks/claim", wanted, null);
    if (claimed.list("tasks").isEmpty()) throw new IOException("nothing was ready");
    JsonObject task = (JsonObject) claimed.list("tasks").get(0);
    String id = task.text("id");
    String fence = String.valueOf(task.number("fence"));
    send("POST", "/tasks/" + id + "/state", JsonObject.of("history", List.of(note)), fence);
    send("GET", "/tasks/" + id + "/state", null, null);
    JsonObject given = send("GET", "/tasks/" + id + "/assignments", null, null);
    List<?> all = given.list("items");
    long assignment = ((JsonObject) all.get(all.size() - 1)).number("id");
    send("PUT", "/assignments/" + assignment + "/complete", JsonObject.EMPTY, fence);
    if (worked.put(id, true) != null) twice.increment();
    return true;
  }

  /** What the page of a person asks for again and again. */
  private boolean look() throws Exception {
    for (String path :
        List.of("/now", "/tasks?limit=200", "/tasks/graph", "/charts", "/journal?limit=200")) {
      send("GET", path, null, null);
    }
    Thread.sleep(500);
    return true;
  }

  private long completed() throws Exception {
    return ((JsonObject) send("GET", "/now", null, null).get("counts")).number("completed");
  }

  private JsonObject send(String method, String path, JsonObject body, String fence)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(JsonText.write(body)));
    if (fence != null) request.header("Mainstay-Fence", fence);
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body().isEmpty() ? JsonObject.EMPTY : JsonText.object(answer.body());
  }
}
