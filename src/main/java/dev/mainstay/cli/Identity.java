package dev.mainstay.cli;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Who calls. A person is at a terminal and not inside an agent; everything else is an agent. This
 * guards against accidents, not against a hostile process of the same user.
 */
public final class Identity {
  private Identity() {}

  public static Actor of(Map<String, String> env, boolean atTerminal) {
    String terminal = env.getOrDefault("MAINSTAY_TERMINAL", "");
    if (!terminal.isBlank()) return Actor.agent(terminal);
    List<String> agents = AgentName.around(env);
    if (!agents.isEmpty()) return Actor.agent(agents.get(0));
    String user =
        env.getOrDefault(
            "USER", env.getOrDefault("LOGNAME", System.getProperty("user.name", "somebody")));
    return atTerminal ? Actor.person(user) : Actor.agent("script-of-" + user);
  }

  /** Whether this process has a controlling terminal. */
  public static boolean hasTerminal() {
    try (var terminal = Files.newByteChannel(Path.of("/dev/tty"))) {
      return terminal.isOpen();
    } catch (java.io.IOException none) {
      return false;
    }
  }
}
