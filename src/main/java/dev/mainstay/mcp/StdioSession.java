package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;

/** The SDK's session over our own way in and out, which loses no answer when the input ends. */
final class StdioSession {
  private static final Duration ASKING_MAX = Duration.ofMinutes(1);

  private final Desk desk;
  private final Wire wire;
  private final Connection connection;
  private final McpServerSession session;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean initialized = new AtomicBoolean();

  StdioSession(Desk desk, Wire wire, Connection connection, SessionHandlers handlers) {
    this.desk = desk;
    this.wire = wire;
    this.connection = connection;
    this.session =
        new McpServerSession(
            connection.id(),
            ASKING_MAX,
            new Transport(),
            request -> Mono.just(Greeting.of(desk, request.protocolVersion())),
            handlers.requests(),
            handlers.notices());
  }

  /** Answers on the caller's thread. A client that forgets to say that it is ready is taken so. */
  void handle(Incoming incoming) {
    Message message = incoming.message();
    if (message.called().equals(McpSchema.METHOD_INITIALIZE)) begun.set(true);
    else if (message.isRequest()) beReady(incoming);
    if (message.called().equals(McpSchema.METHOD_NOTIFICATION_INITIALIZED)
        && initialized.getAndSet(true)) return;
    deliver(sdk(message), incoming);
  }

  private void beReady(Incoming incoming) {
    if (!begun.get()) {
      throw new WireError(
          WireError.INVALID_REQUEST,
          "begin with initialize, or name the protocol version "
              + Revision.STATELESS
              + " in \"_meta\"",
          null);
    }
    if (!initialized.getAndSet(true)) {
      deliver(
          new McpSchema.JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_INITIALIZED, null),
          incoming);
    }
  }

  private void deliver(JSONRPCMessage message, Incoming incoming) {
    var context = McpTransportContext.create(Map.of(Incoming.KEY, incoming));
    session.handle(message).contextWrite(ctx -> ctx.put(McpTransportContext.KEY, context)).block();
  }

  private static JSONRPCMessage sdk(Message message) {
    Map<String, Object> params = SessionHandlers.plain(message.params());
    Object id = message.id();
    return id == null
        ? new McpSchema.JSONRPCNotification(message.called(), params)
        : new JSONRPCRequest(message.called(), id, params);
  }

  private final class Transport implements McpServerTransport {
    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
      return Mono.fromRunnable(() -> send(message));
    }

    private void send(JSONRPCMessage message) {
      if (message instanceof JSONRPCResponse response && connection.isCancelled(response.id())) {
        return; // nobody waits for it any more
      }
      if (message instanceof JSONRPCResponse response) wire.send(json(response));
      else throw new IllegalStateException("nothing is asked of the client");
    }

    private JsonObject json(JSONRPCResponse response) {
      JSONRPCResponse.JSONRPCError error = response.error();
      if (error != null) {
        JsonObject data = error.data() instanceof Map<?, ?> map ? JsonObject.copyOf(map) : null;
        return Message.error(
            response.id(), new WireError(error.code(), String.valueOf(error.message()), data));
      }
      if (response.result() instanceof McpSchema.InitializeResult greeting) {
        return Message.result(response.id(), Greeting.json(desk, greeting));
      }
      Map<?, ?> result = response.result() instanceof Map<?, ?> map ? map : Map.of();
      return Message.result(response.id(), JsonObject.copyOf(result));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
      if (type.getType().equals(McpSchema.InitializeRequest.class)) {
        return (T) Greeting.request(data instanceof Map<?, ?> map ? map : Map.of());
      }
      return McpJsonDefaults.getMapper().convertValue(data, type);
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.fromRunnable(connection::cancelAll);
    }
  }
}
