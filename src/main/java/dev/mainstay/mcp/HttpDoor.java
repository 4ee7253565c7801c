package dev.mainstay.mcp;

import dev.mainstay.access.Caller;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MCP over HTTP at one path, both eras: a request that names its revision stands for itself, any
 * other belongs to a session of the SDK. Whoever comes in was let in before, and is an attribute.
 */
public final class HttpDoor extends HttpServlet {
  private static final long serialVersionUID = 1L;
  public static final String PATH = "/mcp";
  static final int BODY_BYTES_MAX = JsonText.DOCUMENT_BYTES_MAX;

  /** How long requests that are being answered may take when the server stops. */
  static final Duration STOP_MAX = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(HttpDoor.class);

  private final transient Path folder;
  private final transient Predicate<Caller> stillMay;
  private final transient Desk desk;
  private final transient Stateless stateless;
  private final transient Listeners listeners;
  private final transient HttpSessions sessions;
  private final transient ExecutorService notices = Executors.newCachedThreadPool(HttpDoor::thread);
  private final transient ScheduledExecutorService beats =
      Executors.newSingleThreadScheduledExecutor(HttpDoor::thread);
  private final transient Set<OpenStream> streams = ConcurrentHashMap.newKeySet();
  private final transient Phaser answering = new Phaser(1);
  private transient Registry.@Nullable Subscription changes;

  /**
   * The folder is where the server's project is. Whoever listens is asked now and then whether he
   * still may.
   */
  public HttpDoor(Registry registry, String version, Path folder, Predicate<Caller> stillMay) {
    this.folder = folder;
    this.stillMay = stillMay;
    this.desk =
        new Desk(registry, version, bug -> LOG.atError().setCause(bug).log("a tool is broken"));
    this.stateless = new Stateless(desk);
    this.listeners = new Listeners(stateless);
    this.sessions = new HttpSessions(desk, PATH, notices, this::hearChanges);
    long beat = Listeners.BEAT.toMillis();
    beats.scheduleAtFixedRate(
        () -> streams.forEach(OpenStream::beat), beat, beat, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "mainstay-mcp");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  protected void service(HttpServletRequest http, HttpServletResponse response)
      throws IOException, ServletException {
    Caller caller = (Caller) http.getAttribute(Caller.class.getName());
    if (caller == null) throw new IllegalStateException("nobody was let in");
    switch (http.getMethod()) {
      case "POST" -> post(http, response, caller);
      case "GET" -> get(http, response, caller);
      case "DELETE" -> toSession(http, response, caller, null);
      default -> {
        response.setHeader("Allow", "POST, GET, DELETE");
        response.setStatus(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
      }
    }
  }

  private void get(HttpServletRequest http, HttpServletResponse response, Caller caller)
      throws IOException, ServletException {
    SafeResponse safe = toSession(http, response, caller, null);
    if (!http.isAsyncStarted()) return;
    AsyncContext context = http.getAsyncContext();
    OpenStream stream =
        new OpenStream(context, safe.getWriter(), streams, () -> stillMay.test(caller));
    streams.add(stream);
    context.addListener(stream);
    stream.beat(); // else the client waits for the headers until the first event
  }

  private void post(HttpServletRequest http, HttpServletResponse response, Caller caller)
      throws IOException, ServletException {
    EventStream answer = new EventStream(response);
    if (!isJson(http)) {
      refuse(answer, 415, WireError.INVALID_REQUEST, "send application/json");
      return;
    }
    byte[] body = http.getInputStream().readNBytes(BODY_BYTES_MAX + 1);
    if (body.length > BODY_BYTES_MAX) {
      refuse(
          answer,
          413,
          WireError.INVALID_REQUEST,
          "a message has at most " + BODY_BYTES_MAX + " bytes");
      return;
    }
    Message message;
    try {
      message = Message.read(body);
    } catch (WireError unreadable) {
      answer.finish(400, Message.error(unreadable.request(), unreadable));
      return;
    }
    if (isStateless(http, message)) answerAlone(http, message, answer, caller, response);
    else inSession(new ReadRequest(http, body), response, caller, message);
  }

  private static boolean isJson(HttpServletRequest http) {
    String type = http.getContentType();
    return type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
  }

  private static void refuse(EventStream answer, int status, int code, String sentence) {
    answer.finish(status, Message.error(null, new WireError(code, sentence, null)));
  }

  /**
   * A version that no session can have is refused with those that are known, as the newest asks.
   */
  private static boolean isStateless(HttpServletRequest http, Message message) {
    if (message.meta().has(Stateless.VERSION)) return true;
    String version = Mirror.header(http, Mirror.VERSION);
    return version != null
        && !Revision.WITH_SESSIONS.contains(version)
        && !(message.called().equals("initialize") && !version.equals(Revision.STATELESS));
  }

  private void inSession(
      HttpServletRequest http, HttpServletResponse response, Caller caller, Message message)
      throws IOException, ServletException {
    if (message.called().equals("initialize") && sessions.areFull()) {
      String full = HttpSessions.SESSIONS_MAX + " sessions are open, which is the most";
      new EventStream(response)
          .finish(503, Message.error(message.id(), new WireError(WireError.BUSY, full, null)));
      return;
    }
    http.setAttribute(Incoming.KEY, new Incoming(message, origin(caller), null, null));
    answering.register();
    try {
      toSession(http, response, caller, message.id());
    } finally {
      answering.arriveAndDeregister();
    }
  }

  private SafeResponse toSession(
      HttpServletRequest http, HttpServletResponse response, Caller caller, @Nullable Object id)
      throws IOException, ServletException {
    SafeResponse safe = new SafeResponse(response);
    sessions.serve(http, safe, caller.credential());
    if (!http.isAsyncStarted()) safe.finish(id);
    return safe;
  }

  private Origin origin(Caller caller) {
    return new Origin(caller.terminal(), folder, caller.role() != Role.VIEWER);
  }

  private void answerAlone(
      HttpServletRequest http,
      Message message,
      EventStream answer,
      Caller caller,
      HttpServletResponse response) {
    if (!message.isRequest()) {
      response.setStatus(HttpServletResponse.SC_ACCEPTED);
      return;
    }
    try {
      try {
        Mirror.check(http, message);
        Stateless.check(message);
      } catch (WireError error) {
        answer.finish(400, Message.error(message.id(), unknownVersion(http, message, error)));
        return;
      }
      if (!stateless.knows(message.called())) throw WireError.noSuchMethod(message.called());
      if (message.called().equals(Stateless.LISTEN)) {
        hearChanges();
        listeners.serve(message, answer, () -> stillMay.test(caller));
        return;
      }
      JsonObject result = stateless.answer(message, asking(message, answer, caller));
      answer.finish(200, Message.result(message.number(), result));
    } catch (WireError error) {
      answer.finish(status(error), Message.error(message.id(), error));
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** A client that only knows an older shape names its version in the header alone. */
  private static WireError unknownVersion(
      HttpServletRequest http, Message message, WireError error) {
    String version = Mirror.header(http, Mirror.VERSION);
    if (version == null || Revision.ALL.contains(version)) return error;
    return message.meta().has(Stateless.VERSION) ? error : Stateless.unsupported(version);
  }

  private static int status(WireError error) {
    return switch (error.code()) {
      case WireError.METHOD_NOT_FOUND -> 404;
      case WireError.MISSING_CAPABILITY -> 400;
      case WireError.BUSY -> 503;
      case WireError.INTERNAL -> 500;
      default -> 200;
    };
  }

  /** Such a caller has no connection; the same client with the same token is the same caller. */
  private Asking asking(Message message, EventStream answer, Caller caller) {
    String client = Stateless.client(message);
    String connection = "http-" + Keys.sha256(caller.credential() + "\n" + client).substring(0, 32);
    var line =
        new CallLine(
            message,
            answer::send,
            Stateless.logged(message),
            answer::isGone,
            Stateless.capabilities(message));
    return new Asking(origin(caller).guest(client, connection), Keys.of(message, null), line);
  }

  private synchronized void hearChanges() {
    if (changes != null) return;
    changes =
        desk.registry()
            .listen(
                uri -> {
                  sessions.changed(uri);
                  listeners.changed(uri);
                });
  }

  /** How many sessions are open. */
  public int sessions() {
    return sessions.count();
  }

  int listeners() {
    return listeners.count();
  }

  /** Ends the streams that would last, lets what is being answered end, then ends the sessions. */
  public void close() {
    Registry.Subscription heard;
    synchronized (this) {
      heard = changes;
    }
    if (heard != null) heard.close();
    beats.shutdownNow();
    listeners.close();
    streams.forEach(OpenStream::end);
    awaitAnswers();
    sessions.close();
    notices.shutdownNow();
  }

  private void awaitAnswers() {
    try {
      answering.awaitAdvanceInterruptibly(
          answering.arrive(), STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException broken) {
      LOG.warn("calls that took too long are broken off");
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    }
  }
}
