package dev.mainstay.state;

import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.TaskId;
import java.util.ArrayList;
import java.util.List;

/**
 * What a write to an execution came to: how many entries it added, the number of the last, what
 * followed by rules and limits in words, and whether a person is asked for something.
 */
public record Outcome(TaskId task, int entries, long number, List<String> notices, boolean review) {
  public Outcome {
    notices = List.copyOf(notices);
  }

  public boolean isChange() {
    return entries > 0;
  }

  /** The part that every write has. */
  Receipt receipt() {
    return new Receipt(task, entries, number);
  }

  /** Adaptations, proposals and pauses among the events, in the order in which they happened. */
  static Outcome of(TaskId task, List<? extends Event> events, long number, Dossier after) {
    List<String> notices = new ArrayList<>();
    boolean review = false;
    for (Event event : events) {
      if (event instanceof ConstraintEvent.Adapted adapted) {
        notices.add(
            Phrase.of(
                "%s is now %s, because: %s",
                adapted.setting().key(), adapted.setting().shown(adapted.value()), adapted.rule()));
      } else if (event instanceof ConstraintEvent.Proposed proposed) {
        review = true;
        notices.add(proposal(after, proposed));
      } else if (event instanceof ExecutionEvent.StatusChanged changed && changed.review()) {
        review |= changed.to() == ExecutionStatus.PAUSED;
        notices.add("paused for a person's review: " + changed.why());
      }
    }
    return new Outcome(task, events.size(), number, notices, review);
  }

  private static String proposal(Dossier after, ConstraintEvent.Proposed proposed) {
    String what =
        after.execution().review().open().stream()
            .filter(open -> open.number() == proposed.number())
            .findFirst()
            .map(open -> open.shown(after.execution()))
            .orElse(proposed.what());
    String asks = proposed.about() == Proposal.Kind.SETTING ? "would change" : "asks to";
    return Phrase.of(
        "proposal %d %s %s; a person decides with 'mainstay exec accept %d'",
        proposed.number(), asks, what, proposed.number());
  }

  public JsonObject toJson() {
    return JsonObject.of(
            "task_id", task.value(), "entries", entries, "number", number, "notices", notices)
        .with("review", review);
  }

  public static Outcome fromJson(JsonObject json) {
    return new Outcome(
        new TaskId(json.text("task_id")),
        json.integer("entries"),
        json.number("number"),
        json.texts("notices"),
        Boolean.TRUE.equals(json.get("review")));
  }
}
