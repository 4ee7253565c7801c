package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Times;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.ClosedStream;
import dev.mainstay.store.Erasures;
import dev.mainstay.store.JournalTable;
import dev.mainstay.store.Tx;
import dev.mainstay.upkeep.Archive.Header;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Writes the lines of an archive: a header, each stream with its entries and rows, a trailer. */
final class ArchiveWriter implements AutoCloseable {
  static final String FORMAT = "mainstay-archive";
  static final int VERSION = 1;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Tx tx;
  private final Erasures erasures;
  private final OutputStream out;
  private final MessageDigest all = ArchiveRow.digest();
  private long streams;
  private long entries;
  private long rows;

  /** Begins a file that nobody else can read; it must not be there yet. */
  ArchiveWriter(Tx tx, Path file, Header header) throws IOException {
    this.tx = tx;
    this.erasures = Erasures.of(tx); // once, as it is all that was ever forgotten
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    this.out =
        new BufferedOutputStream(
            new GZIPOutputStream(Files.newOutputStream(file), BUFFER_BYTES), BUFFER_BYTES);
    line(
        JsonObject.of(
            "line", "header",
            "format", FORMAT,
            "version", VERSION,
            "epoch", header.epoch(),
            "at", Times.write(header.at()),
            "streams", header.streams(),
            "entries", header.entries()));
  }

  /** Writes everything there is of one stream. */
  void stream(ClosedStream closed) {
    String stream = closed.stream();
    line(JsonObject.of("line", "stream", "stream", stream));
    Map<Long, String> erased = erasures.of(stream);
    Chain chain = new Chain(stream, erased);
    long[] count = {0, 0};
    tx.journal().eachOf(stream, new Entries(chain, erased, count));
    MessageDigest hash = ArchiveRow.digest();
    tx.retention()
        .eachRow(
            closed,
            (table, values) -> {
              ArchiveRow row = new ArchiveRow(table, values);
              row.lines().forEach(this::line);
              row.addTo(hash);
              count[1]++;
            });
    line(
        JsonObject.of(
            "line",
            "end",
            "stream",
            stream,
            "number",
            chain.head().number(),
            "hash",
            chain.head().hash(),
            "entries",
            count[0],
            "rows",
            count[1],
            "rows_hash",
            ArchiveRow.hex(hash)));
    streams++;
    entries += count[0];
    rows += count[1];
  }

  private final class Entries implements JournalTable.Reader {
    private final Chain chain;
    private final Map<Long, String> erased;
    private final long[] count;

    Entries(Chain chain, Map<Long, String> erased, long[] count) {
      this.chain = chain;
      this.erased = erased;
      this.count = count;
    }

    @Override
    public void entry(JournalEntry entry) {
      chain.entry(entry);
      String hash = erased.get(entry.place().number());
      JsonObject json = json(entry).with("line", "entry");
      line(hash == null ? json : json.with("erased_hash", hash));
      count[0]++;
    }

    @Override
    public void unreadable(String stream, long number) {
      throw Refusal.conflict(
          "entry "
              + number
              + " of "
              + stream
              + " cannot be read; 'mainstay verify' says more; nothing was deleted");
    }
  }

  /** Every column of an entry. */
  static JsonObject json(JournalEntry entry) {
    return JsonObject.of(
        "seq", entry.seq(),
        "stream", entry.place().stream(),
        "number", entry.place().number(),
        "actor", entry.origin().actor().toString(),
        "source", entry.origin().source(),
        "at", Times.write(entry.origin().at()),
        "kind", entry.content().kind(),
        "payload", entry.content().payload(),
        "payload_hash", entry.seal().payloadHash(),
        "previous_hash", entry.seal().previousHash(),
        "hash", entry.seal().hash());
  }

  /** Says how much there was, with a hash over all of it. */
  void finish() {
    line(
        JsonObject.of(
            "line", "trailer",
            "streams", streams,
            "entries", entries,
            "rows", rows,
            "sha256", ArchiveRow.hex(all)));
  }

  private void line(JsonObject line) {
    byte[] bytes = (JsonText.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
    all.update(bytes);
    try {
      out.write(bytes);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
