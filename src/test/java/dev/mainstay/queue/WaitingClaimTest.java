package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class WaitingClaimTest {
  private static final Wanted ANY = Wanted.any("w", Duration.ofMinutes(1));
  private static final Task TASK =
      new TaskEvent.Created(
              new Brief("one", "", TaskType.CODE, 0, JsonObject.EMPTY), null, null, List.of())
          .first(TaskId.of(1), Instant.EPOCH);

  private final WaitingClaim claim =
      new WaitingClaim(
          Once.unkeyed(), new Leases.Claiming(ANY, Call.by(Actor.person("ada"), "test")));

  private record Ended(List<Task> given, boolean interrupted) {}

  /** Its wait is over and its thread interrupted before it even begins to wait. */
  private FutureTask<Ended> lateAndInterrupted() {
    FutureTask<Ended> caller =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              List<Task> given = claim.await(Duration.ZERO);
              return new Ended(given, Thread.currentThread().isInterrupted());
            });
    new Thread(caller).start();
    return caller;
  }

  @Test
  void a_task_that_is_being_given_is_handed_over_though_the_caller_wants_to_leave()
      throws Exception {
    claim.looked();
    assertThat(claim.take()).isTrue();
    FutureTask<Ended> caller = lateAndInterrupted();
    assertThat(claim.settle(new Settled<>(List.of(TASK), null))).isTrue();
    assertThat(caller.get()).isEqualTo(new Ended(List.of(TASK), true));
  }

  @Test
  void when_there_was_nothing_to_give_the_caller_leaves() throws Exception {
    assertThat(claim.take()).isTrue();
    FutureTask<Ended> caller = lateAndInterrupted();
    assertThat(claim.settle(new Settled<>(List.of(), null))).isFalse();
    assertThat(caller.get()).isEqualTo(new Ended(List.of(), true));
  }

  @Test
  void who_has_left_is_not_taken_up() throws Exception {
    assertThat(lateAndInterrupted().get().given()).isEmpty();
    assertThat(claim.take()).isFalse();
  }
}
