package dev.mainstay.directory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some whole lines of a section, byte for byte: either one list item or free text.
 *
 * @param line the first line, from 1; 0 if it was made just now
 */
record Piece(int line, String raw, boolean isParagraph, @Nullable Bullet bullet) {
  /**
   * A list item: what follows its marker on the first line, its further lines without their
   * indentation, and the same lines cut again where a list stands in them.
   *
   * @param column where the head begins, from 1
   */
  record Bullet(String head, int column, List<String> more, List<Piece> inner) {}

  static Piece made(String raw) {
    return new Piece(0, raw, false, null);
  }

  boolean isBlank() {
    return raw.isBlank();
  }

  /** The raw text up to and with its first line end. */
  String firstLine() {
    int end = Lines.afterLine(raw, 0);
    return raw.substring(0, end);
  }
}
