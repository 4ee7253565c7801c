package dev.mainstay.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionInit;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import reactor.core.publisher.Mono;

/** The SDK's sessions over HTTP: who began them, how many there are, what each is told. */
final class HttpSessions {
  static final int SESSIONS_MAX = 1_000;

  /** A session of which nothing is heard for so long, up to twice, is over. */
  static final Duration IDLE_MAX = Duration.ofMinutes(30);

  private static final Duration ASKING_MAX = Duration.ofMinutes(1);

  private final Desk desk;
  private final Executor notices;
  private final Runnable whenWatching;
  private final Map<String, Seat> seats = new ConcurrentHashMap<>();
  private final ThreadLocal<String> arriving = new ThreadLocal<>();
  private final SessionHandlers handlers;
  private final HttpServletStreamableServerTransportProvider provider;

  /** A session, whose token began it, and what is to be told there. */
  private record Seat(
      McpStreamableServerSession session,
      Connection connection,
      String credential,
      Set<String> changed) {}

  HttpSessions(Desk desk, String path, Executor notices, Runnable whenWatching) {
    this.desk = desk;
    this.notices = notices;
    this.whenWatching = whenWatching;
    this.handlers = new SessionHandlers(desk, this::connection, caller -> {});
    this.provider =
        HttpServletStreamableServerTransportProvider.builder()
            .mcpEndpoint(path)
            .sessionSweepInterval(IDLE_MAX)
            .contextExtractor(HttpSessions::context)
            .build();
    provider.setSessionFactory(this::begin);
  }

  private static McpTransportContext context(HttpServletRequest request) {
    Object incoming = request.getAttribute(Incoming.KEY);
    return incoming == null
        ? McpTransportContext.EMPTY
        : McpTransportContext.create(Map.of(Incoming.KEY, incoming));
  }

  private Connection connection(String session) {
    Seat seat = seats.get(session);
    if (seat == null) throw WireError.invalid("the session is over; begin one with initialize");
    return seat.connection();
  }

  private McpStreamableServerSessionInit begin(McpSchema.InitializeRequest request) {
    String id = UUID.randomUUID().toString();
    String credential = arriving.get();
    var session =
        new McpStreamableServerSession(
            id,
            request.capabilities(),
            request.clientInfo(),
            ASKING_MAX,
            handlers.requests(),
            handlers.notices(),
            () -> Mono.fromRunnable(() -> seats.remove(id)));
    session.setMinLoggingLevel(McpSchema.LoggingLevel.DEBUG); // the connection has its own
    seats.put(
        id,
        new Seat(
            session,
            new Connection(id, whenWatching),
            credential == null ? "" : credential,
            ConcurrentHashMap.newKeySet()));
    return new McpStreamableServerSessionInit(
        session, Mono.just(Greeting.of(desk, request.protocolVersion())));
  }

  /** Lets the SDK answer. A session belongs to the token that began it; for others it is none. */
  void serve(HttpServletRequest request, HttpServletResponse response, String credential)
      throws IOException, ServletException {
    String session = Mirror.header(request, Mirror.SESSION);
    Seat seat = session == null ? null : seats.get(session);
    if (session != null && (seat == null || !seat.credential().equals(credential))) {
      response.setStatus(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    arriving.set(credential);
    try {
      provider.service(request, response);
    } finally {
      arriving.remove();
    }
  }

  boolean areFull() {
    return seats.size() >= SESSIONS_MAX;
  }

  int count() {
    return seats.size();
  }

  /** Tells each session that watches the address; a slow reader holds up nobody else. */
  void changed(String uri) {
    for (Seat seat : seats.values()) {
      boolean news = seat.connection().watches(uri) && seat.changed().add(uri);
      if (news) notices.execute(() -> tell(seat, uri));
    }
  }

  private static void tell(Seat seat, String uri) {
    seat.changed().remove(uri);
    seat.session()
        .sendNotification("notifications/resources/updated", Map.of("uri", uri))
        .onErrorComplete() // who has no stream open reads anew when he comes
        .block();
  }

  void close() {
    provider.closeGracefully().block();
  }
}
