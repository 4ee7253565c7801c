package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.faults.KillablePostgres;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.upkeep.Journal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose PostgreSQL has standbys: what is acknowledged, and on which host it is written. */
class ReplicationTest {
  private static final Duration NO_PATIENCE = Duration.ofNanos(1);
  private static final long SECONDS_MAX = 60;

  @TempDir static Path temp;
  private static KillablePostgres server;

  @BeforeAll
  static void start() {
    server = new KillablePostgres(temp.resolve("data"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void letAllCommit() {
    replicas("");
  }

  /** Commits wait for a standby of this name; there is none. */
  private static void replicas(String names) {
    server.set("synchronous_standby_names", names);
  }

  private static Store open(Duration patience) {
    return Store.open(server.address(), StoreSettings.DEFAULT.withPatience(patience));
  }

  private static Call call(String key) {
    Call call = Call.by(Actor.agent("coder"), "test");
    return key == null ? call : call.withKey(key);
  }

  private static Once<Long> once(String key) {
    return Once.of(
        call(key), "count", JsonObject.EMPTY, n -> JsonObject.of("n", n), json -> json.number("n"));
  }

  private static long count(Tx tx) {
    long next = 1 + tx.meta().find("count").map(Long::parseLong).orElse(0L);
    tx.meta().set("count", String.valueOf(next));
    return next;
  }

  private static <T> CompletableFuture<T> asking(Supplier<T> ask) {
    return CompletableFuture.supplyAsync(ask, task -> new Thread(task, "asks").start());
  }

  private static <T> T answer(CompletableFuture<T> asked) throws Exception {
    return asked.get(SECONDS_MAX, TimeUnit.SECONDS);
  }

  /** The process of the server whose commit waits for a standby, another than the one given. */
  private static long waiting(long other) {
    String sql =
        "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> "
            + other;
    KillablePostgres.await("a commit waits for a standby", () -> server.number(sql) > 0);
    return server.number(sql);
  }

  private static void cancel(long pid) {
    server.run("SELECT pg_cancel_backend(" + pid + ")");
  }

  private static void terminate(long pid) {
    server.run("SELECT pg_terminate_backend(" + pid + ", 10000)");
  }

  private static void isUnknown(CompletableFuture<?> asked) {
    assertThatThrownBy(asked::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.STORE_UNAVAILABLE))
        .hasMessageContaining("unknown");
  }

  @Test
  void an_answer_that_was_looked_up_waits_for_the_standby() throws Exception {
    try (Store store = open(StoreSettings.PATIENCE)) {
      replicas("absent");
      for (boolean journaled : List.of(true, false)) {
        CompletableFuture<?> asked =
            asking(
                () ->
                    journaled
                        ? new Tasks(store).create(NewTask.titled("kept"), call(null)).id()
                        : store.inTransaction(once(null), ReplicationTest::count));
        long first = waiting(0);
        terminate(first); // its change can be seen now, and is on this host alone
        long second = waiting(first);
        assertThat(asked).as("an answer while the standby is away").isNotDone();
        terminate(second); // the look-up itself is lost, too
        waiting(second);
        assertThat(asked).isNotDone();
        replicas("");
        answer(asked);
        replicas("absent");
      }
      replicas("");
      assertThat(Raw.texts(store, "SELECT title FROM tasks WHERE title = 'kept'", "title"))
          .hasSize(1);
    }
  }

  @Test
  void a_cancelled_wait_for_the_standby_is_no_acknowledgement() throws Exception {
    try (Store patient = open(StoreSettings.PATIENCE);
        Store impatient = open(NO_PATIENCE)) {
      Tasks tasks = new Tasks(patient);
      TaskId id = tasks.create(NewTask.titled("held"), call(null)).id();
      Task held = new Leases(patient).hold(id, "coder", Leases.LEASE, call(null));
      replicas("absent");
      List<Supplier<Object>> writes =
          List.of(
              () -> new Tasks(impatient).create(NewTask.titled("bare"), call(null)),
              () -> new Tasks(impatient).create(NewTask.titled("keyed"), call("k1")),
              () -> impatient.inTransaction(once(null), ReplicationTest::count),
              () ->
                  new Leases(impatient)
                      .complete(id, JsonObject.EMPTY, call(null).withFence(held.fence())));
      for (Supplier<Object> write : writes) {
        CompletableFuture<Object> asked = asking(write);
        cancel(waiting(0));
        isUnknown(asked);
      }
      CompletableFuture<Task> asked =
          asking(() -> tasks.create(NewTask.titled("asked again"), call(null)));
      cancel(waiting(0)); // it looks its change up and waits again
      waiting(0);
      replicas("");
      assertThat(answer(asked).brief().title()).isEqualTo("asked again");
      assertThat(Raw.texts(patient, "SELECT title FROM tasks WHERE title = 'asked again'", "title"))
          .hasSize(1);
    }
  }

  @Test
  void an_answer_that_is_only_read_under_its_key_waits_for_the_standby() throws Exception {
    try (Store store = open(NO_PATIENCE);
        Store patient = open(StoreSettings.PATIENCE)) {
      replicas("absent");
      CompletableFuture<Long> asked =
          asking(() -> store.inTransaction(once("k2"), ReplicationTest::count));
      cancel(waiting(0));
      isUnknown(asked);
      CompletableFuture<Optional<Long>> read = asking(() -> store.answered(once("k2")));
      cancel(waiting(0));
      isUnknown(read);
      CompletableFuture<Optional<Long>> again = asking(() -> patient.answered(once("k2")));
      long reading = waiting(0);
      CompletableFuture<Long> repeated =
          asking(() -> patient.inTransaction(once("k2"), ReplicationTest::count));
      waiting(reading);
      assertThat(again).isNotDone();
      assertThat(repeated).isNotDone();
      replicas("");
      assertThat(answer(again)).contains(answer(repeated));
      assertThat(store.answered(once("never asked"))).isEmpty();
    }
  }

  @Test
  void a_standby_is_waited_for_until_it_is_promoted_if_there_are_several_hosts() throws Exception {
    open(StoreSettings.PATIENCE).close();
    try (KillablePostgres standby = server.standby(temp.resolve("standby"), "standby")) {
      String hosts = "localhost:" + standby.port();
      assertThatThrownBy(
              () -> {
                try (Store one = Store.open(address(hosts, "any"), StoreSettings.DEFAULT)) {
                  new Tasks(one).create(NewTask.titled("refused"), call(null));
                }
              })
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.READ_ONLY));
      String both = hosts + ",localhost:" + server.port();
      try (Store primary = Store.open(address(both, "primary"), StoreSettings.DEFAULT);
          Store any = Store.open(address(both, "any"), StoreSettings.DEFAULT);
          Store impatient =
              Store.open(address(both, "any"), StoreSettings.DEFAULT.withPatience(NO_PATIENCE))) {
        new Tasks(primary).create(NewTask.titled("on the primary"), call(null));
        assertThatThrownBy(
                () -> new Tasks(impatient).create(NewTask.titled("too early"), call(null)))
            .isInstanceOfSatisfying(
                Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.STORE_UNAVAILABLE))
            .hasMessageContaining("promote");
        CompletableFuture<Task> asked =
            asking(() -> new Tasks(any).create(NewTask.titled("promoted"), call(null)));
        KillablePostgres.await("it tries again", () -> !any.stalledFor().isZero());
        assertThat(asked).isNotDone();
        standby.promote();
        assertThat(answer(asked).brief().title()).isEqualTo("promoted");
      }
    }
  }

  @Test
  void a_failover_that_lost_entries_is_noticed() throws Exception {
    open(StoreSettings.PATIENCE).close();
    String hosts = "localhost:" + server.port() + ",localhost:";
    try (KillablePostgres standby = server.standby(temp.resolve("behind"), "behind");
        Store store =
            Store.open(address(hosts + standby.port(), "primary"), StoreSettings.DEFAULT)) {
      Journal journal = new Journal(store);
      Tasks tasks = new Tasks(store);
      tasks.create(NewTask.titled("kept"), call(null));
      Position kept = journal.end();
      String replayed = "SELECT count(*) FROM journal WHERE seq = " + kept.seq();
      KillablePostgres.await("the standby has it", () -> standby.number(replayed) == 1);
      standby.kill();
      tasks.create(NewTask.titled("lost"), call(null));
      tasks.create(NewTask.titled("lost, too"), call(null));
      Position lost = journal.end();
      assertThat(store.lostWrites()).isEmpty();
      server.kill();
      standby.start(Map.of());
      standby.promote();
      for (int i = 0; i < 4; i++) tasks.create(NewTask.titled("after"), call(null));
      assertThatThrownBy(() -> journal.after(lost, null, 10)).hasMessageContaining("went back");
      assertThat(journal.after(kept, null, 10)).hasSize(4);
      assertThat(journal.resume(kept).isOfOtherTimeline(kept.timeline())).isTrue();
      assertThat(store.lostWrites()).hasSize(2);
      assertThat(store.lostWrites()).as("each is told once").isEmpty();
    } finally {
      server.start(Map.of());
    }
  }

  private static StoreAddress address(String hosts, String target) {
    return StoreAddress.parse(
        "postgresql://postgres@" + hosts + "/postgres?sslmode=disable&targetServerType=" + target);
  }
}
