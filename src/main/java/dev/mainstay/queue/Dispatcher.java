package dev.mainstay.queue;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.queue.Leases.Claiming;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.HandOver;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Store.Asked;
import dev.mainstay.store.Store.Settled;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Claims for all workers of this process that wait, because many claimers at once are slower than
 * one that claims for many. Whoever came first is served first; a worker who is alone serves
 * himself.
 */
public final class Dispatcher implements AutoCloseable {
  public static final Duration WAIT_MAX = Duration.ofSeconds(60);
  public static final int WAITING_MAX = 1_000;

  /** Of one transaction: more would keep others waiting for little gain. */
  private static final int TASKS_AT_ONCE_MAX = 100;

  /** For what no news tells of: the end of a lease or of a delay. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private static final long CLOSE_MILLIS_MAX = 5_000;

  private static final long SOONEST_NANOS = 1_000_000;

  /** As often those who were woken with the first are let run, so that they claim together. */
  private static final int YIELDS = 3;

  private final Store store;
  private final int waitingMax;
  private final Leases leases;
  private final Deque<WaitingClaim> waiting = new ArrayDeque<>();

  /** One serves at a time: the thread that does it for all who wait, or a worker who is alone. */
  private final ReentrantLock turn = new ReentrantLock();

  private @Nullable Thread thread;
  private boolean closed;
  private volatile boolean crowded; // several were served at once
  private volatile long nextExpiry = System.nanoTime();
  private boolean plenty;

  public Dispatcher(Store store) {
    this(store, WAITING_MAX);
  }

  Dispatcher(Store store, int waitingMax) {
    this.store = store;
    this.waitingMax = waitingMax;
    this.leases = new Leases(store);
  }

  /**
   * Gives the most urgent ready tasks to a worker, as soon as there are any; none when the wait is
   * over. Tasks that were given are always handed over, even to a thread that was interrupted.
   */
  public List<Task> claim(Wanted wanted, Duration wait, Call call) {
    if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
      throw Refusal.invalid(
          Phrase.of("a claim waits between 0 and %d seconds", WAIT_MAX.toSeconds()));
    }
    Once<List<Task>> once = wanted.once(call);
    var answered = store.answered(once);
    if (answered.isPresent()) return answered.get();
    WaitingClaim claim = new WaitingClaim(once, new Claiming(wanted, call));
    enter(claim);
    try {
      if (!isServedByCaller(claim, wait)) wake(claim);
      List<Task> given = claim.await(wait);
      // Somebody may have asked the same elsewhere, under the same key, and been answered.
      boolean ask = given.isEmpty() && !Thread.currentThread().isInterrupted();
      return ask ? store.answered(once).orElse(given) : given;
    } finally {
      claim.end(); // where he leaves by a fault, nothing may be given to him any more
      leave(claim);
    }
  }

  /**
   * A worker who finds nobody else waiting and nobody serving looks himself: to wake the thread
   * that serves and be woken by it takes longer than to look. True when he need not wait any more.
   */
  private boolean isServedByCaller(WaitingClaim claim, Duration wait) {
    if (crowded || HandOver.isDueFrom(Thread.currentThread()) || !turn.tryLock()) return false;
    try {
      if (!isAlone()) return false;
      serve(List.of(claim));
      return claim.isThrough(wait);
    } finally {
      turn.unlock();
    }
  }

  /** Whether the only one who waits is the caller, who has his place among those who come. */
  private synchronized boolean isAlone() {
    return waiting.size() == 1 && !closed;
  }

  private synchronized void enter(WaitingClaim claim) {
    if (closed) throw Refusal.unavailable("the queue is being closed; claim again shortly", null);
    if (waiting.size() >= waitingMax) {
      throw Refusal.unavailable(
          Phrase.of("%,d claims wait already; claim again in a few seconds", waitingMax), null);
    }
    waiting.addLast(claim);
  }

  /** Has the thread serve; one who came while all is closed goes with nothing. */
  private synchronized void wake(WaitingClaim claim) {
    if (closed) claim.end();
    if (closed) return;
    if (thread == null) {
      Thread made = new Thread(this::work, "mainstay-dispatcher");
      made.setDaemon(true);
      made.start();
      thread = made; // unless the machine has no thread left: the next one tries again
    }
    notifyAll();
    store.changes().stir(News.READY); // it may be waiting there
  }

  /** How many wait now. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /** Whether anybody was served by a thread that does it for many. */
  synchronized boolean isServing() {
    return thread != null;
  }

  private synchronized void leave(WaitingClaim claim) {
    waiting.remove(claim);
  }

  private void work() {
    try {
      while (isNeeded()) look();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    inOrder().forEach(WaitingClaim::end);
  }

  private void look() throws InterruptedException {
    Thread.interrupted(); // a use case may have left it, and it would end this thread
    try {
      for (int i = 0; i < YIELDS; i++) Thread.yield();
      long seen = store.changes().seen(News.READY);
      if (!serveInTurn()) store.changes().await(News.READY, seen, untilNextLook());
    } catch (OutOfMemoryError full) {
      LockSupport.parkNanos(SOONEST_NANOS);
    }
  }

  private boolean serveInTurn() {
    turn.lock();
    try {
      return serve(inOrder());
    } finally {
      turn.unlock();
    }
  }

  /** Waits until somebody waits. */
  private synchronized boolean isNeeded() throws InterruptedException {
    while (waiting.isEmpty() && !closed) wait();
    return !closed;
  }

  private synchronized List<WaitingClaim> inOrder() {
    return List.copyOf(waiting);
  }

  /** Gives out what is ready; true when somebody got something, so that there may be more. */
  private boolean serve(List<WaitingClaim> inOrder) {
    try {
      expire();
      List<WaitingClaim> served = servable(inOrder);
      crowded = served.size() > 1;
      boolean given = !served.isEmpty() && give(served);
      if (!given) inOrder.forEach(WaitingClaim::looked);
      return given;
    } catch (RuntimeException | Error fault) {
      plenty = false;
      for (WaitingClaim each : inOrder) refuse(each, fault); // the next may fare better
      return false;
    }
  }

  /** Whoever was taken up waits until he is told, so it is tried until there is memory for it. */
  private static void refuse(WaitingClaim claim, Throwable fault) {
    for (boolean told = false; !told; ) {
      try {
        claim.refuse(fault);
        told = true;
      } catch (OutOfMemoryError full) {
        LockSupport.parkNanos(SOONEST_NANOS);
      }
    }
  }

  /** Whatever the time brings back, as soon as it does, and looked for now and then. */
  private void expire() {
    if (System.nanoTime() - nextExpiry < 0) return;
    if (untilDue().filter(left -> left.isZero() || left.isNegative()).isPresent()) leases.expire();
    Duration next = untilDue().filter(left -> left.compareTo(LOOK_AGAIN) < 0).orElse(LOOK_AGAIN);
    nextExpiry = System.nanoTime() + Math.max(next.toNanos(), SOONEST_NANOS);
  }

  private Optional<Duration> untilDue() {
    return store.reading(tx -> tx.waiting().untilNextDue());
  }

  private Duration untilNextLook() {
    long nanos = nextExpiry - System.nanoTime();
    return Duration.ofNanos(Math.max(SOONEST_NANOS, Math.min(nanos, LOOK_AGAIN.toNanos())));
  }

  /** Those for whom something seems to be ready, first come first; reading costs no commit. */
  private List<WaitingClaim> servable(List<WaitingClaim> inOrder) {
    Map<List<TaskType>, Integer> ready = plenty ? plentyFor(inOrder) : readyFor(inOrder);
    for (WaitingClaim each : inOrder) {
      if (ready.getOrDefault(each.types(), 0) == 0) each.looked();
    }
    List<WaitingClaim> servable = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    int room = TASKS_AT_ONCE_MAX;
    for (WaitingClaim each : inOrder) {
      String key = each.once().key();
      boolean again = key != null && keys.contains(key); // it gets the answer of the first
      int left = ready.getOrDefault(each.types(), 0);
      if (!again && (left <= 0 || room <= 0)) continue;
      if (!each.take()) continue;
      servable.add(each);
      if (again) continue;
      if (key != null) keys.add(key);
      ready.put(each.types(), left - each.limit());
      room -= Math.min(left, each.limit());
    }
    return servable;
  }

  /** As all got something just now, nobody counts what is left. */
  private static Map<List<TaskType>, Integer> plentyFor(List<WaitingClaim> inOrder) {
    Map<List<TaskType>, Integer> counts = new HashMap<>();
    for (WaitingClaim each : inOrder) counts.put(each.types(), TASKS_AT_ONCE_MAX);
    return counts;
  }

  private Map<List<TaskType>, Integer> readyFor(List<WaitingClaim> inOrder) {
    return store.reading(
        tx -> {
          Map<List<TaskType>, Integer> counts = new HashMap<>();
          for (WaitingClaim each : inOrder) {
            counts.computeIfAbsent(
                each.types(), types -> tx.tasks().readyCount(types, TASKS_AT_ONCE_MAX));
          }
          return counts;
        });
  }

  /** One commit for all if possible, and one question for all who want the same. */
  private boolean give(List<WaitingClaim> served) {
    List<List<WaitingClaim>> groups = groups(served);
    List<Asked<List<List<Task>>>> asked =
        groups.stream()
            .map(group -> new Asked<>(once(group), tx -> Leases.claimIn(tx, claiming(group))))
            .toList();
    List<Settled<List<List<Task>>>> outcomes = store.together(asked);
    boolean given = false;
    boolean all = true;
    for (int i = 0; i < groups.size(); i++) {
      for (int j = 0; j < groups.get(i).size(); j++) {
        int place = j;
        boolean got = groups.get(i).get(j).settle(outcomes.get(i).map(dealt -> dealt.get(place)));
        given |= got;
        all &= got;
      }
    }
    plenty = all;
    return given;
  }

  /**
   * Those who want the same and stand behind each other; a claim with a key of its own is
   * remembered on its own, and nobody passes it.
   */
  private static List<List<WaitingClaim>> groups(List<WaitingClaim> served) {
    List<List<WaitingClaim>> groups = new ArrayList<>();
    WaitingClaim before = null;
    for (WaitingClaim each : served) {
      if (before == null || !each.wantsTheSameAs(before)) groups.add(new ArrayList<>());
      groups.get(groups.size() - 1).add(each);
      before = each;
    }
    return groups;
  }

  private static Once<List<List<Task>>> once(List<WaitingClaim> group) {
    Once<List<Task>> first = group.get(0).once();
    return new Once<>(
        first.key(),
        first.repeatable(),
        first.fingerprint(),
        dealt -> first.write().apply(dealt.get(0)),
        json -> List.of(first.read().apply(json)));
  }

  private static List<Claiming> claiming(List<WaitingClaim> group) {
    return group.stream().map(WaitingClaim::claiming).toList();
  }

  /** Ends every wait; what was being given is handed over first. */
  @Override
  public void close() {
    Thread working;
    synchronized (this) {
      closed = true;
      working = thread;
      notifyAll();
    }
    store.changes().stir(News.READY);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS_MAX);
    try {
      if (working != null) working.join(CLOSE_MILLIS_MAX);
      if (turn.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) turn.unlock();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
