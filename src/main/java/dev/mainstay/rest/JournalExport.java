package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.ServerSettings.Readers;
import dev.mainstay.rest.SystemRoutes.Streaming;
import dev.mainstay.upkeep.Journal;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.EndPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /journal/export}: the whole journal as a file, written as it is read. A reader that is too
 * slow is cut off, and so is one whose token has ended.
 */
final class JournalExport {
  /** Each takes a thread for as long as its reader takes. */
  static final int EXPORTS_MAX = 2;

  /** So much is read between two looks at the reader, or it holds its place for nothing. */
  static final long PACE_BYTES_MIN = 64 * 1024;

  static final String MEDIA_TYPE = "application/x-ndjson";
  private static final int ENTRIES_AT_ONCE = 500;
  private static final Logger LOG = LoggerFactory.getLogger(JournalExport.class);

  private final Journal journal;
  private final Callers callers;
  private final Duration stall;
  private final Places exports =
      new Places(EXPORTS_MAX, "two exports are under way, which is the most; come again later");

  JournalExport(Journal journal, Callers callers, Readers limits) {
    this.journal = journal;
    this.callers = callers;
    this.stall = limits.stall();
  }

  Route route() {
    return Route.get("/journal/export", "journal", "Everything that happened, an entry a line")
        .givesText(MEDIA_TYPE, "one journal entry as JSON on each line, oldest first")
        .by(
            request -> {
              boolean asksOnly = request.http().method() == HandlerType.HEAD;
              // Taken before the answer is begun: one that has begun cannot become a refusal.
              Places.Place place = asksOnly ? null : exports.take();
              Caller caller = request.caller();
              Streaming stream =
                  http ->
                      place == null
                          ? CompletableFuture.completedFuture(null)
                          : write(http, caller, place);
              var headers =
                  Map.of("Content-Disposition", "attachment; filename=\"mainstay-journal.ndjson\"");
              return new Reply(200, MEDIA_TYPE, stream, headers);
            });
  }

  private CompletableFuture<?> write(Context http, Caller caller, Places.Place place) {
    try {
      Reading reading = new Reading(caller, Streams.endPoint(http));
      try {
        watch(reading);
        write(http.outputStream(), reading);
      } finally {
        reading.end();
      }
    } catch (IOException gone) {
      LOG.debug("an export was not read to its end"); // its reader comes again if it likes
    } finally {
      place.close();
    }
    return CompletableFuture.completedFuture(null);
  }

  /** Page by page, each a look of its own, so that a slow reader holds nothing open. */
  private void write(OutputStream out, Reading reading) throws IOException {
    Position position = Position.BEGINNING;
    List<Placed> page;
    do {
      page = journal.after(position, null, ENTRIES_AT_ONCE);
      for (Placed each : page) {
        position = each.position();
        byte[] line =
            (JsonText.write(EntryJson.write(each.entry(), position)) + "\n")
                .getBytes(StandardCharsets.UTF_8);
        out.write(line);
        reading.bytes.addAndGet(line.length);
      }
    } while (page.size() == ENTRIES_AT_ONCE);
    out.flush();
  }

  /** Looks again and again, also while a write waits for its reader, until it is over. */
  private void watch(Reading reading) {
    Executor later =
        CompletableFuture.delayedExecutor(
            Streams.heartbeat(stall).toMillis(), TimeUnit.MILLISECONDS);
    later.execute(
        () -> {
          if (!reading.isOver()
              && !reading.endedIf(reading.isTooSlow() || isGone(reading.caller))) {
            watch(reading);
          }
        });
  }

  /** A store that cannot be asked is asked again at the next look. */
  private boolean isGone(Caller caller) {
    try {
      return !callers.isAlive(caller);
    } catch (RuntimeException fault) {
      LOG.debug("whether an export's reader may go on is not known now", fault);
      return false;
    }
  }

  /** One who reads it: how much of it was written, and what ends it from outside. */
  private static final class Reading {
    final Caller caller;
    final AtomicLong bytes = new AtomicLong();
    private final EndPoint connection;
    private boolean over;
    private long seen;

    Reading(Caller caller, EndPoint connection) {
      this.caller = caller;
      this.connection = connection;
    }

    synchronized boolean isOver() {
      return over;
    }

    /** From now on the connection is for the next request, and is not closed from here. */
    synchronized void end() {
      over = true;
    }

    synchronized boolean endedIf(boolean unwelcome) {
      if (unwelcome && !over) connection.close();
      return unwelcome;
    }

    boolean isTooSlow() {
      long before = seen;
      seen = bytes.get();
      return seen - before < PACE_BYTES_MIN;
    }
  }
}
