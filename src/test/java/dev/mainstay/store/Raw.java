package dev.mainstay.store;

import java.util.ArrayList;
import java.util.List;

/** Looks at and fills tables that no use case of a test's own room writes; triggers stay. */
public final class Raw {
  private Raw() {}

  public static int run(Store store, String sql) {
    return store.inTransaction(Once.unkeyed(), tx -> tx.sql(sql).update());
  }

  public static List<String> texts(Store store, String sql, String column) {
    return store.reading(tx -> tx.sql(sql).list(row -> String.valueOf(row.textOrNull(column))));
  }

  /** Every row of every table. */
  public static List<String> dump(Store store) {
    return store.reading(
        tx -> {
          List<String> lines = new ArrayList<>();
          List<String> tables = new ArrayList<>(TableCopy.TABLES.keySet());
          tables.add("store_meta");
          for (String table : tables) {
            List<String> columns = tx.dialect().columns(tx, table);
            tx.sql("SELECT * FROM " + table)
                .each(
                    row ->
                        lines.add(
                            table
                                + columns.stream().map(c -> c + "=" + row.textOrNull(c)).toList()));
          }
          lines.sort(null);
          return lines;
        });
  }
}
