package dev.mainstay.domain;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an agent is: what it is for, what it runs on, and what it is told. */
public record AgentProfile(String name, About about, Engine engine, Prompts prompts) {
  public static final int NAME_CHARS_MAX = 64;
  public static final int DESCRIPTION_CHARS_MAX = 500;
  public static final int ROLE_CHARS_MAX = 64;
  public static final int MODEL_CHARS_MAX = 128;
  public static final int TOOLS_MAX = 100;
  public static final int TOOL_CHARS_MAX = 200;
  public static final int MCP_SERVERS_MAX = 32;
  public static final int SYSTEM_PROMPT_CHARS_MAX = 65_536;

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0," + (NAME_CHARS_MAX - 1) + "}");

  /** What it is for, in one line, and which part it plays among others. */
  public record About(String description, @Nullable String role) {
    public About {
      description = Text.line("a profile's description", description, DESCRIPTION_CHARS_MAX);
      role = role == null ? null : Text.line("a profile's role", role, ROLE_CHARS_MAX);
    }
  }

  /**
   * What it runs on; without a provider it runs on whichever one is asked for. Allowed tools are
   * those it need not ask a person for.
   */
  public record Engine(
      @Nullable String provider,
      @Nullable String model,
      List<String> allowedTools,
      List<McpServer> mcpServers) {
    public Engine {
      provider = provider == null ? null : AgentProfile.name("a provider's name", provider);
      model = model == null ? null : Text.line("a profile's model", model, MODEL_CHARS_MAX);
      bounded("allowed tools", allowedTools.size(), TOOLS_MAX);
      allowedTools =
          allowedTools.stream().map(t -> Text.line("an allowed tool", t, TOOL_CHARS_MAX)).toList();
      bounded("MCP servers", mcpServers.size(), MCP_SERVERS_MAX);
      mcpServers = List.copyOf(mcpServers);
    }

    private static void bounded(String what, int count, int most) {
      if (count <= most) return;
      throw Refusal.tooLarge(Phrase.of("a profile has at most %d %s, not %,d", most, what, count));
    }
  }

  /** What it is told: always (perhaps nothing), and to begin with. */
  public record Prompts(String system, @Nullable String initial) {
    public Prompts {
      system = Text.body("a system prompt", system, SYSTEM_PROMPT_CHARS_MAX);
      if (initial != null) {
        Text.body("an initial prompt", initial, TerminalState.INITIAL_PROMPT_CHARS_MAX);
      }
    }
  }

  public AgentProfile {
    name = name("a profile's name", name);
  }

  /** A name that can be a file's name everywhere, and never a path. */
  public static String name(String what, String typed) {
    if (NAME.matcher(typed).matches()) return typed;
    throw Refusal.invalid(
        Phrase.of(
            "%s has letters, digits, _ and -, at most %d, and begins with a letter or digit; \"%s\" does not",
            what, NAME_CHARS_MAX, Graphemes.cut(typed, NAME_CHARS_MAX)));
  }

  public JsonObject toJson() {
    JsonObject servers = JsonObject.EMPTY;
    for (McpServer each : engine.mcpServers()) servers = servers.with(each.name(), each.toJson());
    return JsonObject.of("name", name, "description", about.description(), "role", about.role())
        .with("provider", engine.provider())
        .with("model", engine.model())
        .with("allowed_tools", engine.allowedTools())
        .with("mcp_servers", servers)
        .with("system_prompt", prompts.system())
        .with("initial_prompt", prompts.initial());
  }
}
