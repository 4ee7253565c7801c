package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.rest.ServerSettings.Readers;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Those who listen to what happens. Each has a thread of its own that waits for its reader, so a
 * slow one holds up nobody; one that takes nothing for a while is cut off and may come again with
 * the last position it saw.
 */
final class EventReaders {
  private final EventFeed feed;
  private final Callers callers;
  private final Streams streams;

  EventReaders(EventFeed feed, Callers callers, Readers limits, ExecutorService threads) {
    this.feed = feed;
    this.callers = callers;
    this.streams = new Streams(limits, threads);
  }

  int count() {
    return streams.count();
  }

  /** One who listens to one stream, or to all. */
  record Listening(Caller caller, String stream, EventFeed.Place from) {}

  /** Asked before an answer is begun, because one that has begun cannot become a refusal. */
  void refuseWhenFull() {
    streams.refuseWhenFull(1);
  }

  /** Answers with events from now on until the reader leaves or the server stops. */
  CompletableFuture<?> begin(Context http, Listening listening) {
    return streams.begin(http, 1, out -> serve(out, listening));
  }

  private void serve(ServletOutputStream out, Listening listening)
      throws IOException, InterruptedException {
    Streams.send(out, Streams.ALIVE);
    EventFeed.Place at = listening.from();
    Duration heartbeat = streams.heartbeat();
    long checked = System.nanoTime();
    while (true) {
      Optional<EventFeed.Part> part = feed.after(at, listening.stream(), heartbeat);
      if (part.isEmpty()) return;
      if (System.nanoTime() - checked > heartbeat.toNanos()) {
        checked = System.nanoTime();
        if (!callers.isAlive(listening.caller())) return;
      }
      byte[] notice = part.get().notice();
      if (notice != null) Streams.send(out, notice);
      if (part.get().over()) return;
      if (part.get().place().equals(at)) Streams.send(out, Streams.ALIVE);
      for (EventFeed.Shown each : part.get().entries()) out.write(each.frame());
      out.flush();
      at = part.get().place();
    }
  }
}
