package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MigrationsTest {
  /** PostgreSQL hands out numbers by sequence and knows an entry's transaction. */
  private static final Set<String> SQLITE_ALONE = Set.of("counters");

  private static final Set<String> POSTGRESQL_ALONE = Set.of("journal.xid");

  private static Map<String, List<String>> columns(Databases database) {
    try (Store store = Store.open(database.fresh(), StoreSettings.DEFAULT)) {
      return store.reading(
          tx -> {
            Map<String, List<String>> columns = new TreeMap<>();
            for (String table : tables(tx)) columns.put(table, tx.dialect().columns(tx, table));
            return columns;
          });
    }
  }

  private static List<String> tables(Tx tx) {
    return tx.dialect() == SqliteDialect.ONLY
        ? tx.sql(
                """
                SELECT name FROM sqlite_schema
                WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'""")
            .list(row -> row.text("name"))
        : tx.sql(
                "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()")
            .list(row -> row.text("name"));
  }

  @Test
  void both_databases_end_in_the_same_tables_and_columns() {
    var sqlite = columns(Databases.SQLITE);
    var postgresql = columns(Databases.POSTGRESQL);
    sqlite.keySet().removeAll(SQLITE_ALONE);
    postgresql.get("journal").removeIf(column -> POSTGRESQL_ALONE.contains("journal." + column));
    assertThat(postgresql).isEqualTo(sqlite);
  }

  @Test
  void every_table_is_copied_by_a_backup_or_named_as_not() {
    Set<String> known = new TreeSet<>(TableCopy.TABLES.keySet());
    known.addAll(TableCopy.NOT_COPIED);
    assertThat(columns(Databases.SQLITE).keySet()).isEqualTo(known);
  }

  @Test
  void the_copied_columns_are_of_the_kinds_postgresql_says() {
    Set<String> instants = new HashSet<>();
    Set<String> json = new HashSet<>();
    try (Store store = Store.open(Databases.POSTGRESQL.fresh(), StoreSettings.DEFAULT)) {
      store.reading(
          tx -> {
            tx.sql(
                    """
                    SELECT column_name, data_type FROM information_schema.columns
                    WHERE table_schema = current_schema() AND table_name <> 'state'""")
                .each(
                    row -> {
                      String type = row.text("data_type");
                      if (type.startsWith("timestamp")) instants.add(row.text("column_name"));
                      if (type.equals("jsonb")) json.add(row.text("column_name"));
                    });
            return 0;
          });
    }
    assertThat(TableCopy.INSTANTS).isEqualTo(instants);
    assertThat(TableCopy.JSON).isEqualTo(json);
  }
}
