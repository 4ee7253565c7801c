package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Assignment.Status;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Terms.Retry;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AssignmentsTest {
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

    private Assignment of(TaskId task, String terminal) {
      return assignments.of(task, terminal).orElseThrow();
    }

    private Status standing(TaskId task, String terminal) {
      return of(task, terminal).standing().status();
    }

    private String error(TaskId task, String terminal) {
      return String.valueOf(of(task, terminal).outcome().error());
    }

    @Test
    void an_assignment_follows_its_holder_from_giving_to_the_result() {
      TaskId one = create("one");
      Call holder = hold(one, "w");
      assertThat(standing(one, "w")).isEqualTo(Status.ASSIGNED);
      assertThat(of(one, "w").standing().fence()).isEqualTo(holder.fence());
      clock.advance(Duration.ofSeconds(1));
      leases.accept(one, holder);
      assertThat(standing(one, "w")).isEqualTo(Status.ACCEPTED);
      clock.advance(Duration.ofSeconds(1));
      leases.start(one, holder);
      assertThat(standing(one, "w")).isEqualTo(Status.IN_PROGRESS);
      assertThat(assignments.openOf("w")).containsExactly(of(one, "w"));
      clock.advance(Duration.ofSeconds(1));
      leases.complete(one, JsonObject.of("answer", 42), holder);
      Assignment done = of(one, "w");
      assertThat(done.standing().status()).isEqualTo(Status.COMPLETED);
      assertThat(done.outcome())
          .isEqualTo(new Assignment.Outcome(JsonObject.of("answer", 42), null));
      var times = done.standing().times();
      assertThat(times.accepted()).isEqualTo(times.assigned().plusSeconds(1));
      assertThat(times.started()).isEqualTo(times.assigned().plusSeconds(2));
      assertThat(times.completed()).isEqualTo(times.assigned().plusSeconds(3));
      assertThat(assignments.openOf("w")).isEmpty();
      assertThat(assignments.show(done.id())).isEqualTo(done);
    }

    @Test
    void a_holder_may_begin_or_end_without_accepting() {
      TaskId one = create("one");
      leases.start(one, hold(one, "w"));
      assertThat(standing(one, "w")).isEqualTo(Status.IN_PROGRESS);
      TaskId two = create("two");
      complete(two);
      assertThat(standing(two, "bot")).isEqualTo(Status.COMPLETED);
    }

    @Test
    void accepting_after_the_beginning_does_not_go_back() {
      TaskId one = create("one");
      Call holder = hold(one, "w");
      leases.start(one, holder);
      leases.accept(one, holder);
      assertThat(standing(one, "w")).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void an_assignment_says_why_it_came_to_nothing() {
      TaskId failed = create("failed");
      fail(failed, "no disk");
      assertThat(error(failed, "bot")).isEqualTo("no disk");
      TaskId released = create("released");
      leases.release(released, "not mine", hold(released, "w"));
      assertThat(error(released, "w")).isEqualTo("released: not mine");
      TaskId lost = create("lost");
      tasks.cancel(released, "", ADA);
      lose(lost, "w");
      assertThat(error(lost, "w")).contains("did not renew its lease");
      TaskId cancelled = create("cancelled");
      hold(cancelled, "w");
      tasks.cancel(cancelled, "not wanted", ADA);
      assertThat(error(cancelled, "w")).isEqualTo("cancelled: not wanted");
      for (TaskId id : List.of(failed, released, lost, cancelled)) {
        assertThat(assignments.ofTask(id))
            .allMatch(a -> a.standing().status() == Status.FAILED)
            .allMatch(a -> a.standing().times().completed() != null);
      }
    }

    @Test
    void a_failed_attempt_that_is_tried_again_and_one_too_many_say_so_too() {
      var twice = new Terms(new Retry(2, Duration.ZERO), null, Amounts.NONE, Amounts.NONE);
      TaskId one = create("one", twice);
      leases.fail(one, "no disk", hold(one, "ann"));
      assertThat(error(one, "ann")).contains("attempt 1", "no disk");
      lose(one, "ben");
      assertThat(error(one, "ben")).contains("attempt 2: ben did not renew");
    }

    @Test
    void a_part_that_is_cancelled_with_its_parent_is_taken_from_its_terminal() {
      TaskId parent = create("parent");
      TaskId one = part(parent, "one");
      hold(one, "w");
      tasks.cancel(parent, "stop", ADA);
      assertThat(error(one, "w")).contains("part of " + parent);
      assertThat(assignments.openOf("w")).isEmpty();
    }

    @Test
    void the_same_terminal_goes_on_in_its_row_with_a_higher_attempt() {
      TaskId one = create("one");
      Call first = hold(one, "w");
      leases.accept(one, first);
      leases.release(one, "later", first);
      long id = of(one, "w").id();
      clock.advance(Duration.ofSeconds(5));
      hold(one, "w");
      Assignment again = of(one, "w");
      assertThat(again.id()).isEqualTo(id);
      assertThat(again.standing().attempt()).isEqualTo(2);
      assertThat(again.standing().status()).isEqualTo(Status.ASSIGNED);
      assertThat(again.standing().times())
          .isEqualTo(new Assignment.Moments(clock.instant(), null, null, null));
      assertThat(again.outcome()).isEqualTo(new Assignment.Outcome(null, null));
      assertThat(assignments.ofTask(one)).hasSize(1);
    }

    @Test
    void everybody_who_was_given_a_task_is_listed_oldest_first_and_one_at_most_is_open() {
      TaskId one = create("one");
      for (String worker : List.of("ann", "ben", "cid")) {
        leases.release(one, "next", hold(one, worker));
      }
      hold(one, "dan");
      assertThat(assignments.ofTask(one))
          .extracting(Assignment::terminal)
          .containsExactly("ann", "ben", "cid", "dan");
      assertThat(assignments.ofTask(one))
          .filteredOn(a -> a.standing().status().isOpen())
          .extracting(Assignment::terminal)
          .containsExactly("dan");
    }

    @Test
    void a_stale_fence_changes_no_assignment() {
      TaskId one = create("one");
      Call stale = hold(one, "slow");
      clock.advance(LEASE);
      leases.expire();
      Call current = hold(one, "quick");
      List<Assignment> before = assignments.ofTask(one);
      refused(Code.LEASE_LOST, () -> leases.accept(one, stale));
      refused(Code.LEASE_LOST, () -> leases.start(one, stale));
      refused(Code.LEASE_LOST, () -> leases.complete(one, JsonObject.EMPTY, stale));
      refused(Code.LEASE_LOST, () -> leases.fail(one, "no", stale));
      refused(Code.LEASE_LOST, () -> leases.release(one, "no", stale));
      assertThat(assignments.ofTask(one)).isEqualTo(before);
      leases.complete(one, JsonObject.EMPTY, current);
      assertThat(standing(one, "slow")).isEqualTo(Status.FAILED);
      assertThat(standing(one, "quick")).isEqualTo(Status.COMPLETED);
    }

    @Test
    void an_unknown_task_or_assignment_is_said_to_be_so() {
      refused(Code.NOT_FOUND, () -> assignments.show(99), "99");
      refused(Code.NOT_FOUND, () -> assignments.ofTask(TaskId.of(99)), "T-099");
      assertThat(assignments.openOf("nobody")).isEmpty();
    }
  }
}
