package dev.mainstay.cli;

import dev.mainstay.domain.Actor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who calls. A person is at a terminal and not inside an agent; everything else is an agent. This
 * guards against accidents, not against a hostile process of the same user.
 */
public final class Identity {
  /** What agents set in the environment of the commands they run. */
  private static final Map<String, String> AGENTS = new LinkedHashMap<>();

  static {
    AGENTS.put("CLAUDECODE", "claude-code");
    AGENTS.put("CLAUDE_CODE_ENTRYPOINT", "claude-code");
    AGENTS.put("CODEX_SANDBOX", "codex");
    AGENTS.put("CODEX_THREAD_ID", "codex");
    AGENTS.put("GEMINI_CLI", "gemini");
    AGENTS.put("OPENCODE", "opencode");
    AGENTS.put("QWEN_CODE", "qwen-code");
    AGENTS.put("CURSOR_AGENT", "cursor");
  }

  private Identity() {}

  public static Actor of(Map<String, String> env, boolean atTerminal) {
    String terminal = env.getOrDefault("MAINSTAY_TERMINAL", "");
    if (!terminal.isBlank()) return Actor.agent(terminal);
    for (var agent : AGENTS.entrySet()) {
      if (!env.getOrDefault(agent.getKey(), "").isBlank()) return Actor.agent(agent.getValue());
    }
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
