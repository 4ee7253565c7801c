package dev.mainstay.app;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Store;
import java.time.Duration;

/** How a worker tells what became of a task it was given; false when its lease was lost. */
interface Reports {
  boolean renew(JsonObject task, Duration lease, String worker);

  boolean complete(JsonObject task, String key, String worker);

  /** Told to the store itself, as a caller in another process. */
  static Reports to(Store store) {
    Leases leases = new Leases(store);
    return new Reports() {
      @Override
      public boolean renew(JsonObject task, Duration lease, String worker) {
        return unlessLost(() -> leases.renew(id(task), lease, call(task, worker)));
      }

      @Override
      public boolean complete(JsonObject task, String key, String worker) {
        Call call = call(task, worker).withKey(key);
        return unlessLost(() -> leases.complete(id(task), JsonObject.of("by", worker), call));
      }
    };
  }

  private static TaskId id(JsonObject task) {
    return TaskId.parse(task.text("id"));
  }

  private static Call call(JsonObject task, String worker) {
    return Call.by(Actor.agent(worker), "test").withFence(task.number("fence"));
  }

  private static boolean unlessLost(Runnable report) {
    try {
      report.run();
      return true;
    } catch (Refusal refused) {
      if (refused.code() == Refusal.Code.LEASE_LOST) return false;
      throw refused;
    }
  }
}
