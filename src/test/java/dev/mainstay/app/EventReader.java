package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Reads all events there are, from whichever server is there, and goes on at another with the last
 * one it saw whole when that one dies.
 */
final class EventReader implements AutoCloseable {
  /** One event as it came; entry is its stream and its number there. */
  record Seen(String id, String entry) {}

  private static final long PAUSE_NANOS = 20_000_000;

  private final Rest rest;
  private final Supplier<ServerProcess> servers;
  private final List<Seen> seen = new ArrayList<>();
  private final Thread thread = new Thread(this::read, "event-reader");
  private InputStream stream = InputStream.nullInputStream();
  private int begun;
  private boolean closed;

  EventReader(Rest rest, Supplier<ServerProcess> servers) {
    this.rest = rest;
    this.servers = servers;
    thread.start();
  }

  private void read() {
    while (!isClosed()) {
      try (InputStream events = rest.events(servers.get(), last())) {
        if (!begin(events)) return;
        read(new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8)));
      } catch (IOException gone) {
        LockSupport.parkNanos(PAUSE_NANOS); // another server goes on
      }
    }
  }

  private void read(BufferedReader lines) throws IOException {
    String id = "";
    String data = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("id: ")) id = line.substring(4);
      if (line.startsWith("data: ")) data = line.substring(6);
      if (line.isEmpty() && !data.isEmpty()) {
        saw(id, JsonText.object(data));
        data = "";
      }
    }
  }

  private synchronized void saw(String id, JsonObject entry) {
    seen.add(new Seen(id, entry.text("stream") + "#" + entry.number("number")));
  }

  private synchronized boolean begin(InputStream events) {
    stream = events;
    begun++;
    return !closed;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized String last() {
    return seen.isEmpty() ? "" : seen.get(seen.size() - 1).id();
  }

  synchronized List<Seen> seen() {
    return List.copyOf(seen);
  }

  synchronized int count() {
    return seen.size();
  }

  /** How often some server let it in. */
  synchronized int begun() {
    return begun;
  }

  @Override
  public void close() {
    InputStream last;
    synchronized (this) {
      closed = true;
      last = stream;
    }
    try {
      last.close();
      thread.join(Rest.PATIENCE.toMillis());
    } catch (IOException gone) {
      throw new IllegalStateException(gone);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
