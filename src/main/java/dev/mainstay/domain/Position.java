package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * Where a reader of the journal stands: after one entry. On SQLite the entry's number is enough; on
 * PostgreSQL the transaction comes first, because numbers are handed out before commit.
 *
 * @param mark the first digits of the entry's hash, by which a history that went back is noticed;
 *     null where there is no entry, and in positions that an earlier version gave out
 * @param timeline PostgreSQL's, which changes with each failover; 0 where it is not known
 */
public record Position(String epoch, long xid, long seq, @Nullable String mark, long timeline) {
  private static final String ANY_EPOCH = "any";
  private static final String NUMBER = "[0-9]{1,19}";
  private static final int MARK_CHARS = 8;

  /** Before the first entry, of whatever history the store has. */
  public static final Position BEGINNING = new Position(ANY_EPOCH, 0, 0);

  /** After the last entry, whichever it will be. */
  public static final Position END = new Position(ANY_EPOCH, Long.MAX_VALUE, Long.MAX_VALUE);

  public Position(String epoch, long xid, long seq) {
    this(epoch, xid, seq, null, 0);
  }

  /** Reads {@code epoch.transaction.number[.mark[.timeline]]}. */
  public static Position parse(String text) {
    String[] parts = text.split("\\.", -1);
    boolean sound =
        parts.length >= 3
            && parts.length <= 5
            && parts[1].matches(NUMBER)
            && parts[2].matches(NUMBER)
            && (parts.length < 4 || parts[3].matches("[0-9a-f]{" + MARK_CHARS + "}"))
            && (parts.length < 5 || parts[4].matches("[0-9]{1,10}"));
    if (!sound) throw malformed(text);
    try {
      return new Position(
          parts[0],
          Long.parseLong(parts[1]),
          Long.parseLong(parts[2]),
          parts.length < 4 ? null : parts[3],
          parts.length < 5 ? 0 : Long.parseLong(parts[4]));
    } catch (NumberFormatException tooLarge) {
      throw malformed(text);
    }
  }

  private static Refusal malformed(String text) {
    return Refusal.invalid(
        "\""
            + text
            + "\" is not a position of the journal; give 'start', or a position that --json shows");
  }

  /** The same with what tells its entry from another at the same place. */
  public Position marked(String hash, long ofTimeline) {
    return new Position(epoch, xid, seq, hash.substring(0, MARK_CHARS), ofTimeline);
  }

  /** The same as a position of another epoch or timeline that has the entry, too. */
  public Position in(String otherEpoch, long otherTimeline) {
    return new Position(otherEpoch, xid, seq, mark, mark == null ? 0 : otherTimeline);
  }

  /** Whether it is after an entry, and not before the first or after whichever is last. */
  public boolean isAfterEntry() {
    return seq > 0 && !epoch.equals(ANY_EPOCH);
  }

  /** Whether this is the entry it is after, as far as is known. */
  public boolean isAfter(String hash) {
    return mark == null || hash.startsWith(mark);
  }

  /** Whether both are known to be of different timelines. */
  public boolean isOfOtherTimeline(long other) {
    return timeline > 0 && other > 0 && timeline != other;
  }

  /** Refuses a position of another history than the store's. */
  public void expectEpoch(String current) {
    if (!epoch.equals(ANY_EPOCH) && !epoch.equals(current)) {
      throw Refusal.conflict(
          "the store was restored or rebuilt since this position was given; read the journal from its beginning");
    }
  }

  /** The entry that it is after is not in the store any more. */
  public Refusal wentBack() {
    return Refusal.conflict(
        "the store's history went back since this position was given: the entry there is gone, as after a failover to a standby that did not have it; read the journal from its beginning");
  }

  @Override
  public String toString() {
    String place = epoch + "." + xid + "." + seq;
    if (mark == null) return place;
    return timeline == 0 ? place + "." + mark : place + "." + mark + "." + timeline;
  }
}
