package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpNotificationHandler;
import io.modelcontextprotocol.server.McpRequestHandler;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What the SDK's sessions do with requests: each goes to the desk, with all that is known of it.
 */
final class SessionHandlers {
  private final Desk desk;
  private final Function<String, Connection> connections;
  private final Consumer<Guest> callers;

  /** Told for each call of a tool who made it. */
  SessionHandlers(Desk desk, Function<String, Connection> connections, Consumer<Guest> callers) {
    this.desk = desk;
    this.connections = connections;
    this.callers = callers;
  }

  private interface Handling {
    JsonObject handle(Incoming incoming, Connection connection, McpAsyncServerExchange exchange);
  }

  Map<String, McpRequestHandler<?>> requests() {
    Map<String, McpRequestHandler<?>> all = new HashMap<>();
    for (String method : desk.methods()) all.put(method, handler(this::answer));
    all.put("ping", handler((in, connection, exchange) -> JsonObject.EMPTY));
    all.put(
        "logging/setLevel",
        handler(
            (in, connection, exchange) -> {
              connection.setLevel(String.valueOf(in.message().params().get("level")));
              return JsonObject.EMPTY;
            }));
    all.put(
        "resources/subscribe",
        handler(
            (in, connection, exchange) -> {
              connection.watch(uri(in));
              return JsonObject.EMPTY;
            }));
    all.put(
        "resources/unsubscribe",
        handler(
            (in, connection, exchange) -> {
              connection.unwatch(uri(in));
              return JsonObject.EMPTY;
            }));
    return Map.copyOf(all);
  }

  Map<String, McpNotificationHandler> notices() {
    McpNotificationHandler heard = (exchange, params) -> Mono.empty();
    return Map.of(
        "notifications/initialized", heard,
        "notifications/roots/list_changed", heard,
        "notifications/cancelled",
            (exchange, params) ->
                Mono.fromRunnable(
                    () -> {
                      Incoming in = incoming(exchange);
                      Object request = in.message().params().get("requestId");
                      if (request != null) connection(in, exchange).cancel(request);
                    }));
  }

  private McpRequestHandler<Object> handler(Handling handling) {
    return (exchange, params) ->
        Mono.fromCallable(
            () -> {
              Incoming in = incoming(exchange);
              try {
                return plain(handling.handle(in, connection(in, exchange), exchange));
              } catch (WireError error) {
                throw sdk(error);
              }
            });
  }

  private JsonObject answer(Incoming in, Connection connection, McpAsyncServerExchange exchange) {
    Message message = in.message();
    McpSchema.Implementation client = exchange.getClientInfo();
    Guest guest = in.origin().guest(client == null ? null : client.name(), connection.id());
    if (message.called().equals("tools/call")) callers.accept(guest);
    Object id = message.number();
    var cancelled = connection.begin(id);
    try {
      Consumer<JsonObject> notices = in.notices();
      var line =
          new CallLine(
              message,
              notices == null ? notice -> send(exchange, notice) : notices,
              connection::logs,
              cancelled::get,
              capabilities(exchange.getClientCapabilities()));
      return desk.answer(message, new Asking(guest, Keys.of(message, connection.id()), line));
    } finally {
      if (in.connection() == null) connection.end(id);
    }
  }

  private static JsonObject capabilities(McpSchema.@Nullable ClientCapabilities given) {
    if (given == null) return JsonObject.EMPTY;
    return JsonObject.of("sampling", given.sampling() == null ? null : JsonObject.EMPTY)
        .with("elicitation", given.elicitation() == null ? null : JsonObject.EMPTY)
        .with("roots", given.roots() == null ? null : JsonObject.EMPTY);
  }

  /** Notices go where the answer of their request goes; a reader who has gone misses them. */
  private static void send(McpAsyncServerExchange exchange, JsonObject notice) {
    JsonObject params = notice.object("params");
    Mono<Void> sending =
        notice.text("method").equals(CallLine.PROGRESS)
            ? exchange.progressNotification(progress(params))
            : exchange.loggingNotification(log(params));
    sending.onErrorComplete().block();
  }

  private static McpSchema.ProgressNotification progress(JsonObject params) {
    var notice =
        McpSchema.ProgressNotification.builder(
            plainValue(params.get("progressToken")), Double.parseDouble(params.text("progress")));
    if (params.get("total") != null) notice.total(Double.valueOf(params.text("total")));
    return notice.message(params.textOrNull("message")).build();
  }

  private static McpSchema.LoggingMessageNotification log(JsonObject params) {
    return McpSchema.LoggingMessageNotification.builder(
            McpSchema.LoggingLevel.valueOf(params.text("level").toUpperCase(Locale.ROOT)),
            params.text("data"))
        .logger(params.text("logger"))
        .build();
  }

  private static Incoming incoming(McpAsyncServerExchange exchange) {
    if (exchange.transportContext().get(Incoming.KEY) instanceof Incoming incoming) return incoming;
    throw new IllegalStateException("a message came through that was not let in");
  }

  private Connection connection(Incoming in, McpAsyncServerExchange exchange) {
    Connection known = in.connection();
    return known != null ? known : connections.apply(exchange.sessionId());
  }

  private static String uri(Incoming in) {
    if (in.message().params().get("uri") instanceof String uri) return uri;
    throw WireError.invalid("\"uri\" is missing");
  }

  static McpError sdk(WireError error) {
    JsonObject data = error.data();
    return new McpError(
        new JSONRPCError(error.code(), error.sentence(), data == null ? null : plain(data)));
  }

  /** The same as the SDK's writer knows it. */
  static Map<String, Object> plain(JsonObject json) {
    Map<String, Object> map = new LinkedHashMap<>();
    json.asMap().forEach((key, value) -> map.put(key, plainValue(value)));
    return map;
  }

  @SuppressWarnings("NullAway") // the SDK's maps may hold null
  private static Object plainValue(@Nullable Object value) {
    if (value instanceof JsonObject object) return plain(object);
    if (value instanceof List<?> items) {
      return items.stream().map(SessionHandlers::plainValue).toList();
    }
    return value;
  }
}
