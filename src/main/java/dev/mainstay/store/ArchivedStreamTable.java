package dev.mainstay.store;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Streams that have left into an archive file, each with its last entry and where it is now. */
public final class ArchivedStreamTable {
  private final Tx tx;

  ArchivedStreamTable(Tx tx) {
    this.tx = tx;
  }

  /**
   * A stream that is gone from here: its last entry, and the file it is in with that file's hash.
   */
  public record Archived(String stream, long number, String hash, String archive, Instant at) {}

  /** What was a terminal's may begin anew and leave again: then its last way out counts. */
  void insert(Archived archived) {
    tx.sql(
            """
            INSERT INTO archived_streams (stream, number, hash, archive, archived_at)
            VALUES (:stream, :number, :hash, :archive, :at)
            ON CONFLICT (stream) DO UPDATE SET number = excluded.number, hash = excluded.hash,
              archive = excluded.archive, archived_at = excluded.archived_at""")
        .bind("stream", archived.stream())
        .bind("number", archived.number())
        .bind("hash", archived.hash())
        .bind("archive", archived.archive())
        .bind("at", archived.at())
        .update();
  }

  public Optional<Archived> find(String stream) {
    return tx.sql("SELECT * FROM archived_streams WHERE stream = :stream")
        .bind("stream", stream)
        .first(ArchivedStreamTable::archived);
  }

  boolean isEmpty() {
    return tx.sql("SELECT stream FROM archived_streams LIMIT 1")
        .first(row -> row.text("stream"))
        .isEmpty();
  }

  /** Every one, in the order of their names. */
  public void each(Consumer<Archived> consumer) {
    tx.sql("SELECT * FROM archived_streams ORDER BY stream")
        .each(row -> consumer.accept(archived(row)));
  }

  private static Archived archived(Row row) {
    return new Archived(
        row.text("stream"),
        row.number("number"),
        row.text("hash"),
        row.text("archive"),
        row.instant("archived_at"));
  }
}
