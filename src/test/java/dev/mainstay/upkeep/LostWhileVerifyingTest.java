package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Raw;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that is cut while rows are looked at says nothing about the rows. */
class LostWhileVerifyingTest extends OnDatabase {
  LostWhileVerifyingTest() {
    super(Databases.POSTGRESQL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks", "dossiers", "runs", "checkpoints", "task_artifacts"})
  void it_is_looked_at_again_and_no_row_is_called_damaged(String table) {
    TaskId one = new Tasks(store).create(NewTask.titled("one"), ADA).id();
    new TaskStates(store).start(one, "a goal", List.of(), ADA);
    new Checkpoints(store).save(one, "here", ADA);
    var report = new AtomicReference<CompletableFuture<Verification.Report>>();
    Raw.cutOffOnceAwaited(
        store,
        table,
        () -> report.set(CompletableFuture.supplyAsync(() -> Verification.of(store))));
    assertThat(report.get().join().findings()).isEmpty();
  }
}
