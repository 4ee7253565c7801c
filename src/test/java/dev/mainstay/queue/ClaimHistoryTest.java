package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Terms.Retry;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Real threads, whose calls are recorded with their order and judged afterwards. */
class ClaimHistoryTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnQueue {
    private static final int THREADS = 8;
    private static final int TASKS = 30;
    private static final int ROUNDS = 25;
    private static final Terms OFTEN =
        new Terms(new Retry(1_000, Duration.ZERO), null, Amounts.NONE, Amounts.NONE);

    private final AtomicLong ticks = new AtomicLong();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    Contract(Databases database) {
      super(database);
    }

    private enum What {
      CLAIMED,
      RENEWED,
      COMPLETED
    }

    /** A call that succeeded: between its two ticks it took effect, at one moment. */
    private record Event(What what, TaskId task, long fence, Ticks ticks, String worker) {}

    private record Ticks(long invoked, long answered) {}

    /** A worker of the history, and all the fences it ever had. */
    private final class Worker {
      private final String name;
      private final Random random;
      private final List<Task> had = new ArrayList<>();

      Worker(int number) {
        this.name = "w" + number;
        this.random = new Random(number);
      }

      void turn() {
        switch (random.nextInt(8)) {
          case 0 -> {
            clock.advance(LEASE);
            leases.expire();
          }
          case 1, 2, 3 -> claim();
          default -> {
            if (!had.isEmpty()) write(had.get(random.nextInt(had.size())));
          }
        }
      }

      boolean claim() {
        long invoked = ticks.incrementAndGet();
        var wanted = new Wanted(name, List.of(), 1 + random.nextInt(2), LEASE);
        List<Task> got = leases.claim(wanted, call());
        long answered = ticks.incrementAndGet();
        for (Task task : got) {
          had.add(task);
          Ticks when = new Ticks(invoked, answered);
          events.add(new Event(What.CLAIMED, task.id(), task.fence(), when, name));
        }
        return !got.isEmpty();
      }

      void write(Task task) {
        Call call = call().withFence(task.fence());
        if (random.nextBoolean()) {
          said(What.RENEWED, task, () -> leases.renew(task.id(), LEASE, call));
        } else {
          said(What.COMPLETED, task, () -> leases.complete(task.id(), JsonObject.EMPTY, call));
        }
      }

      private void said(What what, Task task, Supplier<Task> step) {
        long invoked = ticks.incrementAndGet();
        try {
          step.get();
        } catch (Refusal refusal) {
          assertThat(refusal.code()).isEqualTo(Code.LEASE_LOST);
          return;
        }
        Ticks when = new Ticks(invoked, ticks.incrementAndGet());
        events.add(new Event(what, task.id(), task.fence(), when, name));
      }

      private Call call() {
        return Call.by(Actor.agent(name), "test");
      }

      void finishAll() {
        clock.advance(LEASE);
        leases.expire();
        while (claim()) {
          for (Task task : had) {
            Call call = call().withFence(task.fence());
            said(What.COMPLETED, task, () -> leases.complete(task.id(), JsonObject.EMPTY, call));
          }
          had.clear();
        }
      }
    }

    @Test
    void every_task_is_completed_once_by_whoever_had_its_newest_fence() throws Exception {
      List<TaskId> ids = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) ids.add(create("t" + i, OFTEN));
      AtomicInteger number = new AtomicInteger();
      Both.atOnce(
          THREADS,
          () -> {
            Worker worker = new Worker(number.incrementAndGet());
            for (int round = 0; round < ROUNDS; round++) worker.turn();
            return worker;
          });
      new Worker(0).finishAll();
      Map<String, Integer> acknowledged = new TreeMap<>();
      for (TaskId id : ids) {
        assertThat(status(id)).isEqualTo(TaskStatus.COMPLETED);
        acknowledged.put(id + " task.created ada", 1);
        judge(events.stream().filter(event -> event.task().equals(id)).toList(), acknowledged);
      }
      QueueJournal.check(store, ids, acknowledged);
    }

    /** Of two calls, one that was answered before the other was made took effect before it. */
    private static void judge(List<Event> history, Map<String, Integer> acknowledged) {
      assertThat(history).filteredOn(event -> event.what() == What.COMPLETED).hasSize(1);
      List<Event> claims = history.stream().filter(e -> e.what() == What.CLAIMED).toList();
      assertThat(claims).extracting(Event::fence).doesNotHaveDuplicates();
      for (Event event : history) {
        if (event.what() != What.RENEWED) {
          String kind = event.what() == What.CLAIMED ? "task.held" : "task.completed";
          acknowledged.merge(event.task() + " " + kind + " " + event.worker(), 1, Integer::sum);
        }
        for (Event claim : claims) {
          boolean newer = claim.fence() > event.fence();
          boolean before = claim.ticks().answered() < event.ticks().invoked();
          assertThat(newer && before)
              .as("%s took effect although %s was answered before", event, claim)
              .isFalse();
        }
        assertThat(event.what() == What.CLAIMED || isOf(claims, event)).as("%s", event).isTrue();
      }
    }

    /** A write that was taken was made by the one who was given that fence. */
    private static boolean isOf(List<Event> claims, Event write) {
      return claims.stream()
          .anyMatch(
              claim ->
                  claim.fence() == write.fence()
                      && claim.worker().equals(write.worker())
                      && claim.ticks().invoked() < write.ticks().invoked());
    }
  }
}
