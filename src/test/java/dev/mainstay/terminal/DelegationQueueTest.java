package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terms;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Databases;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DelegationQueueTest {
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
    void no_more_terminals_run_than_may_and_the_rest_waits_most_urgent_first() {
      List<TaskId> ids = new ArrayList<>();
      for (int priority = 0; priority < 4; priority++) {
        ids.add(assign(NewTask.titled("p" + priority).withPriority(priority)).task());
      }
      delegations.serve();
      assertThat(launched()).isEqualTo(2); // with the lead there are three
      assertThat(worker(ids.get(3))).isEqualTo("developer-1");
      assertThat(worker(ids.get(2))).isEqualTo("developer-2");
      assertThat(now(ids.get(1)).standing().notice().reason()).contains("terminals.max allows (3)");
      assertThat(told("lead")).isEmpty();
      complete(ids.get(3), "done");
      delegations.serve();
      assertThat(worker(ids.get(1))).isEqualTo("developer-1");
      assertThat(now(ids.get(1)).standing().notice().reason()).isNull();
      assertThat(worker(ids.get(0))).isNull();
      assertThat(launched()).isEqualTo(2);
    }

    @Test
    void whoever_was_started_for_work_that_is_done_makes_room_when_the_house_is_full() {
      TaskId one = assign("one").task();
      TaskId two = assign("two").task();
      delegations.serve();
      complete(one, "done");
      delegations.serve();
      var review = NewDelegation.of(NewTask.titled("review"), "reviewer");
      TaskId id = delegations.assign(review, LEAD).task();
      delegations.serve();
      assertThat(worker(id)).isNull(); // it has been idle for too short
      clock.advance(Reporting.IDLE);
      new Inbox(store).send(NewMessage.to("developer-1", "one thing more"), LEAD);
      delegations.serve();
      assertThat(worker(id)).isNull(); // somebody has something to say to it
      Call developer = Call.by(Actor.agent("developer-1"), "test");
      List<Long> ids =
          new Inbox(store)
              .pull("developer-1", 10, Inbox.LEASE, developer).stream().map(Message::id).toList();
      new Inbox(store).acknowledge("developer-1", ids, developer);
      delegations.serve();
      assertThat(worker(id)).isEqualTo("reviewer-3");
      assertThat(new Terminals(store).get("developer-1").isLive()).isFalse();
      assertThat(worker(two)).isEqualTo("developer-2");
      assertThat(new Terminals(store).get("lead").isLive()).isTrue();
    }

    @Test
    void a_task_without_room_in_its_budget_is_told_and_starts_no_second_terminal() {
      Terms terms =
          Terms.fromJson(
              JsonObject.of("budget", JsonObject.of("tokens", 10))
                  .with("estimate", JsonObject.of("tokens", 20)));
      TaskId id = assign(NewTask.titled("dear").on(terms)).task();
      for (int i = 0; i < 3; i++) {
        delegations.serve();
        clock.advance(Duration.ofMinutes(1));
      }
      assertThat(now(id).status()).isEqualTo(Status.WAITING);
      assertThat(launched()).isEqualTo(1);
      assertThat(told("lead")).singleElement().asString().contains("budget has no room");
    }

    @Test
    void a_full_house_and_one_that_cannot_start_anything_let_it_wait_quietly() {
      TaskId id = assign("one").task();
      refusal.set(Refusal.conflict("10 run already"));
      delegations.serve();
      assertThat(now(id).standing().notice().reason()).isEqualTo("10 run already");
      refusal.set(Refusal.unavailable("terminals are not available here", null));
      delegations.serve();
      refusal.set(null);
      delegations.serve();
      assertThat(now(id).status()).isEqualTo(Status.WAITING); // this process waits for a while
      delegations(store, 3).serve();
      assertThat(now(id).status()).isEqualTo(Status.GIVEN);
      assertThat(told("lead")).isEmpty();
    }

    @Test
    void a_wish_that_cannot_be_fulfilled_is_told_once_and_tried_again() {
      TaskId id = assign("one").task();
      refusal.set(Refusal.notFound("there is no profile developer"));
      delegations.serve();
      clock.advance(Duration.ofSeconds(30));
      delegations.serve();
      assertThat(told("lead"))
          .singleElement()
          .asString()
          .contains("T-001 waits", "there is no profile developer");
      refusal.set(null);
      delegations.serve();
      assertThat(now(id).status()).isEqualTo(Status.WAITING);
      clock.advance(Duration.ofSeconds(30));
      delegations.serve();
      assertThat(now(id).status()).isEqualTo(Status.GIVEN);
    }
  }
}
