package dev.mainstay.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds triggers, rules and views on Mainstay's tables that Mainstay did not make: they run with
 * every statement, and the journal knows nothing of what they do. Tables of a program that embeds
 * Mainstay may have any.
 */
final class ForeignObjects {
  /** Triggers, rules and views of the migrations, on either database. */
  static final Set<String> OWN =
      Set.of(
          "journal_keeps_its_entries",
          "journal_loses_no_entries",
          "journal_replaces_no_entries",
          "journal_changes_no_entries",
          "state_is_not_deleted",
          "state_is_not_inserted",
          "state_is_not_updated",
          "state_is_not_written",
          "state");

  private static final String VIEW = "view";

  private ForeignObjects() {}

  /** One object of the schema, with its definition. */
  record SchemaObject(String kind, String name, String table, String text) {
    private boolean isOnOwnTable() {
      return TableCopy.TABLES.containsKey(table) || TableCopy.NOT_COPIED.contains(table);
    }

    private String shown() {
      boolean isOnAnother = !name.equals(table);
      return "the " + kind + " " + name + (isOnAnother ? " on " + table : "");
    }
  }

  private static List<SchemaObject> all(Tx tx, String query) {
    return tx.sql(query)
        .list(
            row ->
                new SchemaObject(
                    row.text("kind"), row.text("name"), row.text("on_table"), row.text("text")));
  }

  /**
   * Triggers and rules on Mainstay's tables, and views that read them or are in their place; in
   * words.
   */
  static List<String> problems(Tx tx) {
    List<String> problems = new ArrayList<>();
    for (SchemaObject each : all(tx, tx.dialect().triggersAndViews())) {
      if (OWN.contains(each.name())) continue;
      boolean reads = each.kind().equals(VIEW) && namesOwnTable(each.text());
      if (each.isOnOwnTable() || reads) {
        problems.add(each.shown() + " was not made by Mainstay; drop it if it is not yours");
      }
    }
    return problems;
  }

  private static boolean namesOwnTable(String text) {
    Set<String> words = new HashSet<>(List.of(Pattern.compile("\\W+").split(text)));
    words.retainAll(TableCopy.TABLES.keySet());
    return !words.isEmpty();
  }

  /**
   * How the definitions in a SQLite file differ from those that the migrations make, beside what
   * {@link #problems} finds.
   */
  static List<String> differences(Tx tx) {
    Map<String, SchemaObject> there = byName(all(tx, SQLITE_SCHEMA));
    List<String> differences = new ArrayList<>();
    expected()
        .forEach(
            (name, wanted) -> {
              SchemaObject found = there.get(name);
              if (found == null) differences.add(wanted.shown() + " is missing");
              else if (!found.equals(wanted)) {
                differences.add(wanted.shown() + " is not as Mainstay made it");
              }
            });
    return differences;
  }

  private static final String SQLITE_SCHEMA =
      """
      SELECT type AS kind, name, tbl_name AS on_table, sql AS text FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'""";

  private static Map<String, SchemaObject> byName(List<SchemaObject> all) {
    Map<String, SchemaObject> byName = new LinkedHashMap<>();
    for (SchemaObject each : all) byName.put(each.name(), each);
    return byName;
  }

  /** What all migrations together make; it takes some ten milliseconds. */
  private static Map<String, SchemaObject> expected() {
    try (Connection memory = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      for (int number = 1; number <= Migrations.NEWEST; number++) {
        Migrations.apply(memory, SqliteDialect.ONLY, number);
      }
      Tx tx =
          new Tx(
              Statements.passing(memory),
              SqliteDialect.ONLY,
              none -> Instant.EPOCH,
              () -> Follower.NONE,
              true);
      return byName(all(tx, SQLITE_SCHEMA));
    } catch (SQLException fault) {
      throw new SqlFault(fault);
    }
  }
}
