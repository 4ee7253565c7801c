package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Dependency.Standing;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a queue may do, said a second time and simply: which step is taken, what it makes of its
 * task, what may follow for others, and what holds between all tasks at any moment.
 */
final class QueueModel {
  enum Kind {
    CREATE,
    DEPEND,
    CLAIM,
    EXPIRE,
    RENEW,
    ACCEPT,
    START,
    COMPLETE,
    FAIL,
    RELEASE,
    CANCEL,
    RETRY,
    REPEAT;

    private boolean isOfTime() {
      return this == CLAIM || this == EXPIRE;
    }

    private boolean isOfHolders() {
      return switch (this) {
        case RENEW, ACCEPT, START, COMPLETE, FAIL, RELEASE -> true;
        case CREATE, DEPEND, CLAIM, EXPIRE, CANCEL, RETRY, REPEAT -> false;
      };
    }
  }

  /**
   * A step that was tried: by whom, on what, with which fence, and the refusal if there was one.
   */
  record Step(
      Kind kind,
      String actor,
      @Nullable TaskId target,
      @Nullable Long fence,
      @Nullable Refusal refusal) {
    boolean isTaken() {
      return refusal == null;
    }
  }

  private final Duration lease;
  private final Map<TaskId, Integer> lost = new HashMap<>();
  private final Map<TaskId, Late> late = new HashMap<>();

  /** The last lease of a task, where it ended only because of time. */
  private record Late(String holder, long fence) {}

  QueueModel(Duration lease) {
    this.lease = lease;
  }

  /** Holds a step and all that came with it against what may be. */
  void check(Step step, Map<TaskId, Task> before, Map<TaskId, Task> after, Instant now) {
    if (!step.isTaken() || step.kind() == Kind.REPEAT) {
      assertThat(after).as("a refused or repeated step changes nothing").isEqualTo(before);
    }
    Task target = step.target() == null ? null : before.get(step.target());
    if (target != null) taken(step, target, before);
    for (Task was : before.values()) {
      Task is = after.get(was.id());
      if (is == null) throw new AssertionError(was + " is lost");
      moved(step, was, is, after, now);
      if (target == was && step.isTaken()) ofTarget(step, was, is, after);
    }
    for (Task task : after.values()) {
      sound(task, after, now);
      must(!step.kind().isOfTime() || !isDue(task, now), "its lease is over", task, task);
    }
  }

  private static void must(boolean holds, String what, Task was, Task is) {
    if (!holds) throw new AssertionError(what + ": " + was + "\n became " + is);
  }

  private static boolean isDue(Task task, Instant now) {
    return task.lease().filter(held -> !held.until().isAfter(now)).isPresent();
  }

  /**
   * A step of a holder is taken exactly when its fence is the current one and the step is legal. A
   * completion may be late, while no other worker has had the task.
   */
  private void taken(Step step, Task target, Map<TaskId, Task> before) {
    boolean expected = step.isTaken();
    if (step.kind().isOfHolders()) {
      boolean current = target.status().isHeld() && Objects.equals(step.fence(), target.fence());
      if (step.kind() == Kind.COMPLETE) current |= isLate(step, target);
      boolean legal =
          switch (step.kind()) {
            case START -> target.status() == TaskStatus.ASSIGNED;
            case COMPLETE -> openChildren(target, before.values()) == 0;
            default -> true;
          };
      expected = current && legal;
      Refusal refusal = step.refusal();
      if (!current && refusal != null) {
        assertThat(refusal.code()).isEqualTo(Refusal.Code.LEASE_LOST);
      }
    } else if (step.kind() == Kind.CANCEL) {
      expected = !target.status().isEnded();
    } else if (step.kind() == Kind.RETRY && target.links().parent() == null) {
      expected =
          target.status().isEnded()
              && target.status() != TaskStatus.COMPLETED
              && !isImpossible(target, before);
    }
    must(step.isTaken() == expected, step + " should be taken: " + expected, target, target);
  }

  private boolean isLate(Step step, Task target) {
    Late last = late.get(target.id());
    return last != null
        && target.status() == TaskStatus.PENDING
        && target.links().unmet() == 0
        && target.fence() == last.fence() + 1
        && last.equals(new Late(step.actor(), step.fence() == null ? -1 : step.fence()));
  }

  /** What the step makes of the task it is about. */
  private void ofTarget(Step step, Task was, Task is, Map<TaskId, Task> after) {
    TaskStatus expected =
        switch (step.kind()) {
          case ACCEPT, RENEW -> was.status();
          case START -> TaskStatus.IN_PROGRESS;
          case COMPLETE -> TaskStatus.COMPLETED;
          case CANCEL -> TaskStatus.CANCELLED;
          case RETRY -> TaskStatus.PENDING;
          case RELEASE -> givenBack(is, after);
          case FAIL -> afterFailure(was, is, after);
          default -> is.status();
        };
    must(is.status() == expected, step + " should make it " + expected, was, is);
    boolean paused = is.links().waiting().delayedUntil() != null;
    must(step.kind() != Kind.RETRY || !paused, "it is paused", was, is);
    if (was.status().isHeld() && !is.status().isHeld()) {
      must(is.fence() == was.fence() + 1, "the fence does not grow", was, is);
    }
  }

  private TaskStatus afterFailure(Task was, Task is, Map<TaskId, Task> after) {
    int tried = lost.merge(was.id(), 1, Integer::sum);
    Integer attempts = was.links().terms().retry().attempts();
    boolean again = attempts != null && tried < attempts;
    return again ? givenBack(is, after) : TaskStatus.FAILED;
  }

  private static TaskStatus givenBack(Task is, Map<TaskId, Task> after) {
    return isImpossible(is, after) ? TaskStatus.CANCELLED : TaskStatus.PENDING;
  }

  /** What may become of any task in a step. */
  private void moved(Step step, Task was, Task is, Map<TaskId, Task> after, Instant now) {
    must(is.fence() >= was.fence(), "the fence shrinks", was, is);
    must(is.stamps().version() >= was.stamps().version(), "the version shrinks", was, is);
    boolean isTarget = was.id().equals(step.target());
    if (was.status().isHeld() && is.fence() != was.fence()) {
      if (isDue(was, now) && step.kind().isOfTime()) {
        late.put(was.id(), new Late(was.lease().orElseThrow().holder(), was.fence()));
        expired(was, is, after);
      } else if (!isTarget) {
        must(is.status() == TaskStatus.CANCELLED, "its holder lost it", was, is);
        must(causeExists(is, after), "it is cancelled without a cause", was, is);
      }
    }
    if (is.status().isHeld() && is.fence() != was.fence()) {
      boolean given = is.lease().orElseThrow().holder().equals(step.actor());
      must(step.kind() == Kind.CLAIM && given, "nobody asked for it", was, is);
    }
    if (was.status().isEnded() && is.status() != was.status()) {
      boolean may = step.kind() == Kind.RETRY && was.status() != TaskStatus.COMPLETED;
      must(may, "it had ended", was, is);
      lost.remove(was.id());
      late.remove(was.id());
    }
    if (was.status() == TaskStatus.PENDING && is.status().isEnded() && !isTarget) {
      must(causeExists(is, after), "it ended without a cause", was, is);
    }
  }

  private void expired(Task was, Task is, Map<TaskId, Task> after) {
    int tried = lost.merge(was.id(), 1, Integer::sum);
    boolean again = was.links().terms().retry().againAfterLoss(tried);
    boolean ended = is.status() == TaskStatus.FAILED || is.status() == TaskStatus.CANCELLED;
    // A part that was lost for the last time in the same step may have failed it after all.
    boolean byPart = is.status() == TaskStatus.FAILED && causeExists(is, after);
    if (again) must(byPart || is.status() != TaskStatus.FAILED, "it may be tried again", was, is);
    else must(ended, "it was tried often enough", was, is);
  }

  /** Nobody ended it himself, so something else that has ended must be the cause. */
  private static boolean causeExists(Task ended, Map<TaskId, Task> all) {
    List<TaskStatus> parts = children(ended, all.values()).map(Task::status).toList();
    return switch (ended.status()) {
      case COMPLETED -> parts.contains(TaskStatus.COMPLETED);
      case FAILED -> parts.contains(TaskStatus.FAILED);
      default -> isImpossible(ended, all) || isBelowEnded(ended, all);
    };
  }

  private static boolean isBelowEnded(Task task, Map<TaskId, Task> all) {
    TaskId parent = task.links().parent();
    return parent != null && all.get(parent).status().isEnded();
  }

  /** What holds for every task at every moment, counted from the others. */
  private void sound(Task task, Map<TaskId, Task> all, Instant now) {
    Instant last = now.plus(lease);
    boolean ends = task.lease().filter(held -> held.until().isAfter(last)).isEmpty();
    must(ends, "its lease lasts too long", task, task);
    long open = openChildren(task, all.values());
    must(task.links().waiting().openChildren() == open, "open parts are " + open, task, task);
    must(open == 0 || !task.status().isEnded(), "it ended before its parts", task, task);
    if (task.status() == TaskStatus.PENDING) {
      must(task.links().unmet() == unmet(task, all), "unmet is miscounted", task, task);
      must(!isImpossible(task, all), "it can never start", task, task);
    }
  }

  private static Stream<Task> children(Task task, Collection<Task> all) {
    return all.stream().filter(other -> task.id().equals(other.links().parent()));
  }

  private static long openChildren(Task task, Collection<Task> all) {
    return children(task, all).filter(child -> !child.status().isEnded()).count();
  }

  private static long unmet(Task task, Map<TaskId, Task> all) {
    return count(task, all, Standing.WAITING) + count(task, all, Standing.IMPOSSIBLE);
  }

  private static boolean isImpossible(Task task, Map<TaskId, Task> all) {
    return count(task, all, Standing.IMPOSSIBLE) > 0;
  }

  private static long count(Task task, Map<TaskId, Task> all, Standing standing) {
    long count = 0;
    for (Dependency edge : task.links().dependencies()) {
      if (edge.kind().standing(all.get(edge.on()).status()) == standing) count++;
    }
    return count;
  }
}
