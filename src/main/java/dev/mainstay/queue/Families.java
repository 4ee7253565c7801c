package dev.mainstay.queue;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terms;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WaitingTable.Child;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks that are parts of others: what may be a part of what, and what a parent must wait for. */
final class Families {
  static final int LEVELS_MAX = 32;
  static final int CHILDREN_MAX = 10_000;
  private static final int NAMED_MAX = 5;

  private Families() {}

  /** Refuses a new part of a task that has ended, or that lies too deep or among too many. */
  static void mustAdopt(Tx tx, TaskId id, NewTask wanted, Call call) {
    if (!wanted.dependencies().isEmpty()) tx.dependencies().lockEdges();
    Task parent = tx.tasks().lock(id);
    if (parent.status().isEnded()) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is %s and takes no more parts; make a task of its own, or try it again with 'mainstay task retry %s'",
              id, parent.standing(), id));
    }
    parent.admit(call);
    List<TaskId> lineage = tx.waiting().lineage(id);
    if (lineage.size() >= LEVELS_MAX) {
      throw Refusal.tooLarge(Phrase.of("parts of tasks lie at most %d levels deep", LEVELS_MAX));
    }
    if (tx.waiting().children(id).size() >= CHILDREN_MAX) {
      throw Refusal.tooLarge(Phrase.of("a task has at most %,d parts", CHILDREN_MAX));
    }
    for (Dependency dependency : wanted.dependencies()) {
      if (lineage.contains(dependency.on())) throw waitsForItself(dependency.on());
      Dependencies.refuseCircle(tx, id, dependency.on()); // for the parent waits for its part
    }
  }

  /** A part cannot wait for what it is a part of: that one waits for its parts. */
  static void refuseAncestor(Tx tx, TaskId task, TaskId on) {
    if (tx.waiting().lineage(task).contains(on)) throw waitsForItself(on);
  }

  private static Refusal waitsForItself(TaskId ancestor) {
    return Refusal.conflict(
        Phrase.of(
            "a part of %s cannot wait for %s: it is done when its parts are", ancestor, ancestor));
  }

  /** Refuses the end of a task by its holder while parts of it are open. */
  static void refuseWhileOpen(Tx tx, Task task) {
    if (task.links().waiting().openChildren() == 0) return;
    List<String> open =
        tx.waiting().children(task.id()).stream()
            .filter(child -> !child.status().isEnded())
            .map(Child::id)
            .map(TaskId::value)
            .toList();
    String names = String.join(", ", open.subList(0, Math.min(NAMED_MAX, open.size())));
    throw Refusal.conflict(
        Phrase.of(
            "%s has %,d open part(s) (%s%s); release it, and it completes when they do",
            task.id(), open.size(), names, open.size() > NAMED_MAX ? ", ..." : ""));
  }

  /** Agents may narrow what a task may cost; only a person widens it. */
  static void mayLoosen(Task task, Terms next, Call call) {
    if (call.actor().isPerson()) return;
    Amounts was = task.links().terms().budget();
    Amounts now = next.budget();
    if (wider(was.tokens(), now.tokens())
        || wider(was.costMicros(), now.costMicros())
        || wider(was.seconds(), now.seconds())) {
      throw Refusal.conflict(Phrase.of("only a person gives the budget of %s more room", task.id()))
          .reserved();
    }
  }

  private static boolean wider(@Nullable Long was, @Nullable Long now) {
    return was != null && (now == null || now > was);
  }
}
