package dev.mainstay.domain;

import java.time.Duration;
import java.util.Map;

/** How an agent's program is started, spoken to and judged, as data. */
public record Provider(
    String name,
    ProviderCommand command,
    Map<String, String> environment,
    ScreenSigns signs,
    Manners manners) {

  /** The one that runs any program. */
  public static final String ANY = "shell";

  /** The provider of a profile that names none, where none was asked for. */
  public static final String DEFAULT = "claude-code";

  /**
   * How it wants to be treated: what is typed to make it leave, how long its screen must stand
   * still before it says anything, how long after a paste it takes Enter, and whether it can tell
   * what is pasted from what is typed. One that cannot might run what others say to it, so nothing
   * they say is typed into it.
   */
  public record Manners(
      String exitCommand, Duration settle, Duration enterAfter, boolean bracketsPastes) {
    public static final int EXIT_CHARS_MAX = 200;
    public static final Duration WAIT_MAX = Duration.ofSeconds(30);

    public Manners {
      exitCommand = Text.line("an exit command", exitCommand, EXIT_CHARS_MAX);
      bounded("settle", settle);
      bounded("enter_after", enterAfter);
    }

    private static void bounded(String what, Duration wait) {
      if (!wait.isNegative() && wait.compareTo(WAIT_MAX) <= 0) return;
      throw Refusal.invalid(Phrase.of("%s lies between 0ms and %ds", what, WAIT_MAX.toSeconds()));
    }
  }

  public Provider {
    name = AgentProfile.name("a provider's name", name);
    environment = McpServer.environment("a provider's environment", environment);
  }
}
