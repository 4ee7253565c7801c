package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code recall}: reads on, and looks back, by the references that replies name. */
final class RecallTool implements Offered {
  private static final int QUERY_CHARS_MAX = 200;
  private static final String NOT_FOUND = " has all of these words; use fewer or others";

  private final Shelf shelf;
  private final Library library;

  RecallTool(Rooms rooms, Shelf shelf) {
    this.shelf = shelf;
    this.library = new Library(rooms);
  }

  @Override
  public String name() {
    return "recall";
  }

  @Override
  public String description() {
    return "Read on by a ref that a reply named, or look back: journal:T-001, task:T-001,"
        + " tasks:ready, evidence:T-001. query keeps lines with these words; without ref it"
        + " searches tasks and your journal. With neither: lists what there is.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of(),
        "ref",
        Schemas.text(Reference.CHARS_MAX),
        "query",
        Schemas.text(QUERY_CHARS_MAX),
        "page",
        Schemas.number(1, Reference.PAGE_MAX));
  }

  @Override
  public Tool.Hints hints() {
    return LOOKS;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    String query = arguments.textOrNull("query");
    String ref = arguments.textOrNull("ref");
    if (ref == null) return query == null ? listed(visit) : search(visit, query);
    Reference wanted = Reference.parse(ref);
    Integer page = arguments.integerOrNull("page");
    if (page != null) wanted = wanted.onPage(page);
    Library.Read read = read(visit, wanted);
    String text = query == null ? read.text() : found(read.text(), query);
    return Shelf.page(read.at(), text, query == null ? null : quoted(query), false);
  }

  /** The tasks that contain all words, then the lines of the caller's own journal that do. */
  private Reply search(Visit visit, String query) {
    String tasks = library.tasksWith(query);
    String own = visit.bound().map(task -> journalWith(visit, task, query)).orElse("");
    String found = tasks + own;
    String text = found.isEmpty() ? Phrase.of("No task%s.\n", NOT_FOUND) : found;
    return Shelf.page(shelf.keep(Reference.to("reply", null), text), text, null, false);
  }

  private String journalWith(Visit visit, Task task, String query) {
    Reference journal = Reference.to("journal", task.id().value());
    String lines = linesWith(library.read(visit, journal).text(), query);
    return lines.isEmpty() ? "" : Phrase.of("In %s:\n%s", journal, lines);
  }

  private Library.Read read(Visit visit, Reference wanted) {
    String kept = wanted.moment() == null ? null : shelf.find(wanted);
    if (kept != null) return new Library.Read(wanted, kept);
    Library.Read read = library.read(visit, wanted);
    if (read.at().moment() != null) return read;
    Reference marked = shelf.keep(wanted, read.text());
    boolean moved = wanted.moment() != null && !wanted.moment().equals(marked.moment());
    if (moved) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is not what it was when its first page was read; begin again with recall %s",
              wanted.kind(), Reference.to(wanted.kind(), wanted.about())));
    }
    return new Library.Read(marked.onPage(wanted.page()), read.text());
  }

  private static String found(String text, String query) {
    String lines = linesWith(text, query);
    return lines.isEmpty() ? Phrase.of("No line%s.\n", NOT_FOUND) : lines;
  }

  /** The lines that contain all words, in any case. */
  private static String linesWith(String text, String query) {
    List<String> words = List.of(query.toLowerCase(Locale.ROOT).strip().split("\\s+"));
    List<String> lines =
        text.lines()
            .filter(line -> words.stream().allMatch(line.toLowerCase(Locale.ROOT)::contains))
            .toList();
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }

  private static String quoted(String query) {
    return query.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s+", " ");
  }

  private Reply listed(Visit visit) {
    Optional<Task> task = visit.bound();
    List<String> lines = new ArrayList<>();
    lines.add("recall {\"ref\":...} reads these; #2 at its end is the second page:");
    String id = task.map(Task::id).map(Object::toString).orElse("T-001");
    for (Library.Kind kind : library.kinds()) {
      lines.add(Phrase.of("- %s: %s", kind.example().replace("TASK", id), kind.what()));
    }
    return Reply.text(String.join("\n", lines));
  }
}
