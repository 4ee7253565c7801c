package dev.mainstay.domain;

import dev.mainstay.domain.Plan.Wish;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run wants to change about its state; what is null stays as it is. The goal is not in here,
 * for it never changes, nor are actions and compressions, for they are observed.
 */
public record TaskUpdate(@Nullable List<Wish> plan, @Nullable Integer currentStep, Change work) {
  private static final List<String> FIELDS =
      List.of("plan", "current_step", "progress", "scratchpad", "blocked_on", "preserved_refs");
  private static final List<String> OBSERVED = List.of("recent_actions", "compression_log");

  /** Other values for what a run writes about itself; what is null stays as it is. */
  public record Change(
      @Nullable String progress,
      @Nullable String scratchpad,
      @Nullable List<String> blockedOn,
      @Nullable List<String> preservedRefs) {
    public static final Change NONE = new Change(null, null, null, null);

    public Change {
      // The values must fit where they go; a change is as valid as the work that comes of it.
      var work =
          new Work(
              progress == null ? "" : progress,
              scratchpad == null ? "" : scratchpad,
              blockedOn == null ? List.of() : blockedOn,
              preservedRefs == null ? List.of() : preservedRefs);
      if (progress != null) progress = work.progress();
      if (blockedOn != null) blockedOn = work.blockedOn();
      if (preservedRefs != null) preservedRefs = work.preservedRefs();
    }

    /** Only what is really different. */
    Change against(Work work) {
      return new Change(
          work.progress().equals(progress) ? null : progress,
          work.scratchpad().equals(scratchpad) ? null : scratchpad,
          work.blockedOn().equals(blockedOn) ? null : blockedOn,
          work.preservedRefs().equals(preservedRefs) ? null : preservedRefs);
    }

    JsonObject toJson() {
      return JsonObject.of(
          "progress",
          progress,
          "scratchpad",
          scratchpad,
          "blocked_on",
          blockedOn,
          "preserved_refs",
          preservedRefs);
    }

    static Change fromJson(JsonObject json) {
      return new Change(
          LooseJson.textOrNull(json, "progress"),
          LooseJson.textOrNull(json, "scratchpad"),
          json.has("blocked_on") ? LooseJson.texts(json, "blocked_on") : null,
          json.has("preserved_refs") ? LooseJson.texts(json, "preserved_refs") : null);
    }
  }

  public TaskUpdate {
    if (plan != null) plan = List.copyOf(plan);
  }

  public static TaskUpdate plan(List<Wish> wishes) {
    return new TaskUpdate(wishes, null, Change.NONE);
  }

  public static TaskUpdate current(int step) {
    return new TaskUpdate(null, step, Change.NONE);
  }

  public static TaskUpdate work(Change change) {
    return new TaskUpdate(null, null, change);
  }

  /** Reads an update; steps are labels, or objects with a label and a status. */
  public static TaskUpdate fromJson(JsonObject json) {
    if (json.has("goal") || json.has("criteria")) {
      throw Refusal.conflict(
          "the goal and its criteria were set when the run started and are not updated; a person"
              + " can start a new run for another goal");
    }
    for (String field : OBSERVED) {
      if (json.has(field)) {
        throw Refusal.invalid("\"" + field + "\" is observed and cannot be written; leave it out");
      }
    }
    LooseJson.onlyKnown("the task state", json, FIELDS);
    Long current = json.numberOrNull("current_step");
    if (current != null && (current < 0 || current >= Plan.STEPS_MAX)) {
      throw Refusal.invalid("\"current_step\" is the place of a step, counted from 0");
    }
    return new TaskUpdate(
        json.has("plan") ? wishes(json) : null,
        current == null ? null : current.intValue(),
        Change.fromJson(json));
  }

  private static List<Wish> wishes(JsonObject json) {
    if (!(json.get("plan") instanceof List<?> items)) {
      return LooseJson.texts(json, "plan").stream().map(Wish::of).toList();
    }
    List<Wish> wishes = new ArrayList<>();
    for (Object item : items) {
      if (item instanceof JsonObject step) {
        LooseJson.onlyKnown("a step", step, List.of("label", "status"));
        String status = step.textOrNull("status");
        wishes.add(new Wish(step.text("label"), status == null ? null : StepStatus.parse(status)));
      } else {
        LooseJson.texts(JsonObject.of("plan", item), "plan")
            .forEach(label -> wishes.add(Wish.of(label)));
      }
    }
    return wishes;
  }
}
