package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.rest.ServerSettings.Readers;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who listen to what happens. Each has a thread of its own that waits for its reader, so a
 * slow one holds up nobody; one that takes nothing for a while is cut off and may come again with
 * the last position it saw.
 */
final class EventReaders {
  static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final Logger LOG = LoggerFactory.getLogger(EventReaders.class);
  private static final byte[] ALIVE = ": alive\n\n".getBytes(StandardCharsets.UTF_8);

  private final int readersMax;
  private final EventFeed feed;
  private final Callers callers;
  private final Duration stall;
  private final ExecutorService threads;
  private final AtomicInteger count = new AtomicInteger();

  EventReaders(EventFeed feed, Callers callers, Readers limits, ExecutorService threads) {
    this.feed = feed;
    this.callers = callers;
    this.stall = limits.stall();
    this.readersMax = limits.max();
    this.threads = threads;
  }

  int count() {
    return count.get();
  }

  /** One who listens to one stream, or to all. */
  record Listening(Caller caller, String stream, Position from) {}

  /** Asked before an answer is begun, because one that has begun cannot become a refusal. */
  void refuseWhenFull() {
    if (count.get() >= readersMax) throw full();
  }

  private DoorRefusal full() {
    return DoorRefusal.busy(
        Phrase.of("%,d listen already, which is the most; come again later", readersMax));
  }

  /** Answers with events from now on until the reader leaves or the server stops. */
  CompletableFuture<?> begin(Context http, Listening listening) {
    if (count.incrementAndGet() > readersMax) {
      count.decrementAndGet();
      throw full();
    }
    CompletableFuture<?> done = new CompletableFuture<>();
    try {
      // A write that its reader does not take fails after this time, and only that one.
      ServletContextRequest.getServletContextRequest(http.req())
          .getConnectionMetaData()
          .getConnection()
          .getEndPoint()
          .setIdleTimeout(stall.toMillis());
      http.res().setHeader("X-Accel-Buffering", "no");
      http.res().setHeader("Connection", "close");
      threads.execute(() -> serve(http, listening, done));
    } catch (RuntimeException failed) {
      count.decrementAndGet();
      throw failed;
    }
    return done;
  }

  private void serve(Context http, Listening listening, CompletableFuture<?> done) {
    try {
      ServletOutputStream out = http.res().getOutputStream();
      send(out, ALIVE);
      Position at = listening.from();
      long checked = System.nanoTime();
      while (true) {
        Optional<EventFeed.Part> part = feed.after(at, listening.stream(), heartbeat());
        if (part.isEmpty()) return;
        if (System.nanoTime() - checked > heartbeat().toNanos()) {
          checked = System.nanoTime();
          if (!callers.isAlive(listening.caller())) return;
        }
        if (part.get().at().equals(at)) send(out, ALIVE);
        for (EventFeed.Shown each : part.get().entries()) out.write(each.frame());
        out.flush();
        at = part.get().at();
      }
    } catch (IOException gone) {
      return; // it comes again with the position it saw last
    } catch (Refusal unavailable) {
      LOG.atWarn().setCause(unavailable).log("a reader of events is sent away");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      count.decrementAndGet();
      done.complete(null);
    }
  }

  /** Often enough that a reader who is there is not taken for one who is not. */
  private Duration heartbeat() {
    Duration half = stall.dividedBy(2);
    return half.compareTo(HEARTBEAT) < 0 ? half : HEARTBEAT;
  }

  private static void send(ServletOutputStream out, byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }
}
