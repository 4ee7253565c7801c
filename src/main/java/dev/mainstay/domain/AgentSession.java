package dev.mainstay.domain;

import java.time.Instant;
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
  }

  /** The task it works on, and the fence under which it may write, if it holds the task. */
  public record Bond(TaskId task, @Nullable Long fence) {}

  /** When it was seen first and last, and what its repeat fuse keeps. */
  public record Seen(Instant startedAt, Instant lastSeen, JsonObject fuse) {}

  /** The name under which sessions of one agent in one place hold their task together. */
  public String holder() {
    String where = JournalEntry.sha256(place.worktree() + "\n" + place.branch()).substring(0, 8);
    return Graphemes.cut(host.agent(), Actor.NAME_CHARS_MAX - where.length() - 1) + "@" + where;
  }

  public AgentSession bound(@Nullable Bond newBond) {
    return new AgentSession(id, host, place, newBond, seen);
  }

  public AgentSession seen(Instant at, JsonObject fuse) {
    return new AgentSession(id, host, place, bond, new Seen(seen.startedAt(), at, fuse));
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
