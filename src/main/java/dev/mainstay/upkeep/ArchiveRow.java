package dev.mainstay.upkeep;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table as an archive has it. A long text is written in parts before its row, so that
 * no line is longer than a reader takes.
 */
record ArchiveRow(String table, Map<String, @Nullable Object> values) {
  private static final int PART_CHARS_MAX = 400_000;

  /** The lines this row is written as. */
  List<JsonObject> lines() {
    List<JsonObject> lines = new ArrayList<>();
    Map<String, @Nullable Object> plain = new TreeMap<>();
    Map<String, Object> parts = new TreeMap<>();
    values.forEach(
        (column, value) -> {
          if (value instanceof String text && text.length() > PART_CHARS_MAX) {
            List<String> pieces = pieces(text);
            for (String piece : pieces) lines.add(JsonObject.of("line", "part", "text", piece));
            parts.put(column, pieces.size());
          } else plain.put(column, value);
        });
    JsonObject row = JsonObject.of("line", "row", "table", table, "values", plain);
    lines.add(parts.isEmpty() ? row : row.with("parts", parts));
    return lines;
  }

  /** Never between the two halves of a character. */
  static List<String> pieces(String text) {
    List<String> pieces = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(text.length(), from + PART_CHARS_MAX);
      if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) to--;
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }

  /** The row of its line and the parts before it. */
  static ArchiveRow read(JsonObject line, List<String> parts) {
    Map<String, @Nullable Object> values = new TreeMap<>(line.object("values").asMap());
    JsonObject counts = line.object("parts");
    int next = 0;
    for (String column : counts.asMap().keySet()) {
      int end = Math.toIntExact(next + counts.number(column));
      values.put(column, String.join("", parts.subList(next, end)));
      next = end;
    }
    if (next != parts.size()) throw new IllegalArgumentException("a row has parts too many");
    return new ArchiveRow(line.text("table"), values);
  }

  JsonObject toJson() {
    return JsonObject.of("table", table, "values", values);
  }

  void addTo(MessageDigest digest) {
    digest.update((JsonText.write(toJson()) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every JDK has it
    }
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
