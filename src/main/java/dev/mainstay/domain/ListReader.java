package dev.mainstay.domain;

import dev.mainstay.domain.ListLine.Kind;
import dev.mainstay.domain.OpenTasks.Draft;
import dev.mainstay.domain.RepoState.OpenTask.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a text line by line and gathers its lists, each with the rank of the heading it stands
 * under. Only the outermost level of a list counts; what is indented below an item is its detail.
 */
final class ListReader {
  /** The ranks of lists: the highest is taken. */
  static final int UNWANTED = -1;

  static final int PLAIN = 0;
  static final int LIKELY = 1;
  static final int NAMED = 2;

  private static final int NESTED_COLUMNS = 2;
  private static final int HEADING_CHARS_MAX = 200;

  /** Words of a heading under which open tasks stand. */
  private static final Set<String> WANTED =
      Set.of("task", "tasks", "todo", "todos", "plan", "remaining", "steps", "checklist");

  /** First words of a heading under which finished things stand. */
  private static final Set<String> FINISHED =
      Set.of("already", "closed", "completed", "done", "finished");

  /** A list that was found, and how likely it is the one that is looked for. */
  record Listed(List<Draft> drafts, int rank) {}

  private final List<Listed> lists = new ArrayList<>();
  private @Nullable Open list;
  private String section = "";
  private String lead = "";
  private String previous = "";
  // A second list of a section is more often about something else.
  private boolean sectionUsed;
  private boolean blank;

  /** The list that is being read. */
  private static final class Open {
    final ListLine first;
    final int headingRank;
    final List<Draft> drafts = new ArrayList<>();
    final StringBuilder item = new StringBuilder();
    // Text that is not indented: it belongs to the item only if another item follows.
    final StringBuilder lazy = new StringBuilder();
    @Nullable Status status;
    boolean marked;
    boolean inDetail;
    int number;

    Open(ListLine first, int headingRank) {
      this.first = first;
      this.headingRank = headingRank;
    }

    void begin(ListLine line) {
      join(item, lazy.toString());
      finishItem();
      item.append(line.text(), 0, Math.min(line.text().length(), OpenTasks.RAW_CHARS_MAX));
      status = line.status();
      marked |= line.status() != null;
      number = line.number();
      inDetail = false;
    }

    void finishItem() {
      Draft draft = OpenTasks.draft(ListLine.plain(item.toString()), status);
      if (draft != null) drafts.add(draft);
      item.setLength(0);
      lazy.setLength(0);
    }

    int rank() {
      return headingRank == PLAIN && marked ? LIKELY : headingRank;
    }
  }

  /** The lists in the order in which they stand; nothing is read after this. */
  List<Listed> lists() {
    close();
    return lists;
  }

  /** The rank of what stands under the headings that are in force now. */
  int rank() {
    int rank = rank(lead);
    if (rank != PLAIN) return rank;
    boolean direct = lead.isEmpty() && !sectionUsed;
    return direct ? rank(section) : Math.min(rank(section), LIKELY);
  }

  void line(String raw) {
    ListLine line = ListLine.read(raw);
    if (line.kind() == Kind.BLANK) {
      if (list != null && list.lazy.length() > 0) close();
      blank = true;
      return;
    }
    if (line.kind().isItem()) item(line);
    else if (line.kind() == Kind.RULE) rule();
    else text(line);
    blank = false;
  }

  /** Something that is neither text nor list, such as a block of code, stands here. */
  void block(int indent) {
    if (list != null && indent < list.first.indent() + NESTED_COLUMNS) close();
    blank = false;
    previous = "";
  }

  private void item(ListLine line) {
    if (list != null && isDetail(list, line)) {
      list.inDetail = true;
      return;
    }
    if (list != null && !continues(list, line)) close();
    if (list == null) list = new Open(line, rank());
    list.begin(line);
    previous = "";
  }

  /** Deeper, or a bullet right under a number: many models do not indent those. */
  private boolean isDetail(Open open, ListLine line) {
    if (line.indent() >= open.first.indent() + NESTED_COLUMNS) return true;
    boolean under = open.first.kind() == Kind.NUMBERED && line.kind() == Kind.BULLET;
    return under && !blank && line.indent() >= open.first.indent();
  }

  private static boolean continues(Open open, ListLine line) {
    boolean outer = line.indent() <= open.first.indent() - NESTED_COLUMNS;
    boolean restarts = line.kind() == Kind.NUMBERED && line.number() == 1 && open.number > 1;
    return !outer && !restarts && line.kind() == open.first.kind();
  }

  private void text(ListLine line) {
    boolean indented = list != null && line.indent() > list.first.indent();
    String heading = indented ? null : heading(line.text());
    if (list != null && heading == null) {
      if (indented) {
        if (!blank && !list.inDetail) join(list.item, line.text());
        if (!blank || line.indent() >= list.first.indent() + NESTED_COLUMNS) return;
      } else if (!blank && !list.inDetail) {
        join(list.lazy, line.text());
        return;
      }
    }
    close();
    if (line.text().startsWith("#")) {
      startSection(line.text());
    } else {
      lead = heading == null ? "" : heading;
    }
    previous = line.text();
  }

  /** A rule under a line of text makes that a heading. */
  private void rule() {
    close();
    if (!blank && !previous.isEmpty()) startSection(previous);
    previous = "";
  }

  private void startSection(String heading) {
    section = heading;
    sectionUsed = false;
    lead = "";
  }

  /** A list uses up the line that led to it; a section goes on. */
  private void close() {
    if (list == null) return;
    list.finishItem();
    if (!list.drafts.isEmpty()) lists.add(new Listed(list.drafts, list.rank()));
    list = null;
    lead = "";
    sectionUsed = true;
  }

  /** A line with number signs, a line that ends with a colon, or one that is bold as a whole. */
  private static @Nullable String heading(String text) {
    boolean bold = text.startsWith("**") && !ListLine.plain(text).equals(text);
    boolean colon = text.endsWith(":") || text.endsWith(":**") || text.endsWith(":__");
    return bold || colon || text.startsWith("#") ? text : null;
  }

  private static int rank(String heading) {
    String cut = heading.substring(0, Math.min(heading.length(), HEADING_CHARS_MAX));
    String[] words = cut.toLowerCase(Locale.ROOT).replace("to-do", "todo").split("[^\\p{L}]+");
    int first = words.length > 1 && words[0].isEmpty() ? 1 : 0;
    if (words.length > first && FINISHED.contains(words[first])) return UNWANTED;
    for (String word : words) if (WANTED.contains(word)) return NAMED;
    return PLAIN;
  }

  private static void join(StringBuilder text, String more) {
    int room = OpenTasks.RAW_CHARS_MAX - text.length() - 1;
    if (more.isEmpty() || room <= 0) return;
    if (text.length() > 0) text.append(' ');
    text.append(more, 0, Math.min(more.length(), room));
  }
}
