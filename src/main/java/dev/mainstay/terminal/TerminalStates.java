package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalEvent;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.domain.TerminalState.Told;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a terminal was told, where it stands, and the prompt it begins with. */
public final class TerminalStates {
  private final Store store;

  public TerminalStates(Store store) {
    this.store = store;
  }

  public TerminalState show(String id) {
    return store.reading(tx -> tx.terminalStates().of(tx.terminals().get(id)));
  }

  /**
   * Changes fields of a state: {@code context_data}, {@code variables}, {@code initial_prompt}.
   * Each that is given takes the place of what was there, and null clears it. With an expected
   * version, somebody else's change in between is a conflict.
   */
  public TerminalState update(
      String id, JsonObject changes, @Nullable Long expectedVersion, Call call) {
    JsonObject asked = Redactor.DEFAULT.redactObject(changes);
    if (asked.isEmpty()) {
      throw Refusal.invalid("nothing to change; give context_data, variables or initial_prompt");
    }
    JsonObject request = JsonObject.of("id", id, "version", expectedVersion).with("changes", asked);
    return store.inTransaction(
        once(call, "terminal.update", request),
        tx -> {
          TerminalState state = tx.terminalStates().of(tx.terminals().lock(id));
          Actor registrar = Terminals.registrar(tx, id).orElse(null);
          state.refuseUnlessMayChange(call.actor(), registrar, asked.has("initial_prompt"));
          state.expectVersion(expectedVersion);
          Told next = state.told().with(asked);
          if (next.equals(state.told())) return state;
          TerminalState changed = state.told(next, tx.now());
          tx.terminalStates().put(changed);
          var event = new TerminalEvent.StateChanged(asked);
          tx.journal().append(Terminal.stream(id), call, List.of(event));
          return changed;
        });
  }

  /** Notes where the terminal stands, before something risky; the last such note is kept. */
  public TerminalState checkpoint(String id, JsonObject status, Call call) {
    JsonObject asked = Redactor.DEFAULT.redactObject(status);
    return store.inTransaction(
        once(call, "terminal.checkpoint", JsonObject.of("id", id, "status", asked)),
        tx -> {
          TerminalState state = tx.terminalStates().of(tx.terminals().lock(id));
          Actor registrar = Terminals.registrar(tx, id).orElse(null);
          state.refuseUnlessMayChange(call.actor(), registrar, false);
          TerminalState noted = state.checkpointed(asked, tx.now());
          tx.terminalStates().put(noted);
          var event = new TerminalEvent.Checkpointed(asked);
          tx.journal().append(Terminal.stream(id), call, List.of(event));
          return noted;
        });
  }

  /**
   * The prompt the terminal begins with: the one the store has for it, else its profile's, with the
   * variables filled in; null when there is neither.
   */
  public @Nullable String promptFor(String id, @Nullable String profilePrompt) {
    return show(id).prompt(profilePrompt);
  }

  private static Once<TerminalState> once(Call call, String useCase, JsonObject request) {
    return Once.of(call, useCase, request, TerminalState::toJson, TerminalState::fromJson);
  }
}
