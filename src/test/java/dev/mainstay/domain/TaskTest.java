package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Task.Brief;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final TaskId ID = new TaskId("T-001");
  private static final TaskId OTHER = new TaskId("T-002");

  private static Task fresh(Dependency... dependencies) {
    var brief = new Brief("Write it", "in full", TaskType.CODE, 3, JsonObject.of("a", 1));
    return new TaskEvent.Created(brief, "w", OTHER, List.of(dependencies)).first(ID, NOON);
  }

  private static Task held() {
    return new TaskEvent.Held("ada", 7, LATER).applyTo(fresh(), NOON);
  }

  private static Call agent(Long fence) {
    return Call.by(Actor.agent("ada"), "cli").withFence(fence);
  }

  @Test
  void a_held_task_is_written_to_by_its_holder_and_by_persons_alone() {
    Task task = held();
    assertThat(task.admits(agent(7L))).isTrue();
    assertThat(task.admits(agent(6L))).isFalse();
    assertThat(task.admits(agent(null))).isFalse();
    assertThat(task.admits(Call.by(Actor.person("bob"), "cli"))).isTrue();
    assertThat(task.admits(Call.by(Actor.person("bob"), "cli").withFence(8L))).isFalse();
    assertThatThrownBy(() -> task.admit(agent(6L)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("fence 6 of T-001 is no longer valid (it is held by ada)");
  }

  @Test
  void a_task_that_nobody_holds_takes_no_fence() {
    assertThat(fresh().admits(agent(null))).isTrue();
    assertThatThrownBy(() -> fresh().admit(agent(0L)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("it is PENDING and nobody holds it");
  }

  @Test
  void a_change_of_a_version_that_was_not_seen_is_refused() {
    fresh().expectVersion(null);
    fresh().expectVersion(1L);
    assertThatThrownBy(() -> fresh().expectVersion(2L))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("T-001 is at version 1, not 2");
  }

  @Test
  void it_is_ready_while_nobody_has_it_and_nothing_is_waited_for() {
    assertThat(fresh().isReady()).isTrue();
    assertThat(held().isReady()).isFalse();
    Task waits = fresh(Dependency.on(new TaskId("T-003")));
    assertThat(waits.with(waits.links().withUnmet(1)).isReady()).isFalse();
    assertThat(new Waiting(0, 1, null, false).isNothing()).isFalse();
    assertThat(new Waiting(0, 0, NOON, false).isNothing()).isFalse();
    assertThat(new Waiting(0, 0, null, true).isNothing()).isFalse();
  }

  @Test
  void what_is_waited_for_is_told_in_words() {
    assertThat(new Waiting(2, 1, NOON, true).shown()).isEqualTo("waiting for 2 other task(s)");
    assertThat(new Waiting(0, 1, NOON, true).shown()).isEqualTo("waiting for 1 open child(ren)");
    assertThat(new Waiting(0, 0, NOON, true).shown()).startsWith("waiting until 2026-03-01T12:00");
    assertThat(new Waiting(0, 0, null, true).shown()).isEqualTo("waiting for room in its budget");
    assertThat(Waiting.NOTHING.shown()).isEqualTo("waiting for nothing");
    assertThatThrownBy(() -> new Waiting(-1, 0, null, false)).hasMessageContaining("-1 unmet");
    assertThatThrownBy(() -> new Waiting(0, -1, null, false)).hasMessageContaining("-1 open");
  }

  @Test
  void links_are_counted_and_know_what_they_depend_on() {
    Task task = fresh(Dependency.on(OTHER), Dependency.on(new TaskId("T-003")));
    Task.Links two = task.links().withUnmet(2);
    assertThat(two.dependsOn(OTHER)).isTrue();
    assertThat(two.dependsOn(ID)).isFalse();
    assertThat(two.without(OTHER).dependencies()).hasSize(1);
    assertThat(two.without(OTHER).unmet()).isEqualTo(1);
    assertThat(two.without(OTHER).dependsOn(OTHER)).isFalse();
    assertThatThrownBy(() -> two.withUnmet(3)).hasMessageContaining("3 unmet of 2");
    assertThat(task.withoutParent().links().parent()).isNull();
    assertThat(task.withoutParent().links().workflow()).isEqualTo("w");
    var many = Collections.nCopies(Task.DEPENDENCIES_MAX, Dependency.on(OTHER));
    assertThat(two.with(many).dependencies()).hasSize(Task.DEPENDENCIES_MAX);
    assertThatThrownBy(() -> two.with(many).with(Dependency.on(ID))).isInstanceOf(Refusal.class);
  }

  @Test
  void a_priority_has_its_limit_on_both_sides() {
    int most = Task.PRIORITY_MAX;
    for (int fits : new int[] {most, -most}) {
      assertThat(brief(fits).priority()).isEqualTo(fits);
    }
    assertThatThrownBy(() -> brief(most + 1)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> brief(-most - 1)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> brief(Integer.MIN_VALUE)).isInstanceOf(Refusal.class);
  }

  private static Brief brief(int priority) {
    return new Brief("t", "", TaskType.CODE, priority, JsonObject.EMPTY);
  }

  @Test
  void words_become_a_task_whose_title_is_their_first_line() {
    Brief brief = Brief.ofWords("  Mend\u0007 it \n and more");
    assertThat(brief.title()).isEqualTo("Mend  it");
    assertThat(brief.description()).contains("and more");
    assertThat(brief.isOpenedByPrompt()).isFalse();
    assertThat(brief.openedByPrompt().isOpenedByPrompt()).isTrue();
    assertThat(Brief.ofWords("Mend it").inWords()).isEqualTo("Mend it");
    assertThat(brief(1).inWords()).isEqualTo("t");
    assertThat(fresh().brief().inWords()).isEqualTo("Write it\n\nin full");
  }

  @Test
  void a_lease_is_there_exactly_while_somebody_holds_it() {
    assertThat(held().lease()).get().extracting(Lease::holder).isEqualTo("ada");
    assertThat(fresh().lease()).isEmpty();
    assertThatThrownBy(() -> new Task.Progress(TaskStatus.ASSIGNED, null, 1, 1, null))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () -> new Task.Progress(TaskStatus.PENDING, null, 1, 1, held().progress().lease()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void what_may_not_follow_is_refused_with_what_may() {
    Task done = new TaskEvent.Completed(JsonObject.EMPTY).applyTo(held(), LATER);
    assertThatThrownBy(() -> new TaskEvent.Completed(JsonObject.EMPTY).applyTo(done, LATER))
        .hasMessageContaining("T-001 is COMPLETED already");
    assertThatThrownBy(() -> new TaskEvent.Started().applyTo(fresh(), LATER))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new TaskEvent.Reopened("again").applyTo(done, LATER))
        .hasMessageContaining("from COMPLETED it may become: nothing more");
    Task failed = new AttemptEvent.Failed("no", null).applyTo(held(), LATER);
    assertThatThrownBy(() -> new TaskEvent.Completed(JsonObject.EMPTY).applyTo(failed, LATER))
        .hasMessageContaining("from FAILED it may become: PENDING");
  }

  @Test
  void a_status_is_read_as_people_type_it() {
    assertThat(TaskStatus.parse(" in-progress ")).isEqualTo(TaskStatus.IN_PROGRESS);
    assertThatThrownBy(() -> TaskStatus.parse("gone"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("PENDING, ASSIGNED, IN_PROGRESS");
    assertThat(TaskStatus.FAILED.isEnded()).isTrue();
    assertThat(TaskStatus.CANCELLED.isEnded()).isTrue();
    assertThat(TaskStatus.IN_PROGRESS.isEnded()).isFalse();
    assertThat(Dependency.Kind.parse(" After-Any ").typed()).isEqualTo("after-any");
    assertThatThrownBy(() -> Dependency.Kind.parse("never"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("after-failure");
  }
}
