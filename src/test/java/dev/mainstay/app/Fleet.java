package dev.mainstay.app;

import dev.mainstay.store.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Servers on one store, of which any may be killed; another takes its place in its folder. */
final class Fleet implements AutoCloseable {
  private static final long LOOK_AGAIN_NANOS = 20_000_000;

  private final Path home;
  private final StoreAddress db;
  private final int size;
  private final TreeMap<Integer, ServerProcess> listening = new TreeMap<>();
  private final List<ServerProcess> ever = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final ExecutorService starters = Executors.newCachedThreadPool();
  private boolean closed;

  /** All begin at once, on a store that perhaps none has opened yet. */
  Fleet(Path home, StoreAddress db, int size) {
    this.home = home;
    this.db = db;
    this.size = size;
    for (int i = 0; i < size; i++) begin(i);
  }

  private void begin(int place) {
    starters.execute(
        () -> {
          try {
            ServerProcess begun = begun(place);
            if (begun == null) return;
            begun.listening();
            synchronized (this) {
              listening.put(place, begun);
              notifyAll();
            }
          } catch (RuntimeException fault) {
            fault(fault.toString());
          }
        });
  }

  private synchronized ServerProcess begun(int place) {
    if (closed) return null;
    try {
      Path folder = Files.createDirectories(home.resolve("server-" + place));
      ServerProcess begun = ServerProcess.start(folder, db);
      ever.add(begun);
      return begun;
    } catch (IOException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private synchronized void fault(String sentence) {
    if (!closed) faults.add(sentence);
    notifyAll();
  }

  synchronized List<String> faults() {
    return List.copyOf(faults);
  }

  /** The server at a place, which listens as far as is known. */
  synchronized ServerProcess at(int place) {
    ServerProcess server = listening.get(place);
    if (server == null) throw new IllegalStateException("no server listens at " + place);
    return server;
  }

  /** One that listens as far as is known. */
  synchronized ServerProcess any(Random random) {
    if (listening.isEmpty()) throw new IllegalStateException("no server is left: " + faults);
    List<ServerProcess> all = List.copyOf(listening.values());
    return all.get(random.nextInt(all.size()));
  }

  synchronized int alive() {
    return listening.size();
  }

  /** The ends of all logs, for a test that failed. */
  synchronized String logs() {
    return listening.values().stream().map(ServerProcess::log).collect(Collectors.joining("\n\n"));
  }

  boolean isWhole() {
    if (!faults().isEmpty()) throw new IllegalStateException(faults().toString());
    return alive() == size;
  }

  /** Kills any one, and begins another in its place; nobody waits until that one listens. */
  void killAny(Random random) {
    int place;
    synchronized (this) {
      List<Integer> places = List.copyOf(listening.keySet());
      place = places.get(random.nextInt(places.size()));
    }
    kill(place);
    begin(place);
  }

  /** Kills one for good; for a moment others still go to where it was. */
  void kill(int place) {
    ServerProcess dying = at(place);
    dying.kill();
    dying.ended();
    synchronized (this) {
      listening.remove(place);
    }
  }

  /** Waits for something that must come true. */
  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ServerProcess.PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("not within a minute: " + what);
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  @Override
  public void close() {
    List<ServerProcess> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(ever);
    }
    all.forEach(ServerProcess::kill);
    all.forEach(ServerProcess::ended);
    starters.shutdown();
  }
}
