package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.app.UnrulyProxy.Said;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that are repeated, overtaken and late on their way to a server: each key has one effect
 * and one answer, and whoever lost a task cannot write, however late its request comes. {@code
 * -Dtasks=N} says for how many tasks, {@code -Dseed=N} which requests.
 */
@Order(1)
class UnrulyNetworkTest {
  private static final int TASKS = Integer.getInteger("tasks", 48);
  private static final int WORKERS = 4;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path folder;
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
  private final AtomicInteger stale = new AtomicInteger();
  private StoreAddress address;
  private ServerProcess server;
  private UnrulyProxy network;

  @BeforeEach
  void start() throws IOException {
    System.out.printf("unruly network: -Dseed=%d%n", seed);
    address = new StoreAddress.File(folder.resolve("store/state.sqlite3"));
    server = ServerProcess.start(folder.resolve("server"), address).listening();
    network = new UnrulyProxy(server.address(), seed);
  }

  @AfterEach
  void stop() {
    if (network != null) network.close();
    if (server == null) return;
    server.kill();
    server.ended();
  }

  /** One who asks through the network, with a token. */
  private final class Client {
    private final String token;

    Client(String token) {
      this.token = token;
    }

    Said ask(String verb, String path, JsonObject body, String... headers) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(network.address() + path))
              .timeout(Rest.PATIENCE)
              .setHeader("Authorization", "Bearer " + token);
      String text = body.isEmpty() && verb.equals("GET") ? "" : JsonText.write(body);
      request.method(
          verb, text.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(text));
      if (!text.isEmpty()) request.setHeader("Content-Type", "application/json");
      for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
      try {
        HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
        return new Said(answer.statusCode(), answer.body());
      } catch (IOException | InterruptedException fault) {
        throw new IllegalStateException(fault);
      }
    }
  }

  private Client agent(Rest person, String name) throws IOException {
    JsonObject who = JsonObject.of("role", "agent", "name", name, "terminal", name);
    return new Client(person.issue(server, who).token());
  }

  @Test
  void each_key_has_one_effect_and_one_answer_and_nobody_writes_who_lost_the_task()
      throws Exception {
    play();
    List<String> different = new ArrayList<>();
    network
        .answers()
        .forEach(
            (key, said) -> {
              if (Set.copyOf(said).size() > 1) different.add(key + ": " + said);
            });
    assertThat(different).as("answers to one key, seed %d", seed).isEmpty();
    System.out.printf(
        "unruly network: %d repeated, %d overtaken, %d late, %d held back and refused%n",
        network.repeated.get(), network.overtaken.get(), network.cameLate.get(), stale.get());
    assertThat(List.of(network.repeated.get(), network.overtaken.get(), network.cameLate.get()))
        .as("faults that happened")
        .allMatch(count -> count > 0);
    assertThat(stale.get()).isPositive();
    check();
    checkWithoutKeys();
  }

  /** The control: the same copies of requests without keys are all carried out. */
  private void checkWithoutKeys() throws Exception {
    Client lead = new Client(server.token());
    JsonObject bare = JsonObject.of("title", "bare");
    well(lead.ask("POST", "/tasks", bare));
    lead.ask("POST", "/tasks", bare, "Hold", "copy");
    assertThat(network.release("copy")).isNotNull();
    Said all = lead.ask("GET", "/tasks?limit=1000&status=PENDING", JsonObject.EMPTY);
    assertThat(all.body().split("\"bare\"", -1)).as("made twice").hasSize(3);
  }

  private void play() throws Exception {
    Client lead = new Client(server.token());
    Rest person = new Rest(server.token());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      String name = "worker-" + i;
      Client first = agent(person, name);
      Client second = agent(person, name + "-later");
      int own = i;
      threads.add(new Thread(() -> work(own, lead, first, second), name));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) each.join();
    network.settle();
    assertThat(wrongs).as("seed %d", seed).isEmpty();
  }

  private void work(int worker, Client lead, Client first, Client second) {
    try {
      for (int i = 0; i < TASKS / WORKERS; i++) one(worker, i, lead, first, second);
    } catch (Exception | AssertionError fault) {
      wrongs.add("worker " + worker + ": " + fault);
    }
  }

  /** A task from its making to its end; of each third one the first holder's word comes late. */
  private void one(int worker, int number, Client lead, Client first, Client second)
      throws Exception {
    String name = "task-" + worker + "-" + number;
    JsonObject wanted = JsonObject.of("title", name, "task_type", "TYPE_" + worker);
    String id = well(lead.ask("POST", "/tasks", wanted, "Idempotency-Key", name)).text("id");
    JsonObject held = claim(first, worker, name + "-claim");
    if (!held.text("id").equals(id)) wrongs.add(name + " was not given");
    String fence = Long.toString(held.number("fence"));
    String given = assignment(first, id, "worker-" + worker);
    String[] begin = {"Idempotency-Key", name + "-start", "Mainstay-Fence", fence};
    well(first.ask("PUT", given + "/start", JsonObject.EMPTY, begin));
    JsonObject result = JsonObject.of("result", JsonObject.of("by", "first"));
    String[] done = {"Idempotency-Key", name + "-complete", "Mainstay-Fence", fence};
    if (number % 3 > 0) {
      well(first.ask("PUT", given + "/complete", result, done));
      return;
    }
    String[] heldBack = {done[0], done[1], done[2], done[3], "Hold", name};
    int lost = first.ask("PUT", given + "/complete", result, heldBack).status();
    assertThat(lost).isEqualTo(UnrulyProxy.LOST);
    String[] release = {"Idempotency-Key", name + "-release", "Mainstay-Fence", fence};
    well(first.ask("PUT", given + "/release", JsonObject.of("reason", "no answer"), release));
    JsonObject again = claim(second, worker, name + "-second");
    Said late = network.release(name);
    if (late == null || late.status() != 409) wrongs.add(name + ": a stale write got " + late);
    else stale.incrementAndGet();
    String other = assignment(second, id, "worker-" + worker + "-later");
    JsonObject last = JsonObject.of("result", JsonObject.of("by", "second"));
    String now = Long.toString(again.number("fence"));
    String[] end = {"Idempotency-Key", name + "-end", "Mainstay-Fence", now};
    well(second.ask("PUT", other + "/complete", last, end));
  }

  private static JsonObject claim(Client by, int worker, String key) {
    JsonObject wanted = JsonObject.of("lease_seconds", 600, "types", List.of("TYPE_" + worker));
    Said said = by.ask("POST", "/tasks/claim", wanted, "Idempotency-Key", key);
    return well(said).objects("tasks").get(0);
  }

  private static String assignment(Client by, String task, String worker) {
    Said said = by.ask("GET", "/tasks/" + task + "/assignments", JsonObject.EMPTY);
    return "/assignments/"
        + well(said).objects("items").stream()
            .filter(each -> each.text("terminal_id").equals(worker))
            .findFirst()
            .orElseThrow()
            .number("id");
  }

  private static JsonObject well(Said said) {
    assertThat(said.status()).as(said.body()).isBetween(200, 201);
    return JsonText.object(said.body());
  }

  /** Of each task the journal tells one life, and no more. */
  private void check() {
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      Set<String> titles = new HashSet<>();
      for (var task : store.reading(tx -> tx.tasks().list(TaskFilter.ALL, 0, 10_000))) {
        assertThat(titles.add(task.title())).as("%s is there once", task.title()).isTrue();
        List<String> kinds = kinds(store, task.id());
        boolean twice = kinds.contains("task.released");
        assertThat(kinds)
            .isEqualTo(
                twice
                    ? List.of(
                        "task.created",
                        "task.held",
                        "task.started",
                        "task.released",
                        "task.held",
                        "task.completed")
                    : List.of("task.created", "task.held", "task.started", "task.completed"));
      }
      assertThat(titles).hasSize(TASKS / WORKERS * WORKERS);
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }

  private static List<String> kinds(Store store, TaskId id) {
    return store.reading(tx -> tx.journal().stream(id.stream())).stream()
        .map(JournalEntry::content)
        .map(content -> content.kind())
        .toList();
  }
}
