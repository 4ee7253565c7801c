package dev.mainstay.overview;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Times;
import dev.mainstay.store.ChartTable;
import dev.mainstay.store.PromptTable.Given;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WriteCountTable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Figures over time: what is not known has no line, and an hour in which nothing was has zeros. */
final class Charts {
  static final int PROMPTS_MAX = 1_000;

  private Charts() {}

  static JsonObject of(Tx tx, int hours) {
    Instant last = tx.now().truncatedTo(ChronoUnit.HOURS);
    Instant first = last.minus(Duration.ofHours(hours - 1L));
    List<JsonObject> stood = new ArrayList<>();
    for (ChartTable.Stood each : tx.charts().stood(first)) {
      if (each.tasks() == 0) continue;
      stood.add(
          JsonObject.of("status", each.status(), "seconds", each.seconds())
              .with("tasks", each.tasks()));
    }
    var prompts = tx.promptsGiven().since(first, PROMPTS_MAX).stream().map(Charts::prompt).toList();
    return JsonObject.of("done", done(tx, first, hours), "status_time", stood)
        .with("prompts", prompts)
        .with("writes", writes(tx, first, hours));
  }

  private static List<JsonObject> done(Tx tx, Instant first, int hours) {
    Map<Instant, Map<TaskStatus, Long>> ended = new HashMap<>();
    for (ChartTable.Ended each : tx.charts().ended(first)) {
      ended.computeIfAbsent(each.hour(), hour -> new HashMap<>()).put(each.status(), each.tasks());
    }
    List<JsonObject> lines = new ArrayList<>();
    for (int i = 0; i < hours; i++) {
      Instant hour = first.plus(Duration.ofHours(i));
      Map<TaskStatus, Long> then = ended.getOrDefault(hour, Map.of());
      lines.add(
          JsonObject.of("hour", Times.write(hour))
              .with("completed", then.getOrDefault(TaskStatus.COMPLETED, 0L))
              .with("failed", then.getOrDefault(TaskStatus.FAILED, 0L))
              .with("cancelled", then.getOrDefault(TaskStatus.CANCELLED, 0L)));
    }
    return lines;
  }

  private static JsonObject prompt(Given given) {
    return JsonObject.of("task_id", given.task().value(), "turn", given.turn())
        .with("tokens", given.size().tokens())
        .withAny("transcript_tokens", given.size().transcript())
        .with("source", given.source())
        .with("at", Times.write(given.at()));
  }

  private static List<JsonObject> writes(Tx tx, Instant first, int hours) {
    Map<Instant, WriteCountTable.Hour> counted = new HashMap<>();
    for (WriteCountTable.Hour each : tx.writeCounts().since(first)) counted.put(each.hour(), each);
    List<JsonObject> lines = new ArrayList<>();
    for (int i = 0; i < hours; i++) {
      Instant hour = first.plus(Duration.ofHours(i));
      var then = counted.getOrDefault(hour, new WriteCountTable.Hour(hour, 0, 0));
      lines.add(
          JsonObject.of("hour", Times.write(hour), "changed", then.changed())
              .with("noop", then.unchanged()));
    }
    return lines;
  }
}
