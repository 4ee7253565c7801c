package dev.mainstay.faults;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Makes one task after the other, holds it and completes it. Whatever it is not told, it asks again
 * until it is: with the same key, or, when it has none, as if it had never asked.
 */
final class AskingWriter implements Runnable {
  /** What the journal of each of its tasks says. */
  static final List<String> STEPS = List.of("task.created", "task.held", "task.completed");

  private final String name;
  private final Store store;
  private final boolean keyed;
  private final ConcurrentLinkedQueue<String> titles = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> wrongs = new ConcurrentLinkedQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();
  private final AtomicInteger keptUnheard = new AtomicInteger();
  private volatile boolean over;

  AskingWriter(String name, Store store, boolean keyed) {
    this.name = name;
    this.store = store;
    this.keyed = keyed;
  }

  String name() {
    return name;
  }

  /** Ends with the task it is at, and not in the middle of it. */
  void stop() {
    over = true;
  }

  /** How many writes were acknowledged. */
  int done() {
    return done.get();
  }

  /** How many commits it was told nobody knew the end of. */
  int unknown() {
    return unknown.get();
  }

  /** How many of those had been kept, as their keys said before it asked again. */
  int keptUnheard() {
    return keptUnheard.get();
  }

  /** The tasks that it made, every one acknowledged. */
  List<String> titles() {
    return List.copyOf(titles);
  }

  List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  @Override
  public void run() {
    try {
      for (int i = 0; !over; i++) one(name + "-" + i);
    } catch (RuntimeException | Error fault) {
      wrongs.add(name + ": " + fault);
    }
  }

  private void one(String title) {
    Call make = call(title + "-make");
    TaskId id = ask(make, () -> new Tasks(store).create(NewTask.titled(title), make)).id();
    titles.add(title);
    Call hold = call(title + "-hold");
    Task held = ask(hold, () -> new Leases(store).hold(id, name, Leases.LEASE, hold));
    Call complete = call(title + "-complete").withFence(held.fence());
    ask(complete, () -> new Leases(store).complete(id, JsonObject.EMPTY, complete));
  }

  private Call call(String key) {
    Call call = Call.by(Actor.agent(name), "test");
    return keyed ? call.withKey(key) : call;
  }

  private Task ask(Call call, Supplier<Task> step) {
    while (true) {
      try {
        Task answer = step.get();
        done.incrementAndGet();
        return answer;
      } catch (Refusal no) {
        if (no.code() != Refusal.Code.STORE_UNAVAILABLE) throw no;
        if (!no.sentence().contains("unknown")) continue;
        unknown.incrementAndGet();
        if (keyed && isKept(call)) keptUnheard.incrementAndGet();
      }
    }
  }

  private boolean isKept(Call call) {
    String like = "SELECT key FROM idempotency_keys WHERE key LIKE '%" + call.key() + "'";
    while (true) {
      try {
        return !Raw.texts(store, like, "key").isEmpty();
      } catch (Refusal away) {
        continue;
      }
    }
  }
}
