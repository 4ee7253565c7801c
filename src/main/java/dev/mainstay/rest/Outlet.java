package dev.mainstay.rest;

import dev.mainstay.json.JsonText;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One answer of server-sent events that several write to, each event whole. */
final class Outlet {
  private final CountDownLatch over;
  private final ReentrantLock writing = new ReentrantLock();
  private volatile @Nullable ServletOutputStream out;

  /** It is over when so many have nothing more to say. */
  Outlet(int writers) {
    this.over = new CountDownLatch(writers);
  }

  void begin(ServletOutputStream to) {
    out = to;
  }

  /** A browser passes over an event without data, so each has some. */
  void write(String event, @Nullable Object data) {
    String frame = "event: " + event + "\ndata: " + JsonText.write(data) + "\n\n";
    writing.lock();
    try {
      send(frame.getBytes(StandardCharsets.UTF_8));
    } finally {
      writing.unlock();
    }
  }

  /** Says that we are there, unless it is being told something anyway. */
  void beat() {
    if (!writing.tryLock()) return;
    try {
      send(Streams.ALIVE);
    } finally {
      writing.unlock();
    }
  }

  private void send(byte[] bytes) {
    ServletOutputStream to = out;
    if (to == null || over.getCount() == 0) return;
    try {
      Streams.send(to, bytes);
    } catch (IOException gone) {
      leave();
    }
  }

  /** One of the writers has nothing more to say. */
  void ended() {
    over.countDown();
  }

  /** Nothing more is written; never waits. */
  void leave() {
    while (over.getCount() > 0) over.countDown();
  }

  /** Says whether it is over: all have ended, the reader is gone, or the server stops. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return over.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** An answer must not be ended while somebody writes it. */
  void awaitWriter() {
    writing.lock();
    writing.unlock();
  }
}
