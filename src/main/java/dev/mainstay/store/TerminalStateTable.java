package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.domain.TerminalState.Stamps;
import dev.mainstay.domain.TerminalState.Told;
import java.util.Optional;

/** What terminals were told and where they stand. */
public final class TerminalStateTable {
  private final Tx tx;

  TerminalStateTable(Tx tx) {
    this.tx = tx;
  }

  public Optional<TerminalState> find(String terminal) {
    return tx.sql("SELECT * FROM terminal_states WHERE terminal_id = :terminal")
        .bind("terminal", terminal)
        .first(TerminalStateTable::state);
  }

  /** The state of a terminal that is there, whether or not anything was said about it. */
  public TerminalState of(Terminal terminal) {
    return find(terminal.id()).orElse(TerminalState.none(terminal.id(), terminal.since()));
  }

  /** Keeps a state of a terminal that is locked. */
  public void put(TerminalState state) {
    JsonObject checkpoint = state.lastCheckpoint();
    tx.sql(
            """
            INSERT INTO terminal_states (terminal_id, context_data, variables, initial_prompt,
              last_checkpoint, version, created_at, updated_at)
            VALUES (:terminal, :context, :variables, :prompt, :checkpoint, :version, :created,
              :updated)
            ON CONFLICT (terminal_id) DO UPDATE SET context_data = excluded.context_data,
              variables = excluded.variables, initial_prompt = excluded.initial_prompt,
              last_checkpoint = excluded.last_checkpoint, version = excluded.version,
              updated_at = excluded.updated_at""")
        .bind("terminal", state.terminal())
        .bind("context", state.told().context())
        .bind("variables", state.told().variables())
        .bind("prompt", state.told().initialPrompt())
        .bind("checkpoint", checkpoint)
        .bind("version", state.stamps().version())
        .bind("created", state.stamps().createdAt())
        .bind("updated", state.stamps().updatedAt())
        .update();
  }

  /**
   * Notes where a terminal that is known stands, in one statement, at the end of a task; {@link
   * TerminalState#ended} makes such a note.
   */
  public void checkpointed(String terminal, JsonObject checkpoint) {
    tx.sql(
            """
            INSERT INTO terminal_states (terminal_id, last_checkpoint, version, created_at,
              updated_at)
            VALUES (:terminal, :checkpoint, 1, :now, :now)
            ON CONFLICT (terminal_id) DO UPDATE SET last_checkpoint = excluded.last_checkpoint,
              version = terminal_states.version + 1, updated_at = excluded.updated_at""")
        .bind("terminal", terminal)
        .bind("checkpoint", TerminalState.stamped(checkpoint, tx.now()))
        .bind("now", tx.now())
        .about(TerminalTable.name(terminal))
        .later();
  }

  private static TerminalState state(Row row) {
    return new TerminalState(
        row.text("terminal_id"),
        new Told(row.json("context_data"), row.json("variables"), row.textOrNull("initial_prompt")),
        row.textOrNull("last_checkpoint") == null ? null : row.json("last_checkpoint"),
        new Stamps(row.number("version"), row.instant("created_at"), row.instant("updated_at")));
  }
}
