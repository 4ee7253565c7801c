package dev.mainstay.app;

import dev.mainstay.app.SharedStore.Answering;
import dev.mainstay.mcp.Guest;
import dev.mainstay.mcp.Origin;
import dev.mainstay.mcp.Registry;
import dev.mainstay.mcp.Rooms;
import dev.mainstay.mcp.StdioDoor;
import dev.mainstay.queue.Leases;
import dev.mainstay.upkeep.OnlineBackups;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * MCP on standard input and output. The store opens beside the first answers, which do not need it,
 * and whoever called a tool is kept alive for as long as this process is.
 */
final class RunningMcp {
  private static final int READER_GONE = 1;
  private static final long BACKUP_SECONDS_BETWEEN = 30;

  private final Supplier<Mainstay> store;
  private final Function<Mainstay, Answering> answering;
  private final Registry registry;
  private final Duration beat;
  private CompletableFuture<Mainstay> opening;
  private CompletableFuture<Answering> launchers;

  RunningMcp(
      Supplier<Mainstay> store,
      Function<Mainstay, Answering> launchers,
      Function<Rooms, Registry> offer) {
    this(store, launchers, offer, Leases.LEASE.dividedBy(3));
  }

  /**
   * Begins to open the store, and to answer the project's launchers once it is open; one that
   * cannot be opened is tried again when somebody needs it. Who called a tool is said to be alive
   * at each beat.
   */
  RunningMcp(
      Supplier<Mainstay> store,
      Function<Mainstay, Answering> launchers,
      Function<Rooms, Registry> offer,
      Duration beat) {
    this.beat = beat;
    this.store = store;
    this.answering = launchers;
    this.opening = CompletableFuture.supplyAsync(store, RunningMcp::beside);
    this.launchers = opening.thenApply(launchers);
    this.registry = offer.apply(new LateRooms(this::opened));
    this.launchers.thenRun(registry::warmUp);
  }

  private synchronized CompletableFuture<Mainstay> opened() {
    if (isThere(opening) && opening.join().mustReopen()) {
      close(); // its files are gone; others were put in their place, or a person is asked to
      opening = CompletableFuture.failedFuture(new IllegalStateException("closed"));
    }
    if (opening.isCompletedExceptionally()) {
      opening = CompletableFuture.supplyAsync(store, RunningMcp::beside);
      launchers = opening.thenApply(answering);
    }
    return opening;
  }

  private static void beside(Runnable work) {
    Thread thread = new Thread(work, "mainstay-open");
    thread.setDaemon(true);
    thread.start();
  }

  /** Answers until the input ends; the exit code. */
  int run(InputStream in, OutputStream out, Origin origin, String version) {
    Thrift.begin();
    StdioDoor door = new StdioDoor(registry, version, origin, in, out);
    ScheduledExecutorService beats =
        Executors.newScheduledThreadPool(
            2, // a beat must not wait for a backup
            work -> {
              Thread thread = new Thread(work, "mainstay-alive");
              thread.setDaemon(true);
              return thread;
            });
    long millis = beat.toMillis();
    beats.scheduleAtFixedRate(() -> beat(door), millis, millis, TimeUnit.MILLISECONDS);
    beats.scheduleWithFixedDelay(
        this::backUp, BACKUP_SECONDS_BETWEEN, BACKUP_SECONDS_BETWEEN, TimeUnit.SECONDS);
    try {
      return door.serve() ? 0 : READER_GONE;
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
      return READER_GONE;
    } finally {
      beats.shutdownNow();
      close();
    }
  }

  private synchronized void close() {
    if (isThere(launchers)) launchers.join().close();
    if (isThere(opening)) opening.join().close();
  }

  private void backUp() {
    CompletableFuture<Mainstay> open;
    synchronized (this) {
      open = opening;
    }
    try {
      if (isThere(open)) open.join().saveOnline(OnlineBackups.AGE_MAX);
    } catch (RuntimeException unwritable) {
      return; // the doctor shows what keeps it from being written
    }
  }

  private static boolean isThere(CompletableFuture<?> wanted) {
    return wanted.isDone() && !wanted.isCompletedExceptionally();
  }

  /** A beat that fails must not end those that follow. */
  private void beat(StdioDoor door) {
    Guest caller = door.caller();
    if (caller == null) return;
    try {
      registry.alive(caller);
    } catch (RuntimeException missed) {
      System.err.println("mainstay: the lease was not renewed: " + missed.getMessage());
    }
  }
}
