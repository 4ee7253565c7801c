package dev.mainstay.domain;

/**
 * Where a reader of the journal stands. On SQLite the entry's number is enough; on PostgreSQL the
 * transaction comes first, because numbers are handed out before commit.
 */
public record Position(String epoch, long xid, long seq) {
  private static final String ANY_EPOCH = "any";

  /** Before the first entry, of whatever history the store has. */
  public static final Position BEGINNING = new Position(ANY_EPOCH, 0, 0);

  /** After the last entry, whichever it will be. */
  public static final Position END = new Position(ANY_EPOCH, Long.MAX_VALUE, Long.MAX_VALUE);

  public static Position parse(String text) {
    String[] parts = text.split("\\.");
    try {
      return new Position(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    } catch (RuntimeException malformed) {
      throw Refusal.invalid(
          "\""
              + text
              + "\" is not a position of the journal; give 'start', or a position that --json shows");
    }
  }

  /** Refuses a position of another history than the store's. */
  public void expectEpoch(String current) {
    if (!epoch.equals(ANY_EPOCH) && !epoch.equals(current)) {
      throw Refusal.conflict(
          "the store was restored or rebuilt since this position was given; read the journal from its beginning");
    }
  }

  @Override
  public String toString() {
    return epoch + "." + xid + "." + seq;
  }
}
