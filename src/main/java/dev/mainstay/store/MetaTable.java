package dev.mainstay.store;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Times;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** What the store knows about itself. */
public final class MetaTable {
  static final String LAST_COMMIT = "last_commit";
  private static final String EPOCH = "epoch";
  private final Tx tx;

  MetaTable(Tx tx) {
    this.tx = tx;
  }

  Optional<String> find(String name) {
    return tx.sql("SELECT value FROM store_meta WHERE name = :name")
        .bind("name", name)
        .first(row -> row.text("value"));
  }

  void set(String name, String value) {
    tx.sql(
            """
            INSERT INTO store_meta (name, value) VALUES (:name, :value)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value""")
        .bind("name", name)
        .bind("value", value)
        .update();
  }

  /**
   * Counts one more commit and says who makes it; what this gives tells it from all others. The
   * number is after the last space.
   */
  String countCommit(String by) {
    return tx.sql(
            """
            INSERT INTO store_meta (name, value) VALUES (:name, :by || ' 1')
            ON CONFLICT (name) DO UPDATE SET value = :by || ' '
              || (CAST(substr(store_meta.value, instr(store_meta.value, ' ') + 1) AS INTEGER) + 1)
            RETURNING value""")
        .bind("name", LAST_COMMIT)
        .bind("by", by)
        .one(row -> row.text("value"));
  }

  /** How many commits were counted, on SQLite. */
  public long commits() {
    return find(LAST_COMMIT).map(MetaTable::number).orElse(0L);
  }

  /** The number in what {@link #countCommit} gave; 0 in what an older version left. */
  static long number(String mark) {
    int space = mark.indexOf(' ');
    return space < 0 ? 0 : Long.parseLong(mark.substring(space + 1));
  }

  /** Counts one more of something; what {@link #takeCount} gives at last. */
  public void count(String name) {
    tx.sql(
            """
            INSERT INTO store_meta (name, value) VALUES (:name, '1')
            ON CONFLICT (name) DO UPDATE
              SET value = CAST(CAST(store_meta.value AS BIGINT) + 1 AS TEXT)""")
        .bind("name", name)
        .update();
  }

  /** How many were counted since this was last asked; each is given once. */
  public long takeCount(String name) {
    return tx.sql("DELETE FROM store_meta WHERE name = :name RETURNING value")
        .bind("name", name)
        .first(row -> Long.parseLong(row.text("value")))
        .orElse(0L);
  }

  void remove(String name) {
    tx.sql("DELETE FROM store_meta WHERE name = :name").bind("name", name).update();
  }

  /** Notes that this caller does something now, unless somebody did since the given moment. */
  boolean takeTurn(String name, Instant now, Instant since) {
    return tx.sql(
                """
                INSERT INTO store_meta (name, value) VALUES (:name, :now)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                WHERE store_meta.value <= :since""")
            .bind("name", name)
            .bind("now", Times.write(now))
            .bind("since", Times.write(since))
            .update()
        == 1;
  }

  /** Changes whenever the store's history may have become another one, as by a restore. */
  public String epoch() {
    return find(EPOCH).orElseThrow(MetaTable::withoutEpoch);
  }

  /** Which history this is: its epoch, and PostgreSQL's timeline, 0 where it is not known. */
  record History(String epoch, long timeline) {}

  History history() {
    return tx.sql("SELECT value, <timeline> AS timeline FROM store_meta WHERE name = :name")
        .define("timeline", tx.dialect().timeline())
        .bind("name", EPOCH)
        .first(row -> new History(row.text("value"), row.number("timeline")))
        .orElseThrow(MetaTable::withoutEpoch);
  }

  private static Refusal withoutEpoch() {
    return Refusal.unavailable("the store has no epoch; run 'mainstay doctor'", null);
  }

  void newEpoch() {
    set(EPOCH, UUID.randomUUID().toString().substring(0, 8));
  }
}
