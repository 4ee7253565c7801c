package dev.mainstay.store;

import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Branch;
import dev.mainstay.domain.Delegation.Moments;
import dev.mainstay.domain.Delegation.Notice;
import dev.mainstay.domain.Delegation.Site;
import dev.mainstay.domain.Delegation.Standing;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.Delegation.Wish;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tasks that are wanted done by agents of a profile. At most one of them is for each task. */
public final class DelegationTable {
  /** Repeats the index's own condition, word for word, or neither database would use it. */
  private static final String IS_OPEN = "d.status IN ('WAITING', 'GIVEN')";

  private static final String OF_HOST =
      "SELECT d.* FROM delegations d JOIN tasks t ON t.id = d.task_id WHERE d.host = :host AND ";

  /** Most urgent first, then oldest. */
  private static final String IN_ORDER =
      " ORDER BY t.priority DESC, d.created_at, t.seq LIMIT :limit";

  private final Tx tx;

  DelegationTable(Tx tx) {
    this.tx = tx;
  }

  /** Keeps a wish for a task that has none, or whose last one was reported. */
  public void put(Delegation delegation) {
    Wish wish = delegation.wish();
    tx.sql(
            """
            INSERT INTO delegations (task_id, caller_id, agent_profile, provider, tmux_session,
              host, work_dir, worktree, status, created_at, updated_at)
            VALUES (:task, :caller, :profile, :provider, :session, :host, :folder, :worktree,
              :status, :created, :updated)
            ON CONFLICT (task_id) DO UPDATE SET caller_id = excluded.caller_id,
              agent_profile = excluded.agent_profile, provider = excluded.provider,
              tmux_session = excluded.tmux_session, host = excluded.host,
              work_dir = excluded.work_dir, worktree = excluded.worktree, branch = NULL,
              base = NULL, status = excluded.status, terminal_id = NULL, message_id = NULL,
              reason = NULL, noticed = 0, started = 0, taken_until = NULL, delayed_until = NULL,
              created_at = excluded.created_at, updated_at = excluded.updated_at""")
        .bind("task", delegation.task())
        .bind("caller", delegation.caller())
        .bind("profile", wish.profile())
        .bind("provider", wish.provider())
        .bind("session", wish.site().session())
        .bind("host", wish.site().host())
        .bind("folder", wish.site().folder())
        .bind("worktree", wish.worktree() ? 1 : 0)
        .bind("status", delegation.status())
        .bind("created", delegation.moments().createdAt())
        .bind("updated", delegation.moments().updatedAt())
        .update();
  }

  public Optional<Delegation> find(TaskId task) {
    return tx.sql("SELECT * FROM delegations WHERE task_id = :task")
        .bind("task", task)
        .first(DelegationTable::delegation);
  }

  public Delegation get(TaskId task) {
    return find(task).orElseThrow(() -> unknown(task));
  }

  /** The delegation, kept from changing until the end of the transaction. */
  public Delegation lock(TaskId task) {
    return tx.sql("SELECT * FROM delegations WHERE task_id = :task <lock>")
        .define("lock", tx.dialect().forUpdate())
        .bind("task", task)
        .first(DelegationTable::delegation)
        .orElseThrow(() -> unknown(task));
  }

  private static Refusal unknown(TaskId task) {
    return Refusal.notFound(
        Phrase.of("%s is not delegated; 'mainstay delegate list' shows what is", task));
  }

  /** In the order of their tasks, from after a number; open ones alone, or all. */
  public List<Delegation> list(boolean openOnly, long after, int limit) {
    return tx.sql(
            """
            SELECT d.* FROM delegations d JOIN tasks t ON t.id = d.task_id
            WHERE t.seq > :after <open> ORDER BY t.seq LIMIT :limit""")
        .define("open", openOnly ? "AND " + IS_OPEN : "")
        .bind("after", after)
        .bind("limit", limit)
        .list(DelegationTable::delegation);
  }

  /** Whether anything is open on a host, which one look at an index answers. */
  public boolean isAnyOpen(String host) {
    return tx.sql("SELECT d.task_id FROM delegations d WHERE d.host = :host AND <open> LIMIT 1")
        .define("open", IS_OPEN)
        .bind("host", host)
        .first(row -> row.text("task_id"))
        .isPresent();
  }

  /** Open ones whose task has ended. */
  public List<Delegation> ended(String host, int limit) {
    return ofHost(IS_OPEN + " AND t.status IN ('COMPLETED', 'FAILED', 'CANCELLED')", host, limit);
  }

  /** Given ones whose task nobody has any more. */
  public List<Delegation> givenBack(String host, int limit) {
    return ofHost(IS_OPEN + " AND d.status = 'GIVEN' AND t.status = 'PENDING'", host, limit);
  }

  /** Given ones whose task somebody has. */
  public List<Delegation> held(String host, int limit) {
    return ofHost(
        IS_OPEN + " AND d.status = 'GIVEN' AND t.status IN ('ASSIGNED', 'IN_PROGRESS')",
        host,
        limit);
  }

  /** Waiting ones whose task can be begun, and for which nobody is just starting a terminal. */
  public List<Delegation> ready(String host, int limit) {
    return ofHost(
        IS_OPEN
            + " AND d.status = 'WAITING' AND t.status = 'PENDING' AND t.unmet_dependencies = 0"
            + " AND t.open_children = 0 AND t.delayed_until IS NULL AND t.over_budget = 0"
            + " AND (d.taken_until IS NULL OR d.taken_until <= :now)"
            + " AND (d.delayed_until IS NULL OR d.delayed_until <= :now)",
        host,
        limit);
  }

  private List<Delegation> ofHost(String condition, String host, int limit) {
    return tx.sql(OF_HOST + condition + IN_ORDER)
        .bind("host", host)
        .bind("now", tx.now())
        .bind("limit", limit)
        .list(DelegationTable::delegation);
  }

  /** Whether a terminal was given something that is not reported yet. */
  public boolean isGiven(String terminal) {
    return tx.sql(
            """
            SELECT task_id FROM delegations
            WHERE terminal_id = :terminal AND status = 'GIVEN' LIMIT 1""")
        .bind("terminal", terminal)
        .first(row -> row.text("task_id"))
        .isPresent();
  }

  /** For how many a terminal is being started, on all hosts. */
  public int countTaken() {
    return Math.toIntExact(
        tx.sql(
                """
                SELECT count(*) AS taken FROM delegations
                WHERE status = 'WAITING' AND taken_until > :now""")
            .bind("now", tx.now())
            .one(row -> row.number("taken")));
  }

  /** Until when somebody starts a terminal for one that is locked; a later moment is no more. */
  public Optional<Instant> takenUntil(TaskId task) {
    return tx.sql(
            "SELECT taken_until FROM delegations WHERE task_id = :task AND taken_until > :now")
        .bind("task", task)
        .bind("now", tx.now())
        .first(row -> row.instant("taken_until"));
  }

  /** Somebody starts a terminal for it until then, or nobody does (null). */
  public void take(TaskId task, @Nullable Instant until) {
    tx.sql("UPDATE delegations SET taken_until = :until WHERE task_id = :task")
        .bind("until", until)
        .bind("task", task)
        .update();
  }

  /** Nobody starts a terminal for it before then. */
  public void delay(TaskId task, Instant until) {
    tx.sql(
            """
            UPDATE delegations SET taken_until = NULL, delayed_until = :until
            WHERE task_id = :task""")
        .bind("until", until)
        .bind("task", task)
        .update();
  }

  /** Whether the terminal it was given to was started for it. */
  public void started(TaskId task, boolean forIt) {
    tx.sql("UPDATE delegations SET started = :started, taken_until = NULL WHERE task_id = :task")
        .bind("started", forIt ? 1 : 0)
        .bind("task", task)
        .update();
  }

  /**
   * The terminal of a host that has been idle for longest, since before a moment, among those that
   * were started for what is reported by now: it has nothing in its hands and nothing to read.
   */
  public Optional<String> dispensable(String host, Instant before) {
    return tx.sql(
            """
            SELECT t.id FROM terminals t
            WHERE t.host = :host AND t.status IN ('READY', 'DONE') AND t.last_active <= :before
              AND EXISTS (SELECT 1 FROM delegations d WHERE d.terminal_id = t.id
                AND d.started = 1 AND d.status = 'REPORTED')
              AND NOT EXISTS (SELECT 1 FROM delegations d WHERE d.terminal_id = t.id
                AND d.status = 'GIVEN')
              AND NOT EXISTS (SELECT 1 FROM task_assignments a WHERE a.terminal_id = t.id
                AND a.status IN ('ASSIGNED', 'ACCEPTED', 'IN_PROGRESS'))
              AND NOT EXISTS (SELECT 1 FROM inbox m WHERE m.receiver_id = t.id
                AND m.status IN ('PENDING', 'DELIVERING'))
            ORDER BY t.last_active, t.id LIMIT 1""")
        .bind("host", host)
        .bind("before", before)
        .first(row -> row.text("id"));
  }

  /** Writes down where a locked one stands now. */
  public void moved(Delegation delegation) {
    Standing standing = delegation.standing();
    Branch branch = standing.branch();
    tx.sql(
            """
            UPDATE delegations SET status = :status, terminal_id = :terminal,
              message_id = :message, branch = :branch, base = :base, reason = :reason,
              noticed = :noticed, updated_at = :updated
            WHERE task_id = :task""")
        .bind("status", standing.status())
        .bind("terminal", standing.terminal())
        .bind("message", standing.message())
        .bind("branch", branch == null ? null : branch.name())
        .bind("base", branch == null ? null : branch.base())
        .bind("reason", standing.notice().reason())
        .bind("noticed", standing.notice().told() ? 1 : 0)
        .bind("updated", delegation.moments().updatedAt())
        .bind("task", delegation.task())
        .update();
  }

  private static Delegation delegation(Row row) {
    String branch = row.textOrNull("branch");
    return new Delegation(
        new TaskId(row.text("task_id")),
        row.text("caller_id"),
        new Wish(
            row.text("agent_profile"),
            row.textOrNull("provider"),
            new Site(row.text("host"), row.text("tmux_session"), row.text("work_dir")),
            row.number("worktree") == 1),
        new Standing(
            Status.valueOf(row.text("status")),
            row.textOrNull("terminal_id"),
            row.numberOrNull("message_id"),
            branch == null ? null : new Branch(branch, row.text("base")),
            new Notice(row.textOrNull("reason"), row.number("noticed") == 1)),
        new Moments(row.instant("created_at"), row.instant("updated_at")));
  }
}
