package dev.mainstay.terminal;

import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.ScreenStatus;
import dev.mainstay.domain.ScreenStatus.State;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Seat.Standing;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.queue.Assignments;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.LockFile;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.Deliveries.Delivered;
import dev.mainstay.terminal.Deliveries.Desk;
import dev.mainstay.terminal.Lookout.Seen;
import dev.mainstay.terminal.TerminalHost.Tmux;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the terminals of this host: notes how they stand, keeps the tasks of those that run,
 * types what is owed to those that take input, and notes how others ended. It holds nothing that
 * another could not go on with: who begins finds the terminals that run and goes on with them.
 */
public final class Supervisor implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration KEEP_EVERY = Leases.LEASE.dividedBy(10);
  private static final Duration ACTIVE_NOTED_EVERY = Duration.ofSeconds(10);

  /** So long a terminal may be noted without a window: whoever notes it makes that next. */
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private static final long JOIN_MILLIS_MAX = 5_000;

  private final Store store;
  private final TerminalHost host;
  private final Providers providers;
  private final Consumer<RuntimeException> faults;
  private final Lookout lookout;
  private final Deliveries deliveries;
  private final Set<String> typingTo = ConcurrentHashMap.newKeySet();
  private final ExecutorService typists =
      Executors.newCachedThreadPool(work -> daemon(work, "mainstay-typing"));
  private @Nullable Thread thread;
  private Instant keptAt = Instant.EPOCH;
  private volatile boolean closed;

  /** Faults are told and the work goes on. */
  public Supervisor(
      Store store, TerminalHost host, Agents agents, Consumer<RuntimeException> faults) {
    this.store = store;
    this.host = host;
    this.providers = agents.providers();
    this.faults = faults;
    this.lookout = new Lookout(host, providers);
    this.deliveries = new Deliveries(store);
  }

  private static Thread daemon(Runnable work, String name) {
    Thread made = new Thread(work, name);
    made.setDaemon(true);
    return made;
  }

  /** Begins when no other process of this host does the same. */
  public synchronized Supervisor start() {
    if (thread != null) return this;
    thread = daemon(this::run, "mainstay-terminals");
    thread.start();
    return this;
  }

  private void run() {
    while (pause()) {
      if (!hasTerminals()) continue; // where there are none, nothing is locked and no tmux started
      try (LockFile watch = host.watch()) {
        watch.lock();
        try {
          do pass();
          while (pause() && hasTerminals());
        } finally {
          watch.unlock();
        }
      } catch (IOException unusable) {
        if (!closed) faults.accept(Refusal.unavailable("terminals cannot be watched", unusable));
      }
    }
  }

  private boolean hasTerminals() {
    try {
      return !store.reading(tx -> tx.terminals().live(host.name())).isEmpty();
    } catch (RuntimeException fault) {
      if (!closed) faults.accept(fault);
      return false;
    }
  }

  private boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
      return !closed;
    } catch (InterruptedException stop) {
      return false;
    }
  }

  /** A terminal, what it said itself last, and the store's time. */
  record Case(Terminal terminal, @Nullable Signal signal, Instant now) {}

  Case caseOf(String id) {
    return store.reading(tx -> of(tx, tx.terminals().get(id)));
  }

  private static Case of(Tx tx, Terminal terminal) {
    return new Case(terminal, tx.terminals().signal(terminal.id()).orElse(null), tx.now());
  }

  /** Looks at every terminal once. */
  void pass() {
    try {
      List<Case> all =
          store.reading(
              tx -> tx.terminals().live(host.name()).stream().map(each -> of(tx, each)).toList());
      boolean keep = !all.isEmpty() && all.get(0).now().isAfter(keptAt.plus(KEEP_EVERY));
      if (keep) keptAt = all.get(0).now();
      lookout.keepOnly(all.stream().map(each -> each.terminal().id()).collect(Collectors.toSet()));
      for (Case each : all) {
        if (closed) return;
        tend(each, keep);
      }
    } catch (RuntimeException fault) {
      if (!closed) faults.accept(fault);
    }
  }

  /** Notes how the terminals stand now, and does nothing else about them. */
  public void refresh() {
    for (Case each :
        store.reading(
            tx -> tx.terminals().live(host.name()).stream().map(t -> of(tx, t)).toList())) {
      try {
        note(each, lookout.look(each.terminal(), each.signal(), each.now()));
      } catch (RuntimeException fault) {
        faults.accept(fault);
      }
    }
  }

  private void tend(Case each, boolean keep) {
    try {
      Seen seen = lookout.look(each.terminal(), each.signal(), each.now());
      if (!note(each, seen)) return;
      if (keep) keep(each.terminal().id());
      Pane pane = seen.pane().orElseThrow();
      if (isWelcome(each, seen)) typeLater(each.terminal(), pane, seen.status().state());
    } catch (RuntimeException fault) {
      if (!closed) faults.accept(fault);
    }
  }

  /** Writes down how a terminal stands, where that is news; false once it is over. */
  boolean note(Case each, Seen seen) {
    if (isBeingStarted(each, seen)) return false;
    if (ending(each, seen).isPresent()) {
      end(each.terminal().id());
      return false;
    }
    Terminal terminal = each.terminal();
    Standing before = terminal.seated().standing();
    ScreenStatus status = seen.status();
    Status now = Status.of(status.state());
    boolean moved = seen.activeAt().isAfter(before.lastActive().plus(ACTIVE_NOTED_EVERY));
    if (now == before.status() && status.why().equals(before.why()) && !moved) return true;
    Standing next = new Standing(now, status.why(), null, seen.activeAt(), List.of());
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          // Not over what others noted since we looked: it may be over by now, or begin again.
          boolean same = tx.terminals().lock(terminal.id()).seated().standing().equals(before);
          if (same) tx.terminals().stands(terminal.id(), next);
          return same;
        });
    return true;
  }

  private static boolean isBeingStarted(Case each, Seen seen) {
    Standing standing = each.terminal().seated().standing();
    return seen.pane().isEmpty()
        && standing.status() == Status.STARTING
        && each.now().isBefore(standing.lastActive().plus(START_LIMIT));
  }

  /** How it ended; empty while it goes on. */
  private static Optional<Standing> ending(Case each, Seen seen) {
    if (seen.pane().isEmpty()) {
      String why = "its window is gone: tmux was ended, or the machine was started again";
      return Optional.of(new Standing(Status.GONE, why, null, each.now(), List.of()));
    }
    ScreenStatus status = seen.status();
    Status now = Status.of(status.state());
    if (now.isLive()) return Optional.empty();
    return Optional.of(
        new Standing(now, status.why(), seen.exit(), seen.activeAt(), status.lastLines()));
  }

  /**
   * Notes that a terminal is over, unless another look says otherwise: whoever had the turn before
   * us may have stopped it, and says so himself, or started it again.
   */
  private void end(String id) {
    host.inTurn(
        id,
        () -> {
          Case each = caseOf(id);
          if (!each.terminal().isLive()) return false;
          Seen seen = lookout.look(each.terminal(), each.signal(), each.now());
          if (isBeingStarted(each, seen)) return false;
          Optional<Standing> how = ending(each, seen);
          if (how.isEmpty()) return false;
          store.inTransaction(
              Once.unkeyed(), tx -> Endings.over(tx, id, how.get(), Endings.SYSTEM));
          lookout.forget(id);
          return true;
        });
  }

  /** Whose agent is seen alive keeps its tasks; nobody asks the agent for heartbeats. */
  private void keep(String terminal) {
    for (Assignment each : new Assignments(store).openOf(terminal)) {
      try {
        var call = Endings.SYSTEM.withFence(each.standing().fence());
        if (!isKeptLonger(each)) new Leases(store).renew(each.task(), Leases.LEASE, call);
      } catch (Refusal ended) {
        // Somebody else has it by now, or its budget is used up: then it is not kept.
        continue;
      }
    }
  }

  /** Somebody may have asked for more time than we would give. */
  private boolean isKeptLonger(Assignment each) {
    return store.reading(
        tx ->
            tx.tasks()
                .get(each.task())
                .lease()
                .filter(lease -> lease.until().isAfter(tx.now().plus(Leases.LEASE)))
                .isPresent());
  }

  /** Whether to type now: it takes input, or something of ours stands on its screen unsent. */
  private boolean isWelcome(Case each, Seen seen) {
    Provider provider = providers.get(each.terminal().provider());
    State state = seen.status().state();
    boolean still = !each.now().isBefore(seen.activeAt().plus(provider.manners().settle()));
    boolean open = Status.of(state).takesInput() || (state == State.UNKNOWN && still);
    return open
        && !typingTo.contains(each.terminal().id())
        && deliveries.isOwed(each.terminal(), provider);
  }

  private void typeLater(Terminal terminal, Pane pane, State state) {
    if (!typingTo.add(terminal.id())) return;
    typists.execute(
        () -> {
          try {
            type(terminal, pane, state);
          } catch (RuntimeException fault) {
            if (!closed) faults.accept(fault);
          } finally {
            typingTo.remove(terminal.id());
          }
        });
  }

  private void type(Terminal terminal, Pane pane, State state) {
    Tmux tmux = host.tmuxOf(terminal.seated().window());
    Provider provider = providers.get(terminal.provider());
    Desk desk = new Desk(terminal, provider, tmux.typing(), pane);
    host.inTurn(
        terminal.id(),
        () -> {
          Instant now = store.reading(Tx::now);
          // Whoever had the turn before may have typed something.
          Signal signal = store.reading(tx -> tx.terminals().signal(terminal.id())).orElse(null);
          if (lookout.look(terminal, signal, now).status().state() != state) return false;
          Optional<Delivered> done =
              state == State.UNKNOWN ? deliveries.finish(desk) : deliveries.deliver(desk);
          if (done.isPresent()) Signals.forget(store, terminal.id());
          done.flatMap(each -> each.markAt(now)).ifPresent(m -> lookout.mark(terminal.id(), m));
          return done.isPresent();
        });
  }

  /**
   * Tends one terminal until it took what it was to begin with, is over, waits for a person, or the
   * time has passed; for a process that starts one and does not stay.
   */
  public Terminal await(String id, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      Case each = caseOf(id);
      if (each.terminal().isLive()) tend(each, false);
      Terminal now = store.reading(tx -> tx.terminals().get(id));
      boolean owed = store.reading(tx -> tx.terminals().pendingInput(id)).isPresent();
      Seat.Status status = now.seated().status();
      boolean settled = status != Status.STARTING && status != Status.UNKNOWN && !owed;
      boolean asks = status == Status.WAITING_FOR_PERSON;
      boolean over = !status.isLive() || settled || asks;
      if (over && typingTo.isEmpty()) return now;
      if (System.nanoTime() > end || !pause()) return now;
    }
  }

  /** Stops looking; terminals go on. */
  @Override
  public void close() {
    closed = true;
    Thread running;
    synchronized (this) {
      running = thread;
    }
    typists.shutdown();
    try {
      if (running != null) {
        running.interrupt();
        running.join(JOIN_MILLIS_MAX);
      }
      // Who is typing ends what was begun, so that nothing stands on a screen unsent.
      typists.awaitTermination(JOIN_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
