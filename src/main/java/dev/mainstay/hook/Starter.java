package dev.mainstay.hook;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Whether a host was started by an agent of its own kind, so that no person types its prompts.
 * Claude Code tells its hooks CLAUDECODE and CLAUDE_CODE_CHILD_SESSION whoever started it, so these
 * say nothing; what its process was itself started with does. Where it names its process and that
 * can no longer be looked at, nobody knows, and an agent must not pass for a person.
 */
final class Starter {
  private static final String PROCESS = "CLAUDE_PID";

  /** Given to the commands that its agent runs and not to hooks; an inner one passes it on. */
  private static final String OF_COMMANDS = "CLAUDE_CODE_EXECPATH";

  private static final String WITHIN = "CLAUDECODE=";
  private static final Path PROCESSES = Path.of("/proc");

  private Starter() {}

  static boolean isAgent(Map<String, String> env) {
    if (!env.getOrDefault(OF_COMMANDS, "").isBlank()) return true;
    String process = env.getOrDefault(PROCESS, "");
    if (process.isBlank()) return false;
    String seen = env.getOrDefault(Told.STARTER, "");
    if (!seen.isEmpty()) return !seen.equals("person");
    // Some systems tell nobody about processes; there the host's word has to do.
    if (!Files.exists(PROCESSES.resolve("self/environ"))) return false;
    // Its number may be another process's by now, if the event has waited.
    return env.containsKey(Told.RECEIPT) || wasStartedWithin(process);
  }

  private static boolean wasStartedWithin(String process) {
    if (!process.matches("\\d{1,10}")) return true;
    try {
      byte[] all = Files.readAllBytes(PROCESSES.resolve(process).resolve("environ"));
      for (String each : new String(all, StandardCharsets.UTF_8).split("\0")) {
        if (each.startsWith(WITHIN) && each.length() > WITHIN.length()) return true;
      }
      return all.length == 0; // a process that has ended and is still listed
    } catch (IOException unknown) {
      return true;
    }
  }
}
