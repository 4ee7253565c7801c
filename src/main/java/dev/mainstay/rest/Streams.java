package dev.mainstay.rest;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.rest.ServerSettings.Readers;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers that go on for as long as somebody listens: no more than may be, each on a thread of its
 * own, and cut off when its reader takes nothing for a while. One that tells of several things
 * takes as many places.
 */
final class Streams {
  static final Duration HEARTBEAT = Duration.ofSeconds(15);
  static final byte[] ALIVE = ": alive\n\n".getBytes(StandardCharsets.UTF_8);
  private static final Logger LOG = LoggerFactory.getLogger(Streams.class);

  private final Readers limits;
  private final ExecutorService threads;
  private final AtomicInteger count = new AtomicInteger();

  Streams(Readers limits, ExecutorService threads) {
    this.limits = limits;
    this.threads = threads;
  }

  /** What is said to one reader; it is over when this returns. */
  interface Saying {
    void to(ServletOutputStream out) throws IOException, InterruptedException;
  }

  int count() {
    return count.get();
  }

  /** Asked before an answer is begun, because one that has begun cannot become a refusal. */
  void refuseWhenFull(int places) {
    if (count.get() + places > limits.max()) throw full();
  }

  private DoorRefusal full() {
    return DoorRefusal.busy(
        Phrase.of("%,d listen already, which is the most; come again later", limits.max()));
  }

  CompletableFuture<?> begin(Context http, int places, Saying saying) {
    if (count.addAndGet(places) > limits.max()) {
      count.addAndGet(-places);
      throw full();
    }
    CompletableFuture<?> done = new CompletableFuture<>();
    try {
      // A write that its reader does not take fails after this time, and only that one.
      endPoint(http).setIdleTimeout(limits.stall().toMillis());
      http.res().setHeader("X-Accel-Buffering", "no");
      http.res().setHeader("Connection", "close");
      threads.execute(() -> serve(http, places, saying, done));
    } catch (RuntimeException failed) {
      count.addAndGet(-places);
      throw failed;
    }
    return done;
  }

  static EndPoint endPoint(Context http) {
    return ServletContextRequest.getServletContextRequest(http.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint();
  }

  private void serve(Context http, int places, Saying saying, CompletableFuture<?> done) {
    try {
      saying.to(http.res().getOutputStream());
    } catch (IOException gone) {
      return; // it comes again if it likes
    } catch (Refusal unavailable) {
      LOG.atWarn().setCause(unavailable).log("a reader is sent away");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      count.addAndGet(-places);
      done.complete(null);
    }
  }

  /** Often enough that a reader who is there is not taken for one who is not. */
  Duration heartbeat() {
    return heartbeat(limits.stall());
  }

  static Duration heartbeat(Duration stall) {
    Duration half = stall.dividedBy(2);
    return half.compareTo(HEARTBEAT) < 0 ? half : HEARTBEAT;
  }

  static void send(ServletOutputStream out, byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }
}
