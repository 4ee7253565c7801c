package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Wanted;
import dev.mainstay.session.Sessions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code next_task}: the task that one holds, or the most urgent one that is ready. */
final class NextTaskTool implements Offered {
  static final long WAIT_SECONDS_MAX = Dispatcher.WAIT_MAX.toSeconds();

  /** So soon it is noticed that the caller no longer wants the answer. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final Rooms rooms;
  private final StateTool state;

  NextTaskTool(Rooms rooms, StateTool state) {
    this.rooms = rooms;
    this.state = state;
  }

  @Override
  public String name() {
    return "next_task";
  }

  @Override
  public String description() {
    return "Claim the most urgent ready task when you have none. While you hold one, returns that.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of(), "type", Schemas.text(), "wait_seconds", Schemas.number(0, WAIT_SECONDS_MAX));
  }

  @Override
  public Tool.Hints hints() {
    return SETS;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    // What a prompt opened may be the wish for a task of the queue; it waits below that one.
    Optional<Task> taken =
        visit.current().filter(visit::holds).filter(task -> !Sessions.isImplicit(task));
    if (taken.isPresent()) {
      return state.of(
          visit,
          taken.get(),
          "You still hold a task; finish_task ends it.",
          Portion.REPLY_TOKENS_MAX);
    }
    String type = arguments.textOrNull("type");
    Long seconds = arguments.numberOrNull("wait_seconds");
    var wanted =
        new Wanted(
            visit.session().holder(),
            type == null ? List.of() : List.of(new TaskType(type)),
            1,
            Leases.LEASE);
    Optional<Task> claimed =
        claimed(visit, wanted, Duration.ofSeconds(seconds == null ? 0 : seconds));
    if (claimed.isEmpty()) return none(type);
    visit.work(claimed.get().id(), "work");
    Task begun = rooms.tasks().show(claimed.get().id());
    return state.of(visit, begun, "Claimed for you:", Portion.REPLY_TOKENS_MAX);
  }

  private Optional<Task> claimed(Visit visit, Wanted wanted, Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    while (true) {
      long left = Math.max(0, end - System.nanoTime());
      Duration once = Duration.ofNanos(Math.min(left, LOOK_AGAIN.toNanos()));
      List<Task> given = rooms.dispatcher().claim(wanted, once, visit.call("claim"));
      if (!given.isEmpty()) return Optional.of(given.get(0));
      boolean over = end - System.nanoTime() <= 0 || visit.asking().line().isCancelled();
      if (over || Thread.currentThread().isInterrupted()) return Optional.empty();
    }
  }

  private static Reply none(@Nullable String type) {
    String which =
        type == null ? "No task is ready" : Phrase.of("No task of type %s is ready", type);
    return Reply.text(
        which
            + ". create_task makes one, wait_seconds waits for one, recall tasks:open shows what"
            + " waits.");
  }
}
