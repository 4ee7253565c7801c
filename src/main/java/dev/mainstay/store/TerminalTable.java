package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.Terminal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The terminals and workers that are known. */
public final class TerminalTable {
  /** Repeats the index's own condition, word for word, or neither database would use it. */
  private static final String IS_LIVE =
      "status IN ('STARTING', 'READY', 'BUSY', 'WAITING_FOR_PERSON', 'DONE', 'UNKNOWN')";

  private final Tx tx;

  TerminalTable(Tx tx) {
    this.tx = tx;
  }

  /** A worker that is not known yet becomes known as an external one. */
  public void ensureExternal(String id) {
    tx.sql(
            """
            INSERT INTO terminals (id, provider, created_at) VALUES (:id, :provider, :now)
            ON CONFLICT (id) DO NOTHING""")
        .bind("id", Terminal.id(id))
        .bind("provider", Terminal.EXTERNAL)
        .bind("now", tx.now())
        .about(name(id))
        .later();
  }

  /** What changes of a terminal's row, and of rows that hang on it, are about. */
  static String name(String id) {
    return "terminal " + id;
  }

  /** Says what runs there; the terminal becomes known if it was not. */
  public void put(String id, String provider, @Nullable String profile) {
    tx.sql(
            """
            INSERT INTO terminals (id, provider, agent_profile, created_at)
            VALUES (:id, :provider, :profile, :now)
            ON CONFLICT (id) DO UPDATE
              SET provider = excluded.provider, agent_profile = excluded.agent_profile""")
        .bind("id", id)
        .bind("provider", provider)
        .bind("profile", profile)
        .bind("now", tx.now())
        .update();
  }

  public Optional<Terminal> find(String id) {
    return tx.sql("SELECT * FROM terminals WHERE id = :id")
        .bind("id", id)
        .first(TerminalTable::terminal);
  }

  public Terminal get(String id) {
    return find(id).orElseThrow(() -> unknown(id));
  }

  /** The terminal, kept from changing until the end of the transaction. */
  public Terminal lock(String id) {
    return tx.sql("SELECT * FROM terminals WHERE id = :id <lock>")
        .define("lock", tx.dialect().forUpdate())
        .bind("id", id)
        .first(TerminalTable::terminal)
        .orElseThrow(() -> unknown(id));
  }

  /** In the order of their ids, from after one. */
  public List<Terminal> list(String after, int limit) {
    return tx.sql("SELECT * FROM terminals WHERE id > :after ORDER BY id LIMIT :limit")
        .bind("after", after)
        .bind("limit", limit)
        .list(TerminalTable::terminal);
  }

  /** Those with a window on a host whose program runs, as far as is known, by their ids. */
  public List<Terminal> live(String host) {
    return tx.sql("SELECT * FROM terminals WHERE host = :host AND <live> ORDER BY id")
        .define("live", IS_LIVE)
        .bind("host", host)
        .list(TerminalTable::terminal);
  }

  /** Those of all hosts that run, as far as is known, by their ids. */
  public List<Terminal> allLive(int limit) {
    return tx.sql("SELECT * FROM terminals <index> WHERE <live> ORDER BY id LIMIT :limit")
        .define("index", tx.dialect().useIndex("terminals_live"))
        .define("live", IS_LIVE)
        .bind("limit", limit)
        .list(TerminalTable::terminal);
  }

  /** Those with a window on a host that nobody ended and that are not there any more. */
  public List<Terminal> gone(String host) {
    return tx.sql(
            "SELECT * FROM terminals WHERE host = :host AND status = 'GONE' ORDER BY created_at, id")
        .bind("host", host)
        .list(TerminalTable::terminal);
  }

  /** Nobody else starts a terminal until the end of the transaction, so a count stays true. */
  public void lockSeats() {
    tx.dialect().lockAlone(tx, Dialect.SEATS_LOCK);
  }

  /** How many of all hosts run. */
  public int countLive() {
    return Math.toIntExact(
        tx.sql("SELECT count(*) AS live FROM terminals WHERE <live>")
            .define("live", IS_LIVE)
            .one(row -> row.number("live")));
  }

  /** Those of a session on a host, whether or not they run, in the order of their beginning. */
  public List<Terminal> ofSession(String host, String session) {
    return tx.sql(
            """
            SELECT * FROM terminals WHERE host = :host AND tmux_session = :session
            ORDER BY created_at, id""")
        .bind("host", host)
        .bind("session", session)
        .list(TerminalTable::terminal);
  }

  /** Says in which window it is, how it began, and how it stands; and what is still to be typed. */
  public void seat(String id, Seat seat, @Nullable String pendingInput) {
    Seat.Window window = seat.window();
    Seat.Begin begin = seat.begin();
    tx.sql(
            """
            UPDATE terminals SET host = :host, tmux_socket = :socket, tmux_session = :session,
              tmux_window = :window, work_dir = :folder, caller_id = :caller,
              conversation = :conversation, program = :program, pending_input = :pending,
              pending_tried = NULL, signal = NULL, signal_at = NULL
            WHERE id = :id""")
        .bind("host", window.host())
        .bind("socket", window.socket())
        .bind("session", window.session())
        .bind("window", window.name())
        .bind("folder", begin.folder())
        .bind("caller", begin.caller())
        .bind("conversation", begin.conversation())
        .bind("program", begin.program().isEmpty() ? null : new JsonValue(begin.program()))
        .bind("pending", pendingInput)
        .bind("id", id)
        .update();
    stands(id, seat.standing());
  }

  /** How it stands from now on. */
  public void stands(String id, Seat.Standing standing) {
    tx.sql(
            """
            UPDATE terminals SET status = :status, status_reason = :why, exit_code = :exit,
              last_active = :active, last_lines = :lines, stopped_at = :stopped
            WHERE id = :id""")
        .bind("status", standing.status())
        .bind("why", standing.why())
        .bind("exit", standing.exit())
        .bind("active", standing.lastActive())
        .bind(
            "lines",
            standing.lastLines().isEmpty() ? null : String.join("\n", standing.lastLines()))
        .bind("stopped", standing.status().isLive() ? null : tx.now())
        .bind("id", id)
        .update();
  }

  /**
   * What is to be typed once it takes input.
   *
   * @param tried whether somebody began to and did not say how it went
   */
  public record Pending(String text, boolean tried) {}

  /** What is to be typed; empty when that was done, or nothing is. */
  public Optional<Pending> pendingInput(String id) {
    return tx.sql(
            """
            SELECT pending_input, pending_tried FROM terminals
            WHERE id = :id AND pending_input IS NOT NULL""")
        .bind("id", id)
        .first(
            row -> new Pending(row.text("pending_input"), row.textOrNull("pending_tried") != null));
  }

  /** Somebody is about to type it. */
  public void tryPendingInput(String id) {
    tx.sql("UPDATE terminals SET pending_tried = :now WHERE id = :id")
        .bind("now", tx.now())
        .bind("id", id)
        .update();
  }

  /** It was typed, or never will be. */
  public void forgetPendingInput(String id) {
    tx.sql("UPDATE terminals SET pending_input = NULL, pending_tried = NULL WHERE id = :id")
        .bind("id", id)
        .update();
  }

  /** What its agent said by itself last, and when. */
  public Optional<Signal> signal(String id) {
    return tx.sql("SELECT signal, signal_at FROM terminals WHERE id = :id AND signal IS NOT NULL")
        .bind("id", id)
        .first(
            row -> new Signal(Signal.Kind.valueOf(row.text("signal")), row.instant("signal_at")));
  }

  /** What it said before something was typed to it says nothing about what it does since. */
  public void forgetSignal(String id) {
    tx.sql(
            "UPDATE terminals SET signal = NULL, signal_at = NULL WHERE id = :id AND signal IS NOT NULL")
        .bind("id", id)
        .update();
  }

  public void signal(String id, Signal.Kind kind) {
    tx.sql("UPDATE terminals SET signal = :kind, signal_at = :now WHERE id = :id")
        .bind("kind", kind)
        .bind("now", tx.now())
        .bind("id", id)
        .update();
  }

  private static Refusal unknown(String id) {
    return Refusal.notFound(
        Phrase.of(
            "there is no terminal %s; 'mainstay terminal list' shows those there are, 'mainstay terminal register' adds one",
            id));
  }

  /** Programs of their own that terminals run, by the terminals' ids. */
  public Map<String, String> programs() {
    Map<String, String> programs = new TreeMap<>();
    tx.sql("SELECT id, program FROM terminals WHERE program IS NOT NULL")
        .each(row -> programs.put(row.text("id"), row.text("program")));
    return programs;
  }

  /** Takes these programs away, and what was about to be typed. */
  public void removePrograms() {
    tx.sql("UPDATE terminals SET program = NULL, pending_input = NULL").update();
  }

  private static Terminal terminal(Row row) {
    return new Terminal(
        row.text("id"),
        row.text("provider"),
        row.textOrNull("agent_profile"),
        seat(row),
        row.instant("created_at"));
  }

  private static @Nullable Seat seat(Row row) {
    if (row.textOrNull("status") == null) return null;
    String lines = row.textOrNull("last_lines");
    Long exit = row.numberOrNull("exit_code");
    return new Seat(
        new Seat.Window(
            row.text("host"),
            row.text("tmux_socket"),
            row.text("tmux_session"),
            row.text("tmux_window")),
        new Seat.Begin(
            row.text("work_dir"),
            row.textOrNull("caller_id"),
            row.textOrNull("conversation"),
            row.jsonList("program").stream().map(String::valueOf).toList()),
        new Seat.Standing(
            Seat.Status.valueOf(row.text("status")),
            row.textOrNull("status_reason"),
            exit == null ? null : Math.toIntExact(exit),
            row.instant("last_active"),
            lines == null ? List.of() : lines.lines().toList()));
  }
}
