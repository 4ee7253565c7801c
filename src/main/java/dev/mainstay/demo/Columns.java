package dev.mainstay.demo;

import java.util.ArrayList;
import java.util.List;

/** Text on a screen: how wide it is there, and how it is broken into rows. */
final class Columns {
  private static final int TAB_COLUMNS = 4;

  private Columns() {}

  /** Rows of a text and how many of its characters they leave out. */
  record Rows(List<String> rows, int leftOut) {}

  /** The first rows of a text; what would move the cursor is not in them. */
  static Rows wrap(String text, int columns, int rowsMax) {
    List<String> rows = new ArrayList<>();
    StringBuilder row = new StringBuilder();
    int width = 0;
    int at = 0;
    while (at < text.length() && rows.size() < rowsMax) {
      int c = text.codePointAt(at);
      int wide = c == '\t' ? TAB_COLUMNS : width(c);
      if (c == '\n' || width + wide > columns && width > 0) {
        rows.add(row.toString());
        row.setLength(0);
        width = 0;
      }
      if (c != '\n' && rows.size() == rowsMax) break;
      at += Character.charCount(c);
      if (c == '\n') continue;
      if (c == '\t') row.append(" ".repeat(TAB_COLUMNS));
      else if (!Character.isISOControl(c)) row.appendCodePoint(c);
      width += wide;
    }
    if (rows.size() < rowsMax) rows.add(row.toString());
    return new Rows(rows, text.length() - at);
  }

  /** The beginning of a line that fits. */
  static String cut(String line, int columns) {
    return wrap(line.replace('\n', ' '), Math.max(1, columns), 1).rows().get(0);
  }

  static int width(String text) {
    int width = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      width += width(text.codePointAt(i));
    }
    return width;
  }

  /** Near enough: rows never break by themselves, so a wrong guess costs a character, not a row. */
  private static int width(int c) {
    if (c < 0x300) return Character.isISOControl(c) ? 0 : 1;
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) return 0;
    boolean wide =
        c >= 0x1100 && c <= 0x115f
            || c >= 0x2e80 && c <= 0xa4cf
            || c >= 0xac00 && c <= 0xd7a3
            || c >= 0xf900 && c <= 0xfaff
            || c >= 0xfe30 && c <= 0xfe6f
            || c >= 0xff00 && c <= 0xff60
            || c >= 0x1f300 && c <= 0x1faff
            || c >= 0x20000 && c <= 0x3fffd;
    return wide ? 2 : 1;
  }
}
