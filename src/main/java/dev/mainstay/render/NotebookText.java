package dev.mainstay.render;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Note;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Notebook.Keeping;
import dev.mainstay.domain.Notebook.Page;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A notebook as a model or a person reads it. */
public final class NotebookText {
  /** A cut ends before a visible character and leaves out blanks, so it may be a little shorter. */
  private static final int CUT_CHARS_MIN = Notebook.NOTE_CHARS_MAX - 32;

  private NotebookText() {}

  /** One section: its heading and its lines, which a budget may shorten between two of them. */
  public record Block(Section section, List<String> lines) {
    public Block {
      lines = List.copyOf(lines);
    }

    public String text() {
      return section.title() + ":\n" + String.join("\n", lines);
    }
  }

  /** The sections that hold something, in order, with a blank line between; empty if none does. */
  public static String render(Notebook notebook, TaskId task, @Nullable Actor reader) {
    return blocks(notebook, task, reader).stream()
        .map(Block::text)
        .collect(Collectors.joining("\n\n"));
  }

  /** The same in a {@code <state>} block, to be embedded in a prompt; empty if nothing is noted. */
  public static String wrapped(Notebook notebook, TaskId task, @Nullable Actor reader) {
    String text = render(notebook, task, reader);
    return text.isEmpty() ? "" : "<state>\n" + text + "\n</state>";
  }

  /** Each note shows its author unless that is the reader; without a reader all are shown. */
  public static List<Block> blocks(Notebook notebook, TaskId task, @Nullable Actor reader) {
    List<Block> blocks = new ArrayList<>();
    for (Section section : Section.values()) {
      Page page = notebook.page(section);
      if (!page.notes().isEmpty())
        blocks.add(new Block(section, lines(section, page, task, reader)));
    }
    return blocks;
  }

  private static List<String> lines(
      Section section, Page page, TaskId task, @Nullable Actor reader) {
    boolean list = section.keeping() != Keeping.LAST;
    List<String> lines = new ArrayList<>();
    for (Note note : page.notes()) {
      lines.add((list ? "- " : "") + Neutral.line(note.text()) + author(note.author(), reader));
    }
    // After the notes, not before: a count that grows must not move the text that stays.
    if (list && page.dropped() > 0) {
      lines.add(
          Phrase.of(
              "- (%s left out; mainstay state history %s shows %s)",
              count(page.dropped(), "older entry", "older entries"),
              task,
              page.dropped() == 1 ? "it" : "them"));
    }
    long shortened = shortened(page);
    if (list && shortened > 0) {
      lines.add(
          Phrase.of(
              "- (%s shortened to %d characters; mainstay state history %s shows all)",
              count(shortened, "entry was", "entries were"), Notebook.NOTE_CHARS_MAX, task));
    }
    if (!list && page.shortened() > 0) {
      lines.add(
          Phrase.of(
              "(shortened to %d characters; mainstay state history %s shows all)",
              Notebook.NOTE_CHARS_MAX, task));
    }
    return lines;
  }

  /**
   * How many of the notes shown were shortened, at most. The page counts all that ever were; a note
   * much shorter than the limit was none of them.
   */
  private static long shortened(Page page) {
    long full = page.notes().stream().filter(note -> note.text().length() >= CUT_CHARS_MIN).count();
    return Math.min(page.shortened(), full);
  }

  static String author(Actor author, @Nullable Actor reader) {
    return author.equals(reader) ? "" : " (by " + Neutral.line(author.toString()) + ")";
  }

  static String count(long number, String one, String many) {
    return Phrase.of("%,d %s", number, number == 1 ? one : many);
  }
}
