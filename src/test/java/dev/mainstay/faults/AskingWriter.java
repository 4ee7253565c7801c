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
 * until it is.
 */
final class AskingWriter implements Runnable {
  /** What the journal of each of its tasks says. */
  static final List<String> STEPS = List.of("task.created", "task.held", "task.completed");

  /** How somebody asks who may have to ask again. */
  enum Habit {
    /** Under a key, the same whenever it asks the same. */
    WITH_KEY,
    /** Without one: the store finds out by itself whether it was done. */
    WITHOUT_KEY,
    /** As if it had never asked before; that something is done twice does not trouble it. */
    FORGETFUL
  }

  private final String name;
  private final Store store;
  private final Habit habit;
  private final ConcurrentLinkedQueue<String> titles = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> wrongs = new ConcurrentLinkedQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();
  private final AtomicInteger unheard = new AtomicInteger();
  private final AtomicInteger keptUnheard = new AtomicInteger();
  private volatile boolean over;
  private volatile boolean abandoned;

  AskingWriter(String name, Store store, Habit habit) {
    this.name = name;
    this.store = store;
    this.habit = habit;
  }

  String name() {
    return name;
  }

  /** Ends with the task it is at, and not in the middle of it. */
  void stop() {
    over = true;
  }

  /** Does not even ask again what it was not told: the store may never come back. */
  void abandon() {
    over = true;
    abandoned = true;
  }

  /** How many writes were acknowledged. */
  int done() {
    return done.get();
  }

  /** How many commits it was told nobody knew the end of. */
  int unknown() {
    return unknown.get();
  }

  /** How often it was told that the store was away, whether or not it was at its commit. */
  int unheard() {
    return unheard.get();
  }

  /** How many commits without an answer had been kept, as their keys said before it asked again. */
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
      for (int i = 0; !over; i++) {
        try {
          one(name + "-" + i);
        } catch (Refusal no) {
          if (habit != Habit.FORGETFUL) throw no;
        }
      }
    } catch (RuntimeException | Error fault) {
      wrongs.add(name + ": " + fault);
    }
  }

  private void one(String title) {
    Call make = call(title + "-make");
    TaskId id = ask(make, () -> new Tasks(store).create(NewTask.titled(title), make)).id();
    titles.add(title);
    // To make it again is the one thing that a fence would not refuse.
    if (habit == Habit.FORGETFUL) return;
    Call hold = call(title + "-hold");
    Task held = ask(hold, () -> new Leases(store).hold(id, name, Leases.LEASE, hold));
    Call complete = call(title + "-complete").withFence(held.fence());
    ask(complete, () -> new Leases(store).complete(id, JsonObject.EMPTY, complete));
  }

  private Call call(String key) {
    Call call = Call.by(Actor.agent(name), "test");
    return habit == Habit.WITH_KEY ? call.withKey(key) : call;
  }

  private Task ask(Call call, Supplier<Task> step) {
    while (true) {
      try {
        Task answer = step.get();
        done.incrementAndGet();
        return answer;
      } catch (Refusal no) {
        if (abandoned || no.code() != Refusal.Code.STORE_UNAVAILABLE) throw no;
        unheard.incrementAndGet();
        if (!no.sentence().contains("unknown")) continue;
        unknown.incrementAndGet();
        if (habit == Habit.WITH_KEY && isKept(call)) keptUnheard.incrementAndGet();
      }
    }
  }

  private boolean isKept(Call call) {
    String like = "SELECT key FROM idempotency_keys WHERE key LIKE '%" + call.key() + "'";
    while (true) {
      try {
        return !Raw.texts(store, like, "key").isEmpty();
      } catch (Refusal away) {
        if (abandoned) throw away;
      }
    }
  }
}
