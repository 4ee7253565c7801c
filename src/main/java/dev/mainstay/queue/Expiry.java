package dev.mainstay.queue;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AttemptEvent;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terms.Retry;
import dev.mainstay.domain.Times;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What time ends: leases of silent holders, and pauses before another attempt. */
final class Expiry {
  private static final int EXPIRED_AT_ONCE_MAX = 200;

  private Expiry() {}

  /**
   * Brings back what is due; how many tasks lost their holder. Each task is a transaction of its
   * own, so that one that cannot be moved keeps no other from coming back.
   */
  static int bringBack(Store store, Predicate<Tx> may, Consumer<RuntimeException> faults) {
    boolean due = store.reading(tx -> tx.waiting().somethingIsDue());
    if (!due) return 0; // a look costs no commit
    store.inTransaction(Once.unkeyed(), tx -> may.test(tx) ? tx.waiting().endPauses() : 0);
    int expired = 0;
    for (TaskId id : store.reading(tx -> tx.tasks().expired(EXPIRED_AT_ONCE_MAX))) {
      try {
        expired += store.inTransaction(Once.unkeyed(), tx -> may.test(tx) ? expire(tx, id) : 0);
      } catch (RuntimeException fault) {
        faults.accept(fault);
      }
    }
    return expired;
  }

  private static int expire(Tx tx, TaskId id) {
    Task task = tx.tasks().lock(id);
    if (task.lease().filter(lease -> !lease.until().isAfter(tx.now())).isEmpty()) return 0;
    Moves.move(tx, task, afterLoss(tx, task, lateness(task)), Call.by(Actor.SYSTEM, "system"));
    return 1;
  }

  /** The holder vanished: the task is offered again, or was tried often enough. */
  static List<TaskEvent> afterLoss(Tx tx, Task task, String why) {
    Retry retry = task.links().terms().retry();
    List<String> before = tx.waiting().lostAttempts(task.id());
    int tried = before.size() + 1;
    if (retry.againAfterLoss(tried)) {
      return List.of(new AttemptEvent.LeaseExpired(why, pause(tx, retry, tried)));
    }
    return List.of(
        new AttemptEvent.LeaseExpired(why, null),
        new AttemptEvent.Failed(history(before, why), null));
  }

  /** The same, where somebody saw how the holder ended. */
  static List<TaskEvent> afterEnd(Tx tx, Task task, String how) {
    int attempt = task.progress().attempt();
    return afterLoss(tx, task, cut(Phrase.of("attempt %d: %s: %s", attempt, holder(task), how)));
  }

  /** The holder failed: the task is offered again if its terms say so. */
  static List<TaskEvent> afterFailure(Tx tx, Task task, String error) {
    Retry retry = task.links().terms().retry();
    if (retry.attempts() == null) return List.of(new AttemptEvent.Failed(error, null));
    List<String> before = tx.waiting().lostAttempts(task.id());
    int tried = before.size() + 1;
    String why = Phrase.of("attempt %d: %s: %s", task.progress().attempt(), holder(task), error);
    return retry.againAfterFailure(tried)
        ? List.of(new AttemptEvent.Retried(cut(why), pause(tx, retry, tried)))
        : List.of(new AttemptEvent.Failed(history(before, why), null));
  }

  private static String holder(Task task) {
    return task.lease().map(Lease::holder).orElse("nobody");
  }

  private static @Nullable Instant pause(Tx tx, Retry retry, int tried) {
    Duration pause = retry.pause(tried);
    return pause.isZero() ? null : tx.now().plus(pause);
  }

  /** Every lost attempt in a sentence of its own; of too many the newest are kept. */
  private static String history(List<String> before, String last) {
    if (before.isEmpty()) return cut(last);
    List<String> all = new ArrayList<>(before);
    all.add(last);
    String head = Phrase.of("%d attempts were lost: ", all.size());
    int from = 0;
    while (from < all.size() - 1 && chars(all, from) + head.length() > Task.REASON_CHARS_MAX)
      from++;
    return cut(head + (from > 0 ? "...; " : "") + String.join("; ", all.subList(from, all.size())));
  }

  private static int chars(List<String> all, int from) {
    return all.subList(from, all.size()).stream().mapToInt(text -> text.length() + 2).sum() + 5;
  }

  private static String cut(String text) {
    return Graphemes.cut(text, Task.REASON_CHARS_MAX);
  }

  private static String lateness(Task task) {
    Lease lease = task.lease().orElseThrow();
    int attempt = task.progress().attempt();
    Duration timeout = task.links().terms().timeout();
    if (timeout != null && !lease.until().isBefore(lease.since().plus(timeout))) {
      return Phrase.of(
          "attempt %d: %s was not done within its timeout of %d s (last heartbeat %s)",
          attempt, lease.holder(), timeout.toSeconds(), Times.write(lease.heartbeat()));
    }
    return Phrase.of(
        "attempt %d: %s did not renew its lease, which ended at %s (last heartbeat %s)",
        attempt, lease.holder(), Times.write(lease.until()), Times.write(lease.heartbeat()));
  }
}
