package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DispatcherTest {
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

  abstract static class Contract extends OnDatabase {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration LONG = Dispatcher.WAIT_MAX;
    private static final Duration NOW = Duration.ZERO;
    private static final int WORKERS = 32;
    private Tasks tasks;
    private Dispatcher dispatcher;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      tasks = new Tasks(store);
      dispatcher = new Dispatcher(store);
    }

    @AfterEach
    void stop() {
      dispatcher.close();
    }

    /** Whoever asks twice at once, word for word the same, gets two tasks and not one of them. */
    @Test
    void equal_claims_of_one_worker_are_two_claims() throws Exception {
      for (int i = 0; i < 40; i++) create("task " + i);
      Wanted wanted = Wanted.any("w", LEASE);
      List<List<Task>> given = Both.atOnce(WORKERS, () -> dispatcher.claim(wanted, NOW, BOT));
      assertThat(given).allSatisfy(each -> assertThat(each).hasSize(1));
      assertThat(given.stream().flatMap(List::stream).map(Task::id)).doesNotHaveDuplicates();
    }

    private TaskId create(String title) {
      return tasks.create(NewTask.titled(title), ADA).id();
    }

    private static List<TaskId> ids(List<Task> tasks) {
      return tasks.stream().map(Task::id).toList();
    }

    private static final class Worker<T> extends FutureTask<T> {
      private final Thread thread = new Thread(this);

      Worker(Callable<T> work) {
        super(work);
        thread.setDaemon(true);
        thread.start();
      }
    }

    /** A worker that waits, once it does. */
    private Worker<List<Task>> waiter(String name) {
      int before = dispatcher.waiting();
      var waiter = new Worker<>(() -> dispatcher.claim(Wanted.any(name, LEASE), LONG, BOT));
      while (dispatcher.waiting() == before) Pause.briefly();
      return waiter;
    }

    @Test
    void what_is_ready_is_given_at_once_and_nothing_is_nothing() {
      TaskId one = create("one");
      assertThat(ids(dispatcher.claim(Wanted.any("w", LEASE), NOW, BOT))).containsExactly(one);
      assertThat(dispatcher.claim(Wanted.any("w", LEASE), NOW, BOT)).isEmpty();
    }

    @Test
    void a_worker_who_is_alone_serves_himself_and_who_waits_is_served() throws Exception {
      TaskId one = create("one");
      assertThat(ids(dispatcher.claim(Wanted.any("w", LEASE), NOW, BOT))).containsExactly(one);
      assertThat(dispatcher.claim(Wanted.any("w", LEASE), NOW, BOT)).isEmpty();
      assertThat(dispatcher.isServing()).isFalse();
      var first = waiter("first");
      while (!dispatcher.isServing()) Pause.briefly();
      TaskId two = create("two");
      assertThat(ids(first.get())).containsExactly(two);
    }

    @Test
    void workers_who_come_and_go_at_once_get_a_task_each_time() throws Exception {
      for (int i = 0; i < 100; i++) create("task " + i);
      List<TaskId> given =
          Both.atOnce(
                  WORKERS,
                  () -> {
                    List<TaskId> mine = new ArrayList<>();
                    for (int i = 0; i < 3; i++) {
                      mine.addAll(ids(dispatcher.claim(Wanted.any("w", LEASE), LONG, BOT)));
                    }
                    return mine;
                  })
              .stream()
              .flatMap(List::stream)
              .toList();
      assertThat(given).hasSize(3 * WORKERS).doesNotHaveDuplicates();
    }

    @Test
    void who_waits_gets_what_becomes_ready_here_or_in_another_process() throws Exception {
      var first = waiter("first");
      TaskId here = create("here");
      assertThat(ids(first.get())).containsExactly(here);
      var second = waiter("second");
      try (Store other = open(address)) {
        TaskId there = new Tasks(other).create(NewTask.titled("there"), ADA).id();
        assertThat(ids(second.get())).containsExactly(there);
      }
    }

    @Test
    void what_waited_for_another_task_is_given_when_that_one_is_done() throws Exception {
      TaskId first = create("first");
      TaskId second = tasks.create(NewTask.titled("second").after(first), ADA).id();
      Task held = dispatcher.claim(Wanted.any("w", LEASE), NOW, BOT).get(0);
      var waiter = waiter("next");
      new Leases(store).complete(first, JsonObject.EMPTY, BOT.withFence(held.fence()));
      assertThat(ids(waiter.get())).containsExactly(second);
    }

    @Test
    void who_came_first_is_served_first() throws Exception {
      List<Worker<List<Task>>> waiters = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) waiters.add(waiter("w" + i));
      for (int i = 0; i < WORKERS; i++) {
        TaskId made = create("t" + i);
        assertThat(ids(waiters.get(i).get())).containsExactly(made);
        assertThat(waiters.stream().filter(FutureTask::isDone)).hasSize(i + 1);
      }
    }

    @Test
    void tasks_that_trickle_in_go_to_one_of_many_workers_in_two_processes_each() throws Exception {
      int count = 100;
      AtomicInteger left = new AtomicInteger(count);
      try (Store elsewhere = open(address)) {
        Dispatcher other = new Dispatcher(elsewhere);
        List<Worker<List<TaskId>>> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
          String name = "w" + i;
          Dispatcher mine = i % 2 == 0 ? dispatcher : other;
          workers.add(new Worker<>(() -> work(mine, name, left)));
        }
        List<TaskId> made = new ArrayList<>();
        for (int i = 0; i < count; i++) made.add(create("t" + i));
        while (left.get() > 0) Pause.briefly();
        dispatcher.close();
        other.close();
        List<TaskId> got = new ArrayList<>();
        for (var worker : workers) got.addAll(worker.get());
        assertThat(got).containsExactlyInAnyOrderElementsOf(made);
      }
    }

    private static List<TaskId> work(Dispatcher mine, String name, AtomicInteger left) {
      List<TaskId> got = new ArrayList<>();
      try {
        while (left.get() > 0) {
          List<TaskId> given = ids(mine.claim(Wanted.any(name, LEASE), LONG, BOT));
          got.addAll(given);
          left.addAndGet(-given.size());
        }
      } catch (Refusal closed) {
        assertThat(left.get()).isZero();
      }
      return got;
    }

    @Test
    void nothing_is_not_kept_under_a_key_but_tasks_are() {
      Wanted wanted = Wanted.any("w", LEASE);
      var keyed = BOT.withKey("claim-1");
      assertThat(dispatcher.claim(wanted, NOW, keyed)).isEmpty();
      assertThat(new Leases(store).claim(wanted, keyed)).isEmpty();
      TaskId one = create("one");
      create("two");
      List<Task> given = dispatcher.claim(wanted, NOW, keyed);
      assertThat(ids(given)).containsExactly(one);
      assertThat(dispatcher.claim(wanted, LONG, keyed)).isEqualTo(given);
      assertThat(new Leases(store).claim(wanted, keyed)).isEqualTo(given);
      assertThat(tasks.ready(null, 10)).hasSize(1);
    }

    @Test
    void one_who_waits_twice_under_one_key_gets_one_answer() throws Exception {
      var keyed = BOT.withKey("claim-1");
      List<Worker<List<Task>>> both = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        both.add(new Worker<>(() -> dispatcher.claim(Wanted.any("w", LEASE), LONG, keyed)));
      }
      while (dispatcher.waiting() < 2) Pause.briefly();
      create("one");
      assertThat(both.get(0).get()).hasSize(1).isEqualTo(both.get(1).get());
    }

    @Test
    void a_key_of_another_request_is_refused_and_the_others_are_served() throws Exception {
      create("used");
      dispatcher.claim(Wanted.any("w", LEASE), NOW, BOT.withKey("used"));
      var other = Wanted.any("somebody else", LEASE);
      assertThatThrownBy(() -> dispatcher.claim(other, LONG, BOT.withKey("used")))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("another request");
      var waiter = waiter("w");
      TaskId one = create("one");
      assertThat(ids(waiter.get())).containsExactly(one);
    }

    @Test
    void who_is_interrupted_leaves_without_a_task_and_the_next_gets_it() throws Exception {
      var leaving = new Worker<>(() -> interrupted());
      assertThat(leaving.get()).isTrue();
      var staying = waiter("staying");
      TaskId one = create("one");
      assertThat(ids(staying.get())).containsExactly(one);
    }

    private boolean interrupted() {
      Thread.currentThread().interrupt();
      return dispatcher.claim(Wanted.any("leaving", LEASE), LONG, BOT).isEmpty()
          && Thread.currentThread().isInterrupted();
    }

    @Test
    void tasks_of_holders_that_died_come_back_to_who_waits() throws Exception {
      TaskId one = create("one");
      new Leases(store).hold(one, "dead", LEASE, BOT);
      var waiter = waiter("alive");
      clock.advance(LEASE);
      Task given = waiter.get().get(0);
      assertThat(given.id()).isEqualTo(one);
      assertThat(given.progress().attempt()).isEqualTo(2);
    }

    @Test
    void a_type_that_nobody_has_keeps_nobody_else_waiting() throws Exception {
      var tests = new Wanted("tester", List.of(TaskType.TEST, TaskType.REVIEW), 1, LEASE);
      var tester = new Worker<>(() -> dispatcher.claim(tests, LONG, BOT));
      while (dispatcher.waiting() == 0) Pause.briefly();
      var coder = waiter("coder");
      TaskId code = create("code");
      assertThat(ids(coder.get())).containsExactly(code);
      assertThat(tester.isDone()).isFalse();
      TaskId test = tasks.create(ofType(TaskType.TEST), ADA).id();
      assertThat(ids(tester.get())).containsExactly(test);
    }

    private static NewTask ofType(TaskType type) {
      var brief = new Task.Brief("some", "", type, 0, JsonObject.EMPTY);
      return new NewTask(brief, null, null, List.of(), Terms.NONE);
    }

    @Test
    void more_than_may_wait_are_refused() {
      try (Dispatcher small = new Dispatcher(store, 1)) {
        var first = new Worker<>(() -> small.claim(Wanted.any("w", LEASE), LONG, BOT));
        while (small.waiting() == 0) Pause.briefly();
        assertThatThrownBy(() -> small.claim(Wanted.any("late", LEASE), LONG, BOT))
            .isInstanceOf(Refusal.class)
            .hasMessageContaining("claim again");
        assertThat(first.isDone()).isFalse();
      }
    }

    @Test
    void a_wait_is_no_longer_than_a_minute() {
      assertThatThrownBy(() -> dispatcher.claim(Wanted.any("w", LEASE), LONG.plusMillis(1), BOT))
          .hasMessageContaining("60");
    }

    @Test
    void whoever_waits_is_let_go_when_it_is_closed() throws Exception {
      var waiter = waiter("w");
      dispatcher.close();
      assertThat(waiter.get()).isEmpty();
      assertThatThrownBy(() -> dispatcher.claim(Wanted.any("w", LEASE), NOW, BOT))
          .isInstanceOf(Refusal.class);
    }
  }
}
