package dev.mainstay.demo;

import dev.mainstay.demo.LiveScreen.Live;
import dev.mainstay.domain.Phrase;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How the story is seen: what happens is a line each; on a terminal, who does what right now is
 * drawn below them, again and again in place.
 */
public final class ApiBoard {
  private static final int ROWS_UNKNOWN = 24;
  private static final int BAR_CELLS = 12;
  private static final String BOLD = "1";
  private static final String GREEN = "32";
  private static final String RED = "31";
  private static final String YELLOW = "33";
  private static final String GREY = "90";

  /** Who it is for: a terminal or not, how wide, with colour or not. */
  public record Look(boolean isTerminal, int columns, boolean colour) {}

  /** A terminal of the story as it is now: what it does, on which task, how far. */
  record Row(String who, String doing, String task, int done, int steps) {}

  /** All of it: the terminals, how many of the tasks are done, and how many messages were sent. */
  record Scene(List<Row> rows, int done, int tasks, int messages) {}

  private final OutputStream out;
  private final Look look;
  private final LiveScreen screen;
  private final long began = System.nanoTime();
  private Live live = Live.NONE;

  public ApiBoard(OutputStream out, Look look) {
    this.out = out;
    this.look = look;
    this.screen = new LiveScreen(out, ROWS_UNKNOWN, look.columns());
  }

  /** One that nobody looks at. */
  public static ApiBoard silent() {
    return new ApiBoard(OutputStream.nullOutputStream(), new Look(false, 80, false));
  }

  long millis() {
    return (System.nanoTime() - began) / 1_000_000;
  }

  /** A new part of the story. */
  void chapter(String text) {
    print(List.of("", coloured(BOLD, text)));
  }

  /** Something happened. */
  void say(String text) {
    String line = Columns.cut(Phrase.of("%5.1f s  %s", millis() / 1_000.0, text), width());
    boolean bad = text.contains(" is killed") || text.contains("crashed");
    boolean good = text.contains(" completes ");
    print(List.of(bad ? coloured(RED, line) : good ? coloured(GREEN, line) : line));
  }

  private int width() {
    return look.isTerminal() ? look.columns() - 1 : Integer.MAX_VALUE;
  }

  private String coloured(String code, String text) {
    return look.colour() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  private void print(List<String> lines) {
    try {
      if (look.isTerminal()) {
        screen.show(lines, live);
      } else {
        out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  /** Draws how it stands now. */
  void show(Scene scene) {
    if (!look.isTerminal()) return;
    List<String> rows = new ArrayList<>();
    rows.add("");
    for (Row each : scene.rows()) rows.add(row(each));
    String sum =
        Phrase.of(
            "  %s  %d of %d tasks done · messages: %d · %d s",
            bar(scene.done(), scene.tasks(), BAR_CELLS),
            scene.done(),
            scene.tasks(),
            scene.messages(),
            millis() / 1_000);
    rows.add("");
    rows.add(coloured(BOLD, Columns.cut(sum, width())));
    live = new Live(rows, rows.size() - 1, 0);
    print(List.of());
  }

  private String row(Row row) {
    String bar = row.steps() == 0 ? "" : bar(row.done(), row.steps(), row.steps());
    String text = Phrase.of("  %-22s  %-8s  %-24s %s", row.who(), row.doing(), row.task(), bar);
    String line = Columns.cut(text.stripTrailing(), width());
    return switch (row.doing()) {
      case "killed" -> coloured(RED, line);
      case "at work" -> coloured(YELLOW, line);
      case "idle" -> line;
      default -> coloured(GREY, line);
    };
  }

  private static String bar(int done, int of, int cells) {
    int full = of == 0 ? 0 : done * cells / of;
    return "■".repeat(full) + "□".repeat(cells - full);
  }

  /** Somebody interrupts: what is drawn stays as it is, and whoever writes next begins below. */
  void leave() {
    if (!look.isTerminal()) return;
    PrintStream last = new PrintStream(out, true, StandardCharsets.UTF_8);
    last.print("\r\n");
    last.flush();
  }

  /** What was drawn in place goes; the lines stay. */
  void end() {
    live = Live.NONE;
    if (look.isTerminal()) print(List.of());
  }
}
