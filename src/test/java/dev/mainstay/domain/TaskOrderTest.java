package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.TaskOrder.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskOrderTest {
  private static Task task(long number, int priority) {
    var brief = new Task.Brief("t", "", TaskType.CODE, priority, JsonObject.EMPTY);
    return new TaskEvent.Created(brief, null, null, List.of()).first(TaskId.of(number), NOON);
  }

  @Test
  void parses_the_name_of_an_order_and_takes_the_default_where_none_is_given() {
    assertThat(TaskOrder.parse(null, TaskOrder.OLDEST)).isEqualTo(TaskOrder.OLDEST);
    assertThat(TaskOrder.parse(null, TaskOrder.OPEN)).isEqualTo(TaskOrder.OPEN);
    assertThat(TaskOrder.parse(" Newest ", TaskOrder.OPEN)).isEqualTo(TaskOrder.NEWEST);
    assertThat(TaskOrder.parse("urgent", TaskOrder.OPEN)).isEqualTo(TaskOrder.URGENT);
    assertThatThrownBy(() -> TaskOrder.parse("loudest", TaskOrder.OPEN))
        .isInstanceOf(Refusal.class)
        .hasMessage("unknown order \"loudest\": expected open, oldest, newest or urgent");
  }

  @Test
  void a_cursor_leads_back_to_the_task_at_which_a_page_ended() {
    for (int priority : List.of(-1_000_000, -3, 0, 7, 1_000_000)) {
      Task last = task(1_234, priority);
      assertThat(TaskOrder.URGENT.place(TaskOrder.URGENT.cursor(TaskLine.of(last))))
          .isEqualTo(new Place(priority, 1_234));
      assertThat(TaskOrder.OLDEST.place(TaskOrder.OLDEST.cursor(TaskLine.of(last))))
          .isEqualTo(new Place(0, 1_234));
      assertThat(TaskOrder.NEWEST.place(TaskOrder.NEWEST.cursor(TaskLine.of(last))))
          .isEqualTo(new Place(0, 1_234));
    }
    assertThat(TaskOrder.URGENT.cursor(TaskLine.of(task(2, 5)))).isEqualTo("5/T-002");
    assertThat(TaskOrder.NEWEST.cursor(TaskLine.of(task(2, 5)))).isEqualTo("T-002");
    assertThat(TaskOrder.OPEN.cursor(TaskLine.of(task(2, 5)))).isEqualTo("1/T-002");
  }

  @Test
  void a_cursor_of_another_order_or_of_nobody_is_refused() {
    String other = "the cursor belongs to another order; begin without a cursor";
    assertThatThrownBy(() -> TaskOrder.URGENT.place("T-002")).hasMessage(other);
    assertThatThrownBy(() -> TaskOrder.OLDEST.place("5/T-002")).hasMessage(other);
    assertThatThrownBy(() -> TaskOrder.NEWEST.place("/T-002")).hasMessage(other);
    for (String wrong : List.of("/T-002", "x/T-002", "12345678/T-002", "5x/T-002")) {
      assertThatThrownBy(() -> TaskOrder.URGENT.place(wrong))
          .isInstanceOf(Refusal.class)
          .hasMessage("invalid cursor: use the one that the previous page returned");
    }
    assertThatThrownBy(() -> TaskOrder.URGENT.place("5/x")).hasMessageContaining("not a task id");
  }
}
