package dev.mainstay.directory;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The five texts and their items. A text that is written again with the items it says is the same,
 * byte for byte; what is no item keeps its place.
 */
public final class Page {
  public static final int TEXT_BYTES_MAX = 1024 * 1024;
  private static final int TITLE_CHARS_MAX = 120;

  private Page() {}

  /** What a file says; a {@link PageFault} if it cannot be understood. */
  public static Reading read(PageName page, String text) {
    check(page, text);
    return switch (page) {
      case PLAN -> PlanPage.read(text);
      case CONTEXT -> ContextPage.read(text);
      case VARIABLES -> VariablesPage.read(text);
      case HISTORY -> HistoryPage.read(text);
      case CONSTRAINTS -> ConstraintsPage.read(text);
    };
  }

  private static void check(PageName page, String text) {
    if (text.isBlank() || text.equals("\uFEFF")) {
      throw new PageFault(page, 1, 1, "the file is empty");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > TEXT_BYTES_MAX) {
      String sentence = "the file is larger than 1 MiB; move what is long into a file of its own";
      throw new PageFault(page, 1, 1, sentence);
    }
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      Lines lines = new Lines(text);
      String sentence = "the file holds a NUL byte; it is damaged or no text";
      throw new PageFault(page, lines.lineOf(nul), lines.columnOf(nul), sentence);
    }
  }

  /**
   * The text that says the page's items, laid out as the last text was, or as the document's
   * template without one. The layout must be readable.
   */
  public static String write(PageName page, Items items, @Nullable String layout) {
    if (layout == null) return fresh(page, items);
    String text = laidOut(page, items, layout, false);
    if (page == PageName.CONTEXT || page == PageName.VARIABLES || says(page, text, items)) {
      return text;
    }
    // Some free text would swallow items in their new places, so it moves to the end, as it was.
    String form = fresh(page, items);
    return says(page, form, items) ? form + kept(layout) : text;
  }

  private static String fresh(PageName page, Items items) {
    String form = template(page, items);
    // Without a word about passages, a new context is the document's.
    boolean bare = page == PageName.CONTEXT && !items.has("passages");
    return bare ? form : laidOut(page, items, form, true);
  }

  private static String laidOut(PageName page, Items items, String form, boolean fresh) {
    return switch (page) {
      case PLAN -> PlanPage.write(items, form, fresh);
      case CONTEXT -> ContextPage.write(items, form);
      case VARIABLES -> VariablesPage.write(items, form);
      case HISTORY -> HistoryPage.write(items, form);
      case CONSTRAINTS -> ConstraintsPage.write(items, form, fresh);
    };
  }

  private static boolean says(PageName page, String text, Items items) {
    try {
      // What is only shown is not read.
      return read(page, text).items().equals(items.of(page).without("proposals"));
    } catch (PageFault unreadable) {
      return false;
    }
  }

  /** A text as a block of code, which nothing in it can end. */
  private static String kept(String layout) {
    Lines lines = new Lines(layout.startsWith("\uFEFF") ? layout.substring(1) : layout);
    StringBuilder out = new StringBuilder("\n## Earlier Text\n\n");
    for (int i = 0; i < lines.count(); i++) out.append("    ").append(lines.bare(i)).append('\n');
    return out.toString();
  }

  private static String template(PageName page, Items items) {
    String title = title(items);
    return switch (page) {
      case PLAN -> PlanPage.template(title, items.has("steps"));
      case CONTEXT -> ContextPage.template(title);
      case VARIABLES -> VariablesPage.TEMPLATE;
      case HISTORY -> HistoryPage.template(title);
      case CONSTRAINTS -> ConstraintsPage.template(title);
    };
  }

  /** The goal as the end of a title line. */
  private static String title(Items items) {
    String goal = items.text("meta/goal");
    if (goal == null) return "";
    StringBuilder line = new StringBuilder();
    goal.codePoints()
        .map(c -> Character.isISOControl(c) || Character.isWhitespace(c) ? ' ' : c)
        .filter(c -> Character.getType(c) != Character.SURROGATE && c != 0xFEFF)
        .limit(TITLE_CHARS_MAX)
        .forEach(line::appendCodePoint);
    String title = line.toString().strip();
    return title.isEmpty() ? "" : ": " + title;
  }
}
