package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Terminal.Window;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The terminals and workers that are known. */
public final class TerminalTable {
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
        .later();
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

  private static Refusal unknown(String id) {
    return Refusal.notFound(
        Phrase.of("there is no terminal %s; 'mainstay terminal list' shows those there are", id));
  }

  private static Terminal terminal(Row row) {
    String session = row.textOrNull("tmux_session");
    String window = row.textOrNull("tmux_window");
    return new Terminal(
        row.text("id"),
        row.text("provider"),
        row.textOrNull("agent_profile"),
        session == null || window == null ? null : new Window(session, window),
        row.instant("created_at"));
  }
}
