package dev.mainstay.domain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server of tools that an agent may call: a program that is started, or an address. */
public record McpServer(
    String name, List<String> command, @Nullable String url, Map<String, String> environment) {
  public static final int WORDS_MAX = 64;
  public static final int WORD_CHARS_MAX = 4_096;
  public static final int VARIABLES_MAX = 64;

  public McpServer {
    name = AgentProfile.name("an MCP server's name", name);
    command = words("an MCP server's command", command);
    environment = environment("an MCP server's environment", environment);
    if (command.isEmpty() == (url == null)) {
      throw Refusal.invalid(
          Phrase.of("the MCP server %s needs either a command or a url, and not both", name));
    }
    if (url != null) {
      url = Text.line("an MCP server's url", url, WORD_CHARS_MAX);
      if (!url.matches("https?://\\S+")) {
        throw Refusal.invalid(
            Phrase.of("the url of the MCP server %s begins with http:// or https://", name));
      }
    }
  }

  /** Words of a command line; none of them is cut or changed. */
  public static List<String> words(String what, List<String> words) {
    if (words.size() > WORDS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("%s has at most %d words, not %,d", what, WORDS_MAX, words.size()));
    }
    for (String word : words) Text.body("a word of " + what, word, WORD_CHARS_MAX);
    return List.copyOf(words);
  }

  /** Variables of a program, in their order. */
  static Map<String, String> environment(String what, Map<String, String> variables) {
    if (variables.size() > VARIABLES_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("%s has at most %d variables, not %,d", what, VARIABLES_MAX, variables.size()));
    }
    variables.forEach(
        (name, value) -> {
          if (!name.matches("[A-Za-z_][A-Za-z0-9_]{0,127}")) {
            throw Refusal.invalid(
                Phrase.of("%s has a variable \"%s\"; its name cannot be that", what, name));
          }
          Text.body(name + " of " + what, value, WORD_CHARS_MAX);
        });
    return Collections.unmodifiableMap(new LinkedHashMap<>(variables));
  }

  JsonObject toJson() {
    return JsonObject.of("url", url)
        .with("command", command.isEmpty() ? null : command)
        .with("env", environment.isEmpty() ? null : environment);
  }
}
