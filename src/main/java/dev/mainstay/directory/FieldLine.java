package dev.mainstay.directory;

import org.jspecify.annotations.Nullable;

/**
 * A list item of the form {@code **name**: value}.
 *
 * @param rest what stands behind the colon on the first line, without blanks around it
 * @param column where the rest begins, from 1
 */
record FieldLine(String name, String rest, int column) {
  /** The field that a list item says; null if it is no field. */
  static @Nullable FieldLine of(Piece piece) {
    Piece.Bullet bullet = piece.bullet();
    if (bullet == null || !bullet.head().startsWith("**")) return null;
    String head = bullet.head();
    String name;
    int at;
    if (head.startsWith("\"", 2)) {
      JsonSource.Node node = JsonSource.string(head, 2);
      if (node == null) return null;
      name = String.valueOf(node.value());
      at = node.end();
    } else {
      at = 2;
      while (at < head.length() && "*:".indexOf(head.charAt(at)) < 0) at++;
      name = PlainValue.trim(head.substring(2, at));
    }
    boolean outside = head.startsWith("**:", at);
    if (!outside && !head.startsWith(":**", at)) return null;
    String rest = head.substring(at + 3);
    int blanks = 0;
    while (blanks < rest.length() && PlainValue.isBlank(rest.charAt(blanks))) blanks++;
    return new FieldLine(name, PlainValue.trim(rest), bullet.column() + at + 3 + blanks);
  }

  /** The beginning of a field's line, up to and with the colon. */
  static String start(String name) {
    boolean plain = name.matches("(?s)[\\p{L}\\p{N}_]([\\p{L}\\p{N}_ .-]*[\\p{L}\\p{N}_])?");
    return "- **" + (plain ? name : PlainValue.quoted(name)) + "**:";
  }
}
