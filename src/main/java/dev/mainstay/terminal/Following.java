package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One who follows a pane, with a buffer that never grows beyond its limit. */
public final class Following implements AutoCloseable {
  static final int FOLLOW_BYTES_MAX = 1 << 20;
  private static final long IDLE_MILLIS = 500;

  private final Follows follows;
  private final Pane pane;
  private final FollowListener listener;
  private final Deque<byte[]> kept = new ArrayDeque<>();
  private int keptBytes;
  private long missedBytes;
  private boolean interrupted;
  private boolean gone;
  private boolean closed;

  Following(Follows follows, Pane pane, FollowListener listener) {
    this.follows = follows;
    this.pane = pane;
    this.listener = listener;
  }

  Pane pane() {
    return pane;
  }

  void start() {
    Thread thread = new Thread(this::handOn, "follow-" + pane.id());
    thread.setDaemon(true);
    thread.start();
  }

  /** Never waits. */
  synchronized void offer(byte[] bytes) {
    kept.add(bytes);
    keptBytes += bytes.length;
    while (keptBytes > FOLLOW_BYTES_MAX) {
      int dropped = kept.remove().length;
      keptBytes -= dropped;
      missedBytes += dropped;
    }
    notifyAll();
  }

  /** In another life of the server the same number is another pane. */
  synchronized void reconnected(String life) {
    interrupted = true;
    gone = !life.equals(pane.life());
    notifyAll();
  }

  private void handOn() {
    try {
      while (!isClosed()) {
        boolean more = handNext(IDLE_MILLIS);
        if (more || follows.isAlive(pane)) continue;
        // What it printed came before the news of its end, on the same connection.
        boolean left = true;
        while (left) left = handNext(0);
        break;
      }
    } catch (Refusal unreachable) {
      close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      close();
      listener.ended();
    }
  }

  private boolean handNext(long millis) throws InterruptedException {
    byte @Nullable [] next;
    long missed;
    boolean cut;
    synchronized (this) {
      if (isQuiet() && millis > 0) TimeUnit.MILLISECONDS.timedWait(this, millis);
      if (isQuiet()) return false;
      next = kept.poll();
      if (next != null) keptBytes -= next.length;
      missed = missedBytes;
      missedBytes = 0;
      cut = interrupted;
      interrupted = false;
    }
    if (cut) listener.interrupted();
    if (missed > 0) listener.missed(missed);
    if (next != null) listener.output(next);
    return true;
  }

  private boolean isQuiet() {
    return closed || gone || (kept.isEmpty() && !interrupted);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) return;
      closed = true;
      notifyAll();
    }
    follows.leave(this);
  }
}
