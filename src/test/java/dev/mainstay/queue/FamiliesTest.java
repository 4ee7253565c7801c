package dev.mainstay.queue;

import static dev.mainstay.domain.TaskStatus.ASSIGNED;
import static dev.mainstay.domain.TaskStatus.CANCELLED;
import static dev.mainstay.domain.TaskStatus.COMPLETED;
import static dev.mainstay.domain.TaskStatus.FAILED;
import static dev.mainstay.domain.TaskStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FamiliesTest {
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

    @Test
    void a_parent_is_not_ready_while_parts_are_open_and_completes_with_the_last() {
      TaskId parent = create("parent");
      TaskId one = part(parent, "one");
      TaskId two = part(parent, "two");
      assertThat(ready()).containsExactly(one, two);
      refused(Code.CONFLICT, () -> hold(parent, "w"), "2 open child");
      complete(one);
      assertThat(status(parent)).isEqualTo(PENDING);
      complete(two);
      assertThat(status(parent)).isEqualTo(COMPLETED);
      assertThat(kinds(parent)).containsExactly("task.created", "task.completed");
    }

    @Test
    void the_end_of_the_last_part_goes_up_through_all_levels_and_on_to_those_who_wait() {
      TaskId top = create("top");
      TaskId middle = part(top, "middle");
      TaskId leaf = part(middle, "leaf");
      TaskId next = create("next", top);
      assertThat(ready()).containsExactly(leaf);
      complete(leaf);
      assertThat(status(middle)).isEqualTo(COMPLETED);
      assertThat(status(top)).isEqualTo(COMPLETED);
      assertThat(ready()).containsExactly(next);
    }

    @Test
    void a_parent_fails_with_a_failed_part_once_none_is_open_and_is_reopened_with_it() {
      TaskId top = create("top");
      TaskId parent = part(top, "parent");
      TaskId one = part(parent, "one");
      TaskId two = part(parent, "two");
      fail(one, "broke");
      assertThat(status(parent)).as("two may still be useful").isEqualTo(PENDING);
      complete(two);
      assertThat(status(parent)).isEqualTo(FAILED);
      assertThat(reason(parent)).contains(one.value());
      assertThat(status(top)).isEqualTo(FAILED);
      tasks.retry(one, "again", ADA);
      assertThat(status(parent)).isEqualTo(PENDING);
      assertThat(status(top)).isEqualTo(PENDING);
      assertThat(ready()).containsExactly(one);
      complete(one);
      assertThat(status(top)).isEqualTo(COMPLETED);
    }

    @Test
    void of_two_failed_parts_either_reopens_the_parent_and_it_fails_by_the_other() {
      TaskId parent = create("parent");
      TaskId one = part(parent, "one");
      TaskId two = part(parent, "two");
      fail(one, "broke");
      fail(two, "broke");
      assertThat(status(parent)).isEqualTo(FAILED);
      tasks.retry(two, "again", ADA);
      assertThat(status(parent)).as("no part is open below an ended task").isEqualTo(PENDING);
      complete(two);
      assertThat(status(parent)).isEqualTo(FAILED);
      tasks.retry(one, "again", ADA);
      complete(one);
      assertThat(status(parent)).isEqualTo(COMPLETED);
    }

    @Test
    void a_parent_whose_parts_were_all_cancelled_is_somebodys_work() {
      TaskId parent = create("parent");
      tasks.cancel(part(parent, "one"), "", ADA);
      assertThat(ready()).containsExactly(parent);
    }

    @Test
    void open_steps_and_criteria_of_its_own_make_a_parent_ready_when_its_parts_are_done() {
      TaskStates states = new TaskStates(store);
      TaskId planned = create("planned");
      TaskId judged = create("judged");
      states.setPlan(planned, List.of("gather"), ADA);
      states.addCriterion(judged, "documented", ADA);
      complete(part(planned, "one"));
      complete(part(judged, "two"));
      assertThat(ready()).containsExactly(planned, judged);
      Call holder = hold(planned, "w");
      states.moveStep(planned, 0, StepStatus.DONE, null, holder);
      assertThat(leases.complete(planned, JsonObject.EMPTY, holder).status()).isEqualTo(COMPLETED);
    }

    @Test
    void a_parent_that_is_held_ends_by_its_holder_and_not_while_parts_are_open() {
      TaskId parent = create("parent");
      Call holder = hold(parent, "lead");
      TaskId one = part(parent, "one");
      refused(
          Code.CONFLICT,
          () -> leases.complete(parent, JsonObject.EMPTY, holder),
          "1 open part",
          one.value());
      complete(one);
      assertThat(status(parent)).isEqualTo(ASSIGNED);
      assertThat(leases.complete(parent, JsonObject.EMPTY, holder).status()).isEqualTo(COMPLETED);
    }

    @Test
    void a_parent_that_was_given_back_completes_with_its_last_part() {
      TaskId parent = create("parent");
      Call holder = hold(parent, "lead");
      TaskId one = part(parent, "one");
      leases.release(parent, "the rest is theirs", holder);
      assertThat(ready()).containsExactly(one);
      complete(one);
      assertThat(status(parent)).isEqualTo(COMPLETED);
    }

    @Test
    void cancelling_takes_open_parts_along_and_trying_again_brings_exactly_those_back() {
      TaskId parent = create("parent");
      TaskId done = part(parent, "done");
      TaskId unwanted = part(parent, "unwanted");
      TaskId held = part(parent, "held");
      TaskId open = part(parent, "open");
      TaskId below = part(open, "below");
      complete(done);
      tasks.cancel(unwanted, "not needed", ADA);
      Call holder = hold(held, "w");
      tasks.cancel(parent, "stop", ADA);
      for (TaskId id : List.of(parent, held, open, below)) {
        assertThat(status(id)).as(id.value()).isEqualTo(CANCELLED);
      }
      refused(Code.LEASE_LOST, () -> leases.complete(held, JsonObject.EMPTY, holder));
      refused(Code.LEASE_LOST, () -> leases.renew(held, LEASE, holder));
      tasks.retry(parent, "go on", ADA);
      for (TaskId id : List.of(parent, held, open, below)) {
        assertThat(status(id)).as(id.value()).isEqualTo(PENDING);
      }
      assertThat(status(done)).isEqualTo(COMPLETED);
      assertThat(status(unwanted)).isEqualTo(CANCELLED);
      assertThat(ready()).containsExactly(held, below);
      refused(Code.LEASE_LOST, () -> leases.complete(held, JsonObject.EMPTY, holder));
    }

    @Test
    void parts_that_wait_for_younger_parts_come_back_with_them() {
      TaskId parent = create("parent");
      TaskId second = part(parent, "second");
      TaskId first = part(parent, "first");
      tasks.depend(second, Dependency.on(first), ADA);
      tasks.cancel(parent, "", ADA);
      tasks.retry(parent, "", ADA);
      assertThat(ready()).containsExactly(first);
      complete(first);
      complete(second);
      assertThat(status(parent)).isEqualTo(COMPLETED);
    }

    @Test
    void a_failed_parent_takes_its_open_parts_along() {
      TaskId parent = create("parent");
      Call holder = hold(parent, "lead");
      TaskId one = part(parent, "one");
      leases.fail(parent, "cannot be done", holder);
      assertThat(status(one)).isEqualTo(CANCELLED);
      assertThat(reason(one)).contains(parent.value(), "FAILED");
      tasks.retry(parent, "", ADA);
      assertThat(ready()).containsExactly(one);
    }

    @Test
    void nothing_is_added_to_a_parent_that_has_ended_nor_tried_again_below_it() {
      TaskId parent = create("parent");
      TaskId one = part(parent, "one");
      tasks.cancel(parent, "", ADA);
      refused(Code.CONFLICT, () -> part(parent, "late"), "CANCELLED", "takes no more parts");
      refused(Code.CONFLICT, () -> tasks.retry(one, "", ADA), parent.value(), "task retry");
      tasks.retry(parent, "", ADA);
      TaskId two = part(parent, "two");
      tasks.cancel(two, "", ADA);
      complete(one);
      refused(Code.CONFLICT, () -> part(parent, "late"), "COMPLETED");
      refused(Code.CONFLICT, () -> tasks.retry(two, "", ADA), "COMPLETED", "make a new task");
    }

    @Test
    void a_part_cannot_wait_for_what_it_is_a_part_of_however_far_around() {
      TaskId top = create("top");
      TaskId middle = part(top, "middle");
      TaskId leaf = part(middle, "leaf");
      TaskId other = create("other", top);
      refused(Code.CONFLICT, () -> tasks.depend(leaf, Dependency.on(top), ADA), "its parts");
      refused(
          Code.CONFLICT,
          () -> tasks.create(NewTask.titled("x").below(middle).after(top), ADA),
          "its parts");
      refused(Code.CONFLICT, () -> tasks.depend(leaf, Dependency.on(other), ADA), "circle");
      refused(
          Code.CONFLICT,
          () -> tasks.create(NewTask.titled("x").below(middle).after(other), ADA),
          "circle");
      TaskId free = create("free");
      tasks.depend(leaf, Dependency.on(free), ADA);
      refused(Code.CONFLICT, () -> tasks.depend(free, Dependency.on(top), ADA), "circle");
      tasks.depend(top, Dependency.on(leaf), ADA);
      complete(free);
      complete(leaf);
      assertThat(status(top)).isEqualTo(COMPLETED);
    }

    @Test
    void trying_again_brings_back_each_kind_of_dependent_as_it_was() {
      TaskId one = create("one");
      TaskId blocked = create("blocked", one);
      TaskId repair = waiting(one, Dependency.Kind.AFTER_FAILURE);
      TaskId report = waiting(one, Dependency.Kind.AFTER_ANY);
      fail(one, "broke");
      assertThat(status(blocked)).isEqualTo(CANCELLED);
      assertThat(ready()).containsExactly(repair, report);
      tasks.retry(one, "", ADA);
      assertThat(status(blocked)).isEqualTo(PENDING);
      assertThat(ready()).containsExactly(one);
      complete(one);
      assertThat(status(repair)).isEqualTo(CANCELLED);
      assertThat(ready()).containsExactly(blocked, report);
    }

    private TaskId waiting(TaskId on, Dependency.Kind kind) {
      TaskId id = create(kind.typed());
      tasks.depend(id, new Dependency(on, kind), ADA);
      return id;
    }

    @Test
    void what_was_begun_after_a_failure_waits_again_when_it_comes_back() {
      TaskId one = create("one");
      TaskId repair = waiting(one, Dependency.Kind.AFTER_FAILURE);
      TaskId report = waiting(one, Dependency.Kind.AFTER_ANY);
      fail(one, "broke");
      Call repairing = hold(repair, "r1");
      Call reporting = hold(report, "r2");
      tasks.retry(one, "", ADA);
      assertThat(leases.release(report, "later", reporting).links().unmet()).isEqualTo(1);
      assertThat(ready()).containsExactly(one);
      complete(one);
      assertThat(ready()).containsExactly(report);
      assertThat(leases.release(repair, "nothing to repair", repairing).status())
          .isEqualTo(CANCELLED);
      assertThat(reason(repair)).contains(one.value(), "COMPLETED");
    }

    @Test
    void what_was_cancelled_for_two_causes_comes_back_when_neither_is_left_in_either_order() {
      for (boolean swapped : new boolean[] {false, true}) {
        TaskId one = create("one");
        TaskId two = create("two");
        TaskId both = create("both", one, two);
        fail(one, "broke");
        fail(two, "broke");
        tasks.retry(swapped ? two : one, "", ADA);
        assertThat(status(both)).isEqualTo(CANCELLED);
        tasks.retry(swapped ? one : two, "", ADA);
        assertThat(status(both)).isEqualTo(PENDING);
        complete(one);
        complete(two);
        assertThat(complete(both).status()).isEqualTo(COMPLETED);
      }
    }

    @Test
    void what_somebody_cancelled_himself_stays_so() {
      TaskId one = create("one");
      TaskId two = create("two", one);
      tasks.cancel(two, "not wanted", ADA);
      fail(one, "broke");
      tasks.retry(one, "", ADA);
      assertThat(status(two)).isEqualTo(CANCELLED);
      refused(
          Code.CONFLICT,
          () -> {
            fail(one, "broke");
            tasks.retry(two, "", ADA);
          },
          one.value(),
          "could never start");
    }

    @Test
    void a_dependent_below_an_ended_task_comes_back_with_that_one_only() {
      TaskId one = create("one");
      TaskId parent = create("parent");
      TaskId two = tasks.create(NewTask.titled("two").below(parent).after(one), ADA).id();
      TaskId three = part(parent, "three");
      fail(one, "broke");
      assertThat(status(two)).isEqualTo(CANCELLED);
      tasks.cancel(parent, "", ADA);
      tasks.retry(one, "", ADA);
      assertThat(status(two)).isEqualTo(CANCELLED);
      tasks.retry(parent, "", ADA);
      assertThat(status(two)).isEqualTo(PENDING);
      assertThat(ready()).containsExactly(one, three);
    }

    @Test
    void the_last_two_parts_that_end_at_once_end_the_parent_once() throws Exception {
      for (int round = 0; round < 10; round++) {
        TaskId parent = create("parent");
        TaskId one = part(parent, "one");
        TaskId two = part(parent, "two");
        Call first = hold(one, "w1");
        Call second = hold(two, "w2");
        AtomicInteger turn = new AtomicInteger();
        Both.atOnce(
            2,
            () ->
                turn.incrementAndGet() == 1
                    ? leases.complete(one, JsonObject.EMPTY, first)
                    : leases.complete(two, JsonObject.EMPTY, second));
        assertThat(kinds(parent)).containsExactly("task.created", "task.completed");
      }
    }

    @Test
    void a_part_made_while_its_parent_is_cancelled_is_refused_or_taken_along() throws Exception {
      for (int round = 0; round < 10; round++) {
        TaskId parent = create("parent");
        AtomicInteger turn = new AtomicInteger();
        Both.atOnce(2, () -> turn.incrementAndGet() == 1 ? cancelled(parent) : adopted(parent));
        assertThat(status(parent)).isEqualTo(CANCELLED);
        assertThat(ready()).isEmpty();
      }
    }

    private boolean cancelled(TaskId parent) {
      tasks.cancel(parent, "", ADA);
      return true;
    }

    private boolean adopted(TaskId parent) {
      try {
        part(parent, "late");
        return true;
      } catch (Refusal refusal) {
        assertThat(refusal.code()).isEqualTo(Code.CONFLICT);
        return false;
      }
    }
  }
}
