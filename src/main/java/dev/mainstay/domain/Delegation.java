package dev.mainstay.domain;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task that somebody wants done by an agent of a profile, and what became of that wish. The
 * caller is a terminal's id, or a person as {@link Actor} writes one; it is told of the end.
 */
public record Delegation(
    TaskId task, String caller, Wish wish, Standing standing, Moments moments) {
  public static final int REASON_CHARS_MAX = 500;

  /** Where it stands. Which status may follow which is the table below. */
  public enum Status {
    /** No terminal has it yet, or the one that had it is over. */
    WAITING,
    /** A terminal was given the task and told so. */
    GIVEN,
    /** The task has ended, and the caller was told. */
    REPORTED;

    private static final Map<Status, Set<Status>> FOLLOWERS =
        Map.of(
            WAITING, EnumSet.of(GIVEN, REPORTED),
            GIVEN, EnumSet.of(WAITING, REPORTED),
            // A task that is tried again can be delegated again.
            REPORTED, EnumSet.of(WAITING));

    public boolean mayBecome(Status next) {
      return FOLLOWERS.getOrDefault(this, Set.of()).contains(next);
    }

    public boolean isOpen() {
      return this != REPORTED;
    }
  }

  /** Who is wanted, where, and whether in a git worktree of its own. */
  public record Wish(String profile, @Nullable String provider, Site site, boolean worktree) {
    public Wish {
      profile = AgentProfile.name("a profile's name", profile);
      provider = provider == null ? null : AgentProfile.name("a provider's name", provider);
    }
  }

  /** On which host, in which session of tmux, and in which folder. */
  public record Site(String host, String session, String folder) {}

  /** A branch of the worker's own, and the commit it began from. */
  public record Branch(String name, String base) {}

  /** Why it does not go on, and whether the caller was told so. */
  public record Notice(@Nullable String reason, boolean told) {
    public static final Notice NONE = new Notice(null, false);

    public Notice {
      reason = reason == null ? null : line(reason);
    }

    private static String line(String given) {
      return Graphemes.cut(given.replaceAll("\\p{Cntrl}+", " ").strip(), REASON_CHARS_MAX);
    }
  }

  /** How it stands; the terminal and the message it was told by are there once it was given. */
  public record Standing(
      Status status,
      @Nullable String terminal,
      @Nullable Long message,
      @Nullable Branch branch,
      Notice notice) {
    public static final Standing NEW = new Standing(Status.WAITING, null, null, null, Notice.NONE);

    public Standing {
      boolean held = terminal != null && message != null;
      boolean fits =
          switch (status) {
            case WAITING -> terminal == null && message == null;
            case GIVEN -> held;
            case REPORTED -> held || (terminal == null && message == null);
          };
      if (!fits) throw new IllegalStateException("a delegation cannot be " + status + " like this");
    }
  }

  public record Moments(Instant createdAt, Instant updatedAt) {}

  public static Delegation wanted(TaskId task, String caller, Wish wish, Instant now) {
    return new Delegation(task, caller, wish, Standing.NEW, new Moments(now, now));
  }

  public Status status() {
    return standing.status();
  }

  /** Whether its caller has an inbox in which it can be told. */
  public boolean isByTerminal() {
    return Message.isTerminal(caller);
  }

  /** The caller as whoever acts. */
  public Actor actor() {
    return isByTerminal() ? Actor.agent(caller) : Actor.parse(caller);
  }

  /** A terminal has it and was told so. */
  public Delegation given(String terminal, long message, Instant now) {
    var next = new Standing(Status.GIVEN, terminal, message, standing.branch(), Notice.NONE);
    return moved(next, now);
  }

  /** The terminal that had it is over, or gave the task back. */
  public Delegation returned(String why, Instant now) {
    var notice = new Notice(why, false);
    return moved(new Standing(Status.WAITING, null, null, standing.branch(), notice), now);
  }

  /** Its task has ended, and the caller was told. */
  public Delegation reported(Instant now) {
    var next =
        new Standing(
            Status.REPORTED,
            standing.terminal(),
            standing.message(),
            standing.branch(),
            new Notice(null, standing.notice().told()));
    return moved(next, now);
  }

  public Delegation on(Branch branch, Instant now) {
    return with(
        new Standing(status(), standing.terminal(), standing.message(), branch, standing.notice()),
        now);
  }

  /** It does not go on for now. */
  public Delegation noted(Notice notice, Instant now) {
    return with(
        new Standing(status(), standing.terminal(), standing.message(), standing.branch(), notice),
        now);
  }

  private Delegation moved(Standing next, Instant now) {
    if (!status().mayBecome(next.status())) {
      throw new IllegalStateException(task + " is " + status() + ", not to be " + next.status());
    }
    return with(next, now);
  }

  private Delegation with(Standing next, Instant now) {
    return new Delegation(task, caller, wish, next, new Moments(moments.createdAt(), now));
  }

  public JsonObject toJson() {
    Branch branch = standing.branch();
    return JsonObject.of("task_id", task.value(), "caller_id", caller)
        .with("agent_profile", wish.profile())
        .with("provider", wish.provider())
        .with("host", wish.site().host())
        .with("tmux_session", wish.site().session())
        .with("work_dir", wish.site().folder())
        .with("worktree", wish.worktree())
        .with("branch", branch == null ? null : branch.name())
        .with("base", branch == null ? null : branch.base())
        .with("status", standing.status().name())
        .with("terminal_id", standing.terminal())
        .with("message_id", standing.message())
        .with("reason", standing.notice().reason())
        .with("noticed", standing.notice().told())
        .with("created_at", Times.write(moments.createdAt()))
        .with("updated_at", Times.write(moments.updatedAt()));
  }

  public static Delegation fromJson(JsonObject json) {
    String branch = json.textOrNull("branch");
    var site = new Site(json.text("host"), json.text("tmux_session"), json.text("work_dir"));
    return new Delegation(
        new TaskId(json.text("task_id")),
        json.text("caller_id"),
        new Wish(
            json.text("agent_profile"),
            json.textOrNull("provider"),
            site,
            Boolean.TRUE.equals(json.get("worktree"))),
        new Standing(
            Status.valueOf(json.text("status")),
            json.textOrNull("terminal_id"),
            json.numberOrNull("message_id"),
            branch == null ? null : new Branch(branch, json.text("base")),
            new Notice(json.textOrNull("reason"), Boolean.TRUE.equals(json.get("noticed")))),
        new Moments(Times.read(json.text("created_at")), Times.read(json.text("updated_at"))));
  }
}
