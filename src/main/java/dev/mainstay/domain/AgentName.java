package dev.mainstay.domain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The name under which Mainstay knows an agent, whichever of its doors it comes through: hosts call
 * themselves otherwise in MCP than in the environment of their hooks.
 */
public final class AgentName {
  public static final String CLAUDE_CODE = "claude-code";
  public static final String CODEX = "codex";
  public static final String GEMINI = "gemini";
  public static final String OPENCODE = "opencode";

  /** Those that {@code mainstay init} can wire. */
  public static final List<String> WIRED = List.of(CLAUDE_CODE, CODEX, GEMINI, OPENCODE);

  private static final String UNKNOWN = "agent";

  /** What is left once the endings that only name a door are gone, where that is not the name. */
  private static final Map<String, String> ALIASES =
      Map.of("claude", CLAUDE_CODE, "claude-ai", CLAUDE_CODE, "gemini-cli", GEMINI);

  /** What agents set in the environment of the commands and hooks they run. */
  private static final Map<String, String> VARIABLES = new LinkedHashMap<>();

  static {
    VARIABLES.put("CLAUDECODE", CLAUDE_CODE);
    VARIABLES.put("CLAUDE_CODE_ENTRYPOINT", CLAUDE_CODE);
    VARIABLES.put("CODEX_SANDBOX", CODEX);
    VARIABLES.put("CODEX_THREAD_ID", CODEX);
    VARIABLES.put("GEMINI_CLI", GEMINI);
    VARIABLES.put("GEMINI_SESSION_ID", GEMINI);
    VARIABLES.put("OPENCODE", OPENCODE);
    VARIABLES.put("QWEN_CODE", "qwen-code");
    VARIABLES.put("CURSOR_AGENT", "cursor");
  }

  /** In which variable an agent tells its commands the id of its session, as its hooks do. */
  private static final Map<String, String> SESSIONS =
      Map.of(
          CLAUDE_CODE, "CLAUDE_CODE_SESSION_ID",
          CODEX, "CODEX_THREAD_ID",
          GEMINI, "GEMINI_SESSION_ID");

  private AgentName() {}

  /** The id of the session within whose environment something runs; empty if it is not told. */
  public static Optional<String> session(String agent, Map<String, String> env) {
    String variable = SESSIONS.get(agent);
    if (variable == null) return Optional.empty();
    return Optional.of(env.getOrDefault(variable, "").strip()).filter(id -> !id.isEmpty());
  }

  /** The agents within whose environment something runs, perhaps one started by another. */
  public static List<String> around(Map<String, String> env) {
    return VARIABLES.entrySet().stream()
        .filter(each -> !env.getOrDefault(each.getKey(), "").isBlank())
        .map(Map.Entry::getValue)
        .distinct()
        .toList();
  }

  /** The agent behind a name that a client gave itself, such as {@code codex-mcp-client}. */
  public static String of(String given) {
    String plain =
        given
            .strip()
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9.@_-]+", "-")
            .replaceAll("^-+|-+$", "")
            .replaceAll("-mcp-client$|-mcp$", "");
    if (plain.isEmpty()) return UNKNOWN;
    String name = ALIASES.getOrDefault(plain, plain);
    return Graphemes.cut(name, Actor.NAME_CHARS_MAX);
  }
}
