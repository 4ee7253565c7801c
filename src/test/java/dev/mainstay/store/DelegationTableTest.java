package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Branch;
import dev.mainstay.domain.Delegation.Notice;
import dev.mainstay.domain.Delegation.Site;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.Delegation.Wish;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DelegationTableTest {
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

    private Delegation wanted(String title, int priority) {
      Task task = new Tasks(store).create(NewTask.titled(title).withPriority(priority), ADA);
      var site = new Site("here", "mainstay", "/work");
      var wish = new Wish("developer", "shell", site, true);
      return store.inTransaction(
          Once.unkeyed(),
          tx -> {
            Delegation made = Delegation.wanted(task.id(), "lead", wish, tx.now());
            tx.delegations().put(made);
            return made;
          });
    }

    private List<TaskId> ready() {
      return ids(found(table -> table.ready("here", 10)));
    }

    private Delegation kept(TaskId task) {
      return store.reading(tx -> tx.delegations().get(task));
    }

    private List<Delegation> found(Function<DelegationTable, List<Delegation>> question) {
      return store.reading(tx -> question.apply(tx.delegations()));
    }

    private boolean is(Predicate<DelegationTable> question) {
      return store.reading(tx -> question.test(tx.delegations()));
    }

    private int taken() {
      return store.reading(tx -> tx.delegations().countTaken());
    }

    private static List<TaskId> ids(List<Delegation> found) {
      return found.stream().map(Delegation::task).toList();
    }

    @Test
    void what_is_kept_is_read_again_as_it_was() {
      Delegation made = wanted("one", 0);
      assertThat(kept(made.task())).isEqualTo(made);
      Delegation given =
          made.on(new Branch("mainstay/T-001", "abc"), clock.instant())
              .given("dev-1", 7, clock.instant());
      given(tx -> tx.delegations().moved(given));
      assertThat(kept(made.task())).isEqualTo(given);
      assertThat(Delegation.fromJson(given.toJson())).isEqualTo(given);
      Delegation told = given.noted(new Notice("it\nidles", true), clock.instant());
      given(tx -> tx.delegations().moved(told));
      Delegation read =
          store.inTransaction(Once.unkeyed(), tx -> tx.delegations().lock(made.task()));
      assertThat(read.standing().notice()).isEqualTo(new Notice("it idles", true));
      assertThat(Delegation.fromJson(read.toJson())).isEqualTo(read);
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void a_task_that_is_not_delegated_is_told_so() {
      Task task = new Tasks(store).create(NewTask.titled("mine"), ADA);
      assertThatThrownBy(() -> store.reading(tx -> tx.delegations().get(task.id())))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("mainstay delegate list");
    }

    @Test
    void the_most_urgent_waits_first_then_the_oldest() {
      wanted("first", 1);
      wanted("second", 1);
      wanted("urgent", 5);
      assertThat(ready()).containsExactly(TaskId.of(3), TaskId.of(1), TaskId.of(2));
      assertThat(found(table -> table.ready("elsewhere", 10))).isEmpty();
      assertThat(ids(found(table -> table.list(true, 1, 1)))).containsExactly(TaskId.of(2));
    }

    @Test
    void nobody_else_starts_a_terminal_for_what_was_taken_or_delayed_until_its_time() {
      TaskId one = wanted("one", 0).task();
      TaskId two = wanted("two", 0).task();
      given(tx -> tx.delegations().take(one, tx.now().plusSeconds(60)));
      given(tx -> tx.delegations().delay(two, tx.now().plusSeconds(90)));
      assertThat(ready()).isEmpty();
      assertThat(taken()).isEqualTo(1);
      assertThat(is(table -> table.takenUntil(one).isPresent())).isTrue();
      clock.advance(Duration.ofSeconds(60));
      assertThat(ready()).containsExactly(one);
      assertThat(taken()).isZero();
      assertThat(is(table -> table.takenUntil(one).isPresent())).isFalse();
      clock.advance(Duration.ofSeconds(30));
      assertThat(ready()).containsExactly(one, two);
    }

    @Test
    void each_question_finds_those_it_is_about() {
      assertThat(is(table -> table.isAnyOpen("here"))).isFalse();
      Delegation one = wanted("one", 0);
      TaskId id = one.task();
      assertThat(is(table -> table.isAnyOpen("here"))).isTrue();
      given(tx -> tx.delegations().moved(one.given("dev-1", 1, tx.now())));
      assertThat(ids(found(table -> table.givenBack("here", 9)))).containsExactly(id);
      assertThat(is(table -> table.isGiven("dev-1"))).isTrue();
      new Leases(store).hold(id, "dev-1", Leases.LEASE, ADA);
      assertThat(found(table -> table.givenBack("here", 9))).isEmpty();
      assertThat(ids(found(table -> table.held("here", 9)))).containsExactly(id);
      new Leases(store).fail(id, "no", ADA);
      assertThat(ids(found(table -> table.ended("here", 9)))).containsExactly(id);
      given(
          tx -> {
            Delegation locked = tx.delegations().lock(id);
            tx.delegations().moved(locked.reported(tx.now()));
          });
      assertThat(is(table -> table.isAnyOpen("here"))).isFalse();
      assertThat(is(table -> table.isGiven("dev-1"))).isFalse();
      assertThat(found(table -> table.list(false, 0, 9)))
          .extracting(Delegation::status)
          .containsExactly(Status.REPORTED);
      given(tx -> tx.delegations().put(one));
      assertThat(kept(id)).isEqualTo(one);
    }
  }
}
