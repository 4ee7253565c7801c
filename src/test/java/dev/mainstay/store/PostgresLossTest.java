package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskType;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.queue.Wanted;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A commit whose answer was lost is unknown, not failed: its transaction is asked after. */
class PostgresLossTest {
  static String url(int port) {
    String schema = "t_" + UUID.randomUUID().toString().replace('-', '_');
    return "postgresql://postgres@localhost:"
        + port
        + "/postgres?sslmode=disable&prepareThreshold=0&schema="
        + schema;
  }

  /** A write without a caller's key. */
  private static Once<Long> once() {
    Call call = Call.by(Actor.person("ada"), "test");
    return Once.of(
        call, "count", JsonObject.EMPTY, n -> JsonObject.of("n", n), json -> json.number("n"));
  }

  private static long count(Tx tx) {
    long next = 1 + tx.meta().find("count").map(Long::parseLong).orElse(0L);
    tx.meta().set("count", String.valueOf(next));
    return next;
  }

  @Test
  void a_commit_whose_answer_was_lost_is_made_exactly_once() throws Exception {
    try (LossyProxy network = new LossyProxy(Databases.postgresPort());
        Store store = Store.open(StoreAddress.parse(url(network.port())), StoreSettings.DEFAULT)) {
      network.loseNextCommitAnswers(1);
      long answer = store.inTransaction(once(), PostgresLossTest::count);
      assertThat(network.answersLost()).as("the fault really happened").isEqualTo(1);
      assertThat(answer).isEqualTo(1);
      assertThat(store.<String>reading(tx -> tx.meta().find("count").orElseThrow())).isEqualTo("1");
    }
  }

  @Test
  void a_claim_that_was_lost_with_its_last_changes_is_made_exactly_once() throws Exception {
    try (LossyProxy network = new LossyProxy(Databases.postgresPort());
        Store store = Store.open(StoreAddress.parse(url(network.port())), StoreSettings.DEFAULT)) {
      Call call = Call.by(Actor.agent("coder"), "test");
      new Tasks(store).create(NewTask.titled("once"), call);
      network.loseNextCommitAnswers(1);
      var wanted = new Wanted("coder", List.of(), 1, Leases.LEASE);
      assertThat(new Leases(store).claim(wanted, call)).extracting(Task::fence).containsExactly(1L);
      assertThat(network.answersLost()).as("the fault really happened").isEqualTo(1);
      assertThat(Raw.texts(store, "SELECT kind FROM journal ORDER BY seq", "kind"))
          .containsExactly("task.created", "task.held");
    }
  }

  @Test
  void a_change_that_is_refused_on_the_last_journey_keeps_the_commit_from_coming() {
    try (Store store =
        Store.open(StoreAddress.parse(url(Databases.postgresPort())), StoreSettings.DEFAULT)) {
      Call call = Call.by(Actor.person("ada"), "test").withKey("once");
      Once<Long> once =
          Once.of(
              call,
              "count",
              JsonObject.EMPTY,
              n -> JsonObject.of("n", n),
              json -> json.number("n"));
      assertThatThrownBy(
          () ->
              store.inTransaction(
                  once,
                  tx -> {
                    tx.sql("INSERT INTO store_meta (name, value) VALUES ('a', 'b')").later();
                    tx.sql("INSERT INTO store_meta (name, value) VALUES ('c', NULL)").later();
                    return 1L;
                  }));
      assertThat(store.<Boolean>reading(tx -> tx.meta().find("a").isPresent())).isFalse();
      assertThat(store.inTransaction(once, PostgresLossTest::count)).isEqualTo(1);
    }
  }

  @Test
  void several_that_were_committed_at_once_are_made_exactly_once_too() throws Exception {
    try (LossyProxy network = new LossyProxy(Databases.postgresPort());
        Store store = Store.open(StoreAddress.parse(url(network.port())), StoreSettings.DEFAULT)) {
      network.loseNextCommitAnswers(1);
      var asked = new Store.Asked<>(once(), PostgresLossTest::count);
      var settled = store.together(List.of(asked, asked, asked));
      assertThat(network.answersLost()).as("the fault really happened").isEqualTo(1);
      assertThat(settled.stream().map(Store.Settled::get)).containsExactly(1L, 2L, 3L);
      assertThat(store.<String>reading(tx -> tx.meta().find("count").orElseThrow())).isEqualTo("3");
    }
  }

  @Test
  void a_transaction_whose_end_is_unknown_is_asked_after_until_it_has_one() throws Exception {
    String url = url(Databases.postgresPort());
    var settings = StoreSettings.DEFAULT.withPatience(Duration.ofSeconds(1));
    try (Store store = Store.open(StoreAddress.parse(url), settings)) {
      for (int turn = 0; turn < 4; turn++) {
        boolean kept = turn % 2 == 0;
        boolean journaled = turn < 2;
        Doubt<String> doubt = new Doubt<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Thread other =
            new Thread(
                () ->
                    store.inTransaction(
                        Once.unkeyed(),
                        tx -> {
                          count(tx);
                          if (journaled) journal(tx);
                          doubt.raise(tx, "answer");
                          begun.countDown();
                          await(asked);
                          if (!kept) throw Refusal.conflict("not kept");
                          return 0;
                        }));
        other.setUncaughtExceptionHandler((thread, refused) -> {});
        other.start();
        await(begun);
        assertThatThrownBy(() -> store.<@Nullable String>reading(doubt::resolve))
            .isInstanceOf(Refusal.class)
            .hasRootCauseInstanceOf(Doubt.StillOpen.class);
        asked.countDown();
        other.join();
        assertThat(store.<Optional<String>>reading(tx -> Optional.ofNullable(doubt.resolve(tx))))
            .isEqualTo(kept ? Optional.of("answer") : Optional.empty());
      }
    }
  }

  private static void journal(Tx tx) {
    var brief = new Task.Brief("one", "", TaskType.CODE, 0, JsonObject.EMPTY);
    var created = new TaskEvent.Created(brief, null, null, List.of());
    tx.tasks().create(tx.tasks().nextId(), created, 0, Call.by(Actor.person("ada"), "test"));
    tx.finish();
  }

  /** After a crash the server may not know a number any more, or have given it to another. */
  @Test
  void what_was_written_decides_and_not_the_number_of_the_transaction() {
    String url = url(Databases.postgresPort());
    try (Store store = Store.open(StoreAddress.parse(url), StoreSettings.DEFAULT)) {
      String others = store.inTransaction(Once.unkeyed(), PostgresLossTest::numbered);
      Doubt<String> notKept = new Doubt<>();
      assertThatThrownBy(
              () ->
                  store.inTransaction(
                      Once.<Integer>unkeyed(),
                      tx -> {
                        journal(tx);
                        tx.isNumbered(others);
                        notKept.raise(tx, "answer");
                        throw Refusal.conflict("the server crashed");
                      }))
          .isInstanceOf(Refusal.class);
      Doubt<String> kept = new Doubt<>();
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            journal(tx);
            tx.isNumbered("9000000000000000000");
            kept.raise(tx, "answer");
            return 0;
          });
      assertThat(store.<Optional<String>>reading(tx -> Optional.ofNullable(notKept.resolve(tx))))
          .isEmpty();
      assertThat(store.<Optional<String>>reading(tx -> Optional.ofNullable(kept.resolve(tx))))
          .contains("answer");
    }
  }

  private static String numbered(Tx tx) {
    count(tx);
    return tx.sql("SELECT pg_current_xact_id()::text AS number").one(row -> row.text("number"));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }

  /** The answer is lost and the database stays away: neither "kept" nor "not kept" may be said. */
  @Test
  void a_lost_answer_is_called_unknown_when_the_database_stays_away() throws Exception {
    var settings = StoreSettings.DEFAULT.withPatience(Duration.ofSeconds(1));
    LossyProxy network = new LossyProxy(Databases.postgresPort());
    try (Store store = Store.open(StoreAddress.parse(url(network.port())), settings)) {
      network.loseNextCommitAnswersForGood();
      assertThatThrownBy(() -> store.inTransaction(once(), PostgresLossTest::count))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("unknown")
          .hasMessageContaining("before you repeat it");
      assertThat(network.answersLost()).isEqualTo(1);
    }
  }

  @Test
  void a_connection_lost_before_its_commit_is_run_again() {
    try (Store store =
        Store.open(StoreAddress.parse(url(Databases.postgresPort())), StoreSettings.DEFAULT)) {
      AtomicInteger turns = new AtomicInteger();
      long answer =
          store.inTransaction(
              once(),
              tx -> {
                long counted = count(tx);
                if (turns.incrementAndGet() == 1) kill(store, tx);
                tx.meta().set("after", "1");
                return counted;
              });
      assertThat(turns).hasValue(2);
      assertThat(answer).isEqualTo(1);
    }
  }

  private static void kill(Store store, Tx victim) {
    long backend = victim.sql("SELECT pg_backend_pid() AS pid").one(row -> row.number("pid"));
    store.reading(
        tx -> tx.sql("SELECT pg_terminate_backend(:pid::int)").bind("pid", backend).list(row -> 0));
  }

  @Test
  void reading_goes_on_when_an_idle_connection_was_lost() {
    try (Store store =
        Store.open(StoreAddress.parse(url(Databases.postgresPort())), StoreSettings.DEFAULT)) {
      AtomicInteger turns = new AtomicInteger();
      String answer =
          store.reading(
              tx -> {
                if (turns.incrementAndGet() == 1) kill(store, tx);
                return tx.meta().find("epoch").orElse("");
              });
      assertThat(answer).isNotEmpty();
    }
  }

  @Test
  void a_deadlock_is_run_again_until_it_goes_through() throws Exception {
    try (Store store =
        Store.open(StoreAddress.parse(url(Databases.postgresPort())), StoreSettings.DEFAULT)) {
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            tx.meta().set("a", "0");
            tx.meta().set("b", "0");
            return 0;
          });
      AtomicInteger turn = new AtomicInteger();
      Both.atOnce(
          2,
          () -> {
            boolean forwards = turn.incrementAndGet() == 1;
            for (int i = 0; i < 10; i++) {
              store.inTransaction(
                  Once.unkeyed(),
                  tx -> {
                    add(tx, forwards ? "a" : "b");
                    add(tx, forwards ? "b" : "a");
                    return 0;
                  });
            }
            return 0;
          });
      assertThat(store.<String>reading(tx -> tx.meta().find("a").orElse(""))).isEqualTo("20");
      assertThat(store.<String>reading(tx -> tx.meta().find("b").orElse(""))).isEqualTo("20");
    }
  }

  private static void add(Tx tx, String name) {
    tx.sql("UPDATE store_meta SET value = (value::int + 1)::text WHERE name = :name")
        .bind("name", name)
        .update();
  }

  /** The pool gives up without a state when a network that is cut has not even refused it. */
  @Test
  void a_server_that_says_nothing_at_all_is_no_bug() {
    var silence = new SQLTransientConnectionException("request timed out after 5004ms");
    assertThat(Faults.refusal(silence, "postgresql://localhost/db"))
        .isInstanceOfSatisfying(
            Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.STORE_UNAVAILABLE))
        .hasMessageContaining("does not answer");
  }

  @Test
  void nobody_waits_for_an_answer_for_ever() {
    var usual = (StoreAddress.Server) StoreAddress.parse("postgresql://ada@localhost/db");
    var asked =
        (StoreAddress.Server) StoreAddress.parse("postgresql://localhost/db?socketTimeout=7");
    assertThat(PostgresPool.config(usual).getDataSourceProperties())
        .containsEntry("socketTimeout", "120")
        .containsEntry("tcpKeepAlive", "true")
        .containsEntry("user", "ada");
    assertThat(PostgresPool.config(asked).getDataSourceProperties())
        .containsEntry("socketTimeout", "7");
  }

  @Test
  void a_server_that_is_not_there_is_said_to_be_not_there_without_the_password()
      throws IOException {
    int nobody;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = free.getLocalPort();
    }
    var password = String.join("-", "s3cret", "word");
    var address =
        StoreAddress.parse("postgresql://ada:" + password + "@localhost:" + nobody + "/db");
    assertThatThrownBy(
            () ->
                Store.open(address, StoreSettings.DEFAULT.withPatience(Duration.ofSeconds(1)))
                    .close())
        .isInstanceOfSatisfying(
            Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.STORE_UNAVAILABLE))
        .hasMessageContaining("localhost:" + nobody)
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain(password));
  }
}
