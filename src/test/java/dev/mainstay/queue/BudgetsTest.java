package dev.mainstay.queue;

import static dev.mainstay.domain.TaskStatus.COMPLETED;
import static dev.mainstay.domain.TaskStatus.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Budget;
import dev.mainstay.domain.Budget.Totals;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Terms.Retry;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BudgetsTest {
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

    private static final Retry ONCE = new Retry(null, Duration.ZERO);

    private static Amounts tokens(@Nullable Long count) {
      return new Amounts(count, null, null);
    }

    private static Terms costing(long tokens) {
      return new Terms(ONCE, null, Amounts.NONE, tokens(tokens));
    }

    private static Terms limited(Amounts budget) {
      return new Terms(ONCE, null, budget, Amounts.NONE);
    }

    private static Terms limited(long tokens) {
      return limited(tokens(tokens));
    }

    private TaskId part(TaskId parent, Terms terms) {
      return tasks.create(NewTask.titled("part").below(parent).on(terms), ADA).id();
    }

    private Budget budget(TaskId id) {
      return tasks.budget(id).orElseThrow();
    }

    private long reserved(TaskId id) {
      return budget(id).reserved().tokens();
    }

    private long spent(TaskId id) {
      return budget(id).spent().tokens();
    }

    @Test
    void what_an_attempt_may_cost_is_put_aside_in_every_budget_above_before_it_is_given() {
      TaskId top = create("top", limited(100));
      TaskId middle = part(top, limited(50));
      TaskId free = part(middle, Terms.NONE);
      TaskId leaf = part(free, costing(20));
      assertThat(reserved(top)).isZero();
      hold(leaf, "w");
      assertThat(reserved(top)).isEqualTo(20);
      assertThat(reserved(middle)).isEqualTo(20);
      assertThat(tasks.budget(free)).isEmpty();
    }

    @Test
    void the_narrowest_budget_above_decides_and_nothing_is_put_aside_in_the_others() {
      TaskId top = create("top", limited(100));
      TaskId middle = part(top, limited(10));
      TaskId leaf = part(middle, costing(20));
      refused(Code.CONFLICT, () -> hold(leaf, "w"), "no room");
      assertThat(claim("w", 1)).isEmpty();
      assertThat(reserved(top)).isZero();
      assertThat(reserved(middle)).isZero();
    }

    @Test
    void an_attempt_that_says_nothing_gets_all_that_is_left() {
      TaskId top = create("top", limited(100));
      TaskId one = part(top, costing(30));
      TaskId two = part(top, Terms.NONE);
      TaskId three = part(top, Terms.NONE);
      hold(one, "w1");
      hold(two, "w2");
      assertThat(reserved(top)).isEqualTo(100);
      refused(Code.CONFLICT, () -> hold(three, "w3"), "no room");
    }

    @Test
    void a_task_that_does_not_fit_lets_others_go_first_and_comes_back_when_there_is_room() {
      TaskId top = create("top", limited(100));
      TaskId large = part(top, costing(80));
      TaskId small = part(top, costing(30));
      TaskId other = create("other");
      Call holder = hold(small, "w1");
      assertThat(claim("w2", 1)).containsExactly(other);
      assertThat(tasks.show(large).links().waiting().overBudget()).isTrue();
      assertThat(ready()).isEmpty();
      refused(Code.CONFLICT, () -> hold(large, "w2"), "room in its budget");
      leases.complete(small, JsonObject.EMPTY, holder);
      assertThat(claim("w2", 1)).containsExactly(large);
      assertThat(reserved(top)).isEqualTo(80);
    }

    @Test
    void raising_the_budget_or_lowering_the_estimate_brings_a_task_back() {
      TaskId top = create("top", limited(10));
      TaskId one = part(top, costing(80));
      TaskId two = part(top, costing(50));
      assertThat(claim("w", 2)).isEmpty();
      tasks.setTerms(two, costing(5), null, BOT);
      assertThat(claim("w", 2)).containsExactly(two);
      tasks.setTerms(top, limited(100), null, ADA);
      assertThat(claim("w", 2)).containsExactly(one);
      assertThat(reserved(top)).isEqualTo(85);
    }

    @Test
    void many_that_do_not_fit_do_not_hide_one_that_does() {
      TaskId top = create("top", limited(10));
      for (int i = 0; i < 45; i++) part(top, costing(80));
      TaskId other = create("other");
      assertThat(claim("w", 1)).containsExactly(other);
    }

    @Test
    void claimers_at_the_same_moment_never_overdraw_a_budget() throws Exception {
      TaskId top = create("top", limited(100));
      for (int i = 0; i < 16; i++) part(top, costing(15));
      AtomicInteger name = new AtomicInteger();
      List<List<TaskId>> claimed = Both.atOnce(8, () -> claim("w" + name.incrementAndGet(), 2));
      assertThat(claimed.stream().mapToInt(List::size).sum()).isEqualTo(6);
      assertThat(reserved(top)).isEqualTo(90);
    }

    @Test
    void claimers_and_enders_at_the_same_moment_leave_nothing_held_back_for_ever()
        throws Exception {
      TaskId top = create("top", limited(30));
      for (int i = 0; i < 24; i++) part(top, costing(10));
      AtomicInteger name = new AtomicInteger();
      Both.atOnce(
          4,
          () -> {
            String worker = "w" + name.incrementAndGet();
            for (int i = 0; i < 12; i++) {
              leases
                  .claim(new Wanted(worker, List.of(), 1, LEASE), BOT)
                  .forEach(
                      task ->
                          leases.complete(
                              task.id(), JsonObject.EMPTY, BOT.withFence(task.fence())));
            }
            return worker;
          });
      for (TaskId id : claim("last", 3)) complete(id, tasks.show(id).fence());
      while (!ready().isEmpty()) {
        for (TaskId id : claim("last", 3)) complete(id, tasks.show(id).fence());
      }
      assertThat(status(top)).isEqualTo(COMPLETED);
      assertThat(reserved(top)).isZero();
    }

    private void complete(TaskId id, long fence) {
      leases.complete(id, JsonObject.EMPTY, BOT.withFence(fence));
    }

    @Test
    void what_is_spent_comes_out_of_the_promise_first() {
      TaskId top = create("top", limited(100));
      TaskId one = part(top, costing(30));
      Call holder = hold(one, "w");
      leases.spend(one, tokens(10L), holder);
      assertThat(spent(top)).isEqualTo(10);
      assertThat(reserved(top)).isEqualTo(20);
      leases.spend(one, tokens(45L), holder);
      assertThat(spent(top)).isEqualTo(55);
      assertThat(reserved(top)).isZero();
      leases.complete(one, JsonObject.EMPTY, holder);
      assertThat(spent(top)).isEqualTo(55);
      assertThat(reserved(top)).isZero();
    }

    @Test
    void spending_repeated_under_its_key_is_booked_once() {
      TaskId top = create("top", limited(100));
      Call holder = hold(top, "w").withKey("spent-1");
      leases.spend(top, tokens(10L), holder);
      leases.spend(top, tokens(10L), holder);
      assertThat(spent(top)).isEqualTo(10);
    }

    @Test
    void who_lost_the_task_spends_nothing_of_its_budget() {
      TaskId top = create("top", limited(100));
      Call holder = hold(top, "w");
      clock.advance(LEASE);
      leases.expire();
      refused(Code.LEASE_LOST, () -> leases.spend(top, tokens(10L), holder));
      assertThat(spent(top)).isZero();
    }

    @Test
    void the_time_of_an_attempt_is_booked_however_it_ends() {
      TaskId top = create("top", limited(new Amounts(null, null, 1_000L)));
      Call holder = hold(top, "w");
      assertThat(budget(top).reserved().seconds()).isEqualTo(1_000);
      clock.advance(Duration.ofSeconds(12));
      leases.release(top, "", holder);
      assertThat(budget(top).spent().seconds()).isEqualTo(12);
      lose(top, "w");
      assertThat(budget(top).spent()).isEqualTo(new Totals(0, 0, 12 + LEASE.toSeconds()));
      assertThat(budget(top).reserved().isNothing()).isTrue();
    }

    @Test
    void a_timeout_says_how_much_time_is_put_aside() {
      TaskId top = create("top", limited(new Amounts(null, null, 100L)));
      var terms = new Terms(ONCE, Duration.ofSeconds(40), Amounts.NONE, Amounts.NONE);
      for (int i = 0; i < 3; i++) part(top, terms);
      assertThat(claim("w", 3)).hasSize(2);
      assertThat(budget(top).reserved().seconds()).isEqualTo(80);
    }

    @Test
    void a_holder_whose_budget_is_used_up_is_refused_its_heartbeat_and_may_still_end() {
      TaskId top = create("top", limited(100));
      TaskId one = part(top, costing(30));
      Call holder = hold(one, "w");
      leases.spend(one, tokens(100L), holder);
      leases.renew(one, LEASE, holder);
      leases.spend(one, tokens(1L), holder);
      refused(Code.CONFLICT, () -> leases.renew(one, LEASE, holder), top.value(), "used up");
      assertThat(leases.complete(one, JsonObject.EMPTY, holder).status()).isEqualTo(COMPLETED);
    }

    @Test
    void a_holder_whose_time_is_used_up_is_refused_its_heartbeat_too() {
      TaskId top = create("top", limited(new Amounts(null, null, 50L)));
      Call holder = hold(top, "w");
      clock.advance(Duration.ofSeconds(25));
      leases.renew(top, LEASE, holder);
      clock.advance(Duration.ofSeconds(26));
      refused(Code.CONFLICT, () -> leases.renew(top, LEASE, holder), "used up");
    }

    @Test
    void only_a_person_gives_a_budget_more_room() {
      TaskId top = create("top", limited(100));
      for (Terms wider : List.of(limited(101), Terms.NONE)) {
        refused(Code.CONFLICT, () -> tasks.setTerms(top, wider, null, BOT), "only a person");
      }
      tasks.setTerms(top, limited(50), null, BOT);
      tasks.setTerms(top, limited(new Amounts(50L, 1_000_000L, null)), null, BOT);
      assertThat(budget(top).max()).isEqualTo(new Amounts(50L, 1_000_000L, null));
      tasks.setTerms(top, limited(200), null, ADA);
      assertThat(budget(top).max()).isEqualTo(tokens(200L));
    }

    @Test
    void a_budget_made_smaller_than_what_is_promised_gives_nothing_more_until_there_is_room() {
      TaskId top = create("top", limited(100));
      TaskId one = part(top, costing(60));
      TaskId two = part(top, costing(10));
      Call holder = hold(one, "w");
      tasks.setTerms(top, limited(50), null, BOT);
      assertThat(claim("w2", 1)).isEmpty();
      leases.complete(one, JsonObject.EMPTY, holder);
      assertThat(claim("w2", 1)).containsExactly(two);
    }

    @Test
    void nothing_stays_promised_after_any_way_a_task_is_let_go() {
      Map<String, Ending> ways =
          Map.of(
              "complete", (id, call) -> leases.complete(id, JsonObject.EMPTY, call),
              "fail", (id, call) -> leases.fail(id, "no", call),
              "release", (id, call) -> leases.release(id, "", call),
              "cancel", (id, call) -> tasks.cancel(id, "", ADA),
              "cancel the parent",
                  (id, call) -> tasks.cancel(tasks.show(id).links().parent(), "", ADA),
              "expire",
                  (id, call) -> {
                    clock.advance(LEASE);
                    leases.expire();
                  });
      ways.forEach(
          (way, ending) -> {
            TaskId top = create("top", limited(100));
            TaskId one = part(top, costing(30));
            ending.end(one, hold(one, "w"));
            assertThat(budget(top).reserved().isNothing()).as(way).isTrue();
            Totals promised = store.reading(tx -> tx.budgets().promised(top, one));
            assertThat(promised.isNothing()).as(way).isTrue();
          });
    }

    /** One way in which a holder loses or gives up a task. */
    private interface Ending {
      void end(TaskId task, Call holder);
    }

    @Test
    void nothing_stays_promised_after_a_retry_or_too_many_lost_leases() {
      var twice = new Terms(new Retry(2, Duration.ZERO), null, Amounts.NONE, tokens(30L));
      TaskId top = create("top", limited(100));
      TaskId one = part(top, twice);
      fail(one, "no");
      assertThat(reserved(top)).isZero();
      lose(one, "w");
      assertThat(status(one)).isEqualTo(FAILED);
      assertThat(reserved(top)).isZero();
    }

    @Test
    void nothing_stays_promised_when_the_budget_is_taken_away_meanwhile() {
      TaskId top = create("top", limited(100));
      hold(top, "w");
      tasks.setTerms(top, Terms.NONE, null, ADA);
      leases.release(top, "", ADA);
      tasks.setTerms(top, limited(100), null, ADA);
      assertThat(reserved(top)).isZero();
      hold(top, "w");
      assertThat(reserved(top)).isEqualTo(100);
    }
  }
}
