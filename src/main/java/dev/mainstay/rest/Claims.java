package dev.mainstay.rest;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.queue.Leases;
import java.time.Duration;
import java.util.List;

/** How workers get tasks; whoever wires the server chooses who hands them out. */
@FunctionalInterface
public interface Claims {
  /** What a worker asks for: of which types, how many, for how long, and how long it waits. */
  record Wanted(String worker, List<TaskType> types, int limit, Duration lease, Duration patience) {
    public Wanted {
      types = List.copyOf(types);
    }
  }

  /** The tasks that the worker now holds, perhaps none. */
  List<Task> claim(Wanted wanted, Call call);

  /** Asks the queue once: one type or any, and nobody waits. */
  static Claims once(Leases leases) {
    return (wanted, call) -> {
      if (wanted.types().size() > 1) {
        throw Refusal.invalid("name one type, or none for any; several at once are not taken yet");
      }
      TaskType type = wanted.types().isEmpty() ? null : wanted.types().get(0);
      return leases.claim(
          new Leases.Wanted(wanted.worker(), type, wanted.limit(), wanted.lease()), call);
    };
  }
}
