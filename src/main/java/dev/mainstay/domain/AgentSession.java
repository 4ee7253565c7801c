package dev.mainstay.domain;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One sitting of an agent: which one, where, on which task, and since when it was seen. */
public record AgentSession(String id, Host host, Place place, @Nullable Bond bond, Seen seen) {
  public static final int HOST_SESSION_CHARS_MAX = 200;
  public static final int PLACE_CHARS_MAX = 4_096;

  /** The agent, the name that it gives its session, and the terminal it sits in, if it is ours. */
  public record Host(String agent, String sessionId, @Nullable String terminal) {
    public Host {
      agent = Text.line("an agent's name", agent, Actor.NAME_CHARS_MAX);
      sessionId = Text.line("an agent's session id", sessionId, HOST_SESSION_CHARS_MAX);
    }
  }

  /** Where it works; the branch may be empty. */
  public record Place(String worktree, String branch) {
    public Place {
      worktree = Text.line("a worktree", worktree, PLACE_CHARS_MAX);
      branch = Text.body("a branch", branch, PLACE_CHARS_MAX).strip();
    }

    // The JVM makes those of a record when they are first called, and each hook would wait for it.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Place place
          && worktree.equals(place.worktree)
          && branch.equals(place.branch);
    }

    @Override
    public int hashCode() {
      return 31 * worktree.hashCode() + branch.hashCode();
    }
  }

  /** The task it works on, and the fence under which it may write, if it holds the task. */
  public record Bond(TaskId task, @Nullable Long fence) {}

  /**
   * When it was seen first and last, and what its repeat fuse keeps; beside the fuse lies what its
   * hooks remember.
   */
  public record Seen(Instant startedAt, Instant lastSeen, JsonObject fuse) {
    private static final String MEMORY = "hooks";
    private static final String LEFT = "left";
    private static final String ENDED = "ended";
  }

  /**
   * The name under which it holds its task: the terminal's, or else one that all sessions of an
   * agent in a place share.
   */
  public String holder() {
    if (host.terminal() != null) return host.terminal();
    String where = JournalEntry.sha256(place.worktree() + "\n" + place.branch()).substring(0, 8);
    return Graphemes.cut(host.agent(), Actor.NAME_CHARS_MAX - where.length() - 1) + "@" + where;
  }

  /** Who writes what this session writes. */
  public Actor actor() {
    return Actor.agent(host.terminal() == null ? host.agent() : host.terminal());
  }

  /**
   * The call in the name under which this session holds its tasks, and under the fence of the task
   * it works on unless it has one. Persons need neither; after its end a session gives neither.
   */
  public Call fenced(Call call) {
    if (!call.actor().isAgent() || hasEnded()) return call;
    Call own = call.as(holder());
    return bond == null || own.fence() != null ? own : own.withFence(bond.fence());
  }

  /** The call about a task: under the fence of this session if it works on that task. */
  public Call fencedFor(TaskId task, Call call) {
    boolean works = bond != null && bond.task().equals(task);
    return works ? fenced(call) : bound(null).fenced(call);
  }

  public AgentSession bound(@Nullable Bond newBond) {
    return new AgentSession(id, host, place, newBond, seen);
  }

  /** Seen alive, with another fuse; what its hooks remember stays. */
  public AgentSession seen(Instant at, JsonObject fuse) {
    JsonObject kept =
        fuse.with(Seen.MEMORY, seen.fuse().get(Seen.MEMORY))
            .with(Seen.LEFT, seen.fuse().get(Seen.LEFT))
            .with(Seen.ENDED, seen.fuse().get(Seen.ENDED));
    return new AgentSession(id, host, place, bond, new Seen(seen.startedAt(), at, kept));
  }

  /** The same without its task, which it still knows as the last one. */
  public AgentSession left() {
    if (bond == null) return this;
    JsonObject fuse = seen.fuse().with(Seen.LEFT, bond.task().value());
    Seen now = new Seen(seen.startedAt(), seen.lastSeen(), fuse);
    return new AgentSession(id, host, place, null, now);
  }

  /** Whether its host said that it is over; its shell and sub-agents write no more then. */
  public boolean hasEnded() {
    return Boolean.TRUE.equals(seen.fuse().get(Seen.ENDED));
  }

  /** The same, over or taken up again. */
  public AgentSession ended(boolean over) {
    JsonObject fuse = seen.fuse().with(Seen.ENDED, over);
    return new AgentSession(
        id, host, place, bond, new Seen(seen.startedAt(), seen.lastSeen(), fuse));
  }

  /** What it works on, or else what it worked on last before that was given back. */
  public Optional<TaskId> lastTask() {
    if (bond != null) return Optional.of(bond.task());
    return Optional.ofNullable(seen.fuse().textOrNull(Seen.LEFT)).map(TaskId::new);
  }

  /** What the hooks of this session remember from one event to the next. */
  public JsonObject memory() {
    return seen.fuse().object(Seen.MEMORY);
  }

  public AgentSession remembering(JsonObject memory) {
    JsonObject fuse = seen.fuse().with(Seen.MEMORY, memory);
    Seen now = new Seen(seen.startedAt(), seen.lastSeen(), fuse);
    return new AgentSession(id, host, place, bond, now);
  }

  public JsonObject toJson() {
    return JsonObject.of(
            "id",
            id,
            "agent",
            host.agent(),
            "host_session_id",
            host.sessionId(),
            "terminal_id",
            host.terminal())
        .with("worktree", place.worktree())
        .with("branch", place.branch())
        .with("task_id", bond == null ? null : bond.task().value())
        .with("fence", bond == null ? null : bond.fence())
        .with("started_at", seen.startedAt())
        .with("last_seen", seen.lastSeen())
        .with("repeat_fuse", seen.fuse());
  }

  public static AgentSession fromJson(JsonObject json) {
    String task = json.textOrNull("task_id");
    return new AgentSession(
        json.text("id"),
        new Host(json.text("agent"), json.text("host_session_id"), json.textOrNull("terminal_id")),
        new Place(json.text("worktree"), json.text("branch")),
        task == null ? null : new Bond(new TaskId(task), json.numberOrNull("fence")),
        new Seen(
            Times.read(json.text("started_at")),
            Times.read(json.text("last_seen")),
            json.object("repeat_fuse")));
  }
}
