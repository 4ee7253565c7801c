package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SweeperTest {
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

    @Test
    void while_one_sweeps_no_other_does_and_then_another_may() {
      try (Store elsewhere = open(address);
          Store stranger = open(Databases.POSTGRESQL.fresh())) {
        Sweeper second = new Sweeper(elsewhere, tx -> 10);
        Sweeper ofAnotherStore = new Sweeper(stranger, tx -> 100);
        Sweeper first = new Sweeper(store, tx -> 1 + second.sweep() + ofAnotherStore.sweep());
        assertThat(first.sweep()).isEqualTo(101);
        assertThat(second.sweep()).isEqualTo(10);
      }
    }
  }

  abstract static class Contract extends OnDatabase {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void a_turn_that_fails_is_counted_and_the_next_one_comes() {
      AtomicInteger turns = new AtomicInteger();
      try (Sweeper sweeper =
          new Sweeper(
                  store,
                  tx -> {
                    if (turns.incrementAndGet() == 1) throw new IllegalStateException("once");
                    return 1;
                  })
              .start()) {
        while (sweeper.swept() == 0) Pause.briefly();
        assertThat(sweeper.faults()).isEqualTo(1);
      }
    }
  }
}
