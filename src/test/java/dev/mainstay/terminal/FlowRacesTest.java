package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.FlowRun.Status;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FlowRacesTest {
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

  abstract static class Contract extends OnFlows {
    private static final int MOMENTS = 5;

    Contract(Databases database) {
      super(database);
    }

    @Test
    void no_moment_is_run_twice_by_several_servers() throws Exception {
      String every = "schedule: \"* * * * *\"\nprofile: developer\n";
      for (String name : List.of("a", "b", "c")) add("name: " + name + "\n" + every, name);
      try (Store other = open(address)) {
        for (int i = 0; i < MOMENTS; i++) {
          clock.advance(Duration.ofMinutes(1));
          AtomicInteger next = new AtomicInteger();
          List<Integer> ran =
              Both.atOnce(
                  4, () -> flows(next.getAndIncrement() % 2 == 0 ? store : other, "here").due());
          assertThat(ran.stream().mapToInt(Integer::intValue).sum()).isEqualTo(3);
        }
      }
      assertThat(launched.launches).hasSize(3 * MOMENTS);
      for (String name : List.of("a", "b", "c")) {
        assertThat(statuses(name)).hasSize(MOMENTS).containsOnly(Status.STARTED);
      }
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void a_moment_is_run_once_while_its_flow_is_changed_and_rests() throws Exception {
      add(DAILY, "Report.");
      at("2026-01-02T09:00:00Z");
      AtomicInteger next = new AtomicInteger();
      Both.atOnce(
          4,
          () ->
              switch (next.getAndIncrement()) {
                case 0 -> flows.disable("report", ADA).name();
                case 1 -> add(DAILY, "Report more.").name();
                default -> String.valueOf(flows.due());
              });
      assertThat(launched.launches.size()).isLessThanOrEqualTo(1);
      assertThat(statuses("report")).hasSize(launched.launches.size());
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }
}
