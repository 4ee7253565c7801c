package dev.mainstay.queue;

import static dev.mainstay.domain.TaskStatus.CANCELLED;
import static dev.mainstay.domain.TaskStatus.COMPLETED;
import static dev.mainstay.domain.TaskStatus.FAILED;
import static dev.mainstay.domain.TaskStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Terms.Retry;
import dev.mainstay.domain.Times;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetriesTest {
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

  abstract static class Contract extends OnQueue {
    Contract(Databases database) {
      super(database);
    }

    private static Terms tried(@Nullable Integer attempts, Duration backoff) {
      return new Terms(new Retry(attempts, backoff), null, Amounts.NONE, Amounts.NONE);
    }

    private static Terms within(Duration timeout) {
      return new Terms(new Retry(null, Duration.ZERO), timeout, Amounts.NONE, Amounts.NONE);
    }

    @Test
    void without_a_number_of_attempts_a_failure_ends_a_task() {
      TaskId one = create("one");
      assertThat(fail(one, "broke").status()).isEqualTo(FAILED);
      assertThat(reason(one)).isEqualTo("broke");
      assertThat(ready()).isEmpty();
    }

    @Test
    void a_task_is_tried_as_often_as_its_terms_say_and_its_history_names_every_attempt() {
      TaskId one = create("one", tried(3, Duration.ZERO));
      assertThat(leases.fail(one, "no disk", hold(one, "ann")).status()).isEqualTo(PENDING);
      assertThat(reason(one)).contains("attempt 1", "ann", "no disk");
      assertThat(ready()).containsExactly(one);
      leases.fail(one, "no net", hold(one, "ben"));
      Task last = leases.fail(one, "no luck", hold(one, "cid"));
      assertThat(last.status()).isEqualTo(FAILED);
      assertThat(last.progress().attempt()).isEqualTo(3);
      assertThat(reason(one))
          .contains("3 attempts", "attempt 1: ann: no disk", "attempt 2: ben: no net")
          .contains("attempt 3: cid: no luck");
    }

    @Test
    void lost_leases_and_failures_count_together() {
      TaskId one = create("one", tried(2, Duration.ZERO));
      lose(one, "ann");
      assertThat(status(one)).isEqualTo(PENDING);
      assertThat(fail(one, "broke").status()).isEqualTo(FAILED);
      assertThat(reason(one)).contains("ann did not renew", "bot: broke");
    }

    @Test
    void a_task_with_one_attempt_fails_with_its_first_lost_lease() {
      TaskId one = create("one", tried(1, Duration.ZERO));
      lose(one, "ann");
      assertThat(status(one)).isEqualTo(FAILED);
    }

    @Test
    void the_pause_doubles_with_every_attempt_and_a_paused_task_is_not_ready() {
      TaskId one = create("one", tried(5, Duration.ofSeconds(10)));
      for (int pause : new int[] {10, 20, 40, 80}) {
        fail(one, "broke");
        assertThat(tasks.show(one).links().waiting().delayedUntil())
            .isEqualTo(clock.instant().plusSeconds(pause));
        assertThat(ready()).isEmpty();
        assertThat(claim("w", 1)).isEmpty();
        refused(Code.CONFLICT, () -> hold(one, "w"), "waiting until");
        clock.advance(Duration.ofSeconds(pause).minusNanos(1_000));
        assertThat(claim("w", 1)).isEmpty();
        clock.advance(Duration.ofNanos(1_000));
        assertThat(ready()).containsExactly(one);
      }
      assertThat(claim("w", 1)).containsExactly(one);
    }

    @Test
    void a_pause_is_never_longer_than_a_day() {
      TaskId one = create("one", tried(10, Duration.ofHours(10)));
      fail(one, "broke");
      clock.advance(Duration.ofHours(10));
      assertThat(ready()).containsExactly(one);
      fail(one, "broke");
      clock.advance(Duration.ofHours(20));
      assertThat(ready()).containsExactly(one);
      fail(one, "broke");
      assertThat(tasks.show(one).links().waiting().delayedUntil())
          .isEqualTo(clock.instant().plus(Terms.BACKOFF_MAX));
    }

    @Test
    void a_pause_also_follows_a_lost_lease_and_a_claim_ends_it_by_itself() {
      TaskId one = create("one", tried(3, Duration.ofSeconds(60)));
      lose(one, "ann");
      assertThat(claim("w", 1)).isEmpty();
      clock.advance(Duration.ofSeconds(60));
      assertThat(claim("w", 1)).containsExactly(one);
      assertThat(tasks.show(one).links().waiting().delayedUntil()).isNull();
    }

    @Test
    void lost_leases_bring_a_task_back_until_there_were_too_many() {
      TaskId one = create("one");
      List<Instant> heartbeats = new ArrayList<>();
      for (int attempt = 1; attempt <= Terms.LOST_ATTEMPTS_MAX; attempt++) {
        assertThat(ready()).as("attempt " + attempt).containsExactly(one);
        Call call = hold(one, "w" + attempt);
        clock.advance(Duration.ofSeconds(attempt));
        leases.renew(one, LEASE, call);
        heartbeats.add(clock.instant());
        clock.advance(LEASE);
        assertThat(leases.expire()).isEqualTo(1);
        refused(Code.LEASE_LOST, () -> leases.renew(one, LEASE, call));
      }
      assertThat(status(one)).isEqualTo(FAILED);
      for (int attempt = 1; attempt <= Terms.LOST_ATTEMPTS_MAX; attempt++) {
        String heartbeat = Times.write(heartbeats.get(attempt - 1));
        assertThat(reason(one))
            .contains("attempt " + attempt + ": w" + attempt + " did not renew", heartbeat);
      }
      assertThat(ready()).isEmpty();
    }

    @Test
    void a_holder_that_gives_a_task_back_uses_up_no_attempt() {
      TaskId one = create("one", tried(2, Duration.ZERO));
      for (int i = 0; i < 4; i++) leases.release(one, "not mine", hold(one, "w" + i));
      assertThat(fail(one, "broke").status()).isEqualTo(PENDING);
      assertThat(fail(one, "broke").status()).isEqualTo(FAILED);
    }

    @Test
    void no_heartbeat_outlasts_the_timeout_of_an_attempt() {
      TaskId one = create("one", within(Duration.ofSeconds(40)));
      Call call = hold(one, "slow");
      Instant end = clock.instant().plusSeconds(40);
      clock.advance(Duration.ofSeconds(20));
      assertThat(leases.renew(one, LEASE, call).lease().orElseThrow().until()).isEqualTo(end);
      clock.advance(Duration.ofSeconds(20));
      assertThat(leases.expire()).isEqualTo(1);
      assertThat(reason(one)).contains("slow was not done within its timeout of 40 s");
      refused(Code.LEASE_LOST, () -> leases.renew(one, LEASE, call));
      assertThat(leases.hold(one, "next", LEASE, BOT).lease().orElseThrow().until())
          .as("the next attempt has a timeout of its own")
          .isEqualTo(clock.instant().plus(LEASE));
    }

    @Test
    void a_lease_that_is_longer_than_the_timeout_is_cut() {
      TaskId one = create("one", within(Duration.ofSeconds(5)));
      hold(one, "slow");
      clock.advance(Duration.ofSeconds(5));
      assertThat(leases.expire()).isEqualTo(1);
    }

    @Test
    void trying_a_task_again_gives_it_all_its_attempts_anew() {
      TaskId one = create("one", tried(2, Duration.ZERO));
      fail(one, "broke");
      fail(one, "broke");
      refused(Code.CONFLICT, () -> hold(one, "w"), "FAILED");
      Task again = tasks.retry(one, "fixed the disk", ADA);
      assertThat(again.status()).isEqualTo(PENDING);
      assertThat(again.progress().reason()).isEqualTo("fixed the disk");
      assertThat(fail(one, "broke").status()).isEqualTo(PENDING);
      assertThat(fail(one, "broke").status()).isEqualTo(FAILED);
      assertThat(reason(one)).contains("attempt 3", "attempt 4").doesNotContain("attempt 2");
    }

    @Test
    void only_what_failed_or_was_cancelled_is_tried_again() {
      TaskId one = create("one");
      refused(Code.CONFLICT, () -> tasks.retry(one, "", ADA), "PENDING");
      hold(one, "w");
      refused(Code.CONFLICT, () -> tasks.retry(one, "", ADA), "ASSIGNED");
      tasks.cancel(one, "", ADA);
      assertThat(status(one)).isEqualTo(CANCELLED);
      tasks.retry(one, "", ADA);
      complete(one);
      refused(Code.CONFLICT, () -> tasks.retry(one, "", ADA), "COMPLETED");
    }

    @Test
    void a_holder_that_lost_its_task_cannot_have_it_tried_again() {
      TaskId one = create("one");
      Call stale = hold(one, "slow");
      tasks.cancel(one, "enough", ADA);
      refused(Code.LEASE_LOST, () -> tasks.retry(one, "", stale), "lease lost");
      assertThat(status(one)).isEqualTo(CANCELLED);
    }

    @Test
    void a_task_that_was_cancelled_in_its_pause_is_tried_again_at_once() {
      TaskId one = create("one", tried(3, Duration.ofHours(1)));
      fail(one, "broke");
      tasks.cancel(one, "", ADA);
      tasks.retry(one, "now", ADA);
      assertThat(ready()).containsExactly(one);
    }

    @Test
    void a_failure_repeated_under_its_key_counts_once() {
      TaskId one = create("one", tried(3, Duration.ZERO));
      Call call = hold(one, "w").withKey("fail-1");
      Task first = leases.fail(one, "broke", call);
      assertThat(leases.fail(one, "broke", call)).isEqualTo(first);
      assertThat(kinds(one)).containsExactly("task.created", "task.held", "task.retried");
      complete(one);
      assertThat(status(one)).isEqualTo(COMPLETED);
    }

    @Test
    void a_thousand_words_of_failure_keep_the_newest() {
      TaskId one = create("one", tried(6, Duration.ZERO));
      for (int i = 1; i <= 6; i++) fail(one, i + " went wrong ".repeat(100));
      assertThat(reason(one).length()).isLessThanOrEqualTo(Task.REASON_CHARS_MAX);
      assertThat(reason(one)).contains("6 attempts", "attempt 6").doesNotContain("attempt 1:");
    }
  }
}
