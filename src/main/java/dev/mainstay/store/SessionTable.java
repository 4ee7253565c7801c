package dev.mainstay.store;

import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.AgentSession.Seen;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import java.util.List;
import java.util.Optional;

/** The sessions of agents. All of it is local: who sits where is no part of a task's history. */
public final class SessionTable {
  /** A terminal that is not ours, or no longer, is none. */
  private static final String KNOWN_TERMINAL = "(SELECT id FROM terminals WHERE id = :terminal)";

  private static final int LOOKED_AT_MAX = 50;

  private final Tx tx;

  SessionTable(Tx tx) {
    this.tx = tx;
  }

  public void insert(AgentSession session) {
    values(
            tx.sql(
                """
                INSERT INTO agent_sessions (id, host_session_id, agent, terminal_id, worktree, branch,
                  task_id, fence, repeat_fuse, started_at, last_seen)
                VALUES (:id, :host_session, :agent, <terminal>, :worktree, :branch,
                  :task, :fence, :fuse, :started_at, :last_seen)"""),
            session)
        .bind("host_session", session.host().sessionId())
        .bind("agent", session.host().agent())
        .bind("started_at", session.seen().startedAt())
        .update();
  }

  /** Whoever works on the task begins to count repetitions anew. */
  void forgetRepeats(TaskId task) {
    for (AgentSession session : on(task)) {
      seen(session.seen(session.seen().lastSeen(), JsonObject.EMPTY));
    }
  }

  /**
   * A session was seen at its task: what it remembers is noted, unless it was put onto another task
   * meanwhile.
   */
  public void seen(AgentSession session) {
    Bond bond = session.bond();
    tx.sql(
            """
            UPDATE agent_sessions SET fence = :fence, repeat_fuse = :fuse, last_seen = :last_seen
            WHERE id = :id AND COALESCE(task_id, '') = :task""")
        .bind("fence", bond == null ? null : bond.fence())
        .bind("fuse", session.seen().fuse())
        .bind("last_seen", session.seen().lastSeen())
        .bind("id", session.id())
        .bind("task", bond == null ? "" : bond.task().value())
        .update();
  }

  public void update(AgentSession session) {
    values(
            tx.sql(
                """
                UPDATE agent_sessions SET terminal_id = <terminal>, worktree = :worktree,
                  branch = :branch, task_id = :task, fence = :fence, repeat_fuse = :fuse,
                  last_seen = :last_seen
                WHERE id = :id"""),
            session)
        .update();
  }

  /**
   * Puts every session that shares this one's holder onto its task: an agent is in one place
   * through several doors at once, and works on one thing.
   */
  public void joinAll(AgentSession session) {
    for (AgentSession other : beside(session)) {
      update(other.bound(session.bond()).seen(other.seen().lastSeen(), JsonObject.EMPTY));
    }
  }

  /** Those that share this one's holder, last seen first. */
  public List<AgentSession> beside(AgentSession session) {
    return tx.sql(
            """
            SELECT * FROM agent_sessions
            WHERE agent = :agent AND worktree = :worktree AND branch = :branch
              AND COALESCE(terminal_id, '') = :terminal AND id <> :id
            ORDER BY last_seen DESC, id""")
        .bind("agent", session.host().agent())
        .bind("worktree", session.place().worktree())
        .bind("branch", session.place().branch())
        .bind("terminal", session.host().terminal() == null ? "" : session.host().terminal())
        .bind("id", session.id())
        .list(SessionTable::session);
  }

  /** Nobody works on the task any longer, or the next sign of life would take it again. */
  public void leaveAll(TaskId task) {
    for (AgentSession session : on(task)) update(session.left());
  }

  private List<AgentSession> on(TaskId task) {
    return tx.sql("SELECT * FROM agent_sessions WHERE task_id = :task")
        .bind("task", task)
        .list(SessionTable::session);
  }

  private static Sql values(Sql sql, AgentSession session) {
    Bond bond = session.bond();
    return sql.define("terminal", KNOWN_TERMINAL)
        .bind("id", session.id())
        .bind("terminal", session.host().terminal())
        .bind("worktree", session.place().worktree())
        .bind("branch", session.place().branch())
        .bind("task", bond == null ? null : bond.task())
        .bind("fence", bond == null ? null : bond.fence())
        .bind("fuse", session.seen().fuse())
        .bind("last_seen", session.seen().lastSeen());
  }

  public AgentSession get(String id) {
    return tx.sql("SELECT * FROM agent_sessions WHERE id = :id")
        .bind("id", id)
        .first(SessionTable::session)
        .orElseThrow(() -> Refusal.notFound("there is no session " + id + "; open it first"));
  }

  public Optional<AgentSession> find(Host host) {
    return tx.sql(
            """
            SELECT * FROM agent_sessions
            WHERE agent = :agent AND host_session_id = :host_session""")
        .bind("agent", host.agent())
        .bind("host_session", host.sessionId())
        .first(SessionTable::session);
  }

  /**
   * The last seen session of an agent in a place that works on a task which has not ended; what is
   * done in one of our terminals is that terminal's.
   */
  public Optional<AgentSession> working(String agent, Place place) {
    return tx.sql(
            """
            SELECT s.* FROM agent_sessions s JOIN tasks t ON t.id = s.task_id
            WHERE s.agent = :agent AND s.worktree = :worktree AND s.branch = :branch
              AND s.terminal_id IS NULL AND t.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS')
            ORDER BY s.last_seen DESC, t.seq DESC LIMIT 1""")
        .bind("agent", agent)
        .bind("worktree", place.worktree())
        .bind("branch", place.branch())
        .first(SessionTable::session);
  }

  /**
   * What an agent worked on last in a worktree, on whichever branch, whether it has ended or was
   * given back or not.
   */
  public Optional<TaskId> lastTask(String agent, String worktree) {
    return in(agent, worktree).stream().flatMap(session -> session.lastTask().stream()).findFirst();
  }

  /** The sessions of an agent in a worktree that were seen last, newest first. */
  public List<AgentSession> in(String agent, String worktree) {
    return tx.sql(
            """
            SELECT * FROM agent_sessions WHERE agent = :agent AND worktree = :worktree
            ORDER BY last_seen DESC, id LIMIT :limit""")
        .bind("agent", agent)
        .bind("worktree", worktree)
        .bind("limit", LOOKED_AT_MAX)
        .list(SessionTable::session);
  }

  /** The last seen session that works on a task. */
  public Optional<AgentSession> newestOn(TaskId task) {
    return tx.sql(
            """
            SELECT * FROM agent_sessions WHERE task_id = :task
            ORDER BY last_seen DESC, id LIMIT 1""")
        .bind("task", task)
        .first(SessionTable::session);
  }

  /** Lets one caller at a time open sessions of an agent, or two would open a task each. */
  public void lockOpening() {
    tx.dialect().lockAlone(tx, Dialect.SESSIONS_LOCK);
  }

  private static AgentSession session(Row row) {
    String task = row.textOrNull("task_id");
    Long fence = row.textOrNull("fence") == null ? null : Long.valueOf(row.number("fence"));
    return new AgentSession(
        row.text("id"),
        new Host(row.text("agent"), row.text("host_session_id"), row.textOrNull("terminal_id")),
        new Place(row.text("worktree"), row.text("branch")),
        task == null ? null : new Bond(new TaskId(task), fence),
        new Seen(row.instant("started_at"), row.instant("last_seen"), row.json("repeat_fuse")));
  }
}
