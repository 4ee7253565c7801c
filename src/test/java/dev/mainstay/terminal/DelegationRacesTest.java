package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DelegationRacesTest {
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
    private static final int SERVERS = 4;
    private static final int TASKS = 6;

    Contract(Databases database) {
      super(database);
    }

    private void everybodyServes(Store other) throws Exception {
      AtomicInteger next = new AtomicInteger();
      Both.atOnce(
          SERVERS, () -> delegations(next.getAndIncrement() % 2 == 0 ? store : other, 100).serve());
    }

    @Test
    void servers_that_look_at_the_same_moment_start_and_give_and_report_each_once()
        throws Exception {
      List<TaskId> ids = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) ids.add(assign("task " + i).task());
      try (Store other = open(address)) {
        everybodyServes(other);
        delegations(store, 100).serve(); // a server may pass over what another has locked
        assertThat(ids).extracting(this::worker).doesNotContainNull().doesNotHaveDuplicates();
        for (TaskId id : ids) {
          assertThat(told(String.valueOf(worker(id)))).hasSize(1);
          assertThat(task(id).progress().attempt()).isEqualTo(1);
          complete(id, "done");
        }
        everybodyServes(other);
      }
      assertThat(delegations.list(false, 0, 100))
          .extracting(Delegation::status)
          .containsOnly(Status.REPORTED);
      assertThat(told("lead")).hasSize(TASKS).doesNotHaveDuplicates();
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void one_free_terminal_gets_one_of_many_tasks_that_wait() throws Exception {
      TaskId first = assign("first").task();
      delegations.serve();
      complete(first, "done");
      delegations.serve();
      for (int i = 0; i < TASKS; i++) assign("task " + i);
      try (Store other = open(address)) {
        AtomicInteger next = new AtomicInteger();
        // The lead and the free one are all that may run.
        Both.atOnce(
            SERVERS, () -> delegations(next.getAndIncrement() % 2 == 0 ? store : other, 2).serve());
      }
      assertThat(launched()).isEqualTo(1);
      assertThat(delegations.list(true, 0, 100))
          .filteredOn(each -> each.status() == Status.GIVEN)
          .hasSize(1);
      assertThat(told("developer-1")).hasSize(2);
    }
  }
}
