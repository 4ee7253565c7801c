package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.List;

/**
 * A heading and what follows up to the next heading. What comes before the first heading is a
 * section of level 0 without one.
 */
record Section(int line, int level, String heading, List<Piece> pieces) {
  Section {
    pieces = List.copyOf(pieces);
  }

  /** A section that was not there before. */
  static Section made(int level, String heading, List<Piece> pieces) {
    return new Section(0, level, heading, pieces);
  }

  boolean isMade() {
    return line == 0;
  }

  Section withPieces(List<Piece> changed) {
    return new Section(line, level, heading, changed);
  }

  Section withHeading(String changed) {
    return new Section(line, level, changed, pieces);
  }

  /** The heading's words, without number signs; empty for a heading underlined by dashes. */
  String title() {
    String text = PlainValue.trim(new Lines(heading).bare(0));
    if (!text.startsWith("#") || Lines.afterLine(heading, 0) < heading.length()) return "";
    text = PlainValue.trim(text.substring(level));
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '#') end--;
    boolean closed = end == 0 || PlainValue.isBlank(text.charAt(end - 1));
    return closed ? PlainValue.trim(text.substring(0, end)) : text;
  }

  /** What stays of a removed section: the lines that were no items of it; perhaps none. */
  List<Piece> remains(java.util.function.Predicate<Piece> isItem) {
    List<Piece> left = new ArrayList<>();
    for (Piece piece : pieces) if (!isItem.test(piece)) left.add(piece);
    return left.stream().allMatch(Piece::isBlank) ? List.of() : left;
  }

  /** Whether the first words stand so far in that a list item before would take them. */
  boolean isIndented() {
    if (!heading.isEmpty()) return PlainValue.isBlank(heading.charAt(0));
    for (Piece piece : pieces) {
      if (!piece.isBlank()) return PlainValue.isBlank(piece.raw().charAt(0));
    }
    return false;
  }
}
