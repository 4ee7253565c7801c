package dev.mainstay.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns that fit the screen: the last column gives way. */
final class Table {
  private static final int GAP = 2;
  private static final int LAST_COLUMNS_MIN = 12;

  private final List<List<String>> rows = new ArrayList<>();
  private final int columns;

  Table(int screenColumns, String... heads) {
    this.columns = screenColumns;
    rows.add(List.of(heads));
  }

  Table row(String... cells) {
    List<String> shown = new ArrayList<>(cells.length);
    for (String cell : cells) shown.add(Printable.line(cell));
    rows.add(shown);
    return this;
  }

  List<String> lines() {
    int last = rows.get(0).size() - 1;
    int[] widths = new int[last];
    for (List<String> row : rows) {
      for (int i = 0; i < last; i++) widths[i] = Math.max(widths[i], Printable.width(row.get(i)));
    }
    int used = 0;
    for (int width : widths) used += width + GAP;
    int rest = Math.max(LAST_COLUMNS_MIN, columns - used);
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < last; i++) line.append(Printable.pad(row.get(i), widths[i] + GAP));
      lines.add(line.append(Printable.fit(row.get(last), rest)).toString().stripTrailing());
    }
    return lines;
  }
}
