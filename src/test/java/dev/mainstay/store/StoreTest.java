package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StoreTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnDatabase {
    Contract(Databases database) {
      super(database);
    }

    private static Once<JsonObject> once(String key, String request) {
      return once(ADA, key, request);
    }

    private static Once<JsonObject> once(Call by, String key, String request) {
      Call call = by.withKey(key);
      return Once.of(call, "test", JsonObject.of("asked", request), j -> j, j -> j);
    }

    /** Counts how often it really ran, in the store itself. */
    private static JsonObject count(Tx tx) {
      long next = 1 + tx.meta().find("count").map(Long::parseLong).orElse(0L);
      tx.meta().set("count", String.valueOf(next));
      return JsonObject.of("count", next);
    }

    private long counted() {
      return store.reading(tx -> tx.meta().find("count").map(Long::parseLong).orElse(0L));
    }

    @Test
    void the_same_key_and_request_gives_the_stored_answer_and_changes_nothing() {
      var first = store.inTransaction(once("k", "a"), Contract::count);
      var second = store.inTransaction(once("k", "a"), Contract::count);
      assertThat(second).isEqualTo(first);
      assertThat(counted()).isEqualTo(1);
    }

    @Test
    void the_same_key_with_another_request_is_a_conflict() {
      store.inTransaction(once("k", "a"), Contract::count);
      assertThatThrownBy(() -> store.inTransaction(once("k", "b"), Contract::count))
          .hasMessageContaining("the key \"k\" was used")
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.CONFLICT));
      assertThat(counted()).isEqualTo(1);
    }

    @Test
    void a_key_is_its_callers_own_and_nobody_meets_it_by_chance_or_guessing() {
      store.inTransaction(once(ADA, "k", "a"), Contract::count);
      var others = store.inTransaction(once(BOT, "k", "a"), Contract::count);
      store.inTransaction(once(BOT, "k", "a"), Contract::count);
      assertThat(others.number("count")).isEqualTo(2);
      assertThat(counted()).isEqualTo(2);
    }

    @Test
    void a_key_is_forgotten_when_its_time_is_over() {
      store.inTransaction(once("k", "a"), Contract::count);
      clock.advance(StoreSettings.KEY_LIFE.minus(Duration.ofSeconds(1)));
      store.inTransaction(once("k", "a"), Contract::count);
      assertThat(counted()).isEqualTo(1);
      clock.advance(Duration.ofSeconds(1));
      store.inTransaction(once("k", "b"), Contract::count);
      assertThat(counted()).isEqualTo(2);
    }

    @Test
    void expired_keys_are_removed_with_a_seal() {
      store.inTransaction(once("k", "a"), Contract::count);
      clock.advance(StoreSettings.KEY_LIFE.plus(Duration.ofSeconds(1)));
      store.seal();
      long left =
          store.reading(
              tx ->
                  tx.sql("SELECT count(*) AS n FROM idempotency_keys WHERE key = 'k'")
                      .one(row -> row.number("n")));
      assertThat(left).isZero();
    }

    @Test
    void eight_equal_requests_at_once_have_one_effect_and_one_answer() throws Exception {
      List<JsonObject> answers =
          Both.atOnce(8, () -> store.inTransaction(once("same", "a"), Contract::count));
      assertThat(answers).containsOnly(JsonObject.of("count", 1));
      assertThat(counted()).isEqualTo(1);
    }

    @Test
    void a_refused_use_case_leaves_nothing_behind_not_even_its_key() {
      assertThatThrownBy(
              () ->
                  store.inTransaction(
                      once("k", "a"),
                      tx -> {
                        count(tx);
                        throw Refusal.invalid("no");
                      }))
          .isInstanceOf(Refusal.class);
      assertThat(counted()).isZero();
      store.inTransaction(once("k", "another"), Contract::count);
      assertThat(counted()).isEqualTo(1);
    }

    @Test
    void wake_ups_run_after_the_commit_and_only_then() {
      List<Long> seen = new ArrayList<>();
      given(
          tx -> {
            count(tx);
            tx.afterCommit(() -> seen.add(counted()));
          });
      assertThat(seen).containsExactly(1L);
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        tx.afterCommit(() -> seen.add(99L));
                        throw Refusal.invalid("no");
                      }))
          .isInstanceOf(Refusal.class);
      assertThat(seen).containsExactly(1L);
    }

    @Test
    void what_many_threads_were_told_is_there_when_the_store_is_opened_again() throws Exception {
      AtomicInteger acknowledged = new AtomicInteger();
      Both.atOnce(
          16,
          () -> {
            for (int i = 0; i < 25; i++) {
              String name = "k" + acknowledged.incrementAndGet();
              given(tx -> tx.meta().set(name, "v"));
            }
            return 0;
          });
      try (Store again = open(address)) {
        long kept =
            again.reading(
                tx ->
                    tx.sql("SELECT count(*) AS n FROM store_meta WHERE value = 'v'")
                        .one(row -> row.number("n")));
        assertThat(kept).isEqualTo(400);
      }
    }

    @Test
    void one_use_case_that_fails_does_not_touch_those_committed_with_it() throws Exception {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch queued = new CountDownLatch(1);
      Thread slow =
          new Thread(
              () ->
                  given(
                      tx -> {
                        inside.countDown();
                        Pause.until(queued); // meanwhile the others line up for the same batch
                      }));
      slow.start();
      inside.await();
      var results =
          new Thread[] {
            new Thread(() -> given(tx -> tx.meta().set("good", "1"))),
            new Thread(() -> swallow(() -> given(Contract::failHalfway))),
            new Thread(() -> given(tx -> tx.meta().set("fine", "1")))
          };
      for (Thread each : results) each.start();
      for (Thread each : results) awaitParked(each);
      queued.countDown();
      slow.join();
      for (Thread each : results) each.join();
      store.reading(
          tx -> {
            assertThat(tx.meta().find("good")).isPresent();
            assertThat(tx.meta().find("fine")).isPresent();
            assertThat(tx.meta().find("half")).isEmpty();
            return 0;
          });
    }

    private static void failHalfway(Tx tx) {
      tx.meta().set("half", "1");
      throw new IllegalStateException("a bug in one use case");
    }

    /** Until it waits for the writer, or for the database to let it go on. */
    private static void awaitParked(Thread thread) {
      while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
        Pause.briefly();
        if (thread.getState() == Thread.State.TERMINATED) return;
        if (isInSocketRead(thread)) return;
      }
    }

    private static boolean isInSocketRead(Thread thread) {
      StackTraceElement[] stack = thread.getStackTrace();
      return stack.length > 0 && stack[0].isNativeMethod();
    }

    private static void swallow(Runnable run) {
      try {
        run.run();
      } catch (IllegalStateException expected) {
        assertThat(expected).hasMessageContaining("bug");
      }
    }

    @Test
    void a_reader_sees_one_moment_while_others_write() {
      given(tx -> tx.meta().set("a", "1"));
      store.reading(
          tx -> {
            assertThat(tx.meta().find("a")).contains("1");
            given(other -> other.meta().set("a", "2"));
            assertThat(tx.meta().find("a")).contains("1");
            return 0;
          });
      assertThat(store.<Object>reading(tx -> tx.meta().find("a").orElse(""))).isEqualTo("2");
    }

    @Test
    void a_store_of_a_newer_version_is_refused_and_left_alone() {
      given(tx -> tx.sql("UPDATE schema_version SET version = 99").update());
      assertThatThrownBy(() -> open(address).close())
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.code()).isEqualTo(Code.STORE_UNAVAILABLE))
          .hasMessageContaining("newer")
          .hasMessageContaining("nothing was changed");
    }
  }
}
