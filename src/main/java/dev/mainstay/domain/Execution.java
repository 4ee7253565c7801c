package dev.mainstay.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a task's plan as the state directory shows it: what it is, how far it is, what
 * it has used up, within which constraints, and what waits for a person. The steps themselves are
 * the plan of the task's state; the history of steps is in the journal.
 */
public record Execution(
    Head head, Constraints constraints, Figures figures, Pages pages, Review review) {
  public static final int RECORDS_MAX = 1_000;
  public static final int ENTRIES_MAX = 100_000;

  public static final Execution NONE =
      new Execution(
          Head.NONE,
          new Constraints(Settings.INITIAL, List.of(), List.of()),
          Figures.NONE,
          Pages.EMPTY,
          Review.NONE);

  /** What never changes; the id is {@code exec_<timestamp>_<uuid>}. */
  public record Identity(
      String id, ExecutionMode mode, @Nullable ExecutionType type, Instant startedAt) {
    private static final Pattern ID =
        Pattern.compile("exec_[0-9A-Za-z.:-]{1,40}_[0-9a-zA-Z-]{1,64}");

    public Identity {
      if (!id.isEmpty() && !ID.matcher(id).matches()) {
        throw Refusal.invalid(
            Phrase.of(
                "\"%s\" is no execution id; it looks like exec_20260131T120000Z_<uuid>",
                Graphemes.cut(id, 100)));
      }
    }

    public boolean isSimulation() {
      return mode == ExecutionMode.SIMULATION;
    }

    JsonObject toJson() {
      return JsonObject.of("execution_id", id, "mode", mode, "start_time", Times.write(startedAt))
          .with("type", type == null ? null : type.typed());
    }

    static Identity fromJson(JsonObject json) {
      String type = json.textOrNull("type");
      return new Identity(
          json.text("execution_id"),
          ExecutionMode.parse(json.text("mode")),
          type == null ? null : ExecutionType.parse(type),
          Times.read(json.text("start_time")));
    }
  }

  /** A step that was started and not yet finished, and what tools were seen to use up meanwhile. */
  public record Running(int step, Instant since, JsonObject inputs, Spent seen) {
    JsonObject toJson() {
      return JsonObject.of("step", step, "since", Times.write(since), "inputs", inputs)
          .with("seen", seen.toJson());
    }

    static Running fromJson(JsonObject json) {
      return new Running(
          json.integer("step"),
          Times.read(json.text("since")),
          json.object("inputs"),
          Spent.fromJson(json.object("seen")));
    }
  }

  /** How far it is; when it was paused for a person's review, the reason says why. */
  public record Head(
      Identity identity,
      ExecutionStatus status,
      Instant updatedAt,
      @Nullable Running running,
      @Nullable String reviewFor) {
    static final Head NONE =
        new Head(
            new Identity("", ExecutionMode.EXECUTION, null, Instant.EPOCH),
            ExecutionStatus.PLANNING,
            Instant.EPOCH,
            null,
            null);

    Head in(ExecutionStatus next, @Nullable String newReviewFor) {
      return new Head(identity, next, updatedAt, running, newReviewFor);
    }

    Head with(@Nullable Running newRunning) {
      return new Head(identity, status, updatedAt, newRunning, reviewFor);
    }

    Head at(Instant at) {
      return new Head(identity, status, at, running, reviewFor);
    }
  }

  /** What is counted. */
  public record Figures(Spent total, int records, int failures, int consecutiveFailures) {
    static final Figures NONE = new Figures(Spent.NOTHING, 0, 0, 0);

    Figures after(StepRecord record) {
      return new Figures(
          total.plus(record.spent()),
          records + 1,
          failures + (record.failed() ? 1 : 0),
          record.failed() ? consecutiveFailures + 1 : 0);
    }

    Figures plus(Spent more) {
      return new Figures(total.plus(more), records, failures, consecutiveFailures);
    }
  }

  /**
   * What a person has to decide or has decided: the open proposals, the steps that may be started,
   * and the rules whose conditions hold right now, which act only once.
   */
  public record Review(
      int proposals, List<Proposal> open, List<String> approved, List<String> standing) {
    public static final int OPEN_MAX = 50;

    static final Review NONE = new Review(0, List.of(), List.of(), List.of());

    public Review {
      open = List.copyOf(open);
      approved = List.copyOf(approved);
      standing = List.copyOf(standing);
    }

    public Optional<Proposal> find(Proposal.Kind kind, String what, String wanted) {
      return open.stream().filter(p -> p.asksForTheSameAs(kind, what, wanted)).findFirst();
    }

    Review with(Proposal proposal) {
      List<Proposal> more = new ArrayList<>(open);
      more.add(proposal);
      return new Review(Math.max(proposals, proposal.number()), more, approved, standing);
    }

    Review without(int number) {
      List<Proposal> rest = open.stream().filter(p -> p.number() != number).toList();
      return new Review(proposals, rest, approved, standing);
    }

    Review approving(String approval) {
      List<String> more = new ArrayList<>(approved);
      if (!more.contains(approval)) more.add(approval);
      return new Review(proposals, open, more, standing);
    }

    /** An approval holds for one start. */
    Review started(String label) {
      List<String> rest =
          approved.stream().filter(each -> !Plan.Step.isApprovalOf(label, each)).toList();
      return new Review(proposals, open, rest, standing);
    }

    Review standing(List<String> rules) {
      return new Review(proposals, open, approved, rules);
    }
  }

  public boolean isBegun() {
    return !head.identity().id().isEmpty();
  }

  /** It was begun and is not over. */
  public boolean isLive() {
    return isBegun() && !head.status().isEnded();
  }

  public String id() {
    return head.identity().id();
  }

  public ExecutionStatus status() {
    return head.status();
  }

  public Object setting(Setting setting) {
    return constraints.settings().get(setting);
  }

  /** The open proposal with this number. */
  public Proposal proposal(int number) {
    return review.open().stream()
        .filter(proposal -> proposal.number() == number)
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.notFound(
                    review.open().isEmpty()
                        ? "no proposal is open"
                        : Phrase.of(
                            "there is no open proposal %d; open are %s",
                            number, review.open().stream().map(Proposal::number).toList())));
  }

  /** After another plan: the step under way keeps its label, whatever its number is now. */
  Execution following(Plan before, Plan after) {
    Running running = head.running();
    if (running == null || running.step() > before.steps().size()) return this;
    String label = before.step(running.step() - 1).label();
    boolean stays =
        running.step() <= after.steps().size()
            && after.step(running.step() - 1).label().equals(label);
    if (stays) return this;
    for (int place = 0; place < after.steps().size(); place++) {
      if (!after.step(place).label().equals(label)) continue;
      return with(
          head.with(new Running(place + 1, running.since(), running.inputs(), running.seen())));
    }
    return with(head.with((Running) null));
  }

  Execution with(Head newHead) {
    return new Execution(newHead, constraints, figures, pages, review);
  }

  Execution with(Constraints newConstraints) {
    return new Execution(head, newConstraints, figures, pages, review);
  }

  Execution with(Figures newFigures) {
    return new Execution(head, constraints, newFigures, pages, review);
  }

  Execution with(Pages newPages) {
    return new Execution(head, constraints, figures, newPages, review);
  }

  Execution with(Review newReview) {
    return new Execution(head, constraints, figures, pages, newReview);
  }
}
