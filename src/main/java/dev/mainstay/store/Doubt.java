package dev.mainstay.store;

import org.jspecify.annotations.Nullable;

/**
 * A transaction on PostgreSQL whose commit was sent: as long as no answer has come, nobody knows
 * whether it was kept. Its number tells, on any later connection.
 */
final class Doubt<T> {
  private @Nullable String number;
  private @Nullable T answer;

  /** About to be committed. A transaction without a number changed nothing. */
  void raise(@Nullable String transaction, T wouldAnswer) {
    number = transaction;
    answer = wouldAnswer;
  }

  /** What the transaction answered if it was kept after all; null when there was none, or not. */
  @Nullable T resolve(Tx tx) {
    String asked = number;
    if (asked == null) return null;
    String status =
        tx.sql("SELECT pg_xact_status(:number::text::xid8) AS status")
            .bind("number", asked)
            .one(row -> row.textOrNull("status") == null ? "forgotten" : row.text("status"));
    switch (status) {
      case "committed" -> {
        return answer;
      }
      case "aborted" -> {
        number = null;
        answer = null;
        return null;
      }
      default -> throw new StillOpen(asked, status);
    }
  }

  /** Its connection is gone, but the server has not noticed yet. */
  static final class StillOpen extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StillOpen(String number, String status) {
      super("transaction " + number + " is " + status);
    }
  }
}
