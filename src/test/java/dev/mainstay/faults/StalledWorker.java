package dev.mainstay.faults;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.queue.Wanted;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that takes a task and keeps it by heartbeats. Once it is told that its lease is lost it
 * tries everything else a holder may do, and says what it was answered.
 */
final class StalledWorker {
  private static final long HEARTBEAT_NANOS = 20_000_000;

  private StalledWorker() {}

  public static void main(String[] args) {
    try (Store store = Store.open(StoreAddress.parse(args[0]), StoreSettings.DEFAULT)) {
      Call call = Call.by(Actor.agent("first"), "test");
      Task task =
          new Leases(store).claim(new Wanted("first", List.of(), 1, Leases.LEASE_MIN), call).get(0);
      System.out.println("held " + task.fence());
      Call held = call.withFence(task.fence());
      Map<String, Runnable> steps = steps(store, task.id(), held);
      while (answer(steps.get("renew")).equals("TAKEN")) LockSupport.parkNanos(HEARTBEAT_NANOS);
      steps.forEach((name, step) -> System.out.println(name + " " + answer(step)));
    }
  }

  /** Everything that only a holder may do; what ends the task comes last. */
  static Map<String, Runnable> steps(Store store, TaskId id, Call call) {
    Leases leases = new Leases(store);
    Map<String, Runnable> steps = new LinkedHashMap<>();
    steps.put("renew", () -> leases.renew(id, Leases.LEASE_MIN, call));
    steps.put("accept", () -> leases.accept(id, call));
    steps.put("start", () -> leases.start(id, call));
    steps.put("spend", () -> leases.spend(id, new Amounts(1L, null, null), call));
    steps.put("update", () -> new Tasks(store).update(id, JsonObject.of("title", "x"), null, call));
    steps.put("complete", () -> leases.complete(id, JsonObject.EMPTY, call));
    steps.put("fail", () -> leases.fail(id, "it broke", call));
    steps.put("release", () -> leases.release(id, "no", call));
    return steps;
  }

  static String answer(Runnable step) {
    try {
      step.run();
      return "TAKEN";
    } catch (Refusal no) {
      return no.code().name();
    }
  }
}
