package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Once;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What must not happen to a task because of who else is at work. */
class GuardsTest {
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

    private void seenAtWork(TaskId id, String holder) {
      store.inTransaction(
          Once.unkeyed(),
          tx -> Leases.takenIn(tx, tx.tasks().lock(id), holder, BOT).orElseThrow().fence());
    }

    @Test
    void who_pauses_longer_than_a_lease_and_goes_on_has_lost_no_attempt() {
      TaskId one = create("one");
      for (int pause = 0; pause < 8; pause++) {
        seenAtWork(one, "claude-code@1");
        clock.advance(Leases.LEASE);
        assertThat(leases.expire()).isEqualTo(1);
        assertThat(status(one)).isEqualTo(TaskStatus.PENDING);
      }
      for (int other = 0; other < 4; other++) lose(one, "worker-" + other);
      assertThat(status(one)).as("four others and the last pause").isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void who_is_seen_at_work_has_an_assignment_and_can_complete() {
      TaskId one = create("one");
      seenAtWork(one, "claude-code@1");
      assertThat(assignments.openOf("claude-code@1")).hasSize(1);
      Call call = BOT.as("claude-code@1").withFence(tasks.show(one).fence());
      assertThat(leases.complete(one, JsonObject.EMPTY, call).status())
          .isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void an_agent_adds_no_part_to_what_another_holds() {
      TaskId one = create("one");
      Call holder = hold(one, "bot");
      NewTask part = NewTask.titled("part").below(one);
      refused(Code.LEASE_LOST, () -> tasks.create(part, BOT), "T-001");
      refused(Code.LEASE_LOST, () -> tasks.create(part, BOT.withFence(99L)));
      assertThat(tasks.create(part, holder).links().parent()).isEqualTo(one);
    }

    @Test
    void the_type_of_a_task_is_not_changed_by_who_works_on_it() {
      TaskId one = create("one");
      Call holder = hold(one, "bot");
      JsonObject other = JsonObject.of("task_type", "ANALYZE");
      refused(Code.CONFLICT, () -> tasks.update(one, other, null, holder), "person");
      assertThat(tasks.update(one, other, null, ADA).brief().type().name()).isEqualTo("ANALYZE");
    }

    @Test
    void a_parent_ends_with_its_parts_although_they_were_done_before_what_it_waits_for() {
      TaskId before = create("before");
      TaskId parent = create("parent", before);
      complete(part(parent, "part"));
      assertThat(status(parent)).isEqualTo(TaskStatus.PENDING);
      complete(before);
      assertThat(status(parent)).isEqualTo(TaskStatus.COMPLETED);
    }
  }
}
