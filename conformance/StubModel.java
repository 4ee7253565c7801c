import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model server for tests of coding agents: it speaks the streaming APIs of Anthropic (Messages),
 * OpenAI (Responses and chat completions) and Gemini on loopback, and answers from a script.
 *
 * <p>Start it with {@code java StubModel.java PORT SCRIPT.json [LOG_FOLDER]}; port 0 takes a free
 * one, and the first line of the output names it. The script is a JSON list of turns: {@code
 * {"text": "..."}} or {@code {"tool": "state", "arguments": {...}}}, where the tool is the offered
 * one whose name is, or else ends with, the given one. Each request of the main conversation takes
 * the next turn; side requests (titles, summaries, token counts) take none. A tool that is not
 * offered is searched for once if the agent can do so. Each request body is written to the log.
 */
public final class StubModel {

  /** Words which tell a request that offers tools, but is no part of the conversation, apart. */
  private static final List<String> SIDE_MARKS =
      List.of(
          "Your task is to create a detailed summary",
          "CONTEXT CHECKPOINT COMPACTION",
          "Generate a concise, single-line task title",
          "[SUGGESTION MODE:");

  /** What answers a side request for JSON: the choice of a model, or who speaks next. */
  private static final String SIDE_JSON =
      "{\"complexity_reasoning\":\"\",\"complexity_score\":1,\"next_speaker\":\"user\"}";

  private static final String MESSAGES =
      """
      {"type":"message_start","message":{"id":"msg_%1$s","type":"message","role":"assistant",\
      "model":"stub","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}
      {"type":"content_block_start","index":0,"content_block":%2$s}
      {"type":"content_block_delta","index":0,"delta":%3$s}
      {"type":"content_block_stop","index":0}
      {"type":"message_delta","delta":{"stop_reason":"%4$s"},"usage":{"output_tokens":1}}
      {"type":"message_stop"}
      """;

  private static final String RESPONSES =
      """
      {"type":"response.created","response":{"id":"resp_%1$s"}}
      {"type":"response.output_item.added","output_index":0,"item":%2$s}
      {"type":"response.output_item.done","output_index":0,"item":%2$s}
      {"type":"response.completed","response":{"id":"resp_%1$s",\
      "usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}
      """;

  private static final String CHAT =
      """
      {"id":"chat_%1$s","object":"chat.completion.chunk","created":1,"model":"stub",\
      "choices":[{"index":0,"delta":%2$s,"finish_reason":null}]}
      {"id":"chat_%1$s","object":"chat.completion.chunk","created":1,"model":"stub",\
      "choices":[{"index":0,"delta":{},"finish_reason":"%3$s"}],\
      "usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}
      [DONE]
      """;

  private static final String GEMINI =
      """
      {"candidates":[{"index":0,"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}],\
      "usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}""";

  private final List<?> script;
  private final Path log;
  private int next;
  private int requests;
  private String searched;

  /** An offered tool: a function, a custom one (it takes free text) or the search for tools. */
  private record Tool(String type, String namespace, String name) {}

  /** One answer: a text, or the call of a tool if there is one. */
  private record Turn(int id, String text, Tool tool, Map<?, ?> arguments) {

    Turn(int id, String text) {
      this(id, text, null, Map.of());
    }

    String quotedArguments() {
      return Json.quote(Json.write(arguments));
    }
  }

  private StubModel(List<?> script, Path log) {
    this.script = script;
    this.log = log;
  }

  /** Serves until it is killed. */
  public static void main(String[] args) throws IOException {
    Path log = Files.createDirectories(Path.of(args.length > 2 ? args[2] : args[1] + ".log"));
    List<?> script = (List<?>) new Json(Files.readString(Path.of(args[1]))).value();
    int port = Integer.parseInt(args[0]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", new StubModel(script, log)::handle);
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = exchange.getRequestURI().getPath();
      String api = body.isEmpty() ? "" : path.substring(path.lastIndexOf('/') + 1);
      answer(exchange, api.substring(api.lastIndexOf(':') + 1), body);
    } catch (IOException | RuntimeException e) {
      e.printStackTrace();
    }
  }

  private void answer(HttpExchange exchange, String api, String body) throws IOException {
    switch (api) {
      case "messages" -> sendEvents(exchange, messages(take(api, body)));
      case "responses" -> sendEvents(exchange, responses(take(api, body)));
      case "completions" -> sendEvents(exchange, chat(take(api, body)));
      case "streamGenerateContent" -> sendEvents(exchange, gemini(take(api, body)));
      case "generateContent" -> send(exchange, "application/json", gemini(take(api, body)));
      case "count_tokens" -> send(exchange, "application/json", "{\"input_tokens\":1}");
      case "countTokens" -> send(exchange, "application/json", "{\"totalTokens\":1}");
      default -> send(exchange, "application/json", "{}");
    }
  }

  /** Logs the request and gives the turn that answers it. */
  private Turn take(String api, String body) throws IOException {
    Map<?, ?> request = (Map<?, ?>) new Json(body).value();
    List<Tool> tools = offered(request);
    boolean side = tools.isEmpty() || isSide(request);
    int id = ++requests;
    String name = "%03d-%s-%s.json".formatted(id, api, side ? "side" : "main");
    Files.writeString(log.resolve(name), body);
    if (side) {
      return new Turn(id, body.contains("application/json") ? SIDE_JSON : "Stub");
    }
    if (next == script.size()) {
      return new Turn(id, "The script has ended.");
    }
    Map<?, ?> entry = (Map<?, ?>) script.get(next);
    if (!(entry.get("tool") instanceof String wanted)) {
      next++;
      return new Turn(id, (String) entry.get("text"));
    }
    Tool tool = find(tools, wanted);
    Tool search = find(tools, "tool_search");
    if (tool == null && search != null && !wanted.equals(searched)) {
      searched = wanted;
      return new Turn(id, "", search, Map.of("query", wanted));
    }
    next++;
    return tool == null
        ? new Turn(id, "No offered tool ends with " + wanted + ".")
        : new Turn(id, "", tool, (Map<?, ?>) entry.get("arguments"));
  }

  private static boolean isSide(Map<?, ?> request) {
    for (String field : List.of("messages", "input", "contents")) {
      if (request.get(field) instanceof List<?> items && !items.isEmpty()) {
        String last = Json.write(items.get(items.size() - 1));
        return SIDE_MARKS.stream().anyMatch(last::contains);
      }
    }
    return false;
  }

  private static Tool find(List<Tool> tools, String wanted) {
    Tool found = null;
    for (Tool tool : tools) {
      if (tool.name().equals(wanted)) {
        return tool;
      }
      if (found == null && (tool.namespace() + "__" + tool.name()).endsWith(wanted)) {
        found = tool;
      }
    }
    return found;
  }

  /** Gives the tools a request offers, those among them which an earlier search has found. */
  private static List<Tool> offered(Map<?, ?> request) {
    List<Tool> tools = new ArrayList<>();
    collect(request.get("tools"), "", tools);
    if (request.get("input") instanceof List<?> items) {
      for (Object item : items) {
        collect(((Map<?, ?>) item).get("tools"), "", tools);
      }
    }
    return tools;
  }

  /** Collects the tools of a list, whichever API's form they have. */
  private static void collect(Object list, String namespace, List<Tool> tools) {
    if (!(list instanceof List<?> items)) {
      return;
    }
    for (Object item : items) {
      Map<?, ?> tool = (Map<?, ?>) item;
      String type = String.valueOf(tool.get("type"));
      if (tool.get("functionDeclarations") instanceof List<?> functions) {
        collect(functions, namespace, tools);
      } else if (type.equals("namespace")) {
        collect(tool.get("tools"), (String) tool.get("name"), tools);
      } else if (type.equals("tool_search")) {
        tools.add(new Tool(type, namespace, type));
      } else if (tool.get("function") instanceof Map<?, ?> function) {
        tools.add(new Tool(type, namespace, (String) function.get("name")));
      } else if (tool.get("name") instanceof String name) {
        tools.add(new Tool(type, namespace, name));
      }
    }
  }

  private static String messages(Turn turn) {
    if (turn.tool() == null) {
      String delta = "{\"type\":\"text_delta\",\"text\":%s}".formatted(Json.quote(turn.text()));
      return MESSAGES.formatted(turn.id(), "{\"type\":\"text\",\"text\":\"\"}", delta, "end_turn");
    }
    String block =
        "{\"type\":\"tool_use\",\"id\":\"toolu_%s\",\"name\":%s,\"input\":{}}"
            .formatted(turn.id(), Json.quote(turn.tool().name()));
    String delta =
        "{\"type\":\"input_json_delta\",\"partial_json\":%s}".formatted(turn.quotedArguments());
    return MESSAGES.formatted(turn.id(), block, delta, "tool_use");
  }

  private static String responses(Turn turn) {
    Tool tool = turn.tool();
    Map<String, Object> item = new LinkedHashMap<>();
    if (tool == null) {
      item.putAll(Map.of("type", "message", "id", "msg_" + turn.id(), "role", "assistant"));
      item.put("content", List.of(Map.of("type", "output_text", "text", turn.text())));
      return RESPONSES.formatted(turn.id(), Json.write(item));
    }
    item.putAll(Map.of("call_id", "call_" + turn.id(), "name", tool.name()));
    if (!tool.namespace().isEmpty()) {
      item.put("namespace", tool.namespace());
    }
    if (tool.type().equals("tool_search")) {
      item.putAll(Map.of("type", "tool_search_call", "execution", "client"));
      item.put("arguments", turn.arguments());
    } else if (tool.type().equals("custom")) {
      item.putAll(Map.of("type", "custom_tool_call", "input", turn.arguments().get("input")));
    } else {
      item.putAll(Map.of("type", "function_call", "arguments", Json.write(turn.arguments())));
    }
    return RESPONSES.formatted(turn.id(), Json.write(item));
  }

  private static String chat(Turn turn) {
    if (turn.tool() == null) {
      String delta = "{\"role\":\"assistant\",\"content\":%s}".formatted(Json.quote(turn.text()));
      return CHAT.formatted(turn.id(), delta, "stop");
    }
    String call =
        """
        {"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_%s",\
        "type":"function","function":{"name":%s,"arguments":%s}}]}"""
            .formatted(turn.id(), Json.quote(turn.tool().name()), turn.quotedArguments());
    return CHAT.formatted(turn.id(), call, "tool_calls");
  }

  private static String gemini(Turn turn) {
    String part =
        turn.tool() == null
            ? "{\"text\":%s}".formatted(Json.quote(turn.text()))
            : "{\"functionCall\":{\"name\":%s,\"args\":%s}}"
                .formatted(Json.quote(turn.tool().name()), Json.write(turn.arguments()));
    return GEMINI.formatted(part);
  }

  /** Sends each line as a server-sent event, named by its type if it has one. */
  private static void sendEvents(HttpExchange exchange, String lines) throws IOException {
    StringBuilder events = new StringBuilder();
    for (String line : lines.strip().split("\n")) {
      if (line.startsWith("{\"type\":\"")) {
        events.append("event: ").append(line.split("\"")[3]).append('\n');
      }
      events.append("data: ").append(line).append("\n\n");
    }
    send(exchange, "text/event-stream", events.toString());
  }

  private static void send(HttpExchange exchange, String type, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(200, head ? -1 : body.length);
    exchange.getResponseBody().write(body, 0, head ? 0 : body.length);
  }

  /** Reads and writes JSON as maps, lists, strings, numbers, booleans and null. */
  private static final class Json {

    private final String text;
    private int at;

    Json(String text) {
      this.text = text;
    }

    Object value() {
      return switch (peek()) {
        case '{' -> object();
        case '[' -> list();
        case '"' -> string();
        default -> literal();
      };
    }

    /** Skips what separates values and gives the character after it. */
    private char peek() {
      while (" \t\r\n,:".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      return text.charAt(at);
    }

    private Map<String, Object> object() {
      Map<String, Object> object = new LinkedHashMap<>();
      for (at++; peek() != '}'; ) {
        object.put(string(), value());
      }
      at++;
      return object;
    }

    private List<Object> list() {
      List<Object> list = new ArrayList<>();
      for (at++; peek() != ']'; ) {
        list.add(value());
      }
      at++;
      return list;
    }

    private String string() {
      StringBuilder string = new StringBuilder();
      for (at++; text.charAt(at) != '"'; at++) {
        string.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
      }
      at++;
      return string.toString();
    }

    private char escaped() {
      char c = text.charAt(++at);
      int plain = "bfnrt".indexOf(c);
      if (c == 'u') {
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
      }
      return plain < 0 ? c : "\b\f\n\r\t".charAt(plain);
    }

    private Object literal() {
      int start = at;
      while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      String word = text.substring(start, at);
      return switch (word) {
        case "null" -> null;
        case "true", "false" -> Boolean.valueOf(word);
        default -> new BigDecimal(word);
      };
    }

    static String write(Object value) {
      if (value instanceof Map<?, ?> map) {
        List<String> parts = new ArrayList<>();
        map.forEach((name, part) -> parts.add(quote((String) name) + ":" + write(part)));
        return "{" + String.join(",", parts) + "}";
      }
      if (value instanceof List<?> list) {
        return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
      }
      return value instanceof String string ? quote(string) : String.valueOf(value);
    }

    static String quote(String string) {
      StringBuilder quoted = new StringBuilder("\"");
      for (char c : string.toCharArray()) {
        boolean plain = c >= ' ' && c != '"' && c != '\\';
        quoted.append(plain ? c : String.format("\\u%04x", (int) c));
      }
      return quoted.append('"').toString();
    }
  }
}
