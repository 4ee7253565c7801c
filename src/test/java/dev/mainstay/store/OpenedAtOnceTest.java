package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several processes find an empty database at the same moment; one makes the tables. */
class OpenedAtOnceTest {
  private static final int OPENERS = 3;
  private final ExecutorService openers = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    openers.shutdownNow();
  }

  @Test
  @Timeout(120)
  void all_who_waited_for_their_turn_find_the_work_done() throws Exception {
    StoreAddress address = Databases.POSTGRESQL.fresh();
    List<Future<Store>> opening = new ArrayList<>();
    try (Store other = Store.open(Databases.POSTGRESQL.fresh(), StoreSettings.DEFAULT)) {
      other.inTransaction(
          Once.unkeyed(),
          tx -> {
            tx.sql("SELECT pg_advisory_xact_lock(:lock)")
                .bind("lock", Dialect.MIGRATION_LOCK)
                .list(row -> 0);
            for (int i = 0; i < OPENERS; i++) {
              opening.add(openers.submit(() -> Store.open(address, StoreSettings.DEFAULT)));
            }
            while (waiting(tx) < OPENERS) Pause.briefly(); // all have seen that nothing is there
            return "go";
          });
    }
    for (Future<Store> each : opening) {
      try (Store opened = each.get(60, TimeUnit.SECONDS)) {
        assertThat(Raw.texts(opened, "SELECT version FROM schema_version", "version"))
            .containsExactly(Integer.toString(Migrations.NEWEST));
      }
    }
  }

  private static long waiting(Tx tx) {
    return tx.sql(
            """
            SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND objid = :low""")
        .bind("low", Dialect.MIGRATION_LOCK & 0xffff_ffffL)
        .one(row -> row.number("n"));
  }
}
