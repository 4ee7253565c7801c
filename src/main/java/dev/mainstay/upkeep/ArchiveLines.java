package dev.mainstay.upkeep;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JournalEntry.Content;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JournalEntry.Place;
import dev.mainstay.domain.JournalEntry.Seal;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Times;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.ClosedStream;
import dev.mainstay.upkeep.Archive.Header;
import dev.mainstay.upkeep.Archive.Kept;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Follows an archive line by line and refuses the first that does not fit what came before. */
final class ArchiveLines {
  private static final int PARTS_MAX = 1_000;

  /** What people see of a stream in a list. */
  private static final List<String> ABOUT = List.of("title", "status", "updated_at");

  private final ArchiveFile.Reader reader;
  private final MessageDigest all = ArchiveRow.digest();
  private final List<Kept> streams = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final List<String> parts = new ArrayList<>();
  private final Map<Long, String> erased = new HashMap<>();
  private @Nullable Header header;
  private @Nullable Chain chain;
  private String stream = "";
  private MessageDigest rowsHash = ArchiveRow.digest();
  private JsonObject about = JsonObject.EMPTY;
  private long entriesHere;
  private long rowsHere;
  private long entries;
  private long rows;
  private boolean ended;

  ArchiveLines(ArchiveFile.Reader reader) {
    this.reader = reader;
  }

  void line(byte[] bytes) {
    expect(!ended, "something follows its end");
    JsonObject line = JsonText.object(new String(bytes, StandardCharsets.UTF_8));
    String kind = line.text("line");
    expect((header == null) == kind.equals("header"), "its header is not where it belongs");
    if (kind.equals("trailer")) {
      trailer(line);
      return;
    }
    all.update(bytes);
    all.update((byte) '\n');
    switch (kind) {
      case "header" -> header(line);
      case "stream" -> begin(line);
      case "entry" -> entry(line);
      case "part" -> part(line);
      case "row" -> row(line);
      case "end" -> end(line);
      default -> expect(false, "it has lines of an unknown kind");
    }
  }

  private void header(JsonObject line) {
    expect(ArchiveWriter.FORMAT.equals(line.text("format")), "it is of another kind");
    expect(line.number("version") == ArchiveWriter.VERSION, "a newer Mainstay made it");
    header =
        new Header(
            line.text("epoch"),
            Times.read(line.text("at")),
            line.number("streams"),
            line.number("entries"));
  }

  private void begin(JsonObject line) {
    expect(chain == null, "a stream has no end");
    stream = ClosedStream.of(line.text("stream")).stream();
    expect(names.add(stream), "it has " + stream + " twice");
    erased.clear();
    chain = new Chain(stream, erased);
    rowsHash = ArchiveRow.digest();
    about = JsonObject.EMPTY;
    entriesHere = 0;
    rowsHere = 0;
    reader.begin(stream);
  }

  private void entry(JsonObject line) {
    JournalEntry entry = read(line);
    Chain current = current();
    String hash = line.textOrNull("erased_hash");
    if (hash != null) erased.put(entry.place().number(), hash);
    current.entry(entry);
    expect(
        current.isSound() && rowsHere == 0,
        "entry " + entry.place().number() + " of " + stream + " is not the one that was archived");
    entriesHere++;
    reader.entry(entry);
  }

  static JournalEntry read(JsonObject line) {
    return new JournalEntry(
        line.number("seq"),
        new Place(line.text("stream"), line.number("number")),
        new Origin(
            Actor.parse(line.text("actor")), line.text("source"), Times.read(line.text("at"))),
        new Content(line.text("kind"), line.text("payload")),
        new Seal(line.text("payload_hash"), line.text("previous_hash"), line.text("hash")));
  }

  private void part(JsonObject line) {
    current();
    expect(parts.size() < PARTS_MAX, "a row is too long");
    parts.add(line.text("text"));
  }

  private void row(JsonObject line) {
    current();
    ArchiveRow row = ArchiveRow.read(line, parts);
    parts.clear();
    row.addTo(rowsHash);
    rowsHere++;
    if (rowsHere == 1) {
      var shown = new TreeMap<>(row.values());
      shown.keySet().retainAll(ABOUT);
      about = JsonObject.copyOf(shown);
    }
    reader.row(row.toJson());
  }

  private void end(JsonObject line) {
    var head = current().head();
    boolean whole =
        line.text("stream").equals(stream)
            && line.number("number") == head.number()
            && line.text("hash").equals(head.hash())
            && line.number("entries") == entriesHere
            && line.number("rows") == rowsHere
            && parts.isEmpty();
    expect(whole, stream + " is not whole in it");
    String hash = ArchiveRow.hex(rowsHash);
    expect(line.text("rows_hash").equals(hash), "the rows of " + stream + " were changed in it");
    streams.add(new Kept(stream, head.number(), head.hash(), hash, about));
    entries += entriesHere;
    rows += rowsHere;
    chain = null;
  }

  private void trailer(JsonObject line) {
    Header first = header();
    boolean counted =
        chain == null
            && line.number("streams") == streams.size()
            && line.number("entries") == entries
            && line.number("rows") == rows
            && first.streams() == streams.size()
            && first.entries() == entries;
    expect(counted, "it does not have as much in it as it says");
    expect(line.text("sha256").equals(ArchiveRow.hex(all)), "it was changed");
    ended = true;
  }

  private Chain current() {
    Chain current = chain;
    if (current == null) throw new IllegalArgumentException("something stands outside a stream");
    return current;
  }

  /** That the last line was the trailer. */
  void finish() {
    expect(ended, "it breaks off");
  }

  Header header() {
    Header known = header;
    if (known == null) throw new IllegalArgumentException("it has no header");
    return known;
  }

  List<Kept> streams() {
    return streams;
  }

  private static void expect(boolean holds, String otherwise) {
    if (!holds) throw new IllegalArgumentException(otherwise);
  }
}
