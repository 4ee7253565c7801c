package dev.mainstay.rest;

import dev.mainstay.json.JsonText;
import dev.mainstay.terminal.FollowListener;
import dev.mainstay.terminal.OutputText;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One who looks at a terminal, as server-sent events. It is written to by the thread that hears the
 * terminal, which waits for a slow reader, so that what it cannot take is dropped there and told.
 */
final class ScreenViewer implements FollowListener {
  private final boolean escapes;
  private final OutputText text;
  private final CountDownLatch shown = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final ReentrantLock writing = new ReentrantLock();
  private volatile @Nullable ServletOutputStream out;

  ScreenViewer(boolean escapes) {
    this.escapes = escapes;
    this.text = new OutputText(escapes);
  }

  /** What was there when it came; only then it is told the rest. */
  void show(ServletOutputStream to, String screen) {
    out = to;
    // A terminal's lines begin where the last ended, unless they are told to begin at the left.
    write("screen", escapes ? screen.replace("\n", "\r\n") : screen);
    shown.countDown();
  }

  @Override
  public void output(byte[] bytes) {
    String piece = text.text(bytes);
    if (!piece.isEmpty()) tell("output", piece);
  }

  @Override
  public void missed(long bytes) {
    tell("missed", bytes);
  }

  @Override
  public void interrupted() {
    tell("interrupted", null);
  }

  @Override
  public void ended() {
    tell("ended", null);
    over.countDown();
  }

  private void tell(String event, @Nullable Object data) {
    try {
      shown.await();
      write(event, data);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /** A browser passes over an event without data, so each has some. */
  private void write(String event, @Nullable Object data) {
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
    if (to == null || isOver()) return;
    try {
      Streams.send(to, bytes);
    } catch (IOException gone) {
      leave();
    }
  }

  private boolean isOver() {
    return over.getCount() == 0;
  }

  /** Nothing more is written; never waits. */
  void leave() {
    over.countDown();
    shown.countDown();
  }

  /** Says whether it is over: the program ended, the reader is gone, or the server stops. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return over.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** An answer must not be ended while somebody writes it. */
  void awaitWriter() {
    writing.lock();
    writing.unlock();
  }
}
