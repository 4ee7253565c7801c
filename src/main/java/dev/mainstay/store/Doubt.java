package dev.mainstay.store;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on PostgreSQL whose commit was sent: as long as no answer has come, nobody knows
 * whether it was kept. What it wrote tells: its last journal entry, or else a key of its own. The
 * number of the transaction only tells whether it still runs, because after a crash the server may
 * give the same number to another.
 */
final class Doubt<T> {
  private static final Duration KEY_LIFE = Duration.ofMinutes(10);

  private @Nullable Proof proof;
  private @Nullable T answer;

  /** What is there if, and only if, a transaction was kept. */
  private record Proof(String number, JournalTable.@Nullable Written entry, @Nullable String key) {
    boolean isThere(Tx tx) {
      if (key != null) return tx.keys().find(key).isPresent();
      return entry != null && tx.journal().holds(entry);
    }
  }

  /** About to be committed; a transaction that has no number changed nothing. */
  void raise(Tx tx, T wouldAnswer) {
    String number = tx.number();
    proof = null;
    answer = wouldAnswer;
    if (number == null) number = number(tx);
    if (number == null) return;
    JournalTable.Written entry = tx.written();
    String key = entry == null ? "auto:" + UUID.randomUUID() : null;
    if (key != null) tx.keys().claim(key, "", tx.now().plus(KEY_LIFE));
    proof = new Proof(number, entry, key);
  }

  /**
   * The same before the last changes are sent, if it is known already how the transaction can be
   * asked after; they may take the commit with them then.
   */
  boolean raiseEarly(Tx tx, T wouldAnswer) {
    String number = tx.number();
    JournalTable.Written entry = tx.written();
    if (number == null || entry == null) return false;
    proof = new Proof(number, entry, null);
    answer = wouldAnswer;
    return true;
  }

  private static @Nullable String number(Tx tx) {
    return tx.sql("SELECT coalesce(pg_current_xact_id_if_assigned()::text, '') AS number")
        .first(row -> row.text("number"))
        .filter(number -> !number.isEmpty())
        .orElse(null);
  }

  /** What the transaction answered if it was kept after all; null when there was none, or not. */
  @Nullable T resolve(Tx tx) {
    Proof asked = proof;
    if (asked == null) return null;
    if (isRunning(tx, asked.number())) throw new StillOpen(asked.number());
    if (asked.isThere(tx)) return answer;
    proof = null;
    answer = null;
    return null;
  }

  /** A transaction holds the lock on its own number until its end can be seen. */
  private static boolean isRunning(Tx tx, String number) {
    return tx.sql(
            """
            SELECT count(*) AS running FROM pg_locks
            WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted
              AND transactionid = mod(:number::text::numeric, 4294967296)::text::xid""")
        .bind("number", number)
        .one(row -> row.number("running") > 0);
  }

  /** Its connection is gone, but the server has not noticed yet. */
  static final class StillOpen extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StillOpen(String number) {
      super("transaction " + number + " still runs");
    }
  }
}
