package dev.mainstay.hook;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Whether a host was started by an agent of its own kind, so that no person types its prompts.
 * Claude Code tells its hooks CLAUDECODE and CLAUDE_CODE_CHILD_SESSION whoever started it, so these
 * say nothing; what its process was itself started with does.
 */
final class Starter {
  private static final String PROCESS = "CLAUDE_PID";

  /** Given to the commands that its agent runs and not to hooks; an inner one passes it on. */
  private static final String OF_COMMANDS = "CLAUDE_CODE_EXECPATH";

  private static final String WITHIN = "CLAUDECODE=";

  private Starter() {}

  static boolean isAgent(Map<String, String> env) {
    return !env.getOrDefault(OF_COMMANDS, "").isBlank()
        || startedWith(env.getOrDefault(PROCESS, "")).stream()
            .anyMatch(each -> each.startsWith(WITHIN) && each.length() > WITHIN.length());
  }

  /** The variables of a process as it began; none where the system does not tell. */
  private static List<String> startedWith(String process) {
    if (!process.matches("\\d{1,10}")) return List.of();
    try {
      byte[] all = Files.readAllBytes(Path.of("/proc", process, "environ"));
      return List.of(new String(all, StandardCharsets.UTF_8).split("\0"));
    } catch (IOException untold) {
      return List.of();
    }
  }
}
