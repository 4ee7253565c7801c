package dev.mainstay.terminal;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalState.Told;
import org.jspecify.annotations.Nullable;

/**
 * A terminal to be made known, and what it is told to begin with: {@code context_data}, {@code
 * variables} and {@code initial_prompt}, each if it is given.
 */
public record NewTerminal(String id, String provider, @Nullable String profile, JsonObject told) {
  public NewTerminal {
    id = Terminal.id(id);
    provider = Terminal.provider(provider);
    profile = Terminal.profile(profile);
    told = Redactor.DEFAULT.redactObject(told);
    Told.NOTHING.with(told);
  }

  /** A worker that Mainstay does not start itself. */
  public static NewTerminal external(String id) {
    return new NewTerminal(id, Terminal.EXTERNAL, null, JsonObject.EMPTY);
  }

  public NewTerminal told(JsonObject newTold) {
    return new NewTerminal(id, provider, profile, newTold);
  }

  JsonObject toJson() {
    return JsonObject.of("id", id, "provider", provider, "profile", profile, "told", told);
  }
}
