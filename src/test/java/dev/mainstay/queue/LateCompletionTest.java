package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A holder that is late, and when its completion still counts. */
class LateCompletionTest {
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

    private Call late(TaskId id) {
      Call holder = hold(id, "dev-1");
      clock.advance(LEASE.plus(Duration.ofSeconds(1)));
      return holder;
    }

    private List<Task> claimed(String worker, String type) {
      Wanted wanted = new Wanted(worker, List.of(new TaskType(type)), 1, LEASE);
      return leases.claim(wanted, BOT.as(worker));
    }

    private TaskStatus completed(TaskId id, Call call) {
      return leases.complete(id, JsonObject.of("ok", true), call).status();
    }

    @Test
    void a_late_completion_counts_whoever_looked_for_work_meanwhile() {
      TaskId looked = create("looked");
      Call holder = late(looked);
      assertThat(claimed("dev-2", "REVIEW")).isEmpty();
      tasks.ready(null, 10);
      assertThat(completed(looked, holder)).isEqualTo(TaskStatus.COMPLETED);
      var last = assignments.of(looked, "dev-1").orElseThrow();
      assertThat(last.outcome().result()).isEqualTo(JsonObject.of("ok", true));
      TaskId swept = create("swept");
      holder = late(swept);
      leases.expire();
      assertThat(completed(swept, holder)).isEqualTo(TaskStatus.COMPLETED);
      TaskId alone = create("alone");
      assertThat(completed(alone, late(alone))).isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void a_late_completion_does_not_count_once_another_worker_had_the_task() {
      TaskId one = create("one");
      Call holder = late(one);
      assertThat(claimed("dev-2", "CODE")).hasSize(1);
      refused(Code.LEASE_LOST, () -> completed(one, holder), "held by dev-2");
      clock.advance(LEASE.plus(Duration.ofSeconds(1)));
      leases.expire();
      refused(Code.LEASE_LOST, () -> completed(one, holder), "fence 1");
    }

    @Test
    void only_the_late_holder_itself_completes_late_and_not_what_it_gave_back() {
      TaskId one = create("one");
      Call holder = late(one);
      leases.expire();
      refused(Code.LEASE_LOST, () -> completed(one, BOT.withFence(holder.fence())), "fence 1");
      TaskId given = create("given");
      Call gave = hold(given, "dev-1");
      leases.release(given, "", gave);
      refused(Code.LEASE_LOST, () -> completed(given, gave), "fence 1");
    }
  }
}
