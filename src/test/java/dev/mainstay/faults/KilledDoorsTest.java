package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.app.CliRun;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands, hooks, MCP on standard input and a server are killed at random moments. What was
 * answered is noted here, outside of them: it must be there, once. {@code -Dkills=N} says how often
 * each door is killed, {@code -Dseed=N} when.
 */
@Order(1)
class KilledDoorsTest {
  /** Hooks are soonest there and soonest done, so that most kills of each build are theirs. */
  private static final int HOOK_KILLS = Integer.getInteger("kills", 116);

  private static final int COMMAND_KILLS = Integer.getInteger("kills", 30);
  private static final int MCP_KILLS = Integer.getInteger("kills", 6);
  private static final int SERVER_KILLS = Integer.getInteger("kills", 6);

  /** By then a hasty door has lost something, or nobody was killed in time. */
  private static final int KILLS_OF_HASTY_MAX = 40;

  private static final int CALLS_A_LIFE_MAX = 6;
  private static final Pattern MADE = Pattern.compile("T-\\d+  made-\\d+ .*\n");
  private static final Pattern VARYING =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");

  private static final String HELLO =
      """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"clientInfo":{"name":"claude-code","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      """;

  private static final String HOST =
      """
      {"session_id":"s1","transcript_path":"/nowhere/s1.jsonl","cwd":"PROJECT","prompt_id":"p1",
       "permission_mode":"default",""";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir static Path home;

  @TempDir Path folder;

  private static Product product;
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Path project;
  private int killed;

  @BeforeAll
  static void product() throws Exception {
    product = new Product(home);
  }

  @BeforeEach
  void project() throws IOException {
    System.out.printf("killed doors: -Dseed=%d%n", seed);
    project = project("project");
  }

  private Path project(String name) throws IOException {
    Path made = folder.toRealPath().resolve(name);
    Files.createDirectories(made.resolve(".git"));
    return made;
  }

  /** One process, killed after so long unless it ended before; what it said until then. */
  private record Said(boolean killed, int exit, String out) {}

  /** How long one takes that nobody kills, as far as is known: a machine is not always as busy. */
  private long whole;

  private Process begin(String main, List<String> args, Path in) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(product.command(main, args)).directory(in.toFile());
    builder.environment().clear();
    builder.environment().putAll(Product.ENV);
    return builder.redirectError(folder.resolve("err").toFile()).start();
  }

  private Said run(String main, List<String> args, String input, long nanos) throws Exception {
    Process process = begin(main, args, project);
    long begun = System.nanoTime();
    InputStream out = process.getInputStream(); // what it said is read when it is gone
    try (OutputStream to = process.getOutputStream()) {
      to.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException itDidNotRead) {
      assertThat(input).isNotEmpty();
    }
    boolean ended = process.waitFor(nanos, TimeUnit.NANOSECONDS);
    whole = ended ? System.nanoTime() - begun : whole + whole / 20; // until one ends again
    process.toHandle().destroyForcibly(); // the process's own method would close the pipe
    process.waitFor();
    String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    if (!ended) killed++;
    return new Said(!ended, process.exitValue(), said);
  }

  /** The first, which nobody kills. */
  private void first(String main, List<String> args, String input) throws Exception {
    Said said = run(main, args, input, TimeUnit.MINUTES.toNanos(2));
    assertThat(said.exit()).as(said.toString()).isZero();
  }

  private long within() {
    return (long) (random.nextDouble() * 1.1 * whole);
  }

  private static List<String> create(int number) {
    return List.of("task", "create", "made-" + number, "--key", "key-" + number);
  }

  /** Titles of all tasks that the journal says were made, as often as it says so. */
  private static List<String> made(Path in) {
    CliRun journal = CliRun.of(in, "", "journal", "--json", "--since", "start");
    assertThat(journal.code()).as(journal.toString()).isZero();
    List<String> titles = new ArrayList<>();
    for (String line : journal.out().lines().toList()) {
      JsonObject entry = JsonText.object(line);
      if (entry.text("kind").equals("task.created")) {
        titles.add(entry.object("payload").text("title"));
      }
    }
    return titles;
  }

  private static void isWell(Path in) {
    CliRun verify = CliRun.of(in, "", "verify");
    assertThat(verify.code()).as(verify.toString()).isZero();
  }

  /** What was answered and is not there when the next one looks. */
  private List<String> lostByCommands(String main, int kills, boolean untilLost) throws Exception {
    List<String> lost = new ArrayList<>();
    first(main, create(0), "");
    for (int number = 1; killed < kills && !(untilLost && !lost.isEmpty()); number++) {
      Said said = run(main, create(number), "", within());
      boolean answered = MADE.matcher(said.out()).find();
      if (answered && !made(project).contains("made-" + number)) lost.add("made-" + number);
      CliRun again =
          CliRun.of(project, new byte[0], Product.ENV, create(number).toArray(String[]::new));
      assertThat(again.code()).as("made-%d, seed %d: %s", number, seed, again).isZero();
    }
    return lost;
  }

  @Test
  void a_killed_command_loses_nothing_it_answered_and_repeated_is_done_once() throws Exception {
    assertThat(lostByCommands(Product.MAIN, COMMAND_KILLS, false)).as("seed %d", seed).isEmpty();
    assertThat(killed).as("kills").isGreaterThanOrEqualTo(COMMAND_KILLS);
    assertThat(made(project)).as("seed %d", seed).doesNotHaveDuplicates();
    isWell(project);
  }

  @Test
  void a_door_that_answers_before_it_has_done_it_is_caught() throws Exception {
    assertThat(lostByCommands(HastyDoor.class.getName(), KILLS_OF_HASTY_MAX, true)).isNotEmpty();
  }

  /** The same events in a project where nobody is killed come to the same. */
  @Test
  void a_killed_hook_loses_nothing_it_accepted_and_repeated_counts_once() throws Exception {
    Path other = project("other");
    for (Path each : List.of(project, other)) {
      assertThat(CliRun.of(each, "", "task", "create", "one").code()).isZero();
      hook(each, "UserPromptSubmit", prompt());
    }
    write(project, 0);
    String first = used(0).replace("PROJECT", project.toString());
    first(Product.MAIN, hookArgs("PostToolUse"), first);
    write(other, 0);
    hook(other, "PostToolUse", used(0));
    int accepted = 0;
    for (int number = 1; killed < HOOK_KILLS; number++) {
      write(project, number);
      write(other, number);
      String input = used(number).replace("PROJECT", project.toString());
      Said said = run(Product.MAIN, hookArgs("PostToolUse"), input, within());
      if (said.killed()) hook(project, "PostToolUse", used(number)); // the host tells it again
      else accepted++;
      hook(other, "PostToolUse", used(number));
    }
    for (Path each : List.of(project, other)) {
      hook(each, "UserPromptSubmit", prompt()); // looks at what was queued
      isWell(each);
    }
    System.out.printf("killed doors: %d hooks killed, %d accepted%n", killed, accepted);
    assertThat(happened(project)).as("seed %d", seed).isEqualTo(happened(other));
  }

  private static List<String> hookArgs(String event) {
    return List.of("hook", event, "--agent", "claude-code");
  }

  private static void hook(Path in, String event, String input) {
    byte[] bytes = input.replace("PROJECT", in.toString()).getBytes(StandardCharsets.UTF_8);
    CliRun run = CliRun.of(in, bytes, Product.ENV, hookArgs(event).toArray(String[]::new));
    assertThat(run.code()).as(run.toString()).isZero();
  }

  private static String prompt() {
    return HOST + "\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"Please work.\"}";
  }

  private static void write(Path in, int number) throws IOException {
    Files.writeString(in.resolve("F%d.java".formatted(number)), "class F%d {}".formatted(number));
  }

  private static String used(int number) {
    return HOST
        + """
        "hook_event_name":"PostToolUse","tool_name":"Write",
        "tool_input":{"file_path":"PROJECT/F%1$d.java","content":"class F%1$d {}"},
        "tool_response":{"type":"create","filePath":"PROJECT/F%1$d.java",
        "content":"class F%1$d {}","structuredPatch":[],"originalFile":null,"userModified":false},
        "tool_use_id":"toolu_%1$d","duration_ms":7}"""
            .formatted(number);
  }

  /** What the journal says, without times, hashes and the name of the folder. */
  private static Map<String, Integer> happened(Path in) {
    CliRun journal = CliRun.of(in, "", "journal", "--json", "--since", "start");
    Map<String, Integer> counts = new HashMap<>();
    for (String line : journal.out().lines().toList()) {
      JsonObject entry = JsonText.object(line);
      String stream = VARYING.matcher(entry.text("stream")).replaceAll("*");
      counts.merge(stream + " " + entry.text("kind"), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void a_killed_mcp_process_loses_nothing_it_answered_and_repeated_calls_count_once()
      throws Exception {
    Set<String> answered = new LinkedHashSet<>();
    int number = 1;
    while (killed < MCP_KILLS) {
      Process process = begin(Product.MAIN, List.of("mcp"), project);
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        OutputStream in = process.getOutputStream();
        in.write(HELLO.getBytes(StandardCharsets.UTF_8));
        in.flush();
        assertThat(out.readLine()).contains("\"result\"");
        int calls = random.nextInt(CALLS_A_LIFE_MAX);
        for (int i = 0; i < calls; i++, number++) {
          in.write(call(number));
          in.flush();
          assertThat(out.readLine()).contains("\"id\":" + number + ",", " made;");
          answered.add("made-" + number);
        }
        in.write(call(number)); // not answered, as far as anybody here knows
        in.flush();
        process.waitFor((long) (random.nextDouble() * 20_000_000), TimeUnit.NANOSECONDS);
        process.toHandle().destroyForcibly();
        process.waitFor();
        killed++;
        String last = out.readLine();
        if (last != null && last.endsWith("}")) answered.add("made-" + number++);
      } finally {
        process.destroyForcibly();
      }
    }
    assertThat(made(project)).as("seed %d", seed).doesNotHaveDuplicates().containsAll(answered);
    isWell(project);
  }

  @Test
  void a_killed_server_loses_nothing_it_answered_and_repeated_requests_count_once()
      throws Exception {
    Set<String> answered = new LinkedHashSet<>();
    List<String> serve = List.of("serve", "--port", "0", "--json");
    int number = 1;
    while (killed < SERVER_KILLS) {
      Process process = begin(Product.MAIN, serve, project);
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        URI tasks = URI.create(JsonText.object(out.readLine()).text("address") + "/tasks");
        int calls = random.nextInt(CALLS_A_LIFE_MAX);
        for (int i = 0; i < calls; i++, number++) {
          assertThat(CLIENT.send(request(tasks, number), BodyHandlers.ofString()).statusCode())
              .isEqualTo(201);
          answered.add("made-" + number);
        }
        var last = CLIENT.sendAsync(request(tasks, number), BodyHandlers.ofString());
        process.waitFor((long) (random.nextDouble() * 20_000_000), TimeUnit.NANOSECONDS);
        process.toHandle().destroyForcibly();
        process.waitFor();
        killed++;
        // What has not come by now is asked for again, under its key, of the next server.
        if (last.handle((answer, cutOff) -> cutOff == null).join())
          answered.add("made-" + number++);
      } finally {
        process.destroyForcibly();
      }
    }
    System.out.printf("killed doors: %d servers killed, %d answers%n", killed, answered.size());
    assertThat(made(project)).as("seed %d", seed).doesNotHaveDuplicates().containsAll(answered);
    isWell(project);
  }

  private String token() throws IOException {
    return Files.readString(project.resolve(".mainstay/token")).strip();
  }

  private HttpRequest request(URI tasks, int number) throws IOException {
    String body = JsonText.write(JsonObject.of("title", "made-" + number));
    return HttpRequest.newBuilder(tasks)
        .timeout(Duration.ofMinutes(2))
        .header("Authorization", "Bearer " + token())
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", "use-" + number)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** A host that repeats a call names the same use of the tool. */
  private static byte[] call(int number) {
    String text =
        """
        {"jsonrpc":"2.0","id":%1$d,"method":"tools/call","params":{"name":"create_task",\
        "arguments":{"title":"made-%1$d"},"_meta":{"claudecode/toolUseId":"use-%1$d"}}}
        """
            .formatted(number);
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
