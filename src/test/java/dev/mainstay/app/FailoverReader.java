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

/**
 * Keeps a copy of the journal by the events of one server. What the server says is gone it takes
 * out of its copy again.
 */
final class FailoverReader implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000_000;

  /** An entry by its position and its hash. */
  private record Copied(String id, String hash) {}

  private final Rest rest;
  private final ServerProcess server;
  private final List<Copied> copy = new ArrayList<>();
  private final Thread thread = new Thread(this::read, "failover-reader");
  private InputStream stream = InputStream.nullInputStream();
  private int notices;
  private int refusals;
  private boolean closed;

  FailoverReader(Rest rest, ServerProcess server) {
    this.rest = rest;
    this.server = server;
    thread.start();
  }

  private void read() {
    while (!isClosed()) {
      try (InputStream events = rest.events(server, last())) {
        if (!begin(events)) return;
        read(new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8)));
      } catch (IOException gone) {
        if (String.valueOf(gone.getMessage()).endsWith("409")) beginAgain();
        LockSupport.parkNanos(PAUSE_NANOS);
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
        take(id, JsonText.object(data));
        data = "";
      }
    }
  }

  private synchronized void take(String id, JsonObject said) {
    if (!said.text("kind").equals("journal.went_back")) {
      copy.add(new Copied(id, said.text("hash")));
      return;
    }
    notices++;
    int kept = copy.size();
    while (kept > 0 && !isSame(copy.get(kept - 1).id(), id)) kept--;
    copy.subList(kept, copy.size()).clear();
  }

  /** Positions of one entry may be of several timelines. */
  private static boolean isSame(String one, String other) {
    return entry(one).equals(entry(other));
  }

  private static String entry(String id) {
    String[] parts = id.split("\\.");
    return parts.length < 4 ? id : parts[1] + "." + parts[2] + "." + parts[3];
  }

  private synchronized void beginAgain() {
    refusals++;
    copy.clear();
  }

  private synchronized boolean begin(InputStream events) {
    stream = events;
    return !closed;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized String last() {
    return copy.isEmpty() ? "" : copy.get(copy.size() - 1).id();
  }

  /** The hashes of the entries, in the order in which they came. */
  synchronized List<String> hashes() {
    return copy.stream().map(Copied::hash).toList();
  }

  /** How often it was told that entries are gone, by an event or by a refusal. */
  synchronized int told() {
    return notices + refusals;
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
