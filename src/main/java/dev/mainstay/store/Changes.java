package dev.mainstay.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * News of a store, whoever changed it: somebody remembers what was seen, looks, and waits until
 * there is more. News may come without a change, but no change stays without news.
 */
public final class Changes implements AutoCloseable {
  /** What somebody may wait for. */
  public enum News {
    /** The journal has grown. */
    JOURNAL,
    /** A task may have become ready. */
    READY
  }

  /** How news goes to other processes and comes from them. */
  interface Wire extends AutoCloseable {
    /** Tells other processes soon. Never waits and never fails, as a use case is on its way. */
    void send(Set<News> news);

    /** Begins to hear what other processes change from now on. */
    Ear listen() throws SQLException;

    /** Sends what is still to be sent. */
    @Override
    void close();
  }

  /** One who hears of other processes' changes; may be closed while another thread listens. */
  interface Ear extends AutoCloseable {
    /** What has happened since the last question; waits a moment when it is nothing. */
    Set<News> next() throws SQLException, InterruptedException;

    @Override
    void close();
  }

  /** An ear that nobody needs stays open for this long, as most waits follow one another. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long RECONNECT_MILLIS_MIN = 20;
  private static final long RECONNECT_MILLIS_MAX = 1_000;
  private static final long CLOSE_MILLIS_MAX = 2_000;
  static final Set<News> ALL = Set.of(News.values());

  private final Wire wire;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final Condition wanted = lock.newCondition();
  private final Map<News, Long> counts = new EnumMap<>(News.class);
  private int waiting;
  private boolean closed;
  private @Nullable Thread listener;
  private @Nullable Ear ear;

  Changes(Wire wire) {
    this.wire = wire;
    for (News news : News.values()) counts.put(news, 0L);
  }

  /** How much news of this kind there was; asked before one looks, given when one waits. */
  public long seen(News news) {
    lock.lock();
    try {
      return count(news);
    } finally {
      lock.unlock();
    }
  }

  private long count(News news) {
    return counts.getOrDefault(news, 0L);
  }

  /**
   * Waits for more news than was seen; true as soon as there is, false when the time is over, the
   * store is closed or the thread is interrupted, which it then still is.
   */
  public boolean await(News news, long since, Duration atMost) {
    long nanos = atMost.toNanos();
    lock.lock();
    waiting++;
    try {
      while (count(news) == since) {
        if (nanos <= 0 || closed) return false;
        needEar();
        nanos = moved.awaitNanos(nanos);
      }
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting--;
      lock.unlock();
    }
  }

  /** Wakes those who wait in this process, as if there were news. */
  public void stir(News news) {
    publish(EnumSet.of(news));
  }

  /** A change of this process is durable. */
  void committed(Set<News> news) {
    if (news.isEmpty()) return;
    publish(news);
    wire.send(news);
  }

  private void publish(Set<News> news) {
    if (news.isEmpty()) return;
    lock.lock();
    try {
      for (News each : news) counts.merge(each, 1L, Long::sum);
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void needEar() {
    if (listener == null) {
      Thread thread = new Thread(this::listen, "mainstay-news");
      thread.setDaemon(true);
      listener = thread;
      thread.start();
    }
    wanted.signal();
  }

  private void listen() {
    long pause = RECONNECT_MILLIS_MIN;
    try {
      while (isWanted()) {
        try {
          publish(ear().next());
          pause = RECONNECT_MILLIS_MIN;
        } catch (SQLException | RuntimeException broken) {
          hangUp(); // whoever waits is told of everything once there is a new one
          Thread.sleep(pause);
          pause = Math.min(RECONNECT_MILLIS_MAX, pause * 2);
        }
      }
    } catch (InterruptedException stop) {
      hangUp();
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until somebody waits; false when this thread is not needed any more. */
  private boolean isWanted() throws InterruptedException {
    lock.lock();
    try {
      long nanos = LINGER_NANOS;
      while (waiting == 0 && !closed && nanos > 0) nanos = wanted.awaitNanos(nanos);
      if (waiting > 0 && !closed) return true;
      listener = null; // under the lock, so that who comes now starts another
      hangUp();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private Ear ear() throws SQLException {
    Ear open = ear;
    if (open != null) return open;
    open = wire.listen();
    lock.lock();
    try {
      ear = open;
      if (closed) throw new IllegalStateException("closed while it was opened");
    } finally {
      lock.unlock();
    }
    publish(ALL); // nobody knows what happened before it was open
    return open;
  }

  private void hangUp() {
    lock.lock();
    Ear open = ear;
    ear = null;
    lock.unlock();
    if (open != null) open.close();
  }

  /** Lets everybody go who waits, and tells other processes what they were not told yet. */
  @Override
  public void close() {
    Thread thread;
    lock.lock();
    try {
      closed = true;
      thread = listener;
      moved.signalAll();
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
    hangUp();
    wire.close();
    if (thread == null) return;
    thread.interrupt();
    try {
      thread.join(CLOSE_MILLIS_MAX);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
