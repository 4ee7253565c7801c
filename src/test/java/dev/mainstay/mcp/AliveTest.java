package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Databases;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Leases of those whose process is seen alive. */
class AliveTest {
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

  abstract static class Contract extends OnOffer {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void a_task_stays_with_an_agent_that_is_seen_alive_though_it_calls_nothing() {
      task("Add login");
      said(claude("c1"), "next_task", "{}");
      for (int i = 0; i < 6; i++) {
        clock.advance(Leases.LEASE.dividedBy(3));
        offer.alive(claude("c1"));
        rooms.leases().expire();
      }
      assertThat(rooms.tasks().show(TaskId.of(1)).lease()).isPresent();
      clock.advance(Leases.LEASE.plusSeconds(1));
      rooms.leases().expire();
      assertThat(rooms.tasks().show(TaskId.of(1)).lease()).isEmpty();
    }

    @Test
    void who_never_called_has_nothing_to_keep() {
      offer.alive(claude("c1"));
      task("Add login");
      assertThat(said(codex("c2"), "next_task", "{}")).contains("T-001");
    }
  }
}
