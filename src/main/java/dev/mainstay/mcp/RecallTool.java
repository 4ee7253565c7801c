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
        + " tasks:ready, evidence:T-001. query keeps lines with these words. Without ref: lists"
        + " what there is.";
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
    if (ref == null && query == null) return listed(visit);
    Reference wanted = ref == null ? journal(visit) : Reference.parse(ref);
    Long page = arguments.numberOrNull("page");
    if (page != null) wanted = wanted.onPage(Math.toIntExact(page));
    Library.Read read = read(visit, wanted);
    String text = query == null ? read.text() : found(read.text(), query);
    return Shelf.page(read.at(), text, query == null ? null : quoted(query), false);
  }

  private static Reference journal(Visit visit) {
    return Reference.to("journal", visit.task(JsonObject.EMPTY).value());
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

  /** The lines that hold all the words. */
  private static String found(String text, String query) {
    List<String> words = List.of(query.toLowerCase(Locale.ROOT).strip().split("\\s+"));
    List<String> lines =
        text.lines()
            .filter(line -> words.stream().allMatch(line.toLowerCase(Locale.ROOT)::contains))
            .toList();
    return lines.isEmpty()
        ? "No line has all of these words; use fewer or others.\n"
        : String.join("\n", lines) + "\n";
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
