package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskLine;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.store.Databases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TaskLinesTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnQueue {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void lines_show_what_the_tasks_are_page_by_page_in_every_order() {
      TaskId first = create("first");
      create("waits for the first", first);
      TaskId whole = create("a whole");
      part(whole, "a part of it");
      hold(create("at work"), "bot");
      tasks.cancel(create("not wanted"), "nobody wants it", ADA);
      for (TaskOrder order : TaskOrder.values()) {
        List<TaskLine> all =
            tasks.list(TaskFilter.ALL, order, null, 50).tasks().stream().map(TaskLine::of).toList();
        assertThat(all).hasSize(6);
        assertThat(paged(order)).isEqualTo(all);
      }
    }

    @Test
    void the_open_order_puts_held_tasks_first_and_the_newest_ended_ones_last() {
      tasks.cancel(create("ended first"), "not wanted", ADA);
      create("pending first");
      tasks.cancel(create("ended last"), "not wanted", ADA);
      create("pending last");
      hold(create("held"), "bot");
      assertThat(paged(TaskOrder.OPEN))
          .extracting(TaskLine::title)
          .containsExactly("held", "pending first", "pending last", "ended last", "ended first");
      var ended = TaskFilter.ALL.standing("CANCELLED");
      assertThat(tasks.lines(ended, TaskOrder.OPEN, null, 1).lines())
          .extracting(TaskLine::title)
          .containsExactly("ended last");
    }

    private List<TaskLine> paged(TaskOrder order) {
      List<TaskLine> seen = new ArrayList<>();
      String cursor = null;
      do {
        Tasks.Lines page = tasks.lines(TaskFilter.ALL, order, cursor, 2);
        seen.addAll(page.lines());
        cursor = page.next();
      } while (cursor != null);
      return seen;
    }

    @Test
    void a_line_is_ready_when_its_task_is() {
      TaskId first = create("first");
      create("waits for the first", first);
      hold(create("at work"), "bot");
      for (var each : tasks.list(TaskFilter.ALL, null, 50).tasks()) {
        assertThat(TaskLine.of(each).isReady()).as(each.title()).isEqualTo(each.isReady());
      }
    }
  }
}
