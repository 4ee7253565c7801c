package dev.mainstay.store;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Times;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** What the store knows about itself. */
public final class MetaTable {
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
    return find(EPOCH)
        .orElseThrow(
            () -> Refusal.unavailable("the store has no epoch; run 'mainstay doctor'", null));
  }

  void newEpoch() {
    set(EPOCH, UUID.randomUUID().toString().substring(0, 8));
  }
}
