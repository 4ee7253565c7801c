package dev.mainstay.terminal;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.TerminalState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The agents that can be started: the project's, then the user's, then the built-in ones. */
public final class Profiles {
  private final Shelf<AgentProfile> shelf;

  public Profiles(Places places) {
    this.shelf = new Shelf<>(places, new ProfileText());
  }

  /** Every profile there is, also those that are hidden by another or cannot be read. */
  public List<Listed<AgentProfile>> list() {
    return shelf.list();
  }

  /** The profile that this name means; an unknown one is refused with the nearest. */
  public AgentProfile get(String name) {
    return shelf.read(shelf.find(name));
  }

  /** Where the profile comes from that this name means. */
  public Listed.Source source(String name) {
    return shelf.find(name);
  }

  /**
   * What an agent is told to begin with, its variables filled in: the terminal's own prompt if the
   * store has one, else the profile's; none if there is neither.
   */
  public static Optional<String> initialPrompt(
      AgentProfile profile, Optional<TerminalState> state) {
    TerminalState told =
        state.orElseGet(() -> TerminalState.none("profile " + profile.name(), Instant.EPOCH));
    return Optional.ofNullable(told.prompt(profile.prompts().initial()));
  }
}
