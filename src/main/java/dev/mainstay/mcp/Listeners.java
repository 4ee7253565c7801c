package dev.mainstay.mcp;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Those who listen to changes by a request that stays open; each has its own thread and queue. */
final class Listeners {
  static final int LISTENERS_MAX = 100;
  private static final int WAITING_MAX = 1_000;
  static final Duration BEAT = Duration.ofSeconds(15);

  /** Put last, when the server stops. */
  private static final String END = "";

  private final Stateless stateless;
  private final Set<Listener> all = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Listeners(Stateless stateless) {
    this.stateless = stateless;
  }

  static WireError full() {
    return new WireError(
        WireError.BUSY, LISTENERS_MAX + " listen already, which is the most; come later", null);
  }

  private record Listener(Set<String> uris, BlockingQueue<String> changes) {}

  /** Says what changes until the listener leaves or may listen no more, or the server stops. */
  void serve(Message request, EventStream stream, BooleanSupplier stillMay)
      throws InterruptedException {
    Object id = request.number();
    Listener listener =
        new Listener(Stateless.wanted(request), new ArrayBlockingQueue<>(WAITING_MAX));
    admit(listener);
    try {
      stream.send(Stateless.acknowledged(id, listener.uris()));
      while (!stream.isGone() && !closed && stillMay.getAsBoolean()) {
        String uri = listener.changes().poll(BEAT.toMillis(), TimeUnit.MILLISECONDS);
        if (uri == null) stream.beat();
        else if (!uri.equals(END)) stream.send(Stateless.updated(id, uri));
      }
      stream.finish(200, Message.result(id, stateless.listened(id)));
    } finally {
      all.remove(listener);
    }
  }

  private synchronized void admit(Listener listener) {
    if (all.size() >= LISTENERS_MAX || closed) throw full();
    all.add(listener);
  }

  /** One who does not keep up misses what he would have to read over anyway: the same again. */
  void changed(String uri) {
    for (Listener listener : all) {
      if (listener.uris().contains(uri) && !listener.changes().contains(uri)) {
        listener.changes().offer(uri);
      }
    }
  }

  int count() {
    return all.size();
  }

  void close() {
    closed = true;
    for (Listener listener : all) listener.changes().offer(END);
  }
}
