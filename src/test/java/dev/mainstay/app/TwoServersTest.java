package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two server processes on one PostgreSQL: what is done at one is so at the other. */
@Order(1)
class TwoServersTest {
  private static final Call ADA = Call.by(Actor.person("ada"), "test");
  private static final Set<Integer> STOPPED_CODES = Set.of(0, 143);

  @TempDir Path home;
  private Store store;
  private Fleet fleet;
  private ServerProcess a;
  private ServerProcess b;
  private Rest atA;
  private Rest atB;
  private final ExecutorService callers = Executors.newCachedThreadPool();

  @BeforeEach
  void start() {
    var address = (StoreAddress.Server) Databases.POSTGRESQL.fresh();
    fleet = new Fleet(home, address, 2);
    Fleet.await("both servers listen", fleet::isWhole);
    store = Store.open(address, StoreSettings.DEFAULT);
    a = fleet.at(0);
    b = fleet.at(1);
    atA = new Rest(a.token());
    atB = new Rest(b.token());
  }

  @AfterEach
  void stop() {
    fleet.close();
    callers.shutdownNow();
    if (store != null) store.close();
  }

  private String make(Rest rest, ServerProcess server, String title) throws IOException {
    Rest.Answer made = rest.post(server, "/tasks", JsonObject.of("title", title));
    assertThat(made.status()).isEqualTo(201);
    return made.json().text("id");
  }

  private Future<Rest.Answer> claim(Rest rest, ServerProcess server, String worker, int wait) {
    return claim(rest, server, JsonObject.of("worker", worker, "wait_seconds", wait));
  }

  /** Waits longer than anybody who stops the server would. */
  private Future<Rest.Answer> reviews(String worker) {
    JsonObject body = JsonObject.of("worker", worker, "wait_seconds", 60);
    return claim(atA, a, body.with("types", List.of("REVIEW")));
  }

  private Future<Rest.Answer> claim(Rest rest, ServerProcess server, JsonObject body) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return rest.post(server, "/tasks/claim", body);
          } catch (IOException fault) {
            throw new UncheckedIOException(fault);
          }
        },
        callers);
  }

  private static List<String> ids(Rest.Answer claimed) {
    assertThat(claimed.status()).isEqualTo(200);
    return claimed.json().objects("tasks").stream().map(task -> task.text("id")).toList();
  }

  private Task task(String id) {
    return new Tasks(store).show(TaskId.parse(id));
  }

  private long entries(String id, String kind) {
    return store.reading(
        tx ->
            tx.journal().stream("task/" + id).stream()
                .filter(entry -> entry.content().kind().equals(kind))
                .count());
  }

  @Test
  void a_claim_that_waits_at_one_gets_a_task_made_at_the_other() throws Exception {
    for (int i = 0; i < 5; i++) {
      Future<Rest.Answer> waiting = claim(atA, a, "coder", 50);
      String made = make(atB, b, "task " + i);
      assertThat(ids(waiting.get())).containsExactly(made);
    }
  }

  @Test
  void a_task_goes_to_one_of_those_who_wait_at_both() throws Exception {
    List<Future<Rest.Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(claim(atA, a, "a" + i, 50));
      waiting.add(claim(atB, b, "b" + i, 50));
    }
    Set<String> made = new TreeSet<>();
    for (int i = 0; i < waiting.size(); i++) {
      made.add(i % 2 == 0 ? make(atA, a, "task " + i) : make(atB, b, "task " + i));
    }
    List<String> given = new ArrayList<>();
    for (Future<Rest.Answer> each : waiting) given.addAll(ids(each.get()));
    assertThat(given).containsExactlyInAnyOrderElementsOf(made);
  }

  @Test
  void a_token_of_one_is_good_at_both_until_it_is_revoked_at_either() throws Exception {
    JsonObject wanted = JsonObject.of("role", "viewer", "name", "wall");
    JsonObject issued = atA.post(a, "/tokens", wanted).json();
    Rest viewer = new Rest(issued.text("token"));
    assertThat(viewer.get(a, "/tasks").status()).isEqualTo(200);
    assertThat(viewer.get(b, "/tasks").status()).isEqualTo(200);
    String token = "/tokens/" + issued.text("id");
    assertThat(atB.send(b, "DELETE", token, "").status()).isEqualTo(200);
    assertThat(viewer.get(a, "/tasks").status()).isEqualTo(401);
    assertThat(viewer.get(b, "/tasks").status()).isEqualTo(401);
    assertThat(atA.get(b, "/tasks").status()).as("a folder's own token").isEqualTo(401);
  }

  @Test
  void a_lease_that_ran_out_is_returned_once_whoever_lives() throws Exception {
    List<String> both = hold("both live");
    Fleet.await("all are returned", () -> arePending(both));
    fleet.kill(0);
    List<String> one = hold("one lives");
    Fleet.await("all are returned", () -> arePending(one));
    for (String id : both) assertThat(entries(id, "task.lease_expired")).isEqualTo(1);
    for (String id : one) assertThat(entries(id, "task.lease_expired")).isEqualTo(1);
  }

  /** Nobody claims anything meanwhile, so that only the servers' sweepers look. */
  private List<String> hold(String title) throws IOException {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String id = make(atB, b, title);
      new Leases(store).hold(TaskId.parse(id), "silent", Leases.LEASE_MIN, ADA);
      ids.add(id);
    }
    return ids;
  }

  private boolean arePending(List<String> ids) {
    return ids.stream().allMatch(id -> task(id).status() == TaskStatus.PENDING);
  }

  @Test
  void a_server_that_is_told_to_stop_answers_those_who_wait_and_loses_nothing() throws Exception {
    List<EventReader> readers = new ArrayList<>();
    for (int i = 0; i < 5; i++) readers.add(new EventReader(atA, () -> a));
    for (EventReader each : readers) Fleet.await("a reader is in", () -> each.begun() > 0);
    List<Future<Rest.Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) waiting.add(reviews("reviewer-" + i));
    JsonObject review = JsonObject.of("title", "for one of them", "task_type", "REVIEW");
    String given = atB.post(b, "/tasks", review).json().text("id");
    Fleet.await("one is served", () -> task(given).status() == TaskStatus.ASSIGNED);
    Fleet.await("the others wait", () -> a.threadsIn("WaitingClaim.await") == 9);
    List<String> acknowledged = new ArrayList<>();
    Future<?> making = callers.submit(() -> makeUntilItIsGone(acknowledged));
    Fleet.await("requests are on their way", () -> count(acknowledged) > 5);
    long told = System.nanoTime();
    a.terminate();
    assertThat(a.ended()).isIn(STOPPED_CODES);
    System.out.printf(
        "a server told to stop ended after %d ms%n",
        Duration.ofNanos(System.nanoTime() - told).toMillis());
    making.get();
    List<String> served = new ArrayList<>();
    for (Future<Rest.Answer> each : waiting) {
      Rest.Answer answer = each.get();
      if (answer.status() == 200) served.addAll(ids(answer));
      else assertThat(answer.status()).isEqualTo(503);
    }
    assertThat(served).doesNotHaveDuplicates().contains(given);
    for (String id : served) assertThat(task(id).status()).isEqualTo(TaskStatus.ASSIGNED);
    for (String id : acknowledged) assertThat(task(id).id().value()).isEqualTo(id);
    for (EventReader each : readers) each.close();
  }

  private static int count(List<String> growing) {
    synchronized (growing) {
      return growing.size();
    }
  }

  private void makeUntilItIsGone(List<String> acknowledged) {
    try {
      while (true) {
        Rest.Answer answer = atA.post(a, "/tasks", JsonObject.of("title", "in flight"));
        if (answer.status() != 201) continue;
        synchronized (acknowledged) {
          acknowledged.add(answer.json().text("id"));
        }
      }
    } catch (IOException gone) {
      return;
    }
  }
}
