package dev.mainstay.terminal;

import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.Tx;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a delegation stands at one moment, with its task, its worker, and what came out if it is
 * over.
 */
public record DelegationView(
    Delegation delegation, Task task, Worker worker, @Nullable Assignment ended) {

  /** How the terminal stands that was given it, and at which step of the plan it is. */
  public record Worker(Seat.@Nullable Status status, @Nullable String step) {}

  static DelegationView in(Tx tx, TaskId id) {
    Delegation delegation = tx.delegations().get(id);
    Task task = tx.tasks().get(id);
    String terminal = delegation.standing().terminal();
    Seat.Status status =
        Optional.ofNullable(terminal)
            .flatMap(tx.terminals()::find)
            .map(Terminal::seat)
            .map(Seat::status)
            .orElse(null);
    Worker worker = new Worker(status, step(tx, id));
    return new DelegationView(delegation, task, worker, ended(tx, task));
  }

  private static @Nullable String step(Tx tx, TaskId id) {
    Plan plan = tx.dossiers().get(id).dossier().state().plan();
    Integer current = plan.current();
    return current == null ? null : plan.step(current).label();
  }

  /** Who had it last when it ended; nobody if it was never begun. */
  private static @Nullable Assignment ended(Tx tx, Task task) {
    if (!task.status().isEnded()) return null;
    return tx.assignments().ofTask(task.id()).stream()
        .max(Comparator.comparing(each -> each.standing().fence()))
        .orElse(null);
  }

  public boolean isOver() {
    return task.status().isEnded();
  }

  public boolean isCompleted() {
    return task.status() == TaskStatus.COMPLETED;
  }

  /** What came out; nothing while it goes on, or if nothing did. */
  public JsonObject result() {
    JsonObject known = ended == null ? null : ended.outcome().result();
    return known == null ? JsonObject.EMPTY : known;
  }

  /** Why it ended badly, if it did. */
  public @Nullable String error() {
    if (!isOver() || isCompleted()) return null;
    String reason = task.progress().reason();
    return reason != null || ended == null ? reason : ended.outcome().error();
  }

  /** One line for whoever waits. */
  public String line() {
    String terminal = delegation.standing().terminal();
    String by =
        terminal == null
            ? Phrase.of(" waits for an agent of the profile %s", delegation.wish().profile())
            : Phrase.of(
                " %s by %s%s",
                task.status(),
                terminal,
                worker.status() == null ? "" : " (" + worker.status() + ")");
    String reason = delegation.standing().notice().reason();
    return task.id()
        + (isOver() && terminal == null ? " " + task.status() : by)
        + (worker.step() == null || isOver() ? "" : ", at: " + worker.step())
        + (reason == null ? "" : "; " + reason);
  }

  /** What an open delegation waits for; null while an agent works on it, or once it is reported. */
  public @Nullable String waitsFor() {
    if (!delegation.status().isOpen()) return null;
    if (isOver()) {
      return Phrase.of("%s is %s; a running server reports it", task.id(), task.status());
    }
    String reason = delegation.standing().notice().reason();
    if (reason != null || delegation.standing().terminal() != null) return reason;
    if (task.status().isHeld()) {
      return task.lease().map(lease -> "claimed by " + lease.holder()).orElse(null);
    }
    if (task.isReady()) return "a running server gives it to an agent ('mainstay serve')";
    return task.links().waiting().shown();
  }

  public JsonObject toJson() {
    JsonObject result = result();
    return delegation
        .toJson()
        .with("task", TaskJson.write(task))
        .with("terminal_status", worker.status() == null ? null : worker.status().name())
        .with("step", worker.step())
        .with("result", result.isEmpty() ? null : result)
        .with("error", error());
  }
}
