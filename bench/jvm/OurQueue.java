import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Wanted;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Ours: through the dispatcher and the use case, with journal, gate, fence and assignment. A worker
 * claims one task at a time, or several, which it then completes one after the other.
 */
final class OurQueue implements QueueContestant {
  private static final Call BENCH = Call.by(Actor.agent("bench"), "bench");
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final QueueSupply.Place place;
  private final int filled;
  private final int atOnce;
  private final Store store;
  private final Dispatcher dispatcher;
  private final Leases leases;
  private final Workers workers;
  private final List<Deque<Task>> hands = new ArrayList<>();
  private final Map<TaskId, Boolean> worked = new ConcurrentHashMap<>();
  private final LongAdder twice = new LongAdder();

  private OurQueue(QueueSupply.Place place, int workers, int filled, int atOnce) throws Exception {
    this.place = place;
    this.filled = filled;
    this.atOnce = atOnce;
    QueueSupply.fill(place, filled);
    store = Store.open(place.address(), StoreSettings.DEFAULT);
    dispatcher = new Dispatcher(store);
    leases = new Leases(store);
    for (int i = 0; i < workers; i++) hands.add(new ArrayDeque<>());
    this.workers = new Workers(workers, this::once);
  }

  static QueueContestant.Opening claiming(int atOnce) {
    return (place, workers, filled) -> new OurQueue(place, workers, filled, atOnce);
  }

  private boolean once(int worker) {
    Deque<Task> hand = hands.get(worker);
    if (hand.isEmpty()) {
      Wanted wanted = new Wanted("worker-" + worker, List.of(), atOnce, LEASE);
      hand.addAll(dispatcher.claim(wanted, Duration.ZERO, BENCH));
    }
    if (hand.isEmpty()) return false;
    complete(hand.removeFirst());
    return true;
  }

  private void complete(Task task) {
    leases.complete(task.id(), JsonObject.EMPTY, BENCH.withFence(task.fence()));
    if (worked.put(task.id(), true) != null) twice.increment();
  }

  @Override
  public void begin() {
    workers.begin();
  }

  @Override
  public long done() {
    return workers.done();
  }

  @Override
  public void end() throws Exception {
    workers.end();
    hands.forEach(hand -> hand.forEach(this::complete));
    dispatcher.close();
    store.close();
  }

  /** What is done has one entry of its end in the journal, besides its row. */
  @Override
  public Outcome outcome() throws Exception {
    long completed = tasks("COMPLETED");
    long ends =
        QueueSupply.count(
            place.jdbc(), "SELECT count(*) FROM journal WHERE kind = 'task.completed'");
    if (ends != completed)
      throw new IllegalStateException(ends + " ends in the journal, " + completed);
    return new Outcome(filled, tasks("PENDING"), 0, completed, worked.size(), twice.sum());
  }

  private long tasks(String status) throws Exception {
    return QueueSupply.count(
        place.jdbc(), "SELECT count(*) FROM tasks WHERE status = '" + status + "'");
  }

  @Override
  public void close() {}
}
