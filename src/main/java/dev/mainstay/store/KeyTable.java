package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** The keys of writes that were made, with what was asked and answered. */
public final class KeyTable {
  private final Tx tx;

  KeyTable(Tx tx) {
    this.tx = tx;
  }

  record Stored(String fingerprint, JsonObject answer) {}

  /**
   * Takes the key for this transaction, or gives what an earlier one stored under it. On PostgreSQL
   * this waits for a transaction that is about to store the same key, so two equal requests never
   * run side by side.
   */
  Optional<Stored> claim(String key, String fingerprint, Instant expiresAt) {
    int taken =
        tx.sql(
                """
                INSERT INTO idempotency_keys (key, fingerprint, expires_at)
                VALUES (:key, :fingerprint, :expires_at)
                ON CONFLICT (key) DO UPDATE
                SET fingerprint = excluded.fingerprint, answer = NULL, expires_at = excluded.expires_at
                WHERE idempotency_keys.expires_at <= :now""")
            .bind("key", key)
            .bind("fingerprint", fingerprint)
            .bind("expires_at", expiresAt)
            .bind("now", tx.now())
            .update();
    return taken == 1 ? Optional.empty() : find(key);
  }

  /** What was stored under a key that is still remembered. */
  Optional<Stored> find(String key) {
    return tx.sql(
            """
            SELECT fingerprint, answer FROM idempotency_keys
            WHERE key = :key AND expires_at > :now""")
        .bind("key", key)
        .bind("now", tx.now())
        .first(row -> new Stored(row.text("fingerprint"), row.json("answer")));
  }

  void answer(String key, JsonObject answer) {
    tx.sql("UPDATE idempotency_keys SET answer = :answer WHERE key = :key")
        .bind("key", key)
        .bind("answer", answer)
        .about("key " + key)
        .later();
  }

  /** Nothing was answered, so nothing may be found under the key. */
  void forget(String key) {
    tx.sql("DELETE FROM idempotency_keys WHERE key = :key").bind("key", key).later();
  }

  /** Forgets keys whose time is over, a bounded number at a time. */
  int forgetExpired(int limit) {
    return tx.sql(
            """
            DELETE FROM idempotency_keys WHERE key IN (
              SELECT key FROM idempotency_keys WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit)""")
        .bind("now", tx.now())
        .bind("limit", limit)
        .update();
  }
}
