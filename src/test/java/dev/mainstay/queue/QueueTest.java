package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terms;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class QueueTest {
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
    private static final Duration LEASE = Duration.ofSeconds(30);
    private Tasks tasks;
    private Leases leases;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      tasks = new Tasks(store);
      leases = new Leases(store);
    }

    /** Whatever a test did, journal and tables must agree afterwards. */
    @AfterEach
    void the_tables_equal_the_replay() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    private Task create(String title, TaskId... after) {
      return tasks.create(NewTask.titled(title).after(after), ADA);
    }

    private static void refused(Code code, ThrowingCallable call, String... words) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> {
                assertThat(refusal.code()).isEqualTo(code);
                for (String word : words) assertThat(refusal.sentence()).contains(word);
              });
    }

    private void finish(TaskId id) {
      Task held = leases.hold(id, "bot", LEASE, BOT);
      leases.complete(id, JsonObject.EMPTY, BOT.withFence(held.fence()));
    }

    private List<String> ready() {
      return tasks.ready(null, 100).stream().map(t -> t.id().value()).toList();
    }

    private NewTask named(String alias) {
      return new NewTask(
          NewTask.titled("one").brief().named(alias), null, null, List.of(), Terms.NONE);
    }

    @Test
    void a_task_is_found_by_the_alias_that_its_caller_chose() {
      Task made = tasks.create(named("issue 12: größe"), ADA);
      assertThat(made.brief().alias()).isEqualTo("issue 12: größe");
      assertThat(tasks.resolve("issue 12: größe")).isEqualTo(made.id());
      assertThat(tasks.resolve("t-1")).isEqualTo(made.id());
      assertThat(tasks.show(made.id()).brief().alias()).isEqualTo("issue 12: größe");
      JsonObject changes = JsonObject.of("priority", 3);
      assertThat(tasks.update(made.id(), changes, null, ADA).brief().alias()).isNotNull();
      refused(Code.NOT_FOUND, () -> tasks.resolve("no-such"), "no task has the alias");
    }

    @Test
    void an_alias_is_unique_and_no_id() {
      tasks.create(named("mine"), ADA);
      refused(Code.CONFLICT, () -> tasks.create(named("mine"), ADA), "belongs to T-001");
      for (String wrong : List.of("T-002", "7", "t9", "a,b", "a/b", "a\nb", "", "-a")) {
        refused(Code.INVALID, () -> tasks.create(named(wrong), ADA));
      }
      refused(Code.TOO_LARGE, () -> tasks.create(named("a".repeat(129)), ADA));
      tasks.create(named("a".repeat(128)), ADA);
    }

    @Test
    void of_two_who_choose_one_alias_at_the_same_time_one_gets_it() throws Exception {
      AtomicInteger refusals = new AtomicInteger();
      Both.atOnce(
          2,
          () -> {
            try {
              tasks.create(named("mine"), ADA);
            } catch (Refusal taken) {
              assertThat(taken.code()).isEqualTo(Code.CONFLICT);
              refusals.incrementAndGet();
            }
            return 0;
          });
      assertThat(refusals).hasValue(1);
    }

    @Test
    void a_task_becomes_ready_when_all_it_waits_for_are_completed() {
      Task one = create("one");
      Task two = create("two");
      create("three", one.id(), two.id());
      assertThat(ready()).containsExactly("T-001", "T-002");
      finish(one.id());
      assertThat(ready()).containsExactly("T-002");
      finish(two.id());
      assertThat(ready()).containsExactly("T-003");
    }

    @Test
    void what_can_no_longer_start_is_cancelled_with_its_cause_down_the_line() {
      Task one = create("one");
      Task two = create("two", one.id());
      Task three = create("three", two.id());
      tasks.cancel(one.id(), "not wanted", ADA);
      assertThat(tasks.show(two.id()).status()).isEqualTo(TaskStatus.CANCELLED);
      assertThat(tasks.show(three.id()).progress().reason()).contains("T-002");
    }

    @Test
    void cancelling_twice_is_refused_and_counts_nobody_down_twice() {
      Task one = create("one");
      Task two = create("two");
      Task three = create("three", two.id());
      tasks.depend(three.id(), new Dependency(one.id(), Dependency.Kind.AFTER_ANY), ADA);
      tasks.cancel(one.id(), "", ADA);
      refused(Code.CONFLICT, () -> tasks.cancel(one.id(), "", ADA), "CANCELLED");
      assertThat(ready()).containsExactly("T-002");
    }

    @Test
    void a_completed_task_keeps_its_time_when_its_title_changes() {
      Task one = create("one");
      finish(one.id());
      var completed = tasks.show(one.id()).stamps().completedAt();
      clock.advance(LEASE);
      assertThat(
              tasks.update(one.id(), JsonObject.of("title", "x"), null, ADA).stamps().completedAt())
          .isEqualTo(completed);
    }

    @Test
    void a_result_that_could_not_be_read_again_is_refused() {
      Task held = leases.hold(create("one").id(), "bot", LEASE, BOT);
      var large = JsonObject.of("text", "x".repeat(5_000_000));
      refused(
          Code.TOO_LARGE,
          () -> leases.complete(held.id(), large, BOT.withFence(held.fence())),
          "result");
    }

    @Test
    void a_task_may_wait_for_the_failure_or_for_any_end_of_another() {
      Task one = create("one");
      var repair = tasks.create(NewTask.titled("repair"), ADA);
      tasks.depend(repair.id(), new Dependency(one.id(), Dependency.Kind.AFTER_FAILURE), ADA);
      var report = tasks.create(NewTask.titled("report"), ADA);
      tasks.depend(report.id(), new Dependency(one.id(), Dependency.Kind.AFTER_ANY), ADA);
      Task held = leases.hold(one.id(), "bot", LEASE, BOT);
      leases.fail(one.id(), "broke", BOT.withFence(held.fence()));
      assertThat(ready()).containsExactly("T-002", "T-003");
    }

    @Test
    void a_circle_is_refused_and_named() {
      Task one = create("one");
      Task two = create("two", one.id());
      Task three = create("three", two.id());
      refused(
          Code.CONFLICT,
          () -> tasks.depend(one.id(), Dependency.on(three.id()), ADA),
          "T-001 -> T-003 -> T-002 -> T-001");
      refused(Code.INVALID, () -> tasks.depend(one.id(), Dependency.on(one.id()), ADA), "itself");
    }

    /** Each alone is fine; both together would close a circle. */
    @Test
    void two_edges_at_the_same_moment_cannot_close_a_circle() throws Exception {
      for (int round = 0; round < 10; round++) {
        Task one = create("one");
        Task two = create("two");
        AtomicInteger turn = new AtomicInteger();
        List<Boolean> made =
            Both.atOnce(
                2,
                () -> {
                  boolean first = turn.incrementAndGet() == 1;
                  TaskId from = first ? one.id() : two.id();
                  TaskId to = first ? two.id() : one.id();
                  try {
                    tasks.depend(from, Dependency.on(to), ADA);
                    return true;
                  } catch (Refusal refusal) {
                    assertThat(refusal.code()).isEqualTo(Code.CONFLICT);
                    return false;
                  }
                });
        assertThat(made).containsExactlyInAnyOrder(true, false);
      }
    }

    /** Forced on PostgreSQL by row locks: the edge and the completion meet in either order. */
    @Test
    void a_dependency_added_while_the_other_completes_never_strands_a_task() throws Exception {
      for (int round = 0; round < 20; round++) {
        Task one = create("one");
        Task two = create("two");
        Task held = leases.hold(one.id(), "bot", LEASE, BOT);
        AtomicInteger turn = new AtomicInteger();
        Both.atOnce(
            2,
            () ->
                turn.incrementAndGet() == 1
                    ? tasks.depend(two.id(), Dependency.on(one.id()), ADA)
                    : leases.complete(one.id(), JsonObject.EMPTY, BOT.withFence(held.fence())));
        assertThat(tasks.show(two.id()).isReady()).as("round " + round).isTrue();
        finish(two.id());
      }
    }

    @Test
    void a_dependency_that_can_never_be_met_is_refused_at_once() {
      Task one = create("one");
      tasks.cancel(one.id(), "", ADA);
      refused(Code.CONFLICT, () -> create("two", one.id()), "T-001", "could never start");
      refused(Code.NOT_FOUND, () -> create("three", TaskId.of(99)), "T-099");
      assertThat(tasks.list(TaskFilter.ALL, null, 10).tasks()).hasSize(1);
    }

    @Test
    void removing_the_last_open_dependency_makes_a_task_ready() {
      Task one = create("one");
      Task two = create("two", one.id());
      tasks.undepend(two.id(), one.id(), ADA);
      assertThat(ready()).contains("T-002");
      refused(Code.NOT_FOUND, () -> tasks.undepend(two.id(), one.id(), ADA), "does not wait");
    }

    @Test
    void a_holder_that_lost_its_lease_cannot_write() {
      Task one = create("one");
      Task first = leases.hold(one.id(), "slow", LEASE, BOT);
      clock.advance(LEASE);
      assertThat(leases.expire()).isEqualTo(1);
      Task second = leases.hold(one.id(), "quick", LEASE, BOT);
      assertThat(second.fence()).isGreaterThan(first.fence());
      var stale = BOT.withFence(first.fence());
      refused(
          Code.LEASE_LOST, () -> leases.complete(one.id(), JsonObject.EMPTY, stale), "lease lost");
      refused(Code.LEASE_LOST, () -> leases.renew(one.id(), LEASE, stale), "quick");
      refused(
          Code.LEASE_LOST, () -> tasks.update(one.id(), JsonObject.of("title", "x"), null, stale));
      refused(Code.LEASE_LOST, () -> tasks.cancel(one.id(), "x", stale));
      assertThat(tasks.show(one.id())).isEqualTo(second);
    }

    @Test
    void the_fence_decides_and_not_the_clock() {
      Task held = leases.hold(create("one").id(), "bot", LEASE, BOT);
      clock.advance(LEASE.plusHours(1));
      var call = BOT.withFence(held.fence());
      assertThat(leases.renew(held.id(), LEASE, call).lease().orElseThrow().until())
          .isEqualTo(clock.instant().plus(LEASE));
      assertThat(leases.expire()).isZero();
    }

    @Test
    void another_agent_cannot_write_with_the_current_fence() {
      Task held = leases.hold(create("one").id(), "bot", LEASE, BOT);
      Call other = Call.by(Actor.agent("other"), "test").withFence(held.fence());
      JsonObject title = JsonObject.of("title", "x");
      refused(
          Code.NOT_HOLDER,
          () -> tasks.update(held.id(), title, null, other),
          "T-001 is held by bot; you are agent:other",
          "a person at a terminal");
      refused(Code.NOT_HOLDER, () -> leases.complete(held.id(), JsonObject.EMPTY, other));
      refused(Code.NOT_HOLDER, () -> tasks.cancel(held.id(), "", other));
      Helpers helpers = new Helpers(store);
      refused(Code.NOT_HOLDER, () -> helpers.add(held.id(), "other", other));
      Call holder = BOT.withFence(held.fence());
      assertThat(helpers.add(held.id(), "other", holder).lease().orElseThrow().helpers())
          .containsExactly("other");
      tasks.update(held.id(), title, null, other);
      refused(Code.NOT_HOLDER, () -> helpers.add(held.id(), "third", other), "only its holder");
      helpers.remove(held.id(), "other", holder);
      refused(Code.NOT_HOLDER, () -> tasks.cancel(held.id(), "", other));
      refused(Code.NOT_FOUND, () -> helpers.remove(held.id(), "other", holder), "not a helper");
      helpers.add(held.id(), "other", ADA);
      leases.release(held.id(), "", holder);
      Task again = leases.hold(held.id(), "bot", LEASE, BOT);
      assertThat(again.lease().orElseThrow().helpers()).isEmpty();
      Call late = other.withFence(again.fence());
      refused(Code.NOT_HOLDER, () -> tasks.update(held.id(), title, null, late));
      refused(Code.LEASE_LOST, () -> tasks.cancel(held.id(), "", holder), "fence 1");
    }

    @Test
    void an_agent_that_claims_in_a_workers_name_helps_that_worker() {
      create("one");
      Call script = Call.by(Actor.agent("script-of-ada"), "test");
      Task held = leases.claim(Wanted.any("dev-1", LEASE), script).get(0);
      assertThat(held.lease().orElseThrow().helpers()).containsExactly("script-of-ada");
      assertThat(tasks.show(held.id())).isEqualTo(held);
      leases.complete(held.id(), JsonObject.EMPTY, script.withFence(held.fence()));
    }

    @Test
    void while_a_task_is_held_an_agent_needs_the_fence_and_a_person_does_not() {
      Task held = leases.hold(create("one").id(), "bot", LEASE, BOT);
      refused(Code.LEASE_LOST, () -> tasks.cancel(held.id(), "x", BOT), "fence");
      assertThat(tasks.cancel(held.id(), "enough", ADA).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void a_task_goes_to_one_of_eight_holders() throws Exception {
      Task one = create("one");
      AtomicInteger name = new AtomicInteger();
      List<Boolean> got =
          Both.atOnce(
              8,
              () -> {
                try {
                  leases.hold(one.id(), "w" + name.incrementAndGet(), LEASE, BOT);
                  return true;
                } catch (Refusal refusal) {
                  assertThat(refusal.code()).isEqualTo(Code.CONFLICT);
                  return false;
                }
              });
      assertThat(got).containsOnlyOnce(true);
    }

    @Test
    void a_completion_repeated_under_its_key_gives_the_same_answer() {
      Task held = leases.hold(create("one").id(), "bot", LEASE, BOT);
      var call = BOT.withFence(held.fence()).withKey("done-1");
      Task done = leases.complete(held.id(), JsonObject.of("ok", true), call);
      assertThat(leases.complete(held.id(), JsonObject.of("ok", true), call)).isEqualTo(done);
      refused(
          Code.CONFLICT,
          () -> leases.complete(held.id(), JsonObject.EMPTY, call),
          "another request");
    }

    @Test
    void an_update_of_an_older_version_is_a_conflict_and_overwrites_nothing() {
      Task one = create("one");
      Task two = tasks.update(one.id(), JsonObject.of("title", "better", "priority", 4), 1L, ADA);
      assertThat(two.stamps().version()).isEqualTo(2);
      refused(
          Code.CONFLICT,
          () -> tasks.update(one.id(), JsonObject.of("title", "x"), 1L, ADA),
          "version 2");
      assertThat(tasks.update(one.id(), JsonObject.of("priority", 4), null, ADA).stamps().version())
          .as("nothing differs, so nothing changes")
          .isEqualTo(2);
      refused(
          Code.INVALID,
          () -> tasks.update(one.id(), JsonObject.of("titel", "x"), null, ADA),
          "\"title\"");
    }

    @Test
    void an_illegal_step_is_refused_and_names_the_legal_ones() {
      Task one = create("one");
      finish(one.id());
      refused(Code.CONFLICT, () -> tasks.cancel(one.id(), "", ADA), "COMPLETED", "nothing more");
    }

    @Test
    void secrets_never_reach_the_journal() {
      String token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9" + "J0k1L2m3N4o5P6q7R8";
      var brief =
          new Task.Brief(
              "use " + token,
              "export TOKEN=" + token,
              dev.mainstay.domain.TaskType.CODE,
              0,
              JsonObject.of("deep", List.of(JsonObject.of("api_key", token))));
      Task made = tasks.create(new NewTask(brief, null, null, List.of(), Terms.NONE), ADA);
      Task held = leases.hold(made.id(), "bot", LEASE, BOT);
      leases.fail(made.id(), "401 for " + token, BOT.withFence(held.fence()));
      List<String> payloads =
          store.reading(tx -> tx.journal().stream(made.id().stream())).stream()
              .map(entry -> entry.content().payload())
              .toList();
      assertThat(payloads)
          .noneMatch(payload -> payload.contains(token))
          .anyMatch(p -> p.contains("[redacted:"));
      assertThat(tasks.show(made.id()).toString()).doesNotContain(token);
    }

    @Test
    void lists_page_through_everything_once() {
      for (int i = 0; i < 7; i++) create("t" + i);
      List<String> seen = new ArrayList<>();
      String cursor = null;
      do {
        Tasks.Page page = tasks.list(TaskFilter.ALL, cursor, 3);
        page.tasks().forEach(task -> seen.add(task.title()));
        cursor = page.next();
      } while (cursor != null);
      assertThat(seen).containsExactly("t0", "t1", "t2", "t3", "t4", "t5", "t6");
    }

    /** The maintained count is never anything but the recount, whatever happened before. */
    @Test
    void after_any_history_the_tables_equal_the_replay() {
      long seed = Long.getLong("seed", 20261115);
      Random random = new Random(seed);
      for (int i = 0; i < 120; i++) step(random);
      assertThat(Verification.of(store).findings()).as("seed " + seed).isEmpty();
    }

    private void step(Random random) {
      int count = tasks.list(TaskFilter.ALL, null, 1000).tasks().size();
      TaskId any = TaskId.of(1 + random.nextInt(Math.max(1, count)));
      TaskId other = TaskId.of(1 + random.nextInt(Math.max(1, count)));
      try {
        switch (random.nextInt(7)) {
          case 0, 1 ->
              create("new", count > 2 && random.nextBoolean() ? new TaskId[] {any} : new TaskId[0]);
          case 2 -> tasks.depend(any, new Dependency(other, kind(random)), ADA);
          case 3 -> tasks.undepend(any, other, ADA);
          case 4 -> finish(any);
          case 5 -> leases.fail(leases.hold(any, "x", LEASE, ADA).id(), "no", ADA);
          default -> {
            if (random.nextInt(4) == 0) tasks.cancel(any, "no", ADA);
          }
        }
      } catch (Refusal expected) {
        assertThat(expected.code()).isIn(Code.CONFLICT, Code.NOT_FOUND, Code.INVALID);
      }
    }

    private static Dependency.Kind kind(Random random) {
      return Dependency.Kind.values()[random.nextInt(3)];
    }
  }
}
