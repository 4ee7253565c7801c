package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A window that is wanted: what runs in it, in which folder, and what is added to its environment.
 */
public record PaneOrder(
    String session,
    String window,
    List<String> argv,
    Path folder,
    Map<String, String> environment) {
  public static final int ARGUMENTS_MAX = 1_000;

  public PaneOrder {
    TmuxNames.check("session", session);
    TmuxNames.check("window", window);
    if (session.equals(TmuxServer.CONTROL_SESSION)) {
      throw Refusal.invalid(session + " is Mainstay's own session; choose another name");
    }
    argv = List.copyOf(argv);
    if (argv.isEmpty() || argv.size() > ARGUMENTS_MAX) {
      throw Refusal.invalid("a window needs a program to run, with at most 999 arguments");
    }
    folder = folder.toAbsolutePath();
    environment = Map.copyOf(environment);
    environment.keySet().forEach(TmuxNames::variable);
  }

  public static PaneOrder of(String session, String window, Path folder, String... argv) {
    return new PaneOrder(session, window, List.of(argv), folder, Map.of());
  }

  public PaneOrder with(Map<String, String> newEnvironment) {
    return new PaneOrder(session, window, argv, folder, newEnvironment);
  }
}
