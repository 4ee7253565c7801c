package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Task.Brief;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TaskEventTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final TaskId ID = new TaskId("T-001");
  private static final TaskId OTHER = new TaskId("T-002");
  private static final Terms TERMS =
      new Terms(
          new Terms.Retry(3, Duration.ofSeconds(5)),
          Duration.ofMinutes(1),
          Amounts.NONE,
          Amounts.NONE);

  private static TaskEvent.Created created() {
    var brief = new Brief("Write it", "in full", TaskType.CODE, 3, JsonObject.of("a", 1));
    var waits = List.of(new Dependency(OTHER, Dependency.Kind.AFTER_ANY));
    return new TaskEvent.Created(brief, "w", OTHER, waits, TERMS);
  }

  private static List<TaskEvent> all() {
    return List.of(
        new TaskEvent.Updated(JsonObject.of("title", "Other", "priority", 9)),
        new TaskEvent.DependencyAdded(Dependency.on(new TaskId("T-009"))),
        new TaskEvent.DependencyRemoved(OTHER),
        new TaskEvent.TermsSet(TERMS),
        new TaskEvent.Held("ada", 5, NOON.plusSeconds(60)),
        new TaskEvent.Held("ada", 6, NOON.plusSeconds(60), true, null),
        new TaskEvent.Held("ada", 7, NOON.plusSeconds(60), false, "script-of-ada"),
        new AttemptEvent.HelperAdded("grace"),
        new AttemptEvent.HelperRemoved("grace"),
        new AttemptEvent.Accepted(),
        new TaskEvent.Started(),
        new TaskEvent.Released("tired"),
        new AttemptEvent.LeaseExpired("late", null),
        new AttemptEvent.LeaseExpired("late", NOON.plusSeconds(9)),
        new TaskEvent.Completed(JsonObject.of("ok", true)),
        new AttemptEvent.Retried("broke", NOON.plusSeconds(9)),
        new AttemptEvent.Spending(Amounts.NONE),
        new AttemptEvent.Failed("broke", OTHER),
        new AttemptEvent.Failed("broke", null),
        new TaskEvent.Cancelled("unwanted", null),
        new TaskEvent.Cancelled("unwanted", OTHER),
        new TaskEvent.Reopened("again"));
  }

  @Test
  void every_event_comes_back_from_its_kind_and_payload() {
    var kinds = new TreeSet<String>(List.of("task.created"));
    for (TaskEvent event : all()) {
      assertThat(TaskEvent.read(event.kind(), event.payload())).isEqualTo(event);
      kinds.add(event.kind());
    }
    assertThat(TaskEvent.read("task.created", created().payload())).isEqualTo(created());
    assertThat(kinds).isEqualTo(new TreeSet<>(TaskEvent.READERS.keySet()));
    assertThatThrownBy(() -> TaskEvent.read("task.eaten", JsonObject.EMPTY))
        .hasMessageContaining("task.eaten");
    assertThat(created().payload().get("terms")).isNotNull();
    assertThat(new TaskEvent.Started().payload()).isEqualTo(JsonObject.EMPTY);
    assertThatThrownBy(() -> created().applyTo(created().first(ID, NOON), NOON))
        .hasMessageContaining("created twice");
  }

  @Test
  void whatever_happens_a_version_is_counted_and_the_fence_never_falls() {
    Seeds.forAll(
        200,
        random -> {
          Task task = created().first(ID, NOON);
          for (int i = 1; i < 30; i++) task = next(random, task, NOON.plusSeconds(i));
        });
  }

  private static Task next(Random random, Task before, Instant at) {
    TaskEvent event = all().get(random.nextInt(all().size()));
    if (event instanceof TaskEvent.Held held) {
      event =
          new TaskEvent.Held(
              held.holder(), before.fence() + 1, held.until(), held.resumed(), held.helper());
    }
    Task after;
    try {
      after = event.applyTo(before, at);
    } catch (Refusal | IllegalStateException no) {
      return before;
    }
    assertThat(after.id()).isEqualTo(ID);
    assertThat(TaskJson.read(TaskJson.write(after))).isEqualTo(after);
    assertThat(after.stamps().version()).isEqualTo(before.stamps().version() + 1);
    assertThat(after.stamps().createdAt()).isEqualTo(NOON);
    assertThat(after.stamps().updatedAt()).isEqualTo(at);
    assertThat(after.fence()).isGreaterThanOrEqualTo(before.fence());
    boolean letGo = before.status().isHeld() && !after.status().isHeld();
    if (letGo) assertThat(after.fence()).isEqualTo(before.fence() + 1);
    boolean done = after.status() == TaskStatus.COMPLETED;
    if (after.status() != before.status()) {
      assertThat(after.stamps().completedAt()).isEqualTo(done ? at : null);
    }
    boolean taken = event instanceof TaskEvent.Held;
    assertThat(after.progress().attempt()).isEqualTo(before.progress().attempt() + (taken ? 1 : 0));
    if (taken) assertThat(after.links().waiting().delayedUntil()).isNull();
    return after;
  }

  @Test
  void what_is_changed_is_that_and_nothing_else() {
    Task task = created().first(ID, NOON);
    Task other =
        new TaskEvent.Updated(JsonObject.of("title", "Other", "priority", 9)).applyTo(task, NOON);
    assertThat(other.brief())
        .isEqualTo(new Brief("Other", "in full", TaskType.CODE, 9, JsonObject.of("a", 1)));
    TaskId third = new TaskId("T-003");
    Task more = new TaskEvent.DependencyAdded(Dependency.on(third)).applyTo(task, NOON);
    assertThat(more.links().dependencies()).hasSize(2).contains(Dependency.on(third));
    Task fewer = new TaskEvent.DependencyRemoved(OTHER).applyTo(more, NOON);
    assertThat(fewer.links().dependencies()).containsExactly(Dependency.on(third));
    Task free = new TaskEvent.TermsSet(Terms.NONE).applyTo(task, NOON);
    assertThat(free.links().terms()).isEqualTo(Terms.NONE);
  }

  @Test
  void an_attempt_that_is_over_offers_the_task_again_after_its_pause() {
    Task held =
        new TaskEvent.Held("ada", 4, NOON.plusSeconds(60)).applyTo(created().first(ID, NOON), NOON);
    Instant until = NOON.plusSeconds(9);
    Task again = new AttemptEvent.Retried("broke", until).applyTo(held, NOON);
    assertThat(again.status()).isEqualTo(TaskStatus.PENDING);
    assertThat(again.progress().reason()).isEqualTo("broke");
    assertThat(again.links().waiting().delayedUntil()).isEqualTo(until);
    Task expired = new AttemptEvent.LeaseExpired("late", null).applyTo(held, NOON);
    assertThat(expired.links().waiting().delayedUntil()).isNull();
    Task failed = new AttemptEvent.Failed("no", null).applyTo(held, NOON);
    Task reopened = new TaskEvent.Reopened("once more").applyTo(failed, NOON);
    assertThat(reopened.status()).isEqualTo(TaskStatus.PENDING);
    assertThat(reopened.fence()).as("nobody held it").isEqualTo(failed.fence());
  }
}
