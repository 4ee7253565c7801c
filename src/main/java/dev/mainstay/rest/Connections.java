package dev.mainstay.rest;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the server. One on which the head of a request does not arrive in time is
 * closed. When there are too many, in all or from one address, the one that has waited longest for
 * a request is closed, first among those that never sent a whole one.
 *
 * <p>When the server stops, those on which everything is answered are closed at once: Jetty would
 * give each a second.
 */
final class Connections extends GracefulHandler implements Connection.Listener {
  private static final int LOOKS_PER_DEADLINE = 10;
  private static final int LOOK_MILLIS_MIN = 10;
  private static final int LOOK_MILLIS_MAX = 1_000;

  private final ServerLimits limits;
  private final Map<Connection, Slot> slots = new ConcurrentHashMap<>();
  private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();
  private Scheduler.@Nullable Task look;

  Connections(ServerLimits limits) {
    this.limits = limits;
  }

  /** What is known about one connection. */
  private static final class Slot {
    final Connection connection;
    final String address;
    volatile boolean busy;
    volatile boolean served;

    /** Since when no request is being answered, or since when a head is arriving. */
    volatile long waitingSince = System.nanoTime();

    volatile boolean arriving = true; // the first head has to come from the beginning

    /** How many bytes had come when the request before was answered. */
    volatile long bytes;

    Slot(Connection connection) {
      this.connection = connection;
      SocketAddress remote = connection.getEndPoint().getRemoteSocketAddress();
      this.address =
          remote instanceof InetSocketAddress from ? from.getAddress().getHostAddress() : "";
    }

    void begin() {
      busy = true;
    }

    void end() {
      bytes = connection.getBytesIn();
      waitingSince = System.nanoTime();
      arriving = false;
      served = true;
      busy = false;
    }

    /** Not {@link Connection#close}, which would answer half a request with status 500. */
    void close() {
      connection.getEndPoint().close();
    }

    boolean isLate(Duration head) {
      if (busy) return false;
      if (!arriving && connection.getBytesIn() > bytes) {
        arriving = true;
        waitingSince = System.nanoTime();
      }
      return arriving && System.nanoTime() - waitingSince > head.toNanos();
    }
  }

  @Override
  public void onOpened(Connection opened) {
    if (opened instanceof SslConnection) return; // the one within it carries the requests
    Slot tooMany = opened(new Slot(opened));
    if (tooMany != null) tooMany.close();
  }

  /** Counts a connection, and takes away the one that there is no room for any more. */
  private synchronized @Nullable Slot opened(Slot own) {
    slots.put(own.connection, own);
    int ofAddress = byAddress.merge(own.address, 1, Integer::sum);
    Slot tooMany = null;
    if (ofAddress > limits.connectionsByAddress()) {
      tooMany = longestWaiting(own, other -> other.address.equals(own.address));
    } else if (slots.size() > limits.connections()) {
      tooMany = longestWaiting(own, other -> true);
    }
    if (tooMany != null) onClosed(tooMany.connection);
    return tooMany;
  }

  @Override
  public synchronized void onClosed(Connection closed) {
    Slot slot = slots.remove(closed);
    if (slot == null) return;
    byAddress.computeIfPresent(slot.address, (address, count) -> count == 1 ? null : count - 1);
  }

  /** The new connection itself if requests of all others are being answered. */
  private Slot longestWaiting(Slot own, Predicate<Slot> which) {
    return slots.values().stream()
        .filter(each -> each != own && !each.busy && which.test(each))
        .min(
            Comparator.comparing((Slot each) -> each.served)
                .thenComparing(each -> each.waitingSince - own.waitingSince))
        .orElse(own);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Slot slot = slots.get(request.getConnectionMetaData().getConnection());
    if (slot != null) {
      slot.begin();
      Request.addCompletionListener(request, fault -> slot.end());
    }
    return super.handle(request, response, callback);
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    scheduleLook();
  }

  @Override
  protected void doStop() throws Exception {
    Scheduler.Task next = look;
    if (next != null) next.cancel();
    super.doStop();
  }

  private void scheduleLook() {
    long part = limits.head().toMillis() / LOOKS_PER_DEADLINE;
    long millis = Math.max(LOOK_MILLIS_MIN, Math.min(LOOK_MILLIS_MAX, part));
    look = getServer().getScheduler().schedule(this::closeLate, millis, TimeUnit.MILLISECONDS);
  }

  private void closeLate() {
    for (Slot each : slots.values()) if (each.isLate(limits.head())) each.close();
    if (isRunning()) scheduleLook();
  }

  /** Closes those on which all is answered. */
  void closeIdle() {
    for (Slot each : slots.values()) if (!each.busy) each.close();
  }

  int count() {
    return slots.size();
  }
}
