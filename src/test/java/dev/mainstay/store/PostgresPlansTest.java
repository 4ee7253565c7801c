package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostgresPlansTest extends OnDatabase {
  PostgresPlansTest() {
    super(Databases.POSTGRESQL);
  }

  private static String mode(Tx tx) {
    return tx.sql("SELECT current_setting('plan_cache_mode') AS mode").one(row -> row.text("mode"));
  }

  /** On each connection, also on one whose last transaction came to nothing. */
  @Test
  void what_writes_keeps_its_plans_and_what_reads_is_planned_for_what_it_asks() {
    for (int i = 0; i < 3; i++) {
      assertThat(store.reading(PostgresPlansTest::mode)).isEqualTo("auto");
      assertThat(store.inTransaction(Once.unkeyed(), PostgresPlansTest::mode))
          .isEqualTo("force_generic_plan");
      try {
        store.inTransaction(
            Once.unkeyed(),
            tx -> {
              throw new UnsupportedOperationException("it changes nothing");
            });
      } catch (UnsupportedOperationException expected) {
        assertThat(expected).hasMessageContaining("nothing");
      }
    }
  }
}
