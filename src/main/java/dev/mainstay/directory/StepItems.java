package dev.mainstay.directory;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StepDetails;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepDetails.Param;
import dev.mainstay.domain.StepStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps of a plan in the words of plan.md. */
final class StepItems {
  private static final String SKIPPED = "skipped";
  private static final String DONE = "done: ";

  private StepItems() {}

  /** The ids of the steps in their order: label and, for equal labels, which of them. */
  static List<String> ids(Plan plan) {
    Map<String, Integer> met = new HashMap<>();
    List<String> ids = new ArrayList<>();
    for (Step step : plan.steps()) {
      int k = met.merge(step.label(), 1, Integer::sum) - 1;
      ids.add(Items.part(step.label()) + "#" + k);
    }
    return ids;
  }

  static String label(String id) {
    return Items.unpart(id.substring(0, id.lastIndexOf('#')));
  }

  /** The document's word; a step that was skipped is completed, and its note says so. */
  static String word(StepStatus status) {
    return switch (status) {
      case TODO -> "PENDING";
      case ACTIVE -> "RUNNING";
      case DONE, SKIPPED -> "COMPLETED";
      case FAILED -> "FAILED";
    };
  }

  static String note(Step step) {
    String note = step.note() == null ? "" : step.note();
    if (step.status() == StepStatus.SKIPPED)
      return note.isEmpty() ? SKIPPED : SKIPPED + ": " + note;
    boolean mistakable = note.startsWith(SKIPPED) || note.startsWith(DONE);
    return step.status() == StepStatus.DONE && mistakable ? DONE + note : note;
  }

  /** The steps that the items say; what no step can be is refused. */
  static Plan plan(Items items) {
    return new Plan(items.texts("steps").stream().map(id -> step(items, id)).toList());
  }

  /** One of them. */
  static Step step(Items items, String id) {
    String at = "step/" + id + "/";
    String note = items.text(at + "note");
    StepStatus status = status(items.text(at + "status"), note);
    return new Step(label(id), status, plainNote(status, note), details(items, at));
  }

  private static StepStatus status(@Nullable String word, @Nullable String note) {
    if (word == null || word.isBlank()) return StepStatus.TODO;
    return switch (word.strip().toUpperCase(Locale.ROOT)) {
      case "PENDING" -> StepStatus.TODO;
      case "RUNNING" -> StepStatus.ACTIVE;
      case "COMPLETED" -> isSkipped(note) ? StepStatus.SKIPPED : StepStatus.DONE;
      case "FAILED" -> StepStatus.FAILED;
      default ->
          throw Refusal.invalid(
              Phrase.of(
                  "\"%s\" is no status of a step; use PENDING, RUNNING, COMPLETED or FAILED",
                  Graphemes.cut(word, 100)));
    };
  }

  private static boolean isSkipped(@Nullable String note) {
    return note != null && (note.equals(SKIPPED) || note.startsWith(SKIPPED + ": "));
  }

  private static @Nullable String plainNote(StepStatus status, @Nullable String note) {
    if (note == null || note.isBlank()) return null;
    if (status == StepStatus.SKIPPED) {
      return note.equals(SKIPPED) ? null : note.substring(SKIPPED.length() + 2);
    }
    boolean marked = status == StepStatus.DONE && note.startsWith(DONE);
    return marked ? note.substring(DONE.length()) : note;
  }

  private static StepDetails details(Items items, String at) {
    return new StepDetails(
        text(items, at + "component"),
        text(items, at + "tool_mapping"),
        params(items, at + "inputs"),
        params(items, at + "expected_outputs"),
        new Outlook(
            number(items, at + "estimated_cost"),
            number(items, at + "estimated_time"),
            text(items, at + "side_effects")));
  }

  private static List<Param> params(Items items, String at) {
    List<Param> params = new ArrayList<>();
    for (String name : items.texts(at)) {
      Object value = items.get(at + "/" + Items.part(name));
      params.add(new Param(name, value == null || value == Items.NULL ? "" : value));
    }
    return params;
  }

  private static String text(Items items, String key) {
    String text = items.text(key);
    return text == null ? "" : text;
  }

  private static @Nullable BigDecimal number(Items items, String key) {
    Object value = items.get(key);
    return value == null ? null : new BigDecimal(value.toString());
  }
}
