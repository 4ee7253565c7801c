package dev.mainstay.store;

import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.DossierTable.Stored;
import java.util.List;
import java.util.Optional;

/**
 * Dossiers as they were at some entries of long streams, so that an earlier moment is found by
 * replaying a part of a stream and not all of it. They can be made anew from the journal.
 */
public final class SnapshotTable {
  /** About so many entries of one stream lie between two snapshots. */
  public static final int SNAPSHOT_ENTRIES = 1_000;

  private final Tx tx;

  SnapshotTable(Tx tx) {
    this.tx = tx;
  }

  /** Keeps a snapshot when a round number was passed since the dossier changed before. */
  void keepIfDue(String stream, long before, Stored now) {
    if (now.number() / SNAPSHOT_ENTRIES > before / SNAPSHOT_ENTRIES) keep(stream, now);
  }

  public void keep(String stream, Stored stored) {
    tx.sql("INSERT INTO snapshots (stream, number, dossier) VALUES (:stream, :number, :dossier)")
        .bind("stream", stream)
        .bind("number", stored.number())
        .bind("dossier", stored.dossier().toJson())
        .update();
  }

  public List<Long> numbers(String stream) {
    return tx.sql("SELECT number FROM snapshots WHERE stream = :stream ORDER BY number")
        .bind("stream", stream)
        .list(row -> row.number("number"));
  }

  /** The newest snapshot at or before an entry. */
  public Optional<Stored> upTo(String stream, long number) {
    return tx.sql(
            """
            SELECT number, dossier FROM snapshots
            WHERE stream = :stream AND number <= :number ORDER BY number DESC LIMIT 1""")
        .bind("stream", stream)
        .bind("number", number)
        .first(row -> new Stored(row.number("number"), Dossier.fromJson(row.json("dossier"))));
  }

  /** The dossier as it was after an entry; in a store that is not trusted no directive binds. */
  public Dossier at(String stream, long number) {
    Stored from = upTo(stream, number).orElse(Stored.NONE);
    Dossier dossier = from.dossier();
    for (JournalEntry entry : tx.journal().between(stream, from.number(), number)) {
      String kind = entry.content().kind();
      if (!Dossier.isAbout(kind)) continue;
      var event = Dossier.read(kind, JsonText.object(entry.content().payload()));
      dossier = dossier.after(event, entry.origin());
    }
    return tx.isTrusted() ? dossier : dossier.unconfirmed();
  }
}
