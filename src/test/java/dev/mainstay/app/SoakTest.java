package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything at once on one server: tasks from their making to their end, notes, messages,
 * workflows, readers of events that come and go, prompts, and commands of other processes. What the
 * server holds must not grow with what it has done. {@code -Dseconds=N} says for how long.
 */
@Order(1)
class SoakTest {
  private static final long SECONDS = Long.getLong("seconds", 9);
  private static final int LOOKS = 3;
  private static final long LOOK_AGAIN_NANOS = 50_000_000;
  private static final long HEAP_KIB_SLACK = 12 * 1024;
  private static final long DESCRIPTORS_SLACK = 24;
  private static final long LOG_BYTES_MAX = 72L * 1024 * 1024;
  private static final int AT_ONCE = 10;

  /** One task on the way from start to end, so that whoever completes it ends the execution. */
  private static final String DRAWN =
      """
      {"name": "soak", "title": "", "nodes": [{"id": "start", "kind": "start_event"},
         {"id": "work", "kind": "service_task"}, {"id": "end", "kind": "end_event"}],
       "edges": [{"source": "start", "target": "work"}, {"source": "work", "target": "end"}]}""";

  /** Of what is in use: what the heap has just been filled with again says nothing. */
  private static final Pattern IN_USE = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

  @TempDir Path folder;
  private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
  private final AtomicLong done = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;
  private Path store;
  private ServerProcess server;

  /** What the server holds at one moment, when it has thrown away what it does not need. */
  private record Look(long done, long heapKib, long descriptors, long logBytes) {}

  @AfterEach
  void stop() throws InterruptedException {
    over = true;
    for (Thread each : threads) each.join(Rest.PATIENCE.toMillis());
    if (server == null) return;
    server.kill();
    server.ended();
  }

  private interface Work {
    void turn(int number) throws Exception;
  }

  private void always(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int i = 0; !over; i++) {
                  work.turn(i);
                  done.incrementAndGet();
                }
              } catch (Exception | AssertionError fault) {
                if (!over) wrongs.add(name + ": " + fault);
              }
            },
            name);
    threads.add(thread);
    thread.start();
  }

  @Test
  void what_a_server_holds_does_not_grow_with_what_it_has_done() throws Exception {
    store = folder.resolve("server/.mainstay/state.sqlite3");
    server =
        ServerProcess.start(folder.resolve("server"), new StoreAddress.File(store)).listening();
    Rest person = new Rest(server.token());
    begin(person);
    List<Look> looks = new ArrayList<>();
    for (int i = 0; i < LOOKS; i++) {
      long end = System.nanoTime() + SECONDS * 1_000_000_000 / LOOKS;
      while (System.nanoTime() - end < 0 && wrongs.isEmpty())
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      looks.add(look());
      assertThat(wrongs).isEmpty();
    }
    over = true;
    for (Thread each : threads) each.join(Rest.PATIENCE.toMillis());
    System.out.println("soak: " + looks);
    Look first = looks.get(0);
    Look last = looks.get(LOOKS - 1);
    assertThat(last.done()).as("work went on: %s", looks).isGreaterThan(first.done());
    assertThat(last.heapKib())
        .as("heap: %s", looks)
        .isLessThan(first.heapKib() + first.heapKib() / 4 + HEAP_KIB_SLACK);
    assertThat(last.descriptors())
        .as("descriptors: %s", looks)
        .isLessThan(first.descriptors() + DESCRIPTORS_SLACK);
    assertThat(last.logBytes()).as("log: %s", looks).isLessThan(LOG_BYTES_MAX);
    assertThat(server.errors()).isEmpty();
    try (Store open = Store.open(new StoreAddress.File(store), StoreSettings.DEFAULT)) {
      assertThat(Verification.of(open).findings()).isEmpty();
    }
  }

  private void begin(Rest person) throws IOException {
    JsonObject who = JsonObject.of("role", "agent", "name", "coder", "terminal", "coder");
    Rest coder = person.issue(server, who);
    well(person.post(server, "/workflows", JsonText.object(DRAWN)));
    always("tasks", number -> task(person, coder, number));
    always("inbox", number -> messages(person, coder, number));
    always("readers", number -> events(person));
    always("looks", number -> looks(person, number));
    always("commands", this::command);
  }

  private static JsonObject well(Rest.Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isBetween(200, 201);
    return answer.json();
  }

  private void task(Rest person, Rest coder, int number) throws IOException {
    JsonObject wanted = JsonObject.of("title", "task " + number);
    String id =
        well(person.post(server, "/tasks", wanted, "Idempotency-Key", "t" + number)).text("id");
    well(person.post(server, "/workflows/soak/executions", JsonObject.EMPTY));
    // Whatever others make is taken with it, or it would pile up.
    JsonObject lease = JsonObject.of("lease_seconds", 600, "limit", AT_ONCE);
    List<JsonObject> got = well(coder.post(server, "/tasks/claim", lease)).objects("tasks");
    for (JsonObject task : got) {
      String fence = Long.toString(task.number("fence"));
      String own = task.text("id");
      String note = JsonText.write(JsonObject.of("decisions", List.of("turn " + number)));
      well(coder.send(server, "POST", "/tasks/" + own + "/state", note, "Mainstay-Fence", fence));
      JsonObject given =
          well(coder.get(server, "/tasks/" + own + "/assignments")).objects("items").get(0);
      String path = "/assignments/" + given.number("id") + "/complete";
      well(coder.send(server, "PUT", path, "{}", "Mainstay-Fence", fence));
    }
    well(person.get(server, "/tasks/" + id));
  }

  private void messages(Rest person, Rest coder, int number) throws IOException {
    JsonObject message = JsonObject.of("message", "turn " + number);
    well(person.post(server, "/terminals/coder/inbox", message));
    JsonObject some = JsonObject.of("limit", AT_ONCE);
    for (JsonObject got :
        well(coder.post(server, "/terminals/coder/inbox/pull", some)).objects("messages")) {
      well(coder.send(server, "PUT", "/inbox/" + got.number("id") + "/ack", ""));
    }
  }

  /** One reader after the other begins at the beginning and leaves in the middle. */
  private void events(Rest person) throws IOException {
    try (InputStream in = person.events(server, "")) {
      byte[] some = in.readNBytes(4_096);
      assertThat(some).isNotEmpty();
    }
  }

  private void looks(Rest person, int number) throws IOException {
    for (String path : List.of("/now", "/tasks?limit=50", "/charts", "/journal?limit=100")) {
      well(person.get(server, path));
    }
  }

  /** Another process, as far as the store can tell. */
  private void command(int number) {
    Path project = folder.resolve("server");
    CliRun run =
        CliRun.of(project, "", "task", "create", "by hand " + number, "--key", "c" + number);
    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(CliRun.of(project, "", "prompt", "T-001").code()).isLessThan(4);
  }

  private Look look() throws Exception {
    String pid = Long.toString(server.pid());
    Matcher inUse = IN_USE.matcher(jcmd(pid, "GC.class_histogram"));
    assertThat(inUse.find()).as("the heap is told").isTrue();
    long heap = Long.parseLong(inUse.group(1)) / 1024;
    long descriptors;
    try (var all = Files.list(Path.of("/proc", pid, "fd"))) {
      descriptors = all.count();
    }
    Path log = store.resolveSibling(store.getFileName() + "-wal");
    return new Look(done.get(), heap, descriptors, Files.exists(log) ? Files.size(log) : 0);
  }

  private static String jcmd(String pid, String what) throws Exception {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process = new ProcessBuilder(jcmd, pid, what).redirectErrorStream(true).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String said = String.join("\n", lines.lines().toList());
      assertThat(process.waitFor(Duration.ofMinutes(2).toSeconds(), TimeUnit.SECONDS)).isTrue();
      return said;
    }
  }
}
