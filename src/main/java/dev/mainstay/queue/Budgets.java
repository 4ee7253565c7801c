package dev.mainstay.queue;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Budget;
import dev.mainstay.domain.Budget.Totals;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Terms;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What subtrees of tasks may cost. Before a task is given to anybody, what it is expected to cost
 * is put aside in its own budget and in all above it; when it does not fit, it is not given.
 */
final class Budgets {
  private Budgets() {}

  private static boolean drawsOnNone(Task task) {
    return task.links().parent() == null && task.links().terms().budget().isEmpty();
  }

  /** Puts aside what an attempt may cost, in all budgets or in none; whether there was room. */
  static boolean reserve(Tx tx, Task task) {
    if (drawsOnNone(task)) return true;
    List<Budget> budgets = tx.budgets().above(task.id());
    List<Totals> parts = new ArrayList<>();
    for (Budget budget : budgets) {
      var part = budget.toReserve(expected(task.links().terms()));
      if (part.isEmpty()) return false;
      parts.add(part.get());
    }
    for (int i = 0; i < parts.size(); i++) {
      tx.budgets().reserve(budgets.get(i).task(), task.id(), parts.get(i));
    }
    return true;
  }

  /** An attempt takes no longer than its timeout, unless its estimate is lower. */
  private static Amounts expected(Terms terms) {
    Duration timeout = terms.timeout();
    Amounts atMost = new Amounts(null, null, timeout == null ? null : timeout.toSeconds());
    return terms.estimate().or(atMost);
  }

  /** Refuses to give a task whose budget has no room for it. */
  static void mustHaveRoom(Tx tx, Task task) {
    if (reserve(tx, task)) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s is not ready: its budget has no room for it; raise the budget or lower the estimate with 'mainstay task terms'",
            task.id()));
  }

  /** Books what the holder says it has spent; it comes out of what was put aside first. */
  static void spend(Tx tx, Task task, Totals spent) {
    if (spent.isNothing()) return;
    for (Budget budget : tx.budgets().above(task.id())) {
      Totals promised = tx.budgets().promised(budget.task(), task.id());
      Totals used = promised.minus(promised.minus(spent));
      tx.budgets().takeBack(budget.task(), task.id(), used);
      tx.budgets().spend(budget.task(), spent);
    }
  }

  /** Nobody holds the task any more: its time is booked, and what is left goes back. */
  static void settle(Tx tx, Task held) {
    // Its terms may have been others when something was put aside, so they are not asked.
    spend(tx, held, elapsed(tx, held));
    for (Budget budget : tx.budgets().above(held.id())) {
      Totals left = tx.budgets().promised(budget.task(), held.id());
      if (!left.isNothing()) tx.budgets().takeBack(budget.task(), held.id(), left);
      tx.waiting().freeBelow(budget.task());
    }
    tx.budgets().forget(held.id());
  }

  private static Totals elapsed(Tx tx, Task held) {
    var since = held.lease().orElseThrow().since();
    return new Totals(0, 0, Math.max(0, Duration.between(since, tx.now()).toSeconds()));
  }

  /** A holder whose budget is used up is not allowed to go on. */
  static void mustNotBeUsedUp(Tx tx, Task held) {
    if (drawsOnNone(held)) return;
    for (Budget budget : tx.budgets().above(held.id())) {
      Totals spent = budget.spent().plus(elapsed(tx, held)); // its time is booked when it ends
      if (new Budget(budget.task(), budget.max(), spent, budget.reserved()).isUsedUp()) {
        throw Refusal.conflict(
            Phrase.of(
                "the budget of %s is used up (spent %s of %s); complete, fail or release %s now",
                budget.task(), shown(spent), budget.max().toJson(), held.id()));
      }
    }
  }

  private static String shown(Totals spent) {
    return Phrase.of(
        "%,d tokens, %,d millionths of a dollar, %,d s",
        spent.tokens(), spent.costMicros(), spent.seconds());
  }
}
