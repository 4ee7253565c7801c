package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of the state begin with: one task, and the promise that the tables replay. */
abstract class OnState extends OnDatabase {
  static final TaskId ONE = TaskId.of(1);
  Tasks tasks;
  Leases leases;
  Notebooks notebooks;

  OnState(Databases database) {
    super(database);
  }

  @BeforeEach
  void aTask() {
    tasks = new Tasks(store);
    leases = new Leases(store);
    notebooks = new Notebooks(store);
    tasks.create(NewTask.titled("one"), ADA);
  }

  /** Whatever a test did, journal and tables must agree afterwards. */
  @AfterEach
  void the_tables_equal_the_replay() {
    assertThat(Verification.of(store).findings()).isEmpty();
  }

  Task hold(TaskId id) {
    return leases.hold(id, "bot", Duration.ofMinutes(5), BOT);
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
