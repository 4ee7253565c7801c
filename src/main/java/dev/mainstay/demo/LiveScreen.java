package dev.mainstay.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A screen whose last rows are drawn again in place while all above them is printed once and
 * scrolls away. Everything that changes together is written together.
 */
final class LiveScreen {
  private static final int PRINTED_MAX = 300;
  private static final String BEGIN = "\u001b[?2004h\u001b[?7l";
  private static final String END = "\u001b[?2004l\u001b[?7h";

  private final OutputStream out;
  private final Deque<String> printed = new ArrayDeque<>();
  private List<String> live = List.of();
  private int cursorRow;
  private int rows;
  private int columns;
  private boolean ended;

  LiveScreen(OutputStream out, int rows, int columns) {
    this.out = out;
    this.rows = rows;
    this.columns = columns;
  }

  /** Rows to be drawn in place, and where among them the cursor stands. */
  record Live(List<String> rows, int cursorRow, int cursorColumn) {
    static final Live NONE = new Live(List.of(), 0, 0);
  }

  int rows() {
    return rows;
  }

  int columns() {
    return columns;
  }

  /** Asks for brackets around what is pasted, and that long rows are cut and not broken. */
  synchronized void begin() throws IOException {
    write(BEGIN);
  }

  /**
   * Asks the terminal how large it is: where the cursor is when it is sent further than any screen
   * reaches. The answer comes as a key. The question made for this is answered with rows and
   * columns in either order.
   */
  synchronized void askSize() throws IOException {
    write("\u001b7\u001b[9999;9999H\u001b[6n\u001b8");
  }

  /** Whether that is another size than before. */
  synchronized boolean resize(int newRows, int newColumns) {
    boolean other = newRows != rows || newColumns != columns;
    rows = newRows;
    columns = newColumns;
    return other;
  }

  /** Prints lines above the live rows, and brings those to what they should be. */
  synchronized void show(List<String> lines, Live next) throws IOException {
    StringBuilder text = new StringBuilder();
    if (lines.isEmpty() && next.rows().size() == live.size()) {
      for (int i = 0; i < live.size(); i++) {
        if (live.get(i).equals(next.rows().get(i))) continue;
        moveTo(text, i, 0);
        text.append("\u001b[2K").append(next.rows().get(i));
      }
    } else {
      moveTo(text, 0, 0);
      text.append("\u001b[J");
      for (String line : lines) text.append(line).append("\r\n");
      text.append(String.join("\r\n", next.rows()));
      cursorRow = Math.max(0, next.rows().size() - 1);
      keep(lines);
    }
    live = next.rows();
    moveTo(text, next.cursorRow(), next.cursorColumn());
    write(text.toString());
  }

  private void keep(List<String> lines) {
    printed.addAll(lines);
    while (printed.size() > PRINTED_MAX) printed.removeFirst();
  }

  /** Draws all of it anew, as after a change of size. */
  synchronized void redraw(Live next) throws IOException {
    List<String> all = new ArrayList<>(printed);
    int room = Math.max(0, rows - next.rows().size() - 1);
    List<String> last = all.subList(Math.max(0, all.size() - room), all.size());
    printed.clear();
    live = List.of();
    cursorRow = 0;
    write("\u001b[H\u001b[2J");
    show(new ArrayList<>(last), next);
  }

  private void moveTo(StringBuilder text, int row, int column) {
    text.append('\r');
    if (row < cursorRow) text.append("\u001b[").append(cursorRow - row).append('A');
    if (row > cursorRow) text.append("\u001b[").append(row - cursorRow).append('B');
    if (column > 0) text.append("\u001b[").append(column).append('C');
    cursorRow = row;
  }

  /** Leaves the terminal as it was found, with last words where the live rows were. */
  synchronized void end(List<String> lastWords) throws IOException {
    if (ended) return;
    show(lastWords, Live.NONE);
    write(END);
    ended = true;
  }

  private void write(String text) throws IOException {
    if (ended) return;
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
