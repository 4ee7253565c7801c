package dev.mainstay.domain;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a provider: its program, and for each thing that can be said on it the words
 * that say so, in their order. No shell ever sees it.
 *
 * @param anyProgram whether another program may be asked for in place of its own
 */
public record ProviderCommand(
    List<String> program, boolean anyProgram, Map<Place, Part> parts, McpShape mcpShape) {
  /** Linux takes 128 KiB in one word; a few are left for the words around the value. */
  public static final int WORD_BYTES_MAX = 120_000;

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(value|json|file|json_file)\\}");

  /** What can be said on a command line. */
  public enum Place {
    /** The id of a conversation to go on with. */
    RESUME,
    /** The id that a new conversation gets. */
    CONVERSATION,
    MODEL,
    SYSTEM_PROMPT,
    MCP_CONFIG,
    ALLOWED_TOOLS,
    INITIAL_PROMPT;

    /** As files spell it. */
    public String spelled() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How one thing is said: words and variables in which {@code {value}} stands for it, {@code
   * {json}} for it as a JSON text, {@code {file}} for the path of a file that holds it, and {@code
   * {json_file}} for that path as a JSON text. Several values are joined, or the words are repeated
   * for each. What is typed stands in no word.
   */
  public record Part(
      List<String> words, Map<String, String> environment, @Nullable String join, boolean typed) {
    public static final Part TYPED = new Part(List.of(), Map.of(), null, true);

    public Part {
      words = McpServer.words("a part of a command", words);
      environment = McpServer.environment("a part of a command", environment);
      boolean says = !words.isEmpty() || !environment.isEmpty();
      if (says == typed) {
        throw Refusal.invalid(
            "a part of a command has words or variables, or it is typed, and not both");
      }
      boolean placed = words.stream().anyMatch(w -> PLACEHOLDER.matcher(w).find());
      placed |= environment.values().stream().anyMatch(w -> PLACEHOLDER.matcher(w).find());
      if (says && !placed) {
        throw Refusal.invalid(
            "a part of a command says where its value stands: {value}, {json} or {file}");
      }
    }
  }

  /** What is to be said: the initial prompt with its variables filled in, or none. */
  public record Start(
      AgentProfile profile,
      @Nullable String initialPrompt,
      @Nullable Conversation conversation,
      List<String> program) {
    public static Start of(AgentProfile profile, @Nullable String initialPrompt) {
      return new Start(profile, initialPrompt, null, List.of());
    }
  }

  /** A conversation by its id: one to go on with, or a new one. */
  public record Conversation(String id, boolean resumed) {
    public Conversation {
      if (!id.matches("[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")) {
        throw Refusal.invalid("a conversation's id has letters, digits and _ . : - only");
      }
    }
  }

  /**
   * How it is started.
   *
   * @param files what must be written before, by path
   * @param typed what must be typed once the program is ready
   * @param leftOut what of the profile this provider cannot be told
   */
  public record Launch(
      List<String> argv,
      Map<String, String> environment,
      Map<String, String> files,
      @Nullable String typed,
      List<Place> leftOut) {}

  public ProviderCommand {
    program = McpServer.words("a provider's command", program);
    if (program.isEmpty() && !anyProgram) {
      throw Refusal.invalid("a provider's command names a program");
    }
    parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
    parts.forEach(
        (place, part) -> {
          if (!part.typed() || place == Place.INITIAL_PROMPT) return;
          throw Refusal.invalid(place.spelled() + " cannot be typed; only an initial prompt can");
        });
  }

  /**
   * The words, variables and files that start an agent. A system prompt that the provider has no
   * place for goes before the initial prompt of a new conversation.
   *
   * @param pathOf gives each file that is needed its path, by its name
   */
  public Launch launch(Start start, UnaryOperator<String> pathOf) {
    Map<Place, List<String>> values = values(start);
    List<Place> leftOut = values.keySet().stream().filter(p -> !parts.containsKey(p)).toList();
    if (leftOut.contains(Place.RESUME)) {
      throw Refusal.invalid("this provider cannot go on with a conversation by its id");
    }
    Line line = new Line(pathOf);
    line.argv.addAll(chosen(start.program()));
    parts.forEach(
        (place, part) -> {
          List<String> said = values.getOrDefault(place, List.of());
          if (said.isEmpty() || part.typed() || isTyped(place, said)) return;
          if (part.join() != null) said = List.of(String.join(part.join(), said));
          for (String value : said) line.say(place, part, value);
        });
    List<String> prompt = values.getOrDefault(Place.INITIAL_PROMPT, List.of());
    boolean typed = isTyped(Place.INITIAL_PROMPT, prompt);
    return new Launch(
        List.copyOf(line.argv),
        Collections.unmodifiableMap(line.environment),
        Collections.unmodifiableMap(line.files),
        typed && !prompt.isEmpty() ? prompt.get(0) : null,
        leftOut.stream().filter(p -> p != Place.INITIAL_PROMPT).toList());
  }

  private List<String> chosen(List<String> asked) {
    if (asked.isEmpty() && program.isEmpty()) {
      throw Refusal.invalid("this provider runs the program it is given; name one");
    }
    if (asked.isEmpty()) return program;
    if (anyProgram) return McpServer.words("a program", asked);
    throw Refusal.invalid(
        Phrase.of("this provider runs %s and no other program", Argv.join(program)));
  }

  /** A prompt for which there is no place, or which no word can hold, is typed. */
  private boolean isTyped(Place place, List<String> said) {
    if (place != Place.INITIAL_PROMPT) return false;
    Part part = parts.get(place);
    return part == null || part.typed() || said.stream().anyMatch(ProviderCommand::isTooLong);
  }

  private static boolean isTooLong(String word) {
    return word.getBytes(StandardCharsets.UTF_8).length > WORD_BYTES_MAX;
  }

  private Map<Place, List<String>> values(Start start) {
    AgentProfile profile = start.profile();
    String system = profile.prompts().system();
    String initial = start.initialPrompt();
    Conversation conversation = start.conversation();
    boolean resumed = conversation != null && conversation.resumed();
    if (!parts.containsKey(Place.SYSTEM_PROMPT)) {
      if (!system.isEmpty() && !resumed) {
        initial = initial == null ? system : system + "\n\n" + initial;
      }
      system = "";
    }
    Map<Place, List<String>> values = new EnumMap<>(Place.class);
    if (conversation != null && (resumed || parts.containsKey(Place.CONVERSATION))) {
      values.put(resumed ? Place.RESUME : Place.CONVERSATION, List.of(conversation.id()));
    }
    String model = profile.engine().model();
    if (model != null) values.put(Place.MODEL, List.of(model));
    if (!system.isEmpty()) values.put(Place.SYSTEM_PROMPT, List.of(system));
    List<McpServer> servers = profile.engine().mcpServers();
    if (!servers.isEmpty()) values.put(Place.MCP_CONFIG, mcpShape.texts(servers));
    List<String> tools = profile.engine().allowedTools();
    if (!tools.isEmpty()) values.put(Place.ALLOWED_TOOLS, tools);
    if (initial != null) values.put(Place.INITIAL_PROMPT, List.of(initial));
    return values;
  }

  /** A command line in the making. */
  private static final class Line {
    final List<String> argv = new ArrayList<>();
    final Map<String, String> environment = new LinkedHashMap<>();
    final Map<String, String> files = new LinkedHashMap<>();
    private final UnaryOperator<String> pathOf;

    Line(UnaryOperator<String> pathOf) {
      this.pathOf = pathOf;
    }

    void say(Place place, Part part, String value) {
      for (String word : part.words()) argv.add(filled(place, word, value));
      part.environment().forEach((name, word) -> environment.put(name, filled(place, word, value)));
    }

    private String filled(Place place, String word, String value) {
      String text = PLACEHOLDER.matcher(word).replaceAll(found -> literal(place, found, value));
      if (!isTooLong(text)) return text;
      throw Refusal.tooLarge(
          Phrase.of(
              "%s has more than %,d bytes, which no command line takes; shorten it",
              place.spelled(), WORD_BYTES_MAX));
    }

    private String literal(Place place, MatchResult found, String value) {
      String said =
          switch (found.group(1)) {
            case "value" -> value;
            case "json" -> CompactJson.of(value);
            case "json_file" -> CompactJson.of(file(place, value));
            default -> file(place, value);
          };
      return Matcher.quoteReplacement(said);
    }

    private String file(Place place, String value) {
      String name = place.spelled() + (place == Place.MCP_CONFIG ? ".json" : ".md");
      String path = pathOf.apply(name);
      files.put(path, value);
      return path;
    }
  }
}
