package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Use cases about tasks that are asked for while another one is under way, on PostgreSQL. */
class CompanyTest extends OnDatabase {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch opened = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);

  CompanyTest() {
    super(Databases.POSTGRESQL);
  }

  @AfterEach
  void letAllGo() {
    gate.countDown();
    threads.shutdownNow();
  }

  private List<TaskId> tasks(int count) {
    List<TaskId> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String title = "task " + i;
      made.add(store.inTransaction(Once.unkeyed(), tx -> create(tx, title)));
    }
    return made;
  }

  private static TaskId create(Tx tx, String title) {
    var brief = new Brief(title, "", TaskType.CODE, 0, JsonObject.EMPTY);
    var created = new TaskEvent.Created(brief, null, null, List.of());
    return tx.tasks().create(tx.tasks().nextId(), created, 0, ADA).id();
  }

  private static Once<String> once(Call call) {
    return Once.of(
        call,
        "retitle",
        JsonObject.EMPTY,
        answer -> JsonObject.of("answer", answer),
        json -> json.text("answer"));
  }

  private static String retitle(Tx tx, TaskId id, String title) {
    Task task = tx.tasks().lockAndLook(id).task();
    var change = new TaskEvent.Updated(JsonObject.of("title", task.brief().title() + title));
    return tx.tasks().record(task, List.of(change), ADA).brief().title();
  }

  private Future<String> ask(TaskId id, Work<String> work) {
    return threads.submit(() -> store.aboutTask(id, once(ADA), work));
  }

  /** Somebody is under way and does not come back before the gate is opened. */
  private Future<String> slow(TaskId id) throws InterruptedException {
    Future<String> asked =
        ask(
            id,
            tx -> {
              opened.countDown();
              Pause.until(gate);
              return retitle(tx, id, "!");
            });
    opened.await();
    return asked;
  }

  /** All of them wait for the one who is under way. */
  private void whenWaiting(int count) {
    while (((PostgresStore) store).waiting() < count) Thread.onSpinWait();
  }

  private String title(TaskId id) {
    return store.reading(tx -> tx.tasks().get(id).brief().title());
  }

  @Test
  void those_who_come_meanwhile_share_one_commit() throws Exception {
    List<TaskId> ids = tasks(9);
    slow(ids.get(0));
    long before = store.commits();
    List<Future<String>> asked = new ArrayList<>();
    for (TaskId id : ids.subList(1, 9)) asked.add(ask(id, tx -> retitle(tx, id, "!")));
    whenWaiting(8);
    gate.countDown();
    for (int i = 1; i < 9; i++) assertThat(asked.get(i - 1).get()).isEqualTo("task " + i + "!");
    assertThat(store.commits()).isEqualTo(before + 2);
    for (int i = 0; i < 9; i++) assertThat(title(ids.get(i))).isEqualTo("task " + i + "!");
    assertThat(Raw.texts(store, "SELECT kind FROM journal", "kind")).hasSize(18);
  }

  @Test
  void one_that_is_refused_changes_nothing_and_harms_nobody() throws Exception {
    List<TaskId> ids = tasks(4);
    slow(ids.get(0));
    long before = store.commits();
    Future<String> first = ask(ids.get(1), tx -> retitle(tx, ids.get(1), "!"));
    Future<String> refused =
        ask(
            ids.get(2),
            tx -> {
              retitle(tx, ids.get(2), tx.meta().find("what to add").orElse("!"));
              throw Refusal.leaseLost("somebody else has it");
            });
    Future<String> last = ask(ids.get(3), tx -> retitle(tx, ids.get(3), "!"));
    whenWaiting(3);
    gate.countDown();
    assertThat(first.get()).isEqualTo("task 1!");
    assertThat(last.get()).isEqualTo("task 3!");
    assertThatThrownBy(refused::get).hasRootCauseMessage("somebody else has it");
    assertThat(title(ids.get(2))).isEqualTo("task 2");
    assertThat(store.commits()).as("without a second try").isEqualTo(before + 2);
  }

  @Test
  void one_that_fails_after_it_changed_something_leaves_nothing_and_the_others_are_done()
      throws Exception {
    List<TaskId> ids = tasks(4);
    slow(ids.get(0));
    Future<String> first = ask(ids.get(1), tx -> retitle(tx, ids.get(1), "!"));
    Future<String> broken =
        ask(
            ids.get(2),
            tx -> {
              retitle(tx, ids.get(2), "!");
              return tx.sql("SELECT * FROM nowhere").one(row -> row.text("a"));
            });
    Future<String> last = ask(ids.get(3), tx -> retitle(tx, ids.get(3), "!"));
    whenWaiting(3);
    gate.countDown();
    assertThat(first.get()).isEqualTo("task 1!");
    assertThat(last.get()).isEqualTo("task 3!");
    assertThatThrownBy(broken::get).isInstanceOf(ExecutionException.class);
    assertThat(title(ids.get(2))).isEqualTo("task 2");
    assertThat(Raw.texts(store, "SELECT kind FROM journal", "kind")).hasSize(4 + 3);
  }

  /** Somebody has a task locked until he is let go. */
  private Future<?> lock(Store other, TaskId id, CountDownLatch free) throws InterruptedException {
    CountDownLatch locked = new CountDownLatch(1);
    Consumer<Tx> locking =
        tx -> {
          tx.tasks().lock(id);
          locked.countDown();
          Pause.until(free);
        };
    Future<?> lock =
        threads.submit(() -> other.inTransaction(Once.unkeyed(), tx -> done(tx, locking)));
    locked.await();
    return lock;
  }

  @Test
  void nobody_waits_for_one_whose_task_somebody_else_has_locked() throws Exception {
    List<TaskId> ids = tasks(4);
    CountDownLatch free = new CountDownLatch(1);
    try (Store other = open(address)) {
      Future<?> lock = lock(other, ids.get(2), free);
      slow(ids.get(0));
      Future<String> first = ask(ids.get(1), tx -> retitle(tx, ids.get(1), "!"));
      Future<String> waits = ask(ids.get(2), tx -> retitle(tx, ids.get(2), "!"));
      Future<String> last = ask(ids.get(3), tx -> retitle(tx, ids.get(3), "!"));
      whenWaiting(3);
      gate.countDown();
      assertThat(first.get()).isEqualTo("task 1!");
      assertThat(last.get()).isEqualTo("task 3!");
      assertThat(waits.isDone()).isFalse();
      free.countDown();
      assertThat(waits.get()).isEqualTo("task 2!");
      lock.get();
    }
  }

  private static String done(Tx tx, Consumer<Tx> work) {
    work.accept(tx);
    return "done";
  }

  @Test
  void one_that_breaks_leaves_nobody_with_an_answer_that_was_not_kept() throws Exception {
    List<TaskId> ids = tasks(4);
    slow(ids.get(0));
    Future<String> first = ask(ids.get(1), tx -> retitle(tx, ids.get(1), "!"));
    Future<String> broken =
        ask(
            ids.get(2),
            tx -> {
              throw new AssertionError("a broken use case");
            });
    Future<String> last = ask(ids.get(3), tx -> retitle(tx, ids.get(3), "!"));
    whenWaiting(3);
    gate.countDown();
    assertThat(first.get()).isEqualTo("task 1!");
    assertThat(last.get()).isEqualTo("task 3!");
    assertThatThrownBy(broken::get).hasRootCauseMessage("a broken use case");
    assertThat(title(ids.get(1))).isEqualTo("task 1!");
    assertThat(title(ids.get(3))).isEqualTo("task 3!");
  }

  @Test
  void one_that_changes_what_another_of_the_group_looked_at_is_no_collision_for_ever()
      throws Exception {
    List<TaskId> ids = tasks(3);
    slow(ids.get(0));
    Future<String> first =
        ask(
            ids.get(1),
            tx -> {
              Task other = tx.tasks().get(ids.get(2)); // as a parent does that ends its parts
              var change = new TaskEvent.Updated(JsonObject.of("title", "changed by another"));
              tx.tasks().record(other, List.of(change), ADA);
              return retitle(tx, ids.get(1), "!");
            });
    Future<String> second = ask(ids.get(2), tx -> retitle(tx, ids.get(2), "!"));
    whenWaiting(2);
    gate.countDown();
    assertThat(first.get()).isEqualTo("task 1!");
    assertThat(second.get()).isIn("changed by another!", "task 2!");
  }

  @Test
  void one_alone_at_a_locked_task_keeps_nobody_else() throws Exception {
    List<TaskId> ids = tasks(3);
    CountDownLatch free = new CountDownLatch(1);
    try (Store other = open(address)) {
      Future<?> lock = lock(other, ids.get(0), free);
      Future<String> waits = ask(ids.get(0), tx -> retitle(tx, ids.get(0), "!"));
      assertThat(ask(ids.get(1), tx -> retitle(tx, ids.get(1), "!")).get()).isEqualTo("task 1!");
      assertThat(ask(ids.get(2), tx -> retitle(tx, ids.get(2), "!")).get()).isEqualTo("task 2!");
      free.countDown();
      assertThat(waits.get()).isEqualTo("task 0!");
      lock.get();
    }
  }

  @Test
  void who_comes_second_about_a_task_sees_what_the_first_has_done() throws Exception {
    List<TaskId> ids = tasks(2);
    slow(ids.get(0));
    Future<String> first = ask(ids.get(1), tx -> retitle(tx, ids.get(1), "!"));
    whenWaiting(1);
    Future<String> second = ask(ids.get(1), tx -> retitle(tx, ids.get(1), "?"));
    whenWaiting(2);
    gate.countDown();
    assertThat(first.get()).isEqualTo("task 1!");
    assertThat(second.get()).isEqualTo("task 1!?");
  }

  @Test
  void a_request_that_comes_twice_at_once_under_one_key_is_done_once() throws Exception {
    List<TaskId> ids = tasks(3);
    slow(ids.get(0));
    Call keyed = Call.by(Actor.agent("bot"), "test").withKey("once");
    List<Future<String>> asked = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Work<String> work = tx -> retitle(tx, ids.get(1), "!");
      asked.add(threads.submit(() -> store.aboutTask(ids.get(1), once(keyed), work)));
    }
    asked.add(ask(ids.get(2), tx -> retitle(tx, ids.get(2), "!")));
    whenWaiting(4);
    gate.countDown();
    for (int i = 0; i < 3; i++) assertThat(asked.get(i).get()).isEqualTo("task 1!");
    assertThat(asked.get(3).get()).isEqualTo("task 2!");
    assertThat(title(ids.get(1))).isEqualTo("task 1!");
  }

  @Test
  void an_unknown_task_is_said_to_be_while_the_others_go_on() throws Exception {
    List<TaskId> ids = tasks(2);
    slow(ids.get(0));
    TaskId unknown = new TaskId("T-999");
    Future<String> lost = ask(unknown, tx -> retitle(tx, unknown, "!"));
    Future<String> found = ask(ids.get(1), tx -> retitle(tx, ids.get(1), "!"));
    whenWaiting(2);
    gate.countDown();
    assertThat(found.get()).isEqualTo("task 1!");
    assertThatThrownBy(lost::get).hasMessageContaining("there is no task T-999");
  }

  private Future<String> end(TaskId id) {
    return ask(
        id,
        tx -> {
          String title = retitle(tx, id, "!");
          tx.hasEnded(new Follower.End(tx.tasks().get(id), JsonObject.EMPTY, ADA));
          return title;
        });
  }

  @Test
  void who_follows_is_told_once_of_all_that_have_ended_in_one_commit() throws Exception {
    List<TaskId> ids = tasks(4);
    List<List<TaskId>> told = new ArrayList<>();
    store.follow((tx, ends) -> told.add(ends.stream().map(end -> end.task().id()).toList()));
    slow(ids.get(0));
    List<Future<String>> asked = new ArrayList<>();
    for (TaskId id : ids.subList(1, 4)) asked.add(end(id));
    whenWaiting(3);
    gate.countDown();
    for (Future<String> each : asked) assertThat(each.get()).endsWith("!");
    assertThat(told).hasSize(1);
    assertThat(told.get(0)).containsExactlyInAnyOrderElementsOf(ids.subList(1, 4));
  }

  @Test
  void who_cannot_follow_one_of_them_keeps_nobody_else() throws Exception {
    List<TaskId> ids = tasks(4);
    TaskId wrong = ids.get(2);
    store.follow(
        (tx, ends) -> {
          boolean isIts = ends.stream().anyMatch(end -> end.task().id().equals(wrong));
          if (isIts) throw Refusal.conflict("nobody can go on from here");
        });
    slow(ids.get(0));
    Future<String> first = end(ids.get(1));
    Future<String> broken = end(wrong);
    Future<String> last = end(ids.get(3));
    whenWaiting(3);
    gate.countDown();
    assertThat(first.get()).isEqualTo("task 1!");
    assertThat(last.get()).isEqualTo("task 3!");
    assertThatThrownBy(broken::get).hasRootCauseMessage("nobody can go on from here");
    assertThat(title(wrong)).isEqualTo("task 2");
  }

  @Test
  void those_who_make_something_new_go_together() throws Exception {
    List<Future<String>> asked = new ArrayList<>();
    asked.add(threads.submit(() -> store.makingNew(once(ADA), tx -> made(tx, "first", true))));
    opened.await();
    long before = store.commits();
    for (String name : List.of("second", "third")) {
      asked.add(threads.submit(() -> store.makingNew(once(ADA), tx -> made(tx, name, false))));
    }
    while (((PostgresStore) store).beginning() < 2) Thread.onSpinWait();
    gate.countDown();
    for (Future<String> each : asked) assertThat(each.get()).isNotEmpty();
    assertThat(store.commits()).isEqualTo(before + 2);
    assertThat(Raw.texts(store, "SELECT title FROM tasks", "title"))
        .containsExactlyInAnyOrder("first", "second", "third");
  }

  private String made(Tx tx, String title, boolean waits) {
    if (waits) {
      opened.countDown();
      Pause.until(gate);
    }
    return create(tx, title).value();
  }

  @Test
  void a_commit_for_several_whose_answer_was_lost_is_made_exactly_once() throws Exception {
    store.close();
    try (LossyProxy network = new LossyProxy(Databases.postgresPort())) {
      store = open(StoreAddress.parse(PostgresLossTest.url(network.port())));
      List<TaskId> ids = tasks(5);
      Future<String> first = slow(ids.get(0));
      List<Future<String>> asked = new ArrayList<>();
      for (TaskId id : ids.subList(1, 5)) asked.add(ask(id, tx -> retitle(tx, id, "!")));
      whenWaiting(4);
      network.loseNextCommitAnswers(2);
      gate.countDown();
      assertThat(first.get()).isEqualTo("task 0!");
      for (int i = 1; i < 5; i++) assertThat(asked.get(i - 1).get()).isEqualTo("task " + i + "!");
      assertThat(network.answersLost()).as("the fault really happened").isEqualTo(2);
      for (int i = 0; i < 5; i++) assertThat(title(ids.get(i))).isEqualTo("task " + i + "!");
      assertThat(Raw.texts(store, "SELECT kind FROM journal", "kind")).hasSize(10);
    }
  }
}
