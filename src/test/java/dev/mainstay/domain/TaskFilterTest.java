package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JournalEntry.Content;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JournalEntry.Place;
import dev.mainstay.domain.TaskFilter.Pending;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskFilterTest {
  private static final JournalEntry ENTRY = entry("task/T-001", "task.created");

  private static JournalEntry entry(String stream, String kind) {
    var place = new Place(stream, 1);
    var origin = new Origin(Actor.agent("ada"), "cli", Instant.parse("2026-03-01T12:00:00Z"));
    var content = new Content(kind, "{}");
    return new JournalEntry(
        1, place, origin, content, JournalEntry.seal(place, origin, content, "0"));
  }

  @Test
  void the_two_kinds_of_pending_can_be_asked_for_alone_or_together() {
    assertThat(TaskFilter.ALL.standing("ready").standing())
        .isEqualTo(new TaskFilter.Standing(Set.of(TaskStatus.PENDING), Pending.READY));
    assertThat(TaskFilter.ALL.standing("waiting, failed").standing().pending())
        .isEqualTo(Pending.WAITING);
    assertThat(TaskFilter.ALL.standing("waiting,failed").standing().statuses())
        .containsExactlyInAnyOrder(TaskStatus.PENDING, TaskStatus.FAILED);
    assertThat(TaskFilter.ALL.standing("ready,waiting").standing().pending())
        .isEqualTo(Pending.ANY);
    assertThat(TaskFilter.ALL.standing("pending").standing().pending()).isEqualTo(Pending.ANY);
    assertThat(TaskFilter.ALL.standing("failed").standing().pending()).isEqualTo(Pending.ANY);
    assertThat(TaskFilter.ALL.standing(null)).isEqualTo(TaskFilter.ALL);
    assertThatThrownBy(() -> TaskFilter.ALL.standing("gone")).isInstanceOf(Refusal.class);
    assertThat(new TaskFilter(TaskStatus.FAILED, null, null, null).standing().statuses())
        .containsExactly(TaskStatus.FAILED);
  }

  @Test
  void a_search_has_so_many_words_and_no_more() {
    assertThat(TaskFilter.ALL.saying("  one\ttwo ").words()).containsExactly("one", "two");
    assertThat(TaskFilter.ALL.saying("  ").words()).isEmpty();
    assertThat(TaskFilter.ALL.saying(null)).isEqualTo(TaskFilter.ALL);
    assertThat(TaskFilter.ALL.saying("a ".repeat(8)).words()).hasSize(TaskFilter.WORDS_MAX);
    assertThatThrownBy(() -> TaskFilter.ALL.saying("a ".repeat(9))).isInstanceOf(Refusal.class);
    int most = TaskFilter.SEARCH_CHARS_MAX;
    assertThat(TaskFilter.ALL.saying("a".repeat(most)).words()).hasSize(1);
    assertThatThrownBy(() -> TaskFilter.ALL.saying("a".repeat(most + 1)))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void entries_are_let_through_by_a_name_or_by_what_is_below_it() {
    assertThat(JournalFilter.ALL.lets(ENTRY)).isTrue();
    assertThat(new JournalFilter("task", "task", "agent").lets(ENTRY)).isTrue();
    assertThat(new JournalFilter("task/T-001", "task.created", "agent:ada").lets(ENTRY)).isTrue();
    assertThat(new JournalFilter(null, null, "ada").lets(ENTRY)).isTrue();
    assertThat(new JournalFilter("tas", null, null).lets(ENTRY)).isFalse();
    assertThat(new JournalFilter(null, "task.create", null).lets(ENTRY)).isFalse();
    assertThat(new JournalFilter(null, null, "bob").lets(ENTRY)).isFalse();
  }

  @Test
  void a_stream_that_is_named_whole_is_known_as_one() {
    assertThat(new JournalFilter("task/T-001", null, null).isOneStream()).isTrue();
    assertThat(new JournalFilter("task", null, null).isOneStream()).isFalse();
    assertThat(new JournalFilter("task/T-001", "task", null).isOneStream()).isFalse();
    assertThat(new JournalFilter("task/T-001", null, "ada").isOneStream()).isFalse();
    assertThat(JournalFilter.ALL.isOneStream()).isFalse();
    assertThat(new JournalFilter("task/T-001", "x", null).wholeStream()).isEqualTo("task/T-001");
    assertThat(new JournalFilter("task", null, null).wholeStream()).isNull();
    assertThat(JournalFilter.ALL.wholeStream()).isNull();
  }
}
