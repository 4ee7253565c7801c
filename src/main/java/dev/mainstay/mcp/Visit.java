package dev.mainstay.mcp;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call of somebody who is known: his session, the task it is on, and how he writes. A guest who
 * may only read has no session, as having one already renews what it holds.
 */
final class Visit {
  static final String SOURCE = "mcp";
  private static final int PART_CHARS_MAX = 32;

  private final Rooms rooms;
  private final Asking asking;
  private @Nullable AgentSession session;

  Visit(Rooms rooms, Asking asking, @Nullable AgentSession session) {
    this.rooms = rooms;
    this.asking = asking;
    this.session = session;
  }

  Asking asking() {
    return asking;
  }

  Guest guest() {
    return asking.guest();
  }

  AgentSession session() {
    if (session != null) return session;
    throw Refusal.readOnly(
        "this connection may only read; connect with a token that may write", null);
  }

  /** Who reads; his own notes name no author. */
  Actor reader() {
    return session == null ? Actor.agent(guest().agent()) : session.actor();
  }

  /** The name under which its tasks are held and its messages come. */
  Optional<String> holder() {
    return Optional.ofNullable(session).map(AgentSession::holder);
  }

  JsonObject fuse() {
    return session == null ? JsonObject.EMPTY : session.seen().fuse();
  }

  /** A call without a fence; each use case of a request is done under a key of its own. */
  Call call(String part) {
    return Call.by(session().actor(), SOURCE).as(session().holder()).withKey(key(part));
  }

  /**
   * The same about a task: with the fence of the session if it is the one it works on. A helper was
   * named for one lease, so it writes under the fence of that.
   */
  Call callFor(TaskId task, String part) {
    Call call = session().fencedFor(task, call(part));
    if (call.fence() != null) return call;
    Task now = rooms.tasks().show(task);
    boolean helps =
        now.lease().filter(lease -> lease.helpers().stream().anyMatch(call::isBy)).isPresent();
    return helps ? call.withFence(now.fence()) : call;
  }

  /** The same in the name by which others can answer. */
  Call callAsHolder(String part) {
    return Call.by(Actor.agent(session().holder()), SOURCE).withKey(key(part));
  }

  private @Nullable String key(String part) {
    String key = asking.key();
    if (key == null) return null;
    boolean plain = key.length() <= Call.KEY_CHARS_MAX - PART_CHARS_MAX;
    return (plain ? key : JournalEntry.sha256(key)) + "/" + part;
  }

  /** The task on which the session works, ended or not. */
  Optional<Task> bound() {
    return Optional.ofNullable(session)
        .map(AgentSession::bond)
        .map(bond -> rooms.tasks().show(bond.task()));
  }

  /** The task on which the session works, as long as it has not ended. */
  Optional<Task> current() {
    return bound().filter(task -> !task.status().isEnded());
  }

  /** Refuses somebody whose task was given to another behind his back: he may still work on it. */
  void mustNotBeReplaced() {
    Optional<Task> last = session().lastTask().map(rooms.tasks()::show);
    if (last.isEmpty() || last.get().lease().isEmpty() || holds(last.get())) return;
    throw Refusal.leaseLost(
        Phrase.of(
            "lease lost: %s, which you worked on, is held by %s now; nothing was written: next_task gives you another",
            last.get().id(), last.get().lease().orElseThrow().holder()));
  }

  /** Whether the task is held by this caller. */
  boolean holds(Task task) {
    return task.lease()
        .map(Lease::holder)
        .filter(each -> holder().filter(each::equals).isPresent())
        .isPresent();
  }

  /** The task that is named, or else the current one. */
  TaskId task(JsonObject arguments) {
    String named = arguments.textOrNull("task");
    if (named != null) return rooms.tasks().resolve(named);
    return current().map(Task::id).orElseThrow(this::none);
  }

  private Refusal none() {
    if (session == null) {
      return Refusal.invalid("this connection may only read and has no task of its own; name one");
    }
    return Refusal.conflict(
        "you work on no task now; next_task gives you one, create_task makes one");
  }

  /** Begins to work on a task. */
  void work(TaskId task, String part) {
    session = rooms.sessions().work(session().id(), task, call(part));
  }
}
