package dev.mainstay.overview;

import dev.mainstay.domain.Budget;
import dev.mainstay.domain.Budget.Totals;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.store.OverviewTable;
import dev.mainstay.store.OverviewTable.Cause;
import dev.mainstay.store.OverviewTable.Holder;
import dev.mainstay.store.OverviewTable.Limited;
import dev.mainstay.store.OverviewTable.Stuck;
import dev.mainstay.store.Tx;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that is going on at one moment, in one page: work, what it waits for, what failed. */
final class Now {
  /** Each list is at most so long; how much more there is stands beside it. */
  static final int ITEMS_MAX = 20;

  /** Of what one task waits for, so much is shown. */
  static final int CAUSES_SHOWN_MAX = 10;

  private Now() {}

  static JsonObject look(Tx tx) {
    OverviewTable overview = tx.overview();
    Map<TaskStatus, Long> stand = overview.counts();
    long ready = overview.readyCount();
    long held = of(stand, TaskStatus.ASSIGNED) + of(stand, TaskStatus.IN_PROGRESS);
    long waiting = of(stand, TaskStatus.PENDING) - ready;
    long failed = of(stand, TaskStatus.FAILED);
    JsonObject counts =
        JsonObject.of("ready", ready, "waiting", waiting, "held", held, "failed", failed)
            .with("completed", of(stand, TaskStatus.COMPLETED))
            .with("cancelled", of(stand, TaskStatus.CANCELLED));
    var page = new Lists();
    page.add("working", working(tx), held);
    page.add("ready", overview.ready(ITEMS_MAX).stream().map(Now::brief).toList(), ready);
    page.add("blocked", waiting == 0 ? List.of() : blocked(overview), waiting);
    page.add("failed", overview.failed(ITEMS_MAX).stream().map(Now::failure).toList(), failed);
    var stuck = overview.stuck(ITEMS_MAX);
    page.add("incidents", stuck.stream().map(Now::incident).toList(), overview.stuckCount());
    page.add("questions", questions(tx), overview.questionCount());
    var open = tx.inbox().open(ITEMS_MAX);
    page.add("undelivered", open.stream().map(Now::message).toList(), tx.inbox().countOpen());
    var limited = overview.budgets(ITEMS_MAX);
    List<JsonObject> amounts = limited.stream().flatMap(Now::amounts).toList();
    page.add("budgets", amounts, overview.budgetCount() - limited.size(), limited.size());
    var live = tx.terminals().allLive(ITEMS_MAX);
    page.add("terminals", live.stream().map(Now::terminal).toList(), tx.terminals().countLive());
    return page.with("counts", counts);
  }

  private static long of(Map<TaskStatus, Long> counts, TaskStatus status) {
    return counts.getOrDefault(status, 0L);
  }

  private static List<JsonObject> working(Tx tx) {
    List<JsonObject> all = new ArrayList<>();
    for (Holder each : tx.overview().working(ITEMS_MAX)) {
      Task task = each.task();
      all.add(
          JsonObject.of("terminal_id", each.lease().holder(), "task_id", task.id().value())
              .withAny("agent", each.agent())
              .with("title", task.title())
              .with("status", task.status())
              .withAny("step", step(each.state().plan()))
              .with("since", Times.write(each.lease().since()))
              .withAny("last_action", lastAction(tx, task.id(), each.state()))
              .with("lease_until", Times.write(each.lease().until()))
              .with("heartbeat_at", Times.write(each.lease().heartbeat())));
    }
    return all;
  }

  /** The step at work, or the next one, from 1. */
  static @Nullable JsonObject step(Plan plan) {
    Integer place = plan.current() == null ? plan.next().orElse(null) : plan.current();
    if (place == null) return null;
    return JsonObject.of("number", place + 1, "of", plan.steps().size())
        .with("text", plan.step(place).label());
  }

  /** What tools were last seen to do, and when. */
  private static @Nullable JsonObject lastAction(Tx tx, TaskId task, TaskState state) {
    List<String> actions = state.trail().actions();
    if (actions.isEmpty()) return null;
    JsonObject last = JsonObject.of("text", actions.get(actions.size() - 1));
    return tx.journal().newestOfKinds(task.stream(), Set.of("state.actions_noted"), 1).stream()
        .findFirst()
        .map(entry -> last.with("at", Times.write(entry.origin().at())))
        .orElse(last);
  }

  private static JsonObject brief(Task task) {
    return JsonObject.of("id", task.id().value(), "title", task.title())
        .with("task_type", task.brief().type().name())
        .with("priority", task.brief().priority())
        .with("status", task.status())
        .with("attempt", task.progress().attempt())
        .with("created_at", Times.write(task.stamps().createdAt()))
        .with("updated_at", Times.write(task.stamps().updatedAt()));
  }

  private static List<JsonObject> blocked(OverviewTable overview) {
    List<Task> waiting = overview.blocked(ITEMS_MAX);
    Map<TaskId, List<Cause>> causes = overview.causes(waiting.stream().map(Task::id).toList());
    List<JsonObject> all = new ArrayList<>();
    for (Task task : waiting) {
      List<Cause> found = causes.getOrDefault(task.id(), List.of());
      List<JsonObject> shown = new ArrayList<>();
      for (Cause cause : found.subList(0, Math.min(found.size(), CAUSES_SHOWN_MAX))) {
        shown.add(
            JsonObject.of("task_id", cause.task().id().value(), "title", cause.task().title())
                .with("status", cause.task().status())
                .with("kind", cause.kind()));
      }
      all.add(
          JsonObject.of("task_id", task.id().value(), "title", task.title())
              .with("waits_for", shown)
              .with("reason", task.links().waiting().shown()));
    }
    return all;
  }

  private static JsonObject failure(Task task) {
    return JsonObject.of("task_id", task.id().value(), "title", task.title())
        .withAny("reason", task.progress().reason())
        .with("at", Times.write(task.stamps().updatedAt()));
  }

  private static JsonObject incident(Stuck stuck) {
    return JsonObject.of("execution_id", stuck.execution(), "title", stuck.title())
        .with("node", stuck.node())
        .with("problem", stuck.problem())
        .with("at", Times.write(stuck.since()));
  }

  private static List<JsonObject> questions(Tx tx) {
    List<JsonObject> all = new ArrayList<>();
    for (WorkflowWait wait : tx.workflowWaits().asking(null, ITEMS_MAX)) {
      JsonObject asked = wait.about().question();
      all.add(
          JsonObject.of("execution_id", wait.execution(), "node", wait.node())
              .withAny("task_id", null)
              .with("token", wait.token())
              .with("text", asked.text("text"))
              .with("answers", asked.texts("answers"))
              .with("since", Times.write(wait.since())));
    }
    for (var asked : tx.overview().asked(ITEMS_MAX - all.size())) {
      var said = tx.journal().newestOfKinds(asked.task().stream(), Set.of("state.suspended"), 1);
      all.add(
          JsonObject.of("task_id", asked.task().value(), "text", asked.text())
              .withAny("execution_id", null)
              .withAny("node", null)
              .withAny("since", said.isEmpty() ? null : Times.write(said.get(0).origin().at())));
    }
    return all;
  }

  private static JsonObject message(Message message) {
    return JsonObject.of("message_id", message.id(), "receiver", message.receiver())
        .with("sender", message.sender())
        .with("status", message.standing().status())
        .with("since", Times.write(message.standing().moments().sentAt()))
        .with("attempts", message.standing().attempts());
  }

  /** One line for each unit that is limited. */
  private static Stream<JsonObject> amounts(Limited limited) {
    Budget budget = limited.budget();
    Totals spent = budget.spent();
    Totals reserved = budget.reserved();
    JsonObject task = JsonObject.of("task_id", budget.task().value(), "title", limited.title());
    List<JsonObject> all = new ArrayList<>();
    if (budget.max().tokens() != null) {
      all.add(amount(task, "tokens", budget.max().tokens(), spent.tokens(), reserved.tokens()));
    }
    if (budget.max().costMicros() != null) {
      all.add(
          amount(
              task,
              "cost",
              dollars(budget.max().costMicros()),
              dollars(spent.costMicros()),
              dollars(reserved.costMicros())));
    }
    if (budget.max().seconds() != null) {
      all.add(amount(task, "seconds", budget.max().seconds(), spent.seconds(), reserved.seconds()));
    }
    return all.stream();
  }

  private static BigDecimal dollars(long micros) {
    return BigDecimal.valueOf(micros, 6);
  }

  private static JsonObject amount(
      JsonObject task, String unit, Number limit, Number spent, Number reserved) {
    return task.with("unit", unit)
        .with("limit", limit)
        .with("spent", spent)
        .with("reserved", reserved);
  }

  private static JsonObject terminal(Terminal terminal) {
    return JsonObject.of("id", terminal.id())
        .withAny("status", terminal.seat() == null ? null : terminal.seat().status())
        .withAny("agent_profile", terminal.profile());
  }
}
