package dev.mainstay.terminal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** Keeps what a pane printed. */
final class Heard implements FollowListener {
  final CountDownLatch began = new CountDownLatch(1);
  final CountDownLatch ended = new CountDownLatch(1);
  final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch mayGoOn;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long missed;

  Heard() {
    this(new CountDownLatch(0));
  }

  /** One who stops after the first piece until he may go on. */
  Heard(CountDownLatch mayGoOn) {
    this.mayGoOn = mayGoOn;
  }

  @Override
  public void output(byte[] piece) {
    synchronized (this) {
      bytes.writeBytes(piece);
    }
    began.countDown();
    try {
      mayGoOn.await();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void missed(long count) {
    missed += count;
  }

  @Override
  public void interrupted() {
    interrupted.countDown();
  }

  @Override
  public void ended() {
    ended.countDown();
  }

  synchronized String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  synchronized long missedBytes() {
    return missed;
  }

  synchronized int heardBytes() {
    return bytes.size();
  }
}
