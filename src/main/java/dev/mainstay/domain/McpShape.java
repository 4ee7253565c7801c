package dev.mainstay.domain;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a provider wants to be told which servers of tools there are. */
public enum McpShape {
  /** One JSON object with {@code mcpServers}, as most take it. */
  MCP_SERVERS {
    @Override
    List<String> texts(List<McpServer> servers) {
      JsonObject all = JsonObject.EMPTY;
      for (McpServer each : servers) all = all.with(each.name(), common(each));
      return List.of(CompactJson.of(JsonObject.of("mcpServers", all)));
    }
  },

  /** One JSON object with {@code mcp}, as opencode's configuration has it. */
  OPENCODE {
    @Override
    List<String> texts(List<McpServer> servers) {
      JsonObject all = JsonObject.EMPTY;
      for (McpServer each : servers) {
        JsonObject server =
            each.url() == null
                ? JsonObject.of("type", "local", "command", each.command())
                : JsonObject.of("type", "remote", "url", each.url());
        if (!each.environment().isEmpty()) server = server.with("environment", each.environment());
        all = all.with(each.name(), server);
      }
      return List.of(CompactJson.of(JsonObject.of("mcp", all)));
    }
  },

  /** One {@code name={...}} in TOML for each server, as Codex takes settings. */
  TOML_EACH {
    @Override
    List<String> texts(List<McpServer> servers) {
      return servers.stream().map(each -> each.name() + "=" + toml(each)).toList();
    }
  };

  abstract List<String> texts(List<McpServer> servers);

  /** As a file spells it: {@code mcp-servers}. */
  public static McpShape parse(String typed) {
    for (McpShape each : values()) if (each.spelled().equals(typed)) return each;
    List<String> known = List.of(values()).stream().map(McpShape::spelled).toList();
    throw Refusal.invalid(
        Phrase.of("there is no shape \"%s\"; %s", typed, Nearest.guess(typed, known)));
  }

  private String spelled() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static JsonObject common(McpServer server) {
    if (server.url() != null) return JsonObject.of("type", "http", "url", server.url());
    List<String> words = server.command();
    JsonObject json =
        JsonObject.of("command", words.get(0), "args", words.subList(1, words.size()));
    return server.environment().isEmpty() ? json : json.with("env", server.environment());
  }

  /** A text or a list of texts in JSON is the same in TOML; only tables are written otherwise. */
  private static String toml(McpServer server) {
    if (server.url() != null) return "{url=" + CompactJson.of(server.url()) + "}";
    List<String> words = server.command();
    String variables =
        server.environment().entrySet().stream()
            .map(each -> each.getKey() + "=" + CompactJson.of(each.getValue()))
            .collect(Collectors.joining(",", ",env={", "}"));
    return "{command="
        + CompactJson.of(words.get(0))
        + ",args="
        + CompactJson.of(words.subList(1, words.size()))
        + (server.environment().isEmpty() ? "" : variables)
        + "}";
  }
}
