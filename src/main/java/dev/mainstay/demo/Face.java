package dev.mainstay.demo;

import dev.mainstay.demo.Columns.Rows;
import dev.mainstay.demo.LiveScreen.Live;
import java.util.ArrayList;
import java.util.List;

/** How a stand-in looks: the rows of Claude Code, by which its provider's signs know it. */
final class Face {
  private static final int DRAFT_ROWS_MAX = 8;
  private static final int ECHO_ROWS_MAX = 4;
  private static final int ANSWER_ROWS_MAX = 20;
  private static final int WAITING_ROWS_MAX = 3;

  /** Rules, footer, spinner and the blank rows between them. */
  private static final int FRAME_ROWS = 8;

  private static final String[] SPINNER = {"·", "✢", "✳", "✶", "✻", "✽"};
  private static final String PROMPT = "❯\u00a0";
  private static final String INDENT = "  ";

  private final LiveScreen screen;

  Face(LiveScreen screen) {
    this.screen = screen;
  }

  /** The first lines: who it is, and which conversation it goes on with or begins. */
  List<String> welcome(String conversation, String resumed) {
    List<String> lines = new ArrayList<>(List.of("✻ Welcome to the stand-in"));
    if (!conversation.isEmpty()) lines.add(INDENT + "conversation " + conversation);
    if (!resumed.isEmpty()) lines.add(INDENT + "goes on with conversation " + resumed);
    return fitting(lines);
  }

  Live dialog(String folder) {
    List<String> rows =
        fitting(
            List.of(
                "Accessing workspace: " + folder,
                "",
                "Quick safety check: Is this a project you created or one you trust?",
                "",
                "❯ 1. Yes, I trust this folder",
                "  2. No, exit",
                "",
                "Enter to confirm · Esc to cancel"));
    return bounded(rows, rows.size() - 1, 0);
  }

  List<String> echo(String text) {
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(block("> ", text, ECHO_ROWS_MAX));
    return lines;
  }

  List<String> answer(String text) {
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(block("● ", text, ANSWER_ROWS_MAX));
    return lines;
  }

  /** What it looks like with a prompt. */
  Live prompt(Drafts drafts) {
    return framed(drafts, List.of(""), INDENT + "● high · /effort");
  }

  /** The same at work. */
  Live atWork(Drafts drafts, int tick, long seconds) {
    String spinner =
        SPINNER[tick % SPINNER.length] + " Pondering… (" + seconds + "s · esc to interrupt)";
    return framed(drafts, fitting(List.of("", spinner, "")), INDENT + "esc to interrupt");
  }

  /** What waits for its turn, without a prompt. */
  Live bare(Drafts drafts) {
    List<String> rows = new ArrayList<>(List.of(""));
    rows.addAll(waiting(drafts));
    return bounded(rows, rows.size() - 1, 0);
  }

  private Live framed(Drafts drafts, List<String> above, String footer) {
    List<String> rows = new ArrayList<>(above);
    rows.addAll(waiting(drafts));
    String rule = "─".repeat(screen.columns());
    rows.add(rule);
    int room = Math.max(1, Math.min(DRAFT_ROWS_MAX, screen.rows() - FRAME_ROWS - WAITING_ROWS_MAX));
    List<String> draft = block(PROMPT, drafts.draft(), room);
    rows.addAll(draft);
    int cursorRow = rows.size() - 1;
    int cursorColumn = Columns.width(draft.get(draft.size() - 1));
    rows.add(rule);
    rows.add(Columns.cut(footer, screen.columns()));
    return bounded(rows, cursorRow, Math.min(cursorColumn, screen.columns() - 1));
  }

  private List<String> waiting(Drafts drafts) {
    List<String> all = drafts.waiting();
    List<String> rows = new ArrayList<>();
    for (String each : all.subList(0, Math.min(WAITING_ROWS_MAX, all.size()))) {
      rows.add(Columns.cut(INDENT + "> " + each.strip(), screen.columns()));
    }
    return rows;
  }

  /** The first rows of a text behind a sign, and how much is missing. */
  private List<String> block(String sign, String text, int rowsMax) {
    // A sign alone on its row would be an empty prompt.
    Rows wrapped = Columns.wrap(text.stripLeading(), Math.max(1, screen.columns() - 3), rowsMax);
    List<String> rows = new ArrayList<>();
    for (String row : wrapped.rows()) rows.add((rows.isEmpty() ? sign : INDENT) + row);
    if (wrapped.leftOut() > 0) rows.add(INDENT + "… +" + wrapped.leftOut() + " characters");
    return rows;
  }

  private List<String> fitting(List<String> lines) {
    List<String> cut = new ArrayList<>();
    for (String line : lines) cut.add(Columns.cut(line, screen.columns()));
    return cut;
  }

  /** Rows that scrolled away could not be drawn again, so on a low screen the upper ones go. */
  private Live bounded(List<String> rows, int cursorRow, int cursorColumn) {
    int over = Math.max(0, rows.size() - Math.max(1, screen.rows() - 1));
    List<String> shown = List.copyOf(rows.subList(over, rows.size()));
    return new Live(shown, Math.max(0, cursorRow - over), cursorColumn);
  }
}
