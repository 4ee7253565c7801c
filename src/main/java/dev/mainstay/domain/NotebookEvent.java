package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Notebook.Section;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What happened to a notebook. An event holds only what was said, in full length; who said it is in
 * the journal's entry, so that replaying with the entries' origins gives every note its author.
 */
public sealed interface NotebookEvent extends Event {
  Notebook applyTo(Notebook before, Origin origin);

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, NotebookEvent>> READERS =
      Map.of(
          "notebook.merged", p -> new Merged(NotebookDelta.fromJson(p)),
          "notebook.saved", p -> new Saved(NotebookDelta.fromJson(p)),
          "notebook.resolved", p -> new Resolved(p.text("text"), Resolution.parse(p.text("how"))));

  static NotebookEvent read(String kind, JsonObject payload) {
    var reader = READERS.get(kind);
    if (reader == null) throw new IllegalArgumentException("no such notebook event: " + kind);
    return reader.apply(payload);
  }

  /** Somebody added to it. */
  record Merged(NotebookDelta delta) implements NotebookEvent {
    @Override
    public Notebook applyTo(Notebook before, Origin origin) {
      Notebook after = before;
      for (Section section : delta.texts().keySet()) {
        var page = Caps.added(section, before.page(section), delta.texts(section), origin);
        after = after.with(section, page);
      }
      return after;
    }

    @Override
    public String kind() {
      return "notebook.merged";
    }

    @Override
    public JsonObject payload() {
      return delta.toJson();
    }
  }

  /** Somebody wrote it anew. */
  record Saved(NotebookDelta whole) implements NotebookEvent {
    @Override
    public Notebook applyTo(Notebook before, Origin origin) {
      Notebook after = before;
      for (Section section : Section.values()) {
        var page = Caps.replaced(section, before.page(section), whole.texts(section), origin);
        after = after.with(section, page);
      }
      return after;
    }

    @Override
    public String kind() {
      return "notebook.saved";
    }

    @Override
    public JsonObject payload() {
      return whole.toJson();
    }
  }

  /**
   * An open note came to its end. Whoever says what a hypothesis came to is that decision's author.
   */
  record Resolved(String text, Resolution how) implements NotebookEvent {
    @Override
    public Notebook applyTo(Notebook before, Origin origin) {
      Notebook after = before.without(how.section(), text);
      return switch (how) {
        case SETTLED -> after;
        case CONFIRMED -> decided(after, text, origin);
        case REFUTED -> decided(after, "refuted: " + text, origin);
      };
    }

    private static Notebook decided(Notebook notebook, String decision, Origin origin) {
      var page = notebook.page(Section.DECISIONS);
      return notebook.with(
          Section.DECISIONS, Caps.added(Section.DECISIONS, page, List.of(decision), origin));
    }

    @Override
    public String kind() {
      return "notebook.resolved";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("text", text, "how", how.typed());
    }
  }
}
