package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What happened to the pages of an execution. */
public sealed interface PageEvent extends ExecutionEvent {
  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, ExecutionEvent>> READERS =
      Map.of(
          "exec.variables_set",
          p -> new VariablesSet(p.object("variables")),
          "exec.context_set",
          ContextSet::read,
          "exec.layout_set",
          p -> new LayoutSet(p.text("page"), p.text("text")),
          "exec.history_edited",
          HistoryEdited::read);

  /** The variables are now these. */
  record VariablesSet(JsonObject variables) implements PageEvent {
    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.pages().with(variables));
    }

    @Override
    public String kind() {
      return "exec.variables_set";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("variables", variables);
    }
  }

  /** The context notes are now these. */
  record ContextSet(List<Passage> passages) implements PageEvent {
    public ContextSet {
      passages = List.copyOf(passages);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.pages().with(passages));
    }

    @Override
    public String kind() {
      return "exec.context_set";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("passages", passages.stream().map(Passage::toJson).toList());
    }

    static ContextSet read(JsonObject payload) {
      return new ContextSet(payload.objects("passages").stream().map(Passage::fromJson).toList());
    }
  }

  /** Somebody wrote what is nobody's value into a file: headings and text of their own. */
  record LayoutSet(String page, String text) implements PageEvent {
    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.pages().with(page, text));
    }

    @Override
    public String kind() {
      return "exec.layout_set";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("page", page, "text", text);
    }
  }

  /** Somebody edited entries of the history; what they made of it was kept under this name. */
  record HistoryEdited(List<Integer> entries, String aside) implements PageEvent {
    public HistoryEdited {
      entries = List.copyOf(entries);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before;
    }

    @Override
    public String kind() {
      return "exec.history_edited";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("entries", entries, "aside", aside);
    }

    static HistoryEdited read(JsonObject payload) {
      List<Integer> entries = payload.texts("entries").stream().map(Integer::valueOf).toList();
      return new HistoryEdited(entries, payload.text("aside"));
    }
  }
}
