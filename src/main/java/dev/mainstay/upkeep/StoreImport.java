package dev.mainstay.upkeep;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.StagedStore;
import dev.mainstay.store.TableRows;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link StoreExport} wrote into a new SQLite file; an export that is not whole in every
 * respect is refused, and the file is then to be removed by the caller.
 */
final class StoreImport {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int PARTS_MAX = 1_000;
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};

  private final Path staged;
  private final MessageDigest all = ArchiveRow.digest();
  private final List<String> parts = new ArrayList<>();
  private final Map<String, Long> counted = new HashMap<>();
  private @Nullable JsonObject header;
  private @Nullable StagedStore store;
  private String table = "";
  private long rows;
  private boolean ended;

  private StoreImport(Path staged) {
    this.staged = staged;
  }

  /** Fills the file {@code staged}, which must not exist, with what the export holds. */
  static void read(Path export, Path staged) {
    if (!Files.isRegularFile(export)) {
      throw Refusal.notFound(
          "there is no file " + export + "; name one that 'mainstay export' wrote");
    }
    StoreImport reading = new StoreImport(staged);
    try (InputStream in = unpacked(export)) {
      for (byte[] line = ArchiveFile.next(in); line.length > 0; line = ArchiveFile.next(in)) {
        reading.line(line);
      }
      expect(reading.ended, "it breaks off");
    } catch (IOException | IllegalArgumentException | ArithmeticException | Refusal damage) {
      if (damage instanceof Refusal refusal && isOfTheStore(refusal)) throw refusal;
      throw Refusal.conflict(
          Phrase.of(
              "%s is no sound export (%s); nothing was imported: use another copy of it",
              export, damage.getMessage()));
    } finally {
      reading.close();
    }
  }

  /** A full disk or a newer version is no damage of the file. */
  private static boolean isOfTheStore(Refusal refusal) {
    return switch (refusal.code()) {
      case STORE_UNAVAILABLE, STORE_FULL, READ_ONLY -> true;
      case INVALID, NOT_FOUND, CONFLICT, LEASE_LOST, NOT_HOLDER, TOO_LARGE -> false;
    };
  }

  private static InputStream unpacked(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    try {
      in.mark(GZIP.length);
      boolean packed = Arrays.equals(in.readNBytes(GZIP.length), GZIP);
      in.reset();
      if (!packed) return in;
      return new BufferedInputStream(new GZIPInputStream(in, BUFFER_BYTES), BUFFER_BYTES);
    } catch (IOException fault) {
      in.close();
      throw fault;
    }
  }

  private void line(byte[] bytes) throws IOException {
    expect(!ended, "something follows its end");
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean isRow = text.startsWith("[");
    JsonObject line = isRow ? JsonObject.EMPTY : JsonText.object(text);
    String kind = isRow ? "row" : line.text("line");
    expect((header == null) == kind.equals("header"), "its header is not where it belongs");
    if (kind.equals("end")) {
      end(line);
      return;
    }
    all.update(bytes);
    all.update((byte) '\n');
    switch (kind) {
      case "header" -> begin(line);
      case "table" -> table(line);
      case "part" -> part(line);
      case "row" -> row(JsonText.list(text));
      default -> expect(false, "it has lines of an unknown kind");
    }
  }

  private void begin(JsonObject line) throws IOException {
    expect(StoreExport.FORMAT.equals(line.text("format")), "it is of another kind");
    boolean known = line.number("version") == StoreExport.VERSION;
    if (!known || line.number("schema") > TableRows.schema()) {
      throw Refusal.unavailable(
          "the export was written by a newer Mainstay; nothing was imported: install the newer version",
          null);
    }
    header = line;
    store = new StagedStore(staged, Math.toIntExact(line.number("schema")));
  }

  private void table(JsonObject line) {
    table = line.text("table");
    expect(counted.put(table, 0L) == null, "it has the table " + table + " twice");
    open().table(table, line.list("columns").stream().map(String::valueOf).toList());
  }

  private void part(JsonObject line) {
    expect(parts.size() < PARTS_MAX, "a row is too long");
    parts.add(line.text("text"));
  }

  private void row(List<?> line) {
    List<@Nullable Object> values = new ArrayList<>(line.size());
    int next = 0;
    for (Object value : line) {
      if (value instanceof Map<?, ?> map) {
        int end = Math.toIntExact(next + JsonObject.copyOf(map).number("parts"));
        expect(end > next && end <= parts.size(), "parts of a row are missing");
        values.add(String.join("", parts.subList(next, end)));
        next = end;
      } else {
        values.add(plain(value));
      }
    }
    expect(next == parts.size(), "a row has too many parts");
    parts.clear();
    open().row(values);
    counted.merge(table, 1L, Long::sum);
    rows++;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof BigDecimal large) return large.longValueExact(); // of 19 digits
    expect(value == null || value instanceof String || value instanceof Long, "a row is odd");
    return value;
  }

  private void end(JsonObject line) {
    JsonObject counts = header == null ? JsonObject.EMPTY : header.object("tables");
    boolean whole = parts.isEmpty() && line.number("rows") == rows;
    whole &= counts.asMap().keySet().equals(counted.keySet());
    for (String each : counted.keySet()) {
      whole = whole && counts.number(each) == counted.getOrDefault(each, -1L);
    }
    expect(whole, "it does not have as much in it as it says");
    expect(line.text("sha256").equals(ArchiveRow.hex(all)), "it was changed");
    open().finish();
    ended = true;
  }

  private StagedStore open() {
    StagedStore current = store;
    if (current == null) throw new IllegalArgumentException("it has no header");
    return current;
  }

  private void close() {
    if (store != null) store.close();
  }

  private static void expect(boolean holds, String otherwise) {
    if (!holds) throw new IllegalArgumentException(otherwise);
  }
}
