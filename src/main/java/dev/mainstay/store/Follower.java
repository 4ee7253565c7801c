package dev.mainstay.store;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import java.util.List;

/**
 * Who goes on when tasks of workflows have ended, in the transaction that ended them: it is told
 * once, after all else that the transaction does, so that tasks are locked before executions are.
 */
@FunctionalInterface
public interface Follower {
  /** Nobody goes on. */
  Follower NONE = (tx, ends) -> {};

  void ended(Tx tx, List<End> ends);

  /** A task that has ended, what came of it, and by whose call. */
  record End(Task task, JsonObject result, Call call) {}
}
