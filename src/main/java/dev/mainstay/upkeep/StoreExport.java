package dev.mainstay.upkeep;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Durable;
import dev.mainstay.store.Store;
import dev.mainstay.store.TableRows;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a whole store as lines of JSON: a header, each table with its rows, and an end with the
 * SHA-256 of all that precedes it. The same content gives the same bytes on either database.
 */
public final class StoreExport implements TableRows.Reader {
  static final String FORMAT = "mainstay-export";
  static final int VERSION = 1;

  /** A longer text is written in parts before its row, so that no line is too long to be read. */
  static final int PART_CHARS_MAX = 400_000;

  private static final int BUFFER_BYTES = 64 * 1024;

  /** How much was written. */
  public record Written(long rows, long entries) {}

  private final OutputStream out;
  private final MessageDigest all = ArchiveRow.digest();
  private long rows;

  private StoreExport(OutputStream out) {
    this.out = out;
  }

  /**
   * Writes one moment of the store to a new file that only its owner can read, compressed if its
   * name ends in {@code .gz}; a file that cannot be finished is removed.
   */
  public static Written toFile(Store store, Path file) {
    Path unfinished =
        file.resolveSibling(
            "."
                + file.getFileName()
                + "."
                + UUID.randomUUID().toString().substring(0, 8)
                + ".part");
    try {
      if (Files.exists(file)) throw new FileAlreadyExistsException(file.toString());
      var mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      Files.createFile(unfinished, mine);
      try {
        Written written = write(store, unfinished, file.toString().endsWith(".gz"));
        Durable.publishNew(unfinished, file);
        return written;
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (FileAlreadyExistsException taken) {
      throw Refusal.conflict("the file " + file + " exists already; name one that does not");
    } catch (IOException fault) {
      throw unwritable(file.toString(), fault);
    }
  }

  private static Written write(Store store, Path file, boolean packed) throws IOException {
    try (OutputStream plain = Files.newOutputStream(file);
        OutputStream out = packed ? new GZIPOutputStream(plain, BUFFER_BYTES) : plain) {
      return to(store, out);
    }
  }

  /** Writes one moment of the store to a stream, which is flushed and stays open. */
  public static Written to(Store store, OutputStream stream) {
    OutputStream out = new BufferedOutputStream(stream, BUFFER_BYTES);
    try {
      Written written = store.reading(tx -> new StoreExport(out).write(new TableRows(tx)));
      out.flush();
      return written;
    } catch (UncheckedIOException | IOException fault) {
      throw unwritable("the export", fault);
    }
  }

  private static Refusal unwritable(String what, Exception fault) {
    Throwable cause = fault.getCause();
    String why = cause == null ? fault.getMessage() : cause.getMessage();
    return Refusal.unavailable(
        Phrase.of(
            "%s cannot be written (%s); choose a folder with room that you may write to",
            what, why),
        fault);
  }

  private Written write(TableRows source) {
    Map<String, Long> counts = source.counts();
    line(
        JsonObject.of("line", "header", "format", FORMAT, "version", VERSION)
            .with("schema", TableRows.schema())
            .with("tables", JsonObject.copyOf(counts)));
    source.read(this);
    line(JsonObject.of("line", "end", "rows", rows, "sha256", ArchiveRow.hex(all)));
    return new Written(rows, counts.getOrDefault("journal", 0L));
  }

  @Override
  public void table(String table, List<String> columns) {
    line(JsonObject.of("line", "table", "table", table, "columns", columns));
  }

  @Override
  public void row(List<@Nullable Object> values) {
    List<@Nullable Object> shown = new ArrayList<>(values);
    for (int i = 0; i < values.size(); i++) {
      if (!(values.get(i) instanceof String text) || text.length() <= PART_CHARS_MAX) continue;
      List<String> parts = ArchiveRow.pieces(text);
      for (String part : parts) line(JsonObject.of("line", "part", "text", part));
      shown.set(i, JsonObject.of("parts", parts.size()));
    }
    line(shown);
    rows++;
  }

  private void line(Object line) {
    byte[] bytes = (JsonText.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
    all.update(bytes);
    try {
      out.write(bytes);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
