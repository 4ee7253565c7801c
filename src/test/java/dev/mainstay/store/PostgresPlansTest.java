package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Event;
import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresPlansTest extends OnDatabase {
  PostgresPlansTest() {
    super(Databases.POSTGRESQL);
  }

  private static String mode(Tx tx) {
    return tx.sql("SELECT current_setting('plan_cache_mode') AS mode").one(row -> row.text("mode"));
  }

  private static long entriesRead(Tx tx) {
    return tx.sql(
            """
            SELECT seq_tup_read + idx_tup_fetch AS entries FROM pg_stat_xact_user_tables
            WHERE relname = 'journal'""")
        .one(row -> row.number("entries"));
  }

  private record Said(int number) implements Event {
    @Override
    public String kind() {
      return "test.said";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("number", number);
    }
  }

  /** As after a restore: what was counted and planned is from when there was nothing. */
  @Test
  void what_is_sealed_is_read_once_however_little_is_known_of_it() {
    given(tx -> tx.sql("ANALYZE journal").update());
    for (int i = 0; i < 8; i++) store.seal();
    int entries = Seals.ENTRIES_BETWEEN - 100; // or they would be sealed by themselves
    List<Event> said = new ArrayList<>();
    for (int i = 0; i < entries; i++) said.add(new Said(i));
    given(tx -> tx.journal().append("tests/one", BOT, said));
    settle();
    long read =
        store.inTransaction(
            Once.unkeyed(),
            tx -> {
              long before = entriesRead(tx);
              assertThat(Seals.seal(tx)).isEqualTo(1);
              return entriesRead(tx) - before;
            });
    assertThat(read).isBetween((long) entries, 3L * entries);
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
