package dev.mainstay.domain;

import dev.mainstay.domain.Criterion.Met;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.TaskState.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happened to the criteria of a task; places count from 0. */
public sealed interface CriterionEvent extends TaskStateEvent {
  Run applied(Run before, Origin origin);

  @Override
  default TaskState applyTo(TaskState before, Origin origin) {
    return before.with(applied(before.run(), origin));
  }

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, TaskStateEvent>> READERS =
      Map.of(
          "state.criterion_added", p -> new Added(p.text("text"), p.textOrNull("check")),
          "state.criterion_met", p -> new MetByWord(place(p), p.textOrNull("note")),
          "state.criterion_reopened", p -> new Reopened(place(p)));

  private static int place(JsonObject payload) {
    return payload.integer("place");
  }

  /** Done means one thing more, or one that is known gets a check, and then no word meets it. */
  record Added(String text, @Nullable String check) implements CriterionEvent {
    public Added {
      var criterion = new Criterion(text, check, null);
      text = criterion.text();
      check = criterion.check();
    }

    @Override
    public Run applied(Run run, Origin origin) {
      int known = run.criteriaTexts().indexOf(text);
      if (known >= 0 && check == null) return run; // saying it again takes nothing away
      List<Criterion> next = new ArrayList<>(run.criteria());
      var criterion = new Criterion(text, check, null);
      if (known < 0) next.add(criterion);
      else next.set(known, criterion);
      return run.with(next);
    }

    @Override
    public String kind() {
      return "state.criterion_added";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("text", text, "check", check);
    }
  }

  /** Somebody says that a criterion is met; it is kept as the word of whoever the entry names. */
  record MetByWord(int place, @Nullable String note) implements CriterionEvent {
    public MetByWord {
      note = Criterion.note(note);
    }

    @Override
    public Run applied(Run run, Origin origin) {
      return run.with(place, new Met(origin.actor(), origin.at(), note));
    }

    @Override
    public String kind() {
      return "state.criterion_met";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("place", place, "note", note);
    }
  }

  /** Somebody takes it back: the criterion is not met. */
  record Reopened(int place) implements CriterionEvent {
    @Override
    public Run applied(Run run, Origin origin) {
      return run.with(place, null);
    }

    @Override
    public String kind() {
      return "state.criterion_reopened";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("place", place);
    }
  }
}
