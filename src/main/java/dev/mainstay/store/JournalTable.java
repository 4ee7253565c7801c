package dev.mainstay.store;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JournalEntry.Content;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JournalEntry.Place;
import dev.mainstay.domain.JournalEntry.Seal;
import dev.mainstay.domain.KeptEntries;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.ReadEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.MetaTable.History;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The journal: what happened, in order, for ever. Entries are added and never changed. */
public final class JournalTable {
  private static final String COLUMNS =
      "seq, stream, number, actor, source, at, kind, payload, payload_hash, previous_hash, hash";

  private static final int PAYLOAD_CHARS_MAX = JsonText.DOCUMENT_BYTES_MAX / 4; // of UTF-8

  private final Tx tx;

  JournalTable(Tx tx) {
    this.tx = tx;
  }

  /** The newest entry of a stream. */
  public record Head(long number, String hash) {
    static final Head NONE = new Head(0, JournalEntry.BEGINNING);

    /** Of its number and its hash with a blank between them; of nothing where there is no entry. */
    static Head parse(@Nullable String text) {
      if (text == null) return NONE;
      int space = text.indexOf(' ');
      return new Head(Long.parseLong(text.substring(0, space)), text.substring(space + 1));
    }
  }

  /** One entry, known again by its hash. */
  record Written(String stream, long number, String hash) {}

  boolean holds(Written entry) {
    return find(entry.stream(), entry.number())
        .filter(found -> found.seal().hash().equals(entry.hash()))
        .isPresent();
  }

  /** Adds the events to the end of a stream, chained to what is there; its new head. */
  public Head append(String stream, Call call, List<? extends Event> events) {
    Head known = tx.heads().get(stream);
    Head head = known == null ? head(stream) : known;
    Origin origin = new Origin(call.actor(), call.source(), tx.now());
    for (Event event : events) {
      Place place = new Place(stream, head.number() + 1);
      Content content = new Content(event.kind(), payload(event));
      Seal seal = JournalEntry.seal(place, origin, content, head.hash());
      insert(place, origin, content, seal);
      head = new Head(place.number(), seal.hash());
      tx.heads().put(stream, head);
      tx.wrote(new Written(stream, head.number(), head.hash()));
    }
    return head;
  }

  /** Whether an entry tells of an event that is like this one. */
  public boolean isOf(JournalEntry entry, Event event) {
    return entry.content().kind().equals(event.kind())
        && entry.content().payload().equals(payload(event));
  }

  /** What could not be read again is not written. */
  private static String payload(Event event) {
    String text = JsonText.write(event.payload());
    if (text.length() > PAYLOAD_CHARS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the change is too large to be kept (%,d characters of %,d); split it or keep a file",
              text.length(), PAYLOAD_CHARS_MAX));
    }
    return text;
  }

  private void insert(Place place, Origin origin, Content content, Seal seal) {
    tx.sql(
            """
                INSERT INTO journal
                  (stream, number, actor, source, at, kind, payload, payload_hash, previous_hash, hash)
                VALUES (:stream, :number, :actor, :source, :at, :kind, :payload, :payload_hash,
                  :previous_hash, :hash)
                RETURNING seq, <transaction> AS written_by""")
        .define("transaction", tx.dialect().transactionNumber())
        .bind("stream", place.stream())
        .bind("number", place.number())
        .bind("actor", origin.actor())
        .bind("source", origin.source())
        .bind("at", origin.at())
        .bind("kind", content.kind())
        .bind("payload", content.payload())
        .bind("payload_hash", seal.payloadHash())
        .bind("previous_hash", seal.previousHash())
        .bind("hash", seal.hash())
        .about("journal " + place.stream() + " " + place.number())
        .later(this::written);
  }

  private void written(Row row) {
    tx.wrote(row.number("seq"));
    tx.isNumbered(row.text("written_by"));
  }

  public Head head(String stream) {
    return tx.sql(
            "SELECT number, hash FROM journal WHERE stream = :stream ORDER BY number DESC LIMIT 1")
        .bind("stream", stream)
        .first(row -> new Head(row.number("number"), row.text("hash")))
        .orElse(Head.NONE);
  }

  public Optional<JournalEntry> find(String stream, long number) {
    return tx.sql("SELECT " + COLUMNS + " FROM journal WHERE stream = :stream AND number = :number")
        .bind("stream", stream)
        .bind("number", number)
        .first(JournalTable::entry);
  }

  /** One stream from its beginning. */
  public List<JournalEntry> stream(String stream) {
    return tx.sql("SELECT " + COLUMNS + " FROM journal WHERE stream = :stream ORDER BY number")
        .bind("stream", stream)
        .list(JournalTable::entry);
  }

  /** One stream after an entry, up to and with another. */
  public List<JournalEntry> between(String stream, long after, long upTo) {
    return tx.sql(
            "SELECT "
                + COLUMNS
                + " FROM journal WHERE stream = :stream AND number > :after AND number <= :up_to ORDER BY number")
        .bind("stream", stream)
        .bind("after", after)
        .bind("up_to", upTo)
        .list(JournalTable::entry);
  }

  /** The number of a stream's newest entry that was there at this place of the whole journal. */
  public Optional<Long> numberAt(String stream, long seq) {
    return tx.sql(
            """
            SELECT number FROM journal WHERE stream = :stream AND seq <= :seq
            ORDER BY number DESC LIMIT 1""")
        .bind("stream", stream)
        .bind("seq", seq)
        .first(row -> row.number("number"));
  }

  /** The number of a stream's newest entry that was there at this time. */
  public Optional<Long> numberAt(String stream, Instant time) {
    return tx.sql(
            """
            SELECT number FROM journal WHERE stream = :stream AND at <= :time
            ORDER BY number DESC LIMIT 1""")
        .bind("stream", stream)
        .bind("time", time)
        .first(row -> row.number("number"));
  }

  /** Entries of a stream of these kinds after an entry, oldest first. */
  public List<JournalEntry> ofKinds(
      String stream, Collection<String> kinds, long after, int limit) {
    return tx.sql(
            "SELECT "
                + COLUMNS
                + " FROM journal WHERE stream = :stream AND number > :after"
                + " AND kind IN (:kinds) ORDER BY number LIMIT :limit")
        .bind("stream", stream)
        .bind("after", after)
        .bind("kinds", kinds)
        .bind("limit", limit)
        .list(JournalTable::entry);
  }

  /** The newest entries of a stream of these kinds, oldest of them first. */
  public List<JournalEntry> newestOfKinds(String stream, Collection<String> kinds, int limit) {
    var entries =
        new ArrayList<>(
            tx.sql(
                    "SELECT "
                        + COLUMNS
                        + " FROM journal WHERE stream = :stream AND kind IN (:kinds)"
                        + " ORDER BY number DESC LIMIT :limit")
                .bind("stream", stream)
                .bind("kinds", kinds)
                .bind("limit", limit)
                .list(JournalTable::entry));
    Collections.reverse(entries);
    return entries;
  }

  /** Every entry, stream by stream, each in order. */
  public void eachByStream(Reader reader) {
    tx.sql("SELECT " + COLUMNS + " FROM journal ORDER BY stream, number")
        .each(row -> read(row, reader));
  }

  /** Somebody who goes through entries that may be damaged. */
  public interface Reader {
    void entry(JournalEntry entry);

    /** A row of which not even the fields can be read. */
    void unreadable(String stream, long number);
  }

  private static void read(Row row, Reader reader) {
    JournalEntry entry;
    try {
      entry = entry(row);
    } catch (IllegalArgumentException
        | IllegalStateException
        | DateTimeException
        | Refusal damage) {
      reader.unreadable(row.text("stream"), row.number("number"));
      return;
    }
    reader.entry(entry);
  }

  /** Every entry, older streams first, so that a task comes after its parent. */
  public void eachByAge(Reader reader) {
    tx.sql("SELECT " + COLUMNS + " FROM journal ORDER BY length(stream), stream, number")
        .each(row -> read(row, reader));
  }

  /** The entries of one stream, as far as they can be read. */
  public void eachOf(String stream, Reader reader) {
    tx.sql("SELECT " + COLUMNS + " FROM journal WHERE stream = :stream ORDER BY number")
        .bind("stream", stream)
        .each(row -> read(row, reader));
  }

  /** What comes after a position and can no longer be overtaken, oldest first. */
  public List<Placed> after(Position position, @Nullable String stream, int limit) {
    History history = expect(position);
    return tx.sql(
            """
            SELECT <place>, j.* FROM journal j WHERE <after> <stream>
            ORDER BY <place> LIMIT :limit""")
        .define("place", tx.dialect().feedPlace())
        .define("after", tx.dialect().feedAfter())
        .define("stream", stream == null ? "" : "AND stream = :stream")
        .bind("xid", position.xid())
        .bind("seq", position.seq())
        .bind("stream", stream)
        .bind("limit", limit)
        .list(row -> placed(row, history));
  }

  /** What comes before a position and can no longer be overtaken, newest first. */
  public List<Placed> before(Position position, @Nullable String stream, int limit) {
    History history = expect(position);
    String place = tx.dialect().feedPlace();
    return tx.sql(
            """
            SELECT <place>, j.* FROM journal j WHERE <before> <stream>
            ORDER BY <backwards> LIMIT :limit""")
        .define("place", place)
        .define("backwards", place.replace(",", " DESC,") + " DESC")
        .define("before", tx.dialect().feedBefore())
        .define("stream", stream == null ? "" : "AND stream = :stream")
        .bind("xid", position.xid())
        .bind("seq", position.seq())
        .bind("stream", stream)
        .bind("limit", limit)
        .list(row -> placed(row, history));
  }

  /** The entries of one stream from a number on. */
  public List<Placed> from(String stream, long number, int limit) {
    History history = tx.meta().history();
    return tx.sql(
            """
            SELECT <place>, j.* FROM journal j WHERE stream = :stream AND number >= :number
            ORDER BY number LIMIT :limit""")
        .define("place", tx.dialect().feedPlace())
        .bind("stream", stream)
        .bind("number", number)
        .bind("limit", limit)
        .list(row -> placed(row, history));
  }

  /** The newest entries, oldest of them first. */
  public List<JournalEntry> newest(@Nullable String stream, int limit) {
    var entries =
        new ArrayList<>(
            tx.sql("SELECT " + COLUMNS + " FROM journal <where> ORDER BY seq DESC LIMIT :limit")
                .define("where", stream == null ? "" : "WHERE stream = :stream")
                .bind("stream", stream)
                .bind("limit", limit)
                .list(JournalTable::entry));
    Collections.reverse(entries);
    return entries;
  }

  private Placed placed(Row row, History history) {
    return new Placed(entry(row), position(row, history));
  }

  private Position position(Row row, History history) {
    return tx.dialect().position(row, history.epoch()).marked(row.text("hash"), history.timeline());
  }

  /** The position after everything that can no longer be overtaken. */
  public Position end() {
    History history = tx.meta().history();
    return tx.sql(tx.dialect().feedLast())
        .first(row -> position(row, history))
        .orElse(new Position(history.epoch(), 0, 0));
  }

  /** The same position in today's history; refused if the entry that it is after is gone. */
  public Position resume(Position position) {
    History history = expect(position);
    return position.in(history.epoch(), history.timeline());
  }

  /**
   * The history as it is now, in which the position's entry still is. One that retention took away
   * is missed on the timeline on which the position was given, and on no other.
   */
  private History expect(Position position) {
    History history = tx.meta().history();
    position.expectEpoch(history.epoch());
    if (!position.isAfterEntry()) return history;
    Optional<String> hash =
        tx.sql("SELECT hash FROM journal WHERE <at>")
            .define("at", tx.dialect().feedAt())
            .bind("xid", position.xid())
            .bind("seq", position.seq())
            .first(row -> row.text("hash"));
    boolean there =
        hash.isPresent()
            ? position.isAfter(hash.get())
            : !position.isOfOtherTimeline(history.timeline()) && !tx.archivedStreams().isEmpty();
    if (!there) throw position.wentBack();
    return history;
  }

  /** Looks for entries, given in the order of the feed; those that retention took are not lost. */
  public KeptEntries kept(List<ReadEntry> read) {
    History history = tx.meta().history();
    Position first = read.get(0).position();
    Position last = read.get(read.size() - 1).position();
    if (!last.epoch().equals(history.epoch())) return new KeptEntries(null, read.size());
    Set<Position> there = new HashSet<>();
    tx.sql("SELECT <place>, hash FROM journal WHERE <between>")
        .define("place", tx.dialect().feedPlace())
        .define("between", tx.dialect().feedBetween())
        .bind("from_xid", first.xid())
        .bind("from_seq", first.seq() - 1)
        .bind("to_xid", last.xid())
        .bind("to_seq", last.seq())
        .each(row -> there.add(position(row, history)));
    Position common = null;
    int lost = 0;
    for (ReadEntry each : read) {
      Position now = each.position().in(history.epoch(), history.timeline());
      boolean kept = !now.isAfterEntry() || there.contains(now) || isArchived(each.stream());
      if (!kept) lost++;
      else if (lost == 0) common = now;
    }
    return new KeptEntries(common, lost);
  }

  private boolean isArchived(String stream) {
    return tx.archivedStreams().find(stream).isPresent();
  }

  /** Takes the entries of an archived stream away; the database allows it to retention alone. */
  void remove(String stream, long upTo) {
    tx.sql("DELETE FROM journal WHERE stream = :stream AND number <= :up_to")
        .bind("stream", stream)
        .bind("up_to", upTo)
        .update();
  }

  public long count() {
    return tx.sql("SELECT count(*) AS entries FROM journal").one(row -> row.number("entries"));
  }

  static JournalEntry entry(Row row) {
    return new JournalEntry(
        row.number("seq"),
        new Place(row.text("stream"), row.number("number")),
        new Origin(Actor.parse(row.text("actor")), row.text("source"), row.instant("at")),
        new Content(row.text("kind"), row.text("payload")),
        new Seal(row.text("payload_hash"), row.text("previous_hash"), row.text("hash")));
  }
}
