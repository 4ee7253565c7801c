package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terms;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.upkeep.Verification;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DelegationsTest {
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

  abstract static class Contract extends OnDelegations {
    Contract(Databases database) {
      super(database);
    }

    @AfterEach
    void all_is_well() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void what_is_assigned_waits_where_its_caller_is_until_it_is_served() {
      Delegation noted = assign("Add login");
      assertThat(noted.status()).isEqualTo(Status.WAITING);
      assertThat(noted.caller()).isEqualTo("lead");
      assertThat(noted.wish().site()).isEqualTo(new Delegation.Site(HOST, "shop", "/shop"));
      assertThat(task(noted.task()).status()).isEqualTo(TaskStatus.PENDING);
      Delegation byPerson =
          delegations.assign(NewDelegation.of(NewTask.titled("x"), "developer"), ADA);
      assertThat(byPerson.caller()).isEqualTo("person:ada");
      assertThat(byPerson.wish().site().session()).isEqualTo(LaunchOrder.SESSION);
      assertThat(byPerson.wish().site().folder()).isEqualTo(folder.toString());
      assertThat(launched()).isZero();
    }

    @Test
    void a_terminal_is_started_told_and_holds_the_task() {
      TaskId id = assign("Add login").task();
      assertThat(delegations.serve()).isEqualTo(1);
      assertThat(worker(id)).isEqualTo("developer-1");
      Task held = task(id);
      assertThat(held.lease().orElseThrow().holder()).isEqualTo("developer-1");
      assertThat(told("developer-1"))
          .singleElement()
          .asString()
          .startsWith("You have been assigned T-001: Add login\n\nYour fence is 1.")
          .contains("mainstay task complete T-001 --fence 1", "mainstay task fail T-001 --fence 1");
      Message message = new Inbox(store).show(now(id).standing().message());
      assertThat(message.sender()).isEqualTo("lead");
      JsonObject context = new TerminalStates(store).show("developer-1").told().context();
      assertThat(context)
          .isEqualTo(
              JsonObject.of("current_task_id", "T-001", "working_directory", "/shop")
                  .with("assigned_by", "lead"));
      assertThat(delegations.serve()).isZero();
    }

    @Test
    void a_free_terminal_of_the_profile_is_used_before_another_is_started() {
      TaskId one = assign("one").task();
      delegations.serve();
      complete(one, "done");
      delegations.serve();
      assertThat(now(one).status()).isEqualTo(Status.REPORTED);
      TaskId two = assign("two").task();
      delegations.serve();
      assertThat(worker(two)).isEqualTo("developer-1");
      TaskId three = assign("three").task();
      delegations.serve();
      assertThat(worker(three)).isEqualTo("developer-2");
    }

    @Test
    void a_terminal_that_is_not_free_or_of_another_kind_is_not_used() {
      var shop = new Seat.Window(HOST, "s", "shop", "w");
      seat(store, "busy", "developer", shop, "/shop");
      stands("busy", Seat.Status.BUSY, null);
      seat(store, "claims", "developer", shop, "/shop");
      Task claimed = new Tasks(store).create(NewTask.titled("claimed"), ADA);
      new Leases(store).hold(claimed.id(), "claims", Leases.LEASE, ADA);
      seat(store, "other", "reviewer", shop, "/shop");
      seat(store, "away", "developer", new Seat.Window("there", "s", "shop", "w"), "/shop");
      seat(store, "aside", "developer", new Seat.Window(HOST, "s", "office", "w"), "/shop");
      delegations = delegations(store, 100);
      TaskId id = assign("one").task();
      delegations.serve();
      assertThat(worker(id)).isEqualTo("developer-1");
      var onCodex = NewDelegation.of(NewTask.titled("x"), "developer").on("codex");
      TaskId other = delegations.assign(onCodex, LEAD).task();
      complete(id, "done");
      delegations.serve();
      assertThat(worker(other)).isEqualTo("developer-2");
    }

    @Test
    void who_delegates_to_its_own_profile_does_not_get_it_back() {
      var wanted = NewDelegation.of(NewTask.titled("x"), "code_supervisor");
      TaskId id = delegations.assign(wanted, LEAD).task();
      delegations.serve();
      assertThat(worker(id)).isEqualTo("code_supervisor-1");
    }

    @Test
    void the_result_comes_to_the_caller_as_one_message() {
      TaskId id = assign("Add login").task();
      delegations.serve();
      complete(id, "it works");
      delegations.serve();
      delegations.serve();
      assertThat(told("lead"))
          .containsExactly(
              "T-001 COMPLETED by developer-1 (Add login): {\"summary\":\"it works\"}");
      assertThat(delegations.list(true, 0, 10)).isEmpty();
      assertThat(delegations.list(false, 0, 10)).hasSize(1);
    }

    @Test
    void a_task_that_fails_or_is_cancelled_is_reported_too() {
      TaskId fails = assign("fails").task();
      TaskId cancelled = assign("cancelled").task();
      new Tasks(store).cancel(cancelled, "not needed", LEAD);
      delegations.serve();
      Call by = Call.by(Actor.agent("developer-1"), "test").withFence(task(fails).fence());
      new Leases(store).fail(fails, "the API is gone", by);
      delegations.serve();
      assertThat(told("lead"))
          .containsExactly(
              "T-002 CANCELLED (cancelled): not needed",
              "T-001 FAILED by developer-1 (fails): the API is gone");
    }

    @Test
    void a_persons_wish_is_reported_without_a_message() {
      var wanted = NewDelegation.of(NewTask.titled("x"), "developer");
      TaskId id = delegations.assign(wanted, ADA).task();
      delegations.serve();
      assertThat(new Inbox(store).show(now(id).standing().message()).sender())
          .isEqualTo("person:ada");
      complete(id, "done");
      delegations.serve();
      assertThat(now(id).status()).isEqualTo(Status.REPORTED);
    }

    @Test
    void what_a_terminal_lost_is_given_to_another() {
      TaskId id =
          assign(NewTask.titled("one").on(Terms.fromJson(JsonObject.of("max_attempts", 3)))).task();
      delegations.serve();
      stands("developer-1", Seat.Status.CRASHED, "exit code 1");
      delegations.serve();
      assertThat(worker(id)).isEqualTo("developer-1"); // its lease has not ended
      clock.advance(Placing.LEASE);
      new Leases(store).expire();
      delegations.serve();
      assertThat(worker(id)).isEqualTo("developer-2");
      assertThat(told("developer-2").get(0)).contains("Your fence is 3");
      complete(id, "done");
      delegations.serve();
      assertThat(told("lead"))
          .singleElement()
          .asString()
          .startsWith("T-001 COMPLETED by developer-2");
    }

    @Test
    void who_gave_a_task_back_does_not_get_it_again() {
      TaskId id = assign("one").task();
      delegations.serve();
      Call by = Call.by(Actor.agent("developer-1"), "test").withFence(task(id).fence());
      new Leases(store).release(id, "somebody else knows this better", by);
      delegations.serve();
      assertThat(worker(id)).isEqualTo("developer-2");
    }

    @Test
    void the_lease_lasts_as_long_as_the_terminal_lives() {
      TaskId id = assign("one").task();
      delegations.serve();
      for (int i = 0; i < 4; i++) {
        clock.advance(Duration.ofMinutes(31));
        stands("developer-1", Seat.Status.BUSY, null);
        assertThat(delegations.serve()).isEqualTo(1);
        new Leases(store).expire();
      }
      assertThat(task(id).progress().attempt()).isEqualTo(1);
      assertThat(task(id).status()).isEqualTo(TaskStatus.ASSIGNED);
    }

    @Test
    void a_worker_that_idles_without_having_completed_is_told_once_and_not_completed() {
      TaskId id = assign("one").task();
      delegations.serve();
      clock.advance(Duration.ofMinutes(1));
      delegations.serve();
      assertThat(told("lead")).isEmpty(); // the message has not arrived
      Call worker = Call.by(Actor.agent("developer-1"), "test");
      long message = new Inbox(store).pull("developer-1", 1, Inbox.LEASE, worker).get(0).id();
      new Inbox(store).acknowledge("developer-1", List.of(message), worker);
      stands("developer-1", Seat.Status.BUSY, null);
      clock.advance(Duration.ofMinutes(1));
      delegations.serve();
      assertThat(told("lead")).isEmpty(); // it is at work
      stands("developer-1", Seat.Status.DONE, null, "all tests pass", "> ");
      clock.advance(Duration.ofSeconds(29));
      delegations.serve();
      assertThat(told("lead")).isEmpty();
      clock.advance(Duration.ofSeconds(1));
      delegations.serve();
      delegations.serve();
      assertThat(told("lead"))
          .singleElement()
          .asString()
          .contains("developer-1 is idle, and T-001 is not completed", "all tests pass");
      assertThat(task(id).status()).isEqualTo(TaskStatus.ASSIGNED);
      complete(id, "after all");
      delegations.serve();
      assertThat(told("lead")).hasSize(2);
    }

    @Test
    void a_task_that_is_there_is_delegated_once_and_when_it_is_ready() {
      Task first = new Tasks(store).create(NewTask.titled("first"), ADA);
      Task second = new Tasks(store).create(NewTask.titled("second").after(first.id()), ADA);
      var wanted = NewDelegation.of(second.id(), "developer");
      delegations.assign(wanted, LEAD);
      refused(Code.CONFLICT, () -> delegations.assign(wanted, LEAD), "delegated already");
      delegations.serve();
      assertThat(worker(second.id())).isNull();
      new Leases(store).hold(first.id(), "somebody", Leases.LEASE, ADA);
      refused(
          Code.CONFLICT,
          () -> delegations.assign(NewDelegation.of(first.id(), "developer"), ADA),
          "ASSIGNED");
      new Leases(store).complete(first.id(), JsonObject.EMPTY, ADA);
      delegations.serve();
      assertThat(worker(second.id())).isEqualTo("developer-1");
      refused(
          Code.CONFLICT,
          () -> delegations.assign(NewDelegation.of(first.id(), "developer"), ADA),
          "retry it first");
    }

    @Test
    void the_same_key_delegates_once() {
      var wanted = NewDelegation.of(NewTask.titled("x"), "developer");
      Delegation first = delegations.assign(wanted, LEAD.withKey("k"));
      delegations.serve();
      assertThat(delegations.assign(wanted, LEAD.withKey("k"))).isEqualTo(first);
      assertThat(delegations.list(false, 0, 10)).hasSize(1);
    }

    @Test
    void a_long_description_is_cut_and_a_bad_name_is_refused() {
      var brief =
          new Task.Brief(
              "x", "y".repeat(65_536), NewTask.titled("x").brief().type(), 0, JsonObject.EMPTY);
      TaskId id = assign(new NewTask(brief, null, null, List.of(), Terms.NONE)).task();
      delegations.serve();
      assertThat(told("developer-1").get(0))
          .contains("'mainstay task show " + id + "' has the rest");
      refused(Code.INVALID, () -> NewDelegation.of(NewTask.titled("x"), "../x"), "profile");
      refused(
          Code.INVALID,
          () -> NewDelegation.of(NewTask.titled("x"), "developer").in("a:b", Path.of("/")),
          "session");
      var apart = NewDelegation.of(NewTask.titled("x"), "developer").in(null, folder).apart(true);
      refused(Code.INVALID, () -> delegations.assign(apart, LEAD), "no repository");
      assertThat(delegations.list(false, 0, 10)).hasSize(1);
    }

    @Test
    void who_waits_sees_each_change_and_the_result() throws Exception {
      TaskId id = assign("one").task();
      List<String> seen = new ArrayList<>();
      var waits =
          new FutureTask<>(
              () -> delegations.await(id, Duration.ofMinutes(1), view -> seen.add(view.line())));
      Thread waiting = new Thread(waits);
      waiting.start();
      delegations.serve();
      complete(id, "done");
      DelegationView last = waits.get();
      assertThat(last.isCompleted()).isTrue();
      assertThat(last.result()).isEqualTo(JsonObject.of("summary", "done"));
      assertThat(seen).last().asString().isEqualTo("T-001 COMPLETED by developer-1 (READY)");
    }

    @Test
    void a_wait_that_is_over_leaves_the_work_as_it_is() {
      TaskId id = assign("one").task();
      delegations.serve();
      DelegationView view = delegations.await(id, Duration.ZERO, ignored -> {});
      assertThat(view.isOver()).isFalse();
      assertThat(view.line()).isEqualTo("T-001 ASSIGNED by developer-1 (READY)");
      assertThat(Delegations.goesOn(id)).contains("goes on", "mainstay task show T-001");
      assertThat(task(id).status()).isEqualTo(TaskStatus.ASSIGNED);
      refused(
          Code.INVALID,
          () -> delegations.await(id, Duration.ofDays(2), ignored -> {}),
          Phrase.of("between 0 seconds and %d day", 1));
      refused(Code.NOT_FOUND, () -> delegations.show(TaskId.of(99)), "not delegated");
    }
  }
}
