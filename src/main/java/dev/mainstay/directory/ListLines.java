package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** List items that are known by a name of their own, in a given order, among free text. */
final class ListLines {
  private ListLines() {}

  /** One of the list items: who it is, and the line it should be if that differs. */
  record Item(String id, @Nullable String changed) {}

  /** How new lines look where the layout says nothing about it. */
  record Style(String indent, String ending) {}

  static List<Piece> write(
      List<Piece> pieces,
      Function<Piece, @Nullable Item> itemOf,
      List<String> order,
      Function<String, String> newLine,
      Style style) {
    String otherwise = style.indent();
    String ending = style.ending();
    List<Slots.Slot<Piece>> slots = new ArrayList<>();
    String indent = indent(pieces, otherwise);
    List<String> before = new ArrayList<>();
    for (Piece piece : pieces) {
      Item item = itemOf.apply(piece);
      if (item != null) before.add(item.id());
    }
    boolean same = before.equals(order);
    for (Piece piece : pieces) {
      Item item = itemOf.apply(piece);
      if (item == null) {
        slots.add(new Slots.Slot<>(null, piece));
        continue;
      }
      String changed = item.changed();
      // Items that change places must stand equally far in, or one becomes the other's child.
      boolean askew = !blanks(piece.raw()).equals(indent) && order.contains(item.id());
      if (changed == null && askew && !same) changed = newLine.apply(item.id());
      Piece next =
          changed == null
              ? piece
              : Piece.made(indented(changed, same ? blanks(piece.raw()) : indent));
      slots.add(new Slots.Slot<>(item.id(), next));
    }
    int end = end(pieces);
    if (before.isEmpty() && !order.isEmpty() && needsBlank(pieces)) {
      slots.add(end++, new Slots.Slot<>(null, Piece.made(ending)));
    }
    return Slots.arrange(
        slots,
        order,
        id -> Piece.made(indented(newLine.apply(id), indent)),
        gone -> List.of(),
        end);
  }

  /** The blanks before the first list item; an item further in would be another one's child. */
  static String indent(List<Piece> pieces, String otherwise) {
    for (Piece piece : pieces) {
      if (piece.bullet() == null) continue;
      return blanks(piece.raw());
    }
    return otherwise;
  }

  static String blanks(String raw) {
    int end = 0;
    while (end < raw.length() && PlainValue.isBlank(raw.charAt(end))) end++;
    return raw.substring(0, end);
  }

  static String indented(String raw, String indent) {
    if (indent.isEmpty()) return raw;
    Lines lines = new Lines(raw);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < lines.count(); i++) {
      out.append(lines.isBlank(i) ? "" : indent).append(lines.raw(i, i + 1));
    }
    return out.toString();
  }

  /** Behind the last line that is not blank. */
  static int end(List<Piece> pieces) {
    int end = pieces.size();
    while (end > 0 && pieces.get(end - 1).isBlank()) end--;
    return end;
  }

  /** Whether a list item put behind the last line might become part of what stands there. */
  static boolean needsBlank(List<Piece> pieces) {
    int end = end(pieces);
    if (end == 0) return false;
    Piece last = pieces.get(end - 1);
    return last.bullet() == null && !last.isParagraph();
  }
}
