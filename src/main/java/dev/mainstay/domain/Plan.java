package dev.mainstay.domain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The ordered steps of a run. At most one is active, and that one is the current step. */
public record Plan(List<Step> steps) {
  public static final int STEPS_MAX = 100;
  public static final int LABEL_CHARS_MAX = 256;
  public static final int NOTE_CHARS_MAX = 256;

  public static final Plan EMPTY = new Plan(List.of());

  /**
   * One step; the note says why it failed or was skipped, or that it was only simulated. The
   * details are what its execution needs to know.
   */
  public record Step(String label, StepStatus status, @Nullable String note, StepDetails details) {
    /** The note of a step that was played through and not done; how it failed stands after it. */
    public static final String SIMULATED = "simulated";

    private static final int APPROVAL_HASH_CHARS = 16;

    public Step {
      label = Text.line("a step's label", label, LABEL_CHARS_MAX);
      if (note != null) note = Text.line("a step's note", note, NOTE_CHARS_MAX);
    }

    /** A step of which no more is known. */
    public Step(String label, StepStatus status, @Nullable String note) {
      this(label, status, note, StepDetails.NONE);
    }

    public static Step todo(String label) {
      return new Step(label, StepStatus.TODO, null);
    }

    /** It counts as done or failed within a simulation, and was not really tried. */
    public boolean isSimulated() {
      return note != null && (note.equals(SIMULATED) || note.startsWith(SIMULATED + ": "));
    }

    /** The same step, which came to its end in a simulation. */
    public Step simulated() {
      if (isSimulated()) return this;
      boolean told = status == StepStatus.FAILED && note != null;
      String how = told ? Graphemes.cut(SIMULATED + ": " + note, NOTE_CHARS_MAX) : SIMULATED;
      return in(status, how);
    }

    /** What a person agrees to: this very step, with these inputs, tools and side effects. */
    public String approval() {
      String all = label + "\n" + CompactJson.of(details.toJson());
      return JournalEntry.sha256(all).substring(0, APPROVAL_HASH_CHARS) + " " + label;
    }

    /** Whether an approval was for a step of this label, whatever became of the step since. */
    static boolean isApprovalOf(String label, String approval) {
      return approval.length() == APPROVAL_HASH_CHARS + 1 + label.length()
          && approval.endsWith(" " + label);
    }

    public Step with(StepDetails newDetails) {
      return new Step(label, status, note, newDetails);
    }

    Step in(StepStatus newStatus, @Nullable String newNote) {
      return new Step(label, newStatus, newNote, details);
    }

    JsonObject toJson() {
      return JsonObject.of("label", label, "status", status.typed(), "note", note)
          .with("details", details.equals(StepDetails.NONE) ? null : details.toJson());
    }

    static Step fromJson(JsonObject json) {
      return new Step(
          json.text("label"),
          StepStatus.parse(json.text("status")),
          json.textOrNull("note"),
          json.has("details") ? StepDetails.fromJson(json.object("details")) : StepDetails.NONE);
    }
  }

  /** A step as somebody wishes it; without a status it keeps the one it has, or is to be done. */
  public record Wish(String label, @Nullable StepStatus status) {
    public Wish {
      label = Text.line("a step's label", label, LABEL_CHARS_MAX);
    }

    public static Wish of(String label) {
      return new Wish(label, null);
    }
  }

  public Plan {
    steps = List.copyOf(steps);
    if (steps.size() > STEPS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "a plan has at most %d steps, not %d; put some of them together",
              STEPS_MAX, steps.size()));
    }
    long active = steps.stream().filter(step -> step.status() == StepStatus.ACTIVE).count();
    if (active > 1) {
      throw Refusal.invalid("one step at a time is active, not " + active);
    }
  }

  /** The place of the step that is worked on, from 0, or null. */
  public @Nullable Integer current() {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).status() == StepStatus.ACTIVE) return i;
    }
    return null;
  }

  /** The places of the steps that are left, from 0. */
  public List<Integer> open() {
    return IntStream.range(0, steps.size())
        .filter(i -> steps.get(i).status().isOpen())
        .boxed()
        .toList();
  }

  /** The place of the step to work on: the active one, else the first that is left. */
  public Optional<Integer> next() {
    Integer current = current();
    return current != null ? Optional.of(current) : open().stream().findFirst();
  }

  /** Another plan; a step whose label is unchanged keeps its status, the first for the first. */
  Plan replacedBy(List<Wish> wishes) {
    Map<String, Deque<Step>> before = new HashMap<>();
    for (Step step : steps) {
      before.computeIfAbsent(step.label(), label -> new ArrayDeque<>()).add(step);
    }
    boolean activates = wishes.stream().anyMatch(wish -> wish.status() == StepStatus.ACTIVE);
    List<Step> next = new ArrayList<>();
    for (Wish wish : wishes) {
      Step was = before.getOrDefault(wish.label(), new ArrayDeque<>()).poll();
      next.add(wished(wish, was, activates));
    }
    return new Plan(next);
  }

  private static Step wished(Wish wish, @Nullable Step was, boolean activates) {
    if (was == null) was = Step.todo(wish.label());
    StepStatus status = wish.status();
    if (status != null && status != was.status()) return was.in(status, null);
    // Only one can be active: the one that is asked for, not the one that was.
    boolean stays = status != null || was.status() != StepStatus.ACTIVE || !activates;
    return stays ? was : was.in(StepStatus.TODO, null);
  }

  /** One step in another status; a step that becomes active puts the one before back to do. */
  Plan moved(int place, StepStatus to, @Nullable String note) {
    Step step = step(place);
    if (step.status() != to && !step.status().mayBecome(to)) {
      throw Refusal.conflict(
          Phrase.of(
              "step %d is %s and cannot become %s; set it to todo first",
              place + 1, step.status().typed(), to.typed()));
    }
    List<Step> next = new ArrayList<>(steps);
    Integer current = current();
    if (to == StepStatus.ACTIVE && current != null) {
      next.set(current, steps.get(current).in(StepStatus.TODO, null));
    }
    next.set(place, step.in(to, note));
    return new Plan(next);
  }

  /** How many steps came to an end since an earlier plan; equal labels are met in their order. */
  int endedSince(Plan before) {
    Map<String, Deque<StepStatus>> were = new HashMap<>();
    for (Step step : before.steps) {
      were.computeIfAbsent(step.label(), label -> new ArrayDeque<>()).add(step.status());
    }
    int ended = 0;
    for (Step step : steps) {
      StepStatus was = were.getOrDefault(step.label(), new ArrayDeque<>()).poll();
      if (step.status().isEnd() && was != null && was != step.status()) ended++;
    }
    return ended;
  }

  /** Every step is to be done again. */
  public Plan reopened() {
    return new Plan(steps.stream().map(step -> step.in(StepStatus.TODO, null)).toList());
  }

  /** What was only simulated is to be done again. */
  public Plan withoutSimulation() {
    return new Plan(
        steps.stream()
            .map(step -> step.isSimulated() ? step.in(StepStatus.TODO, null) : step)
            .toList());
  }

  public Step step(int place) {
    if (place < 0 || place >= steps.size()) {
      throw Refusal.notFound(
          Phrase.of("there is no step %d; the plan has %d", (long) place + 1, steps.size()));
    }
    return steps.get(place);
  }

  List<JsonObject> toJson() {
    return steps.stream().map(Step::toJson).toList();
  }

  static Plan fromJson(List<JsonObject> steps) {
    return new Plan(steps.stream().map(Step::fromJson).toList());
  }
}
