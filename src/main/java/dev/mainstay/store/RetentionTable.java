package dev.mainstay.store;

import dev.mainstay.domain.Position;
import dev.mainstay.domain.Times;
import dev.mainstay.store.ArchivedStreamTable.Archived;
import dev.mainstay.store.ClosedStream.Kind;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What has not been touched for an age, what keeps it here nevertheless, and the one way in which
 * entries leave the journal.
 */
public final class RetentionTable {
  private final Tx tx;
  private final HangingRows rows;

  RetentionTable(Tx tx) {
    this.tx = tx;
    this.rows = new HangingRows(tx);
  }

  /** A task that needs another to be there: as its parent or to have waited for it. */
  public record Reference(String from, String to) {}

  /** What ended or was touched last at {@code until} or before, longest ago first. */
  public List<ClosedStream> old(Kind kind, Instant until, int limit) {
    return tx.sql(
            """
            SELECT t.<key> AS id FROM <table> AS t <index> WHERE <old>
            ORDER BY t.updated_at, t.<key> LIMIT :limit""")
        .define("key", kind.key())
        .define("table", kind.table())
        .define("old", kind.old())
        .define("index", kind == Kind.TASK ? tx.dialect().useIndex("tasks_by_end") : "")
        .bind("until", until)
        .bind("limit", limit)
        .list(row -> new ClosedStream(kind, row.text("id")));
  }

  /** Those of the old ones, or of these alone, that have this reason to stay. */
  public Set<String> held(
      Hold hold, Instant until, Position sealed, @Nullable Collection<String> ids) {
    Kind kind = hold.kind();
    return new HashSet<>(
        tx.sql("SELECT t.<key> AS id FROM <table> t WHERE <old> AND <hold> <among>")
            .define("among", ids == null ? "" : "AND t.<key> IN (:ids)")
            .define("key", kind.key())
            .define("table", kind.table())
            .define("old", kind.old())
            .define("hold", hold.condition())
            .define("between", tx.dialect().feedBetween())
            .bind("until", until)
            .bind("now", tx.now())
            .bind("from_xid", Position.BEGINNING.xid())
            .bind("from_seq", Position.BEGINNING.seq())
            .bind("to_xid", sealed.xid())
            .bind("to_seq", sealed.seq())
            .bind("ids", ids)
            .list(row -> row.text("id")));
  }

  /** Who needs one of the old tasks, or of these alone, to be there. */
  public List<Reference> references(Instant until, @Nullable Collection<String> ids) {
    return tx.sql(
            """
            SELECT d.task_id AS referrer, t.id AS id
            FROM tasks t JOIN task_dependencies d ON d.depends_on = t.id WHERE <old> <among>
            UNION
            SELECT c.id AS referrer, t.id AS id
            FROM tasks t JOIN tasks c ON c.parent_id = t.id WHERE <old> <among>""")
        .define("among", ids == null ? "" : "AND t.id IN (:ids)")
        .define("old", Kind.TASK.old())
        .bind("until", until)
        .bind("ids", ids)
        .list(row -> new Reference(row.text("referrer"), row.text("id")));
  }

  /** Who could be tried again and then goes by how its parts ended, with each old part. */
  public List<Reference> parts(Instant until) {
    return tx.sql(
            """
            SELECT p.id AS referrer, t.id AS id FROM tasks t JOIN tasks p ON p.id = t.parent_id
            WHERE <old> AND p.status IN ('FAILED', 'CANCELLED')""")
        .define("old", Kind.TASK.old())
        .bind("until", until)
        .list(row -> new Reference(row.text("referrer"), row.text("id")));
  }

  /** Those of these that are still old, which nobody can change until this transaction ends. */
  public Set<String> lock(Kind kind, Collection<String> ids, Instant until) {
    if (ids.isEmpty()) return new HashSet<>();
    if (kind == Kind.TERMINAL) lockTerminals(ids); // what refers to one refers to this row
    return new HashSet<>(
        tx.sql(
                """
                SELECT t.<key> AS id FROM <table> t WHERE <old> AND t.<key> IN (:ids)
                ORDER BY <order> <lock>""")
            .define("key", kind.key())
            .define("table", kind.table())
            .define("old", kind.old())
            .define("order", kind == Kind.TASK ? "t.seq" : "t." + kind.key())
            .define("lock", tx.dialect().forUpdate())
            .bind("until", until)
            .bind("ids", ids)
            .list(row -> row.text("id")));
  }

  private void lockTerminals(Collection<String> ids) {
    tx.sql("SELECT id FROM terminals WHERE id IN (:ids) ORDER BY id <lock>")
        .define("lock", tx.dialect().forUpdate())
        .bind("ids", ids)
        .list(row -> 0);
  }

  /** Everything in the tables that comes and goes with it, in an order that stays the same. */
  public void eachRow(
      ClosedStream closed, BiConsumer<String, Map<String, @Nullable Object>> consumer) {
    rows.each(closed, consumer);
  }

  /** Up to where everything is sealed. */
  public Position sealed() {
    return Seals.lastSealed(tx);
  }

  /** Up to where everything could be sealed now. */
  public Position settled() {
    return Seals.end(tx);
  }

  /**
   * Before any row is locked: while these tasks have artifacts, keeps others from beginning to show
   * their contents until this transaction ends.
   */
  public void lockContents(Collection<String> tasks) {
    boolean some =
        tx.sql(
                """
                SELECT id FROM task_artifacts
                WHERE task_id IN (:tasks) AND content_hash IS NOT NULL LIMIT 1""")
            .bind("tasks", tasks)
            .first(row -> row.number("id"))
            .isPresent();
    if (some) tx.dialect().lockContents(tx);
  }

  /**
   * Takes a stream out of the store: its rows, its entries up to the archived one, and contents
   * that only its artifacts showed. That it was archived stays.
   */
  public void remove(ClosedStream closed, Archived archived) {
    boolean hasEntries = archived.number() > 0;
    if (hasEntries) tx.archivedStreams().insert(archived);
    List<String> hashes = contents(closed);
    tx.sql("DELETE FROM <table> WHERE <key> = :id")
        .define("table", closed.kind().table())
        .define("key", closed.kind().key())
        .bind("id", closed.id())
        .update();
    removeUnshown(hashes);
    if (closed.kind() == Kind.TERMINAL) removeMessages(closed.id());
    tx.sql("DELETE FROM snapshots WHERE stream = :stream").bind("stream", closed.stream()).update();
    if (!hasEntries) return;
    tx.dialect().openJournal(tx);
    tx.journal().remove(closed.stream(), archived.number());
    tx.dialect().closeJournal(tx);
  }

  /**
   * The terminal itself stays, so what hangs on it does not vanish by itself; none of it is open.
   */
  private void removeMessages(String terminal) {
    tx.sql("DELETE FROM inbox WHERE receiver_id = :id").bind("id", terminal).update();
  }

  private List<String> contents(ClosedStream closed) {
    if (closed.kind() != Kind.TASK) return List.of();
    return tx.sql(
            """
            SELECT DISTINCT content_hash FROM task_artifacts
            WHERE task_id = :id AND content_hash IS NOT NULL""")
        .bind("id", closed.id())
        .list(row -> row.text("content_hash"));
  }

  private void removeUnshown(List<String> hashes) {
    if (hashes.isEmpty()) return;
    tx.sql(
            """
            DELETE FROM artifact_contents WHERE content_hash IN (:hashes) AND NOT EXISTS (
              SELECT 1 FROM task_artifacts a WHERE a.content_hash = artifact_contents.content_hash)""")
        .bind("hashes", hashes)
        .update();
  }

  /** Whether this caller may do what is done once in a while: nobody did it since then. */
  public boolean takeTurn(Instant since) {
    return tx.meta().takeTurn("retention_turn", tx.now(), since);
  }

  /** As if the turn had been taken at another moment. */
  public void passTurn(Instant asOf) {
    tx.meta().set("retention_turn", Times.write(asOf));
  }
}
