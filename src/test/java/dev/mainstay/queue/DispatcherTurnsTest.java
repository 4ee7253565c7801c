package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Task;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What happens while a worker who serves himself is kept from his commit by another writer. */
@Timeout(60)
class DispatcherTurnsTest {
  private static final Call BOT = Call.by(Actor.agent("bot"), "test");
  private static final Duration LEASE = Duration.ofMinutes(10);

  @TempDir Path folder;
  private Store store;
  private Dispatcher dispatcher;
  private final CountDownLatch goOn = new CountDownLatch(1);

  @BeforeEach
  void twoTasksAndOneWhoWrites() throws Exception {
    var address = new StoreAddress.File(folder.resolve("state.sqlite3"));
    store = Store.open(address, StoreSettings.DEFAULT);
    dispatcher = new Dispatcher(store);
    Tasks tasks = new Tasks(store);
    for (String title : List.of("one", "two")) tasks.create(NewTask.titled(title), BOT);
    CountDownLatch begun = new CountDownLatch(1);
    started(
        () ->
            store.inTransaction(
                Once.unkeyed(),
                tx -> {
                  begun.countDown();
                  Pause.until(goOn);
                  return 0;
                }));
    begun.await();
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    dispatcher.close();
    store.close();
  }

  private interface Work<T> {
    T run() throws Exception;
  }

  private record Worker<T>(Thread thread, FutureTask<T> task) {
    T get() throws Exception {
      return task.get();
    }
  }

  private static <T> Worker<T> started(Work<T> work) {
    var task = new FutureTask<>(work::run);
    Thread thread = new Thread(task);
    thread.start();
    return new Worker<>(thread, task);
  }

  private Worker<List<Task>> claim(String name) {
    return started(() -> dispatcher.claim(Wanted.any(name, LEASE), Duration.ZERO, BOT));
  }

  /** Serves himself, and waits for his turn to write. */
  private Worker<List<Task>> heldUp() {
    var first = claim("first");
    while (first.thread().getState() != Thread.State.TIMED_WAITING) Pause.briefly();
    assertThat(dispatcher.isServing()).isFalse();
    return first;
  }

  @Test
  void one_who_comes_then_is_served_by_the_thread_and_both_get_a_task() throws Exception {
    var first = heldUp();
    var second = claim("second");
    while (dispatcher.waiting() < 2) Pause.briefly();
    goOn.countDown();
    assertThat(first.get()).hasSize(1);
    assertThat(second.get()).hasSize(1);
    assertThat(first.get().get(0).id()).isNotEqualTo(second.get().get(0).id());
    assertThat(dispatcher.isServing()).isTrue();
  }

  @Test
  void one_who_was_first_and_found_nothing_is_given_what_comes_next() throws Exception {
    goOn.countDown();
    for (int i = 0; i < 2; i++) assertThat(claim("before").get()).hasSize(1);
    var first = waiting("first", 1);
    var second = waiting("second", 2);
    new Tasks(store).create(NewTask.titled("three"), BOT);
    assertThat(first.get()).hasSize(1);
    assertThat(second.task()).isNotDone();
    new Tasks(store).create(NewTask.titled("four"), BOT);
    assertThat(second.get()).hasSize(1);
  }

  private Worker<List<Task>> waiting(String name, int waiting) {
    var worker = started(() -> dispatcher.claim(Wanted.any(name, LEASE), Dispatcher.WAIT_MAX, BOT));
    while (dispatcher.waiting() < waiting) Pause.briefly();
    return worker;
  }

  @Test
  void a_dispatcher_that_is_closed_then_waits_until_he_has_his_task() throws Exception {
    var first = heldUp();
    var closing =
        started(
            () -> {
              dispatcher.close();
              return true;
            });
    while (closing.thread().getState() != Thread.State.TIMED_WAITING) Pause.briefly();
    assertThat(closing.task()).isNotDone();
    goOn.countDown();
    assertThat(first.get()).hasSize(1);
    closing.get();
  }

  @Test
  void one_who_is_interrupted_then_gets_nothing_and_nothing_is_lost() throws Exception {
    var first = heldUp();
    first.thread().interrupt();
    assertThat(first.task())
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withMessageContaining("nothing was changed");
    goOn.countDown();
    assertThat(claim("second").get()).hasSize(1);
    assertThat(claim("third").get()).hasSize(1);
  }
}
