package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TaskIdTest {
  @Test
  void what_people_type_is_the_same_task() {
    for (String typed : List.of("1", "01", "t1", "T-1", "t-001", " T-001 ")) {
      assertThat(TaskId.parse(typed)).isEqualTo(new TaskId("T-001"));
    }
    assertThat(TaskId.parse("T-123456789012345678").number()).isEqualTo(123_456_789_012_345_678L);
  }

  @Test
  void what_is_no_id_is_refused_with_the_beginning_of_it() {
    assertThatThrownBy(() -> TaskId.parse("next"))
        .isInstanceOf(Refusal.class)
        .hasMessage("\"next\" is not a task id; task ids look like T-001");
    assertThatThrownBy(() -> TaskId.parse("1234567890123456789")).isInstanceOf(Refusal.class);
    String forty = "x".repeat(40);
    assertThatThrownBy(() -> new TaskId(forty)).hasMessageStartingWith("\"" + forty + "\" is not");
    assertThatThrownBy(() -> new TaskId(forty + "y"))
        .hasMessageStartingWith("\"" + forty + "...\" is not");
  }

  @Test
  void an_id_has_three_digits_or_more_and_none_to_spare() {
    assertThat(TaskId.of(7)).hasToString("T-007");
    assertThat(TaskId.of(999)).hasToString("T-999");
    assertThat(TaskId.of(1_000)).hasToString("T-1000");
    assertThat(TaskId.isOne("T-001")).isTrue();
    assertThat(TaskId.isOne("T-1000")).isTrue();
    assertThat(TaskId.isOne("T-0100")).isFalse();
    assertThat(TaskId.isOne("T-1")).isFalse();
    assertThat(TaskId.isOne("t-001")).isFalse();
  }

  @Test
  void ids_are_in_the_order_of_their_numbers_and_name_a_stream_each() {
    List<TaskId> sorted = Stream.of("T-1000", "T-002", "T-999").map(TaskId::new).sorted().toList();
    assertThat(sorted).extracting(TaskId::number).containsExactly(2L, 999L, 1_000L);
    assertThat(TaskId.of(2).stream()).isEqualTo("task/T-002");
  }
}
