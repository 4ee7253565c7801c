package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * MCP on standard input and output, both eras: a request that names its revision stands for itself,
 * any other belongs to the session that {@code initialize} began.
 */
public final class StdioDoor {
  /** How long what is being answered may take once the input has ended. */
  static final Duration DRAIN_MAX = Duration.ofSeconds(60);

  private final InputStream in;
  private final Origin origin;
  private final Connection connection =
      new Connection("stdio-" + UUID.randomUUID(), this::hearChanges);
  private final Desk desk;
  private final Stateless stateless;
  private final Wire wire;
  private final StdioSession session;
  private final CountDownLatch over = new CountDownLatch(1);
  private final CallQueue calls = new CallQueue();
  private final Map<Object, Set<String>> listening = new LinkedHashMap<>();
  private volatile Registry.@Nullable Subscription changes;
  private volatile @Nullable Guest caller;

  public StdioDoor(
      Registry registry, String version, Origin origin, InputStream in, OutputStream out) {
    this.in = in;
    this.origin = origin;
    this.desk = new Desk(registry, version, bug -> bug.printStackTrace(System.err));
    this.stateless = new Stateless(desk);
    this.wire = new Wire(out, over::countDown);
    var handlers = new SessionHandlers(desk, any -> connection, this::called);
    this.session = new StdioSession(desk, wire, connection, handlers);
  }

  private void called(Guest guest) {
    caller = guest;
  }

  /** Who last called a tool, if anybody did. */
  public @Nullable Guest caller() {
    return caller;
  }

  /**
   * Answers until the input ends and everything asked before is answered. False when nobody reads
   * the answers any more.
   */
  public boolean serve() throws InterruptedException {
    Thread reader = CallQueue.thread(this::read);
    reader.start();
    over.await();
    calls.drain(DRAIN_MAX.toMillis(), wire::isGone);
    connection.cancelAll();
    reader.interrupt(); // where it waits for a place in the queue
    Registry.Subscription subscription = changes;
    if (subscription != null) subscription.close();
    synchronized (listening) {
      listening.keySet().forEach(id -> wire.send(Message.result(id, stateless.listened(id))));
    }
    calls.stop();
    return !wire.isGone();
  }

  private void read() {
    Lines lines = new Lines(in);
    try {
      while (true) {
        try {
          byte[] line = lines.next();
          if (line == null) return;
          if (!isBlank(line)) take(Message.read(line));
        } catch (WireError unreadable) {
          wire.send(Message.error(unreadable.request(), unreadable));
        }
      }
    } catch (IOException | InterruptedException broken) {
      // An input that cannot be read any more has ended.
    } finally {
      over.countDown();
    }
  }

  private static boolean isBlank(byte[] line) {
    for (byte each : line) if (each < 0 || each > ' ') return false;
    return true;
  }

  /**
   * What changes how later messages are understood is taken in order; all else side by side. With
   * too many requests in progress this waits without reading input.
   */
  private void take(Message message) throws InterruptedException {
    if (message.called().equals("notifications/cancelled")) {
      Object request = RequestId.valid(message.params().get("requestId"));
      if (request != null) cancel(request);
    } else if (message.isNotice() || message.called().equals("initialize")) {
      answer(message);
    } else if (message.isRequest()) {
      connection.begin(message.number());
      calls.add(() -> answerAndEnd(message));
    }
  }

  private void cancel(Object request) {
    connection.cancel(request);
    synchronized (listening) {
      listening.remove(request);
    }
  }

  private void answerAndEnd(Message message) {
    try {
      if (!connection.isCancelled(message.number())) answer(message);
    } finally {
      connection.end(message.number());
    }
  }

  private void answer(Message message) {
    try {
      if (isStateless(message)) answerStateless(message);
      else session.handle(new Incoming(message, origin, connection, wire::send));
    } catch (WireError error) {
      if (message.isRequest()) wire.send(Message.error(message.id(), error));
    } catch (RuntimeException | Error bug) {
      WireError told = desk.told(bug);
      if (message.isRequest()) wire.send(Message.error(message.id(), told));
    }
  }

  private static boolean isStateless(Message message) {
    return message.meta().has(Stateless.VERSION)
        || message.called().equals(Stateless.DISCOVER)
        || message.called().equals(Stateless.LISTEN);
  }

  private void answerStateless(Message message) {
    if (!message.isRequest()) return;
    Stateless.check(message);
    if (!stateless.knows(message.called())) throw WireError.noSuchMethod(message.called());
    if (message.called().equals(Stateless.LISTEN)) {
      listen(message);
      return;
    }
    Guest guest = origin.guest(Stateless.client(message), connection.id());
    if (message.called().equals("tools/call")) called(guest);
    var cancelled = connection.begin(message.number());
    var line =
        new CallLine(
            message,
            wire::send,
            Stateless.logged(message),
            cancelled::get,
            Stateless.capabilities(message));
    JsonObject result =
        stateless.answer(message, new Asking(guest, Keys.of(message, connection.id()), line));
    if (!cancelled.get()) wire.send(Message.result(message.number(), result));
  }

  /** The acknowledgement comes first on the wire, and no change after it is missed. */
  private void listen(Message message) {
    Object id = message.number();
    Set<String> uris = Stateless.wanted(message);
    hearChanges();
    synchronized (listening) {
      if (listening.size() >= Listeners.LISTENERS_MAX) throw Listeners.full();
      if (connection.isCancelled(id)) return;
      wire.send(Stateless.acknowledged(id, uris));
      listening.put(id, uris);
    }
  }

  private synchronized void hearChanges() {
    if (changes == null) changes = desk.registry().listen(this::changed);
  }

  private void changed(String uri) {
    if (connection.watches(uri)) {
      wire.send(Message.notice("notifications/resources/updated", JsonObject.of("uri", uri)));
    }
    synchronized (listening) {
      listening.forEach(
          (id, uris) -> {
            if (uris.contains(uri)) wire.send(Stateless.updated(id, uri));
          });
    }
  }
}
