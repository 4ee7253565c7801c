package dev.mainstay.store;

import dev.mainstay.domain.Message;
import dev.mainstay.domain.Message.Moments;
import dev.mainstay.domain.Message.Standing;
import dev.mainstay.domain.Message.Status;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages to terminals, numbered in the order in which each terminal was sent them. */
public final class InboxTable {
  /** Repeats the index's own condition, word for word, or neither database would use it. */
  private static final String IS_OPEN = "status IN ('PENDING', 'DELIVERING')";

  private static final String IS_FREE = "(status = 'PENDING' OR taken_until <= :now)";

  private final Tx tx;

  InboxTable(Tx tx) {
    this.tx = tx;
  }

  /** Keeps a message to a terminal that is locked, so that numbers are given in order. */
  public Message insert(String sender, String receiver, String text) {
    Standing standing = Message.sent(tx.now());
    return tx.sql(
            """
            INSERT INTO inbox (sender_id, receiver_id, message, status, created_at, updated_at)
            VALUES (:sender, :receiver, :message, :status, :now, :now) RETURNING id""")
        .bind("sender", sender)
        .bind("receiver", receiver)
        .bind("message", text)
        .bind("status", standing.status())
        .bind("now", tx.now())
        .one(row -> new Message(row.number("id"), sender, receiver, text, standing));
  }

  public Optional<Message> find(long id) {
    return tx.sql("SELECT * FROM inbox WHERE id = :id").bind("id", id).first(InboxTable::message);
  }

  public Message get(long id) {
    return find(id)
        .orElseThrow(
            () ->
                Refusal.notFound(
                    Phrase.of(
                        "there is no message %d; 'mainstay inbox list --all' shows those there are",
                        id)));
  }

  /** Of one terminal or of all, after a number, oldest first; open ones alone, or all. */
  public List<Message> list(@Nullable String receiver, boolean openOnly, long after, int limit) {
    return tx.sql("SELECT * FROM inbox WHERE id > :after <open> <whose> ORDER BY id LIMIT :limit")
        .define("open", openOnly ? "AND " + IS_OPEN : "")
        .define("whose", receiver == null ? "" : "AND receiver_id = :receiver")
        .bind("after", after)
        .bind("receiver", receiver)
        .bind("limit", limit)
        .list(InboxTable::message);
  }

  /** Those of all terminals that nobody acknowledged yet, oldest first. */
  public List<Message> open(int limit) {
    return tx.sql("SELECT * FROM inbox <index> WHERE <open> ORDER BY id LIMIT :limit")
        .define("index", tx.dialect().useIndex("inbox_open"))
        .define("open", IS_OPEN)
        .bind("limit", limit)
        .list(InboxTable::message);
  }

  public long countOpen() {
    return tx.sql("SELECT count(*) AS messages FROM inbox <index> WHERE <open>")
        .define("index", tx.dialect().useIndex("inbox_open"))
        .define("open", IS_OPEN)
        .one(row -> row.number("messages"));
  }

  /** Whether so many messages of a terminal are open, or more. */
  public boolean isOpenBeyond(String receiver, int count) {
    return tx.sql(
            """
            SELECT id FROM inbox <index> WHERE receiver_id = :receiver AND <open>
            ORDER BY id LIMIT 1 OFFSET :before""")
        .define("index", tx.dialect().useIndex("inbox_open"))
        .define("open", IS_OPEN)
        .bind("receiver", receiver)
        .bind("before", count - 1)
        .first(row -> row.number("id"))
        .isPresent();
  }

  /**
   * Locks the oldest messages of a terminal that nobody has, and passes over those that somebody
   * else is just taking; those that were taken too often already are not among them.
   */
  public List<Message> lockNext(String receiver, int limit) {
    return free(receiver, limit, tx.dialect().skipLocked());
  }

  /** The same for one who only looks. */
  public List<Message> free(String receiver, int limit) {
    return free(receiver, limit, "");
  }

  private List<Message> free(String receiver, int limit, String lock) {
    return tx.sql(
            """
            SELECT * FROM inbox <index>
            WHERE receiver_id = :receiver AND <open> AND <free> AND attempts < :attempts
            ORDER BY id LIMIT :limit <lock>""")
        .define("index", tx.dialect().useIndex("inbox_open"))
        .define("open", IS_OPEN)
        .define("free", IS_FREE)
        .define("lock", lock)
        .bind("receiver", receiver)
        .bind("now", tx.now())
        .bind("attempts", Message.ATTEMPTS_MAX)
        .bind("limit", limit)
        .list(InboxTable::message);
  }

  /** What was taken too often and is nobody's now, of one terminal. */
  public List<Message> exhausted(String receiver, int limit) {
    return tx.sql(
            """
            SELECT * FROM inbox <index>
            WHERE receiver_id = :receiver AND <open> AND <free> AND attempts >= :attempts
            ORDER BY id LIMIT :limit""")
        .define("index", tx.dialect().useIndex("inbox_open"))
        .define("open", IS_OPEN)
        .define("free", IS_FREE)
        .bind("receiver", receiver)
        .bind("now", tx.now())
        .bind("attempts", Message.ATTEMPTS_MAX)
        .bind("limit", limit)
        .list(InboxTable::message);
  }

  /** The same of all terminals, as far as whoever took them let the time pass. */
  public List<Message> exhausted(int limit) {
    return tx.sql(
            """
            SELECT * FROM inbox
            WHERE status = 'DELIVERING' AND taken_until <= :now AND attempts >= :attempts
            ORDER BY taken_until, id LIMIT :limit""")
        .bind("now", tx.now())
        .bind("attempts", Message.ATTEMPTS_MAX)
        .bind("limit", limit)
        .list(InboxTable::message);
  }

  /** What is open for terminals that are over and did not just vanish with their machine. */
  public List<Message> toTheOver(int limit) {
    return tx.sql(
            """
            SELECT i.* FROM inbox i JOIN terminals t ON t.id = i.receiver_id
            WHERE i.status IN ('PENDING', 'DELIVERING')
              AND t.status IN ('ENDED', 'CRASHED', 'STOPPED')
            ORDER BY i.id LIMIT :limit""")
        .bind("limit", limit)
        .list(InboxTable::message);
  }

  /** Those of these that are there, in the order of their numbers, kept from changing. */
  public List<Message> lock(Collection<Long> ids) {
    return tx.sql("SELECT * FROM inbox WHERE id IN (:ids) ORDER BY id <lock>")
        .define("lock", tx.dialect().forUpdate())
        .bind("ids", ids)
        .list(InboxTable::message);
  }

  /** Writes down where locked messages stand now. */
  public void moved(Collection<Message> messages) {
    Sql update =
        tx.sql(
            """
            UPDATE inbox SET status = :status, attempts = :attempts, reason = :reason,
              taken_until = :taken_until, updated_at = :updated_at, delivered_at = :delivered_at
            WHERE id = :id""");
    for (Message each : messages) {
      Standing standing = each.standing();
      Moments moments = standing.moments();
      update
          .bind("status", standing.status())
          .bind("attempts", standing.attempts())
          .bind("reason", standing.reason())
          .bind("taken_until", moments.takenUntil())
          .bind("updated_at", moments.updatedAt())
          .bind("delivered_at", moments.deliveredAt())
          .bind("id", each.id())
          .addRow();
    }
    update.updateBatch();
  }

  private static Message message(Row row) {
    return new Message(
        row.number("id"),
        row.text("sender_id"),
        row.text("receiver_id"),
        row.text("message"),
        new Standing(
            Status.valueOf(row.text("status")),
            row.integer("attempts"),
            row.textOrNull("reason"),
            new Moments(
                row.instant("created_at"),
                row.instant("updated_at"),
                row.instantOrNull("taken_until"),
                row.instantOrNull("delivered_at"))));
  }
}
