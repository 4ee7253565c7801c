package dev.mainstay.state;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.List;

/**
 * The one way a dossier is written: lock the task, admit the caller, decide, add what follows from
 * it in an execution, record.
 */
public final class Writing {
  private Writing() {}

  /** What should happen to a dossier; pure, so it may be asked again. */
  @FunctionalInterface
  public interface Decision {
    List<? extends Event> on(Dossier dossier);
  }

  static Receipt write(
      Store store, Call call, String useCase, JsonObject asked, Decision decision) {
    TaskId id = new TaskId(asked.text("task"));
    return store.inTransaction(
        Once.of(call, useCase, asked, Receipt::toJson, Receipt::fromJson),
        tx -> write(tx, id, call, decision));
  }

  /** The same inside a transaction that does more. */
  static Receipt write(Tx tx, TaskId id, Call call, Decision decision) {
    Decision admitted = dossier -> StepRights.admitted(dossier, decision.on(dossier), call.actor());
    return ExecutionWriting.write(tx, id, call, admitted).receipt();
  }

  /** What is asked for, as the fingerprint of a key needs it. */
  static JsonObject asked(TaskId id) {
    return JsonObject.of("task", id.value());
  }
}
