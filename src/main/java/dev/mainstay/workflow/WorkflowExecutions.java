package dev.mainstay.workflow;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.store.Store;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Workflows that were started: begun, shown, held, helped over what went wrong, and ended. */
public final class WorkflowExecutions {
  public static final int PAGE_MAX = 1_000;

  private final Store store;

  public WorkflowExecutions(Store store) {
    this.store = store;
  }

  /** Starts a workflow at its plain start. */
  public WorkflowExecution start(NewExecution wanted, Call call) {
    throw new UnsupportedOperationException("being written: " + store + wanted + call);
  }

  public ExecutionView show(String id) {
    throw new UnsupportedOperationException("being written: " + id);
  }

  /** Newest first, those before one; of one workflow's name and in one status, if named. */
  public List<WorkflowExecution> list(
      @Nullable String workflow, @Nullable Status status, @Nullable String before, int limit) {
    throw new UnsupportedOperationException("being written: " + workflow + status + before + limit);
  }

  /** Lets it begin nothing new; what is under way goes on, and its results are kept for later. */
  public WorkflowExecution pause(String id, String reason, Call call) {
    throw new UnsupportedOperationException("being written: " + id + reason + call);
  }

  /** Lets a paused one go on. */
  public WorkflowExecution resume(String id, Call call) {
    throw new UnsupportedOperationException("being written: " + id + call);
  }

  /** Tries again what went wrong at a node, with these variables set first. */
  public WorkflowExecution retry(String id, String node, JsonObject variables, Call call) {
    throw new UnsupportedOperationException("being written: " + id + node + variables + call);
  }

  /** Goes on as if what went wrong at a node were done, with this result. */
  public WorkflowExecution skip(String id, String node, JsonObject result, Call call) {
    throw new UnsupportedOperationException("being written: " + id + node + result + call);
  }

  /** Ends it with all the work it still wants. */
  public WorkflowExecution cancel(String id, String reason, Call call) {
    throw new UnsupportedOperationException("being written: " + id + reason + call);
  }

  /** A person's answer to what a node asks. */
  public WorkflowExecution answer(String id, String node, JsonObject answer, Call call) {
    throw new UnsupportedOperationException("being written: " + id + node + answer + call);
  }

  /**
   * Gives a message to the one that waits for it longest, or starts a workflow by it; which one got
   * it, or nothing if it is kept for later.
   */
  public Optional<WorkflowExecution> message(NewMessage message, Call call) {
    throw new UnsupportedOperationException("being written: " + message + call);
  }

  /** Goes on by another version of its workflow, the newest if none is named. */
  public WorkflowExecution migrate(String id, @Nullable Long version, Call call) {
    throw new UnsupportedOperationException("being written: " + id + version + call);
  }

  /** What persons are asked, oldest first. */
  public List<Question> questions(int limit) {
    throw new UnsupportedOperationException("being written: " + limit);
  }

  /** Lets happen what is due, each moment once however many servers ask; how much there was. */
  public int due() {
    throw new UnsupportedOperationException("being written");
  }
}
