package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terms;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of the queue begin with, and what must hold after each of them. */
abstract class OnQueue extends OnDatabase {
  static final Duration LEASE = Duration.ofSeconds(30);
  protected Tasks tasks;
  protected Leases leases;
  protected Assignments assignments;

  OnQueue(Databases database) {
    super(database);
  }

  @BeforeEach
  void rooms() {
    tasks = new Tasks(store);
    leases = new Leases(store);
    assignments = new Assignments(store);
  }

  /** Whatever a test did, journal and tables must agree afterwards. */
  @AfterEach
  void the_tables_equal_the_replay() {
    assertThat(Verification.of(store).findings()).isEmpty();
  }

  TaskId create(String title, TaskId... after) {
    return tasks.create(NewTask.titled(title).after(after), ADA).id();
  }

  TaskId create(String title, Terms terms) {
    return tasks.create(NewTask.titled(title).on(terms), ADA).id();
  }

  TaskId part(TaskId parent, String title) {
    return tasks.create(NewTask.titled(title).below(parent), ADA).id();
  }

  /** Gives the task to a holder; the call is what the holder writes with. */
  Call hold(TaskId id, String holder) {
    Task held = leases.hold(id, holder, LEASE, BOT);
    return Call.by(Actor.agent(holder), "test").withFence(held.fence());
  }

  Task complete(TaskId id) {
    return leases.complete(id, JsonObject.EMPTY, hold(id, "bot"));
  }

  Task fail(TaskId id, String error) {
    return leases.fail(id, error, hold(id, "bot"));
  }

  /** A holder that takes the task and is never heard of again. */
  void lose(TaskId id, String holder) {
    hold(id, holder);
    clock.advance(LEASE);
    assertThat(leases.expire()).isEqualTo(1);
  }

  TaskStatus status(TaskId id) {
    return tasks.show(id).status();
  }

  String reason(TaskId id) {
    return String.valueOf(tasks.show(id).progress().reason());
  }

  List<TaskId> ready() {
    return tasks.ready(null, 100).stream().map(Task::id).toList();
  }

  List<TaskId> claim(String worker, int limit) {
    return leases.claim(new Wanted(worker, List.of(), limit, LEASE), BOT).stream()
        .map(Task::id)
        .toList();
  }

  List<String> kinds(TaskId id) {
    return store.reading(tx -> tx.journal().stream(id.stream())).stream()
        .map(entry -> entry.content().kind())
        .toList();
  }

  static void refused(Code code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              for (String word : words) assertThat(refusal.sentence()).contains(word);
            });
  }
}
