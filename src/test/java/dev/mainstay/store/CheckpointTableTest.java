package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CheckpointTableTest {
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

  abstract static class Contract extends OnDatabase {
    private static final TaskId ONE = TaskId.of(1);
    private static final TaskId TWO = TaskId.of(2);

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void twoTasks() {
      for (int i = 0; i < 2; i++) {
        given(
            tx -> {
              var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
              var created = new TaskEvent.Created(brief, null, null, List.of());
              tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
            });
      }
    }

    private void insert(TaskId task, String name, long number) {
      given(tx -> tx.checkpoints().insert(task, name, number, clock.instant()));
    }

    private Optional<Checkpoint> find(TaskId task, String name) {
      return store.reading(tx -> tx.checkpoints().find(task, name));
    }

    private List<Checkpoint> list(TaskId task) {
      return store.reading(tx -> tx.checkpoints().list(task));
    }

    private long count(TaskId task) {
      return store.reading(tx -> tx.checkpoints().count(task));
    }

    @Test
    void a_checkpoint_comes_back_as_it_was_kept() {
      insert(ONE, "vor größe/2.0", 3_000_000_000L);
      assertThat(find(ONE, "vor größe/2.0"))
          .contains(new Checkpoint(ONE, "vor größe/2.0", 3_000_000_000L, clock.instant()));
    }

    @Test
    void a_name_is_found_only_as_it_is_written_and_only_under_its_task() {
      insert(ONE, "draft", 1);
      assertThat(find(ONE, "Draft")).isEmpty();
      assertThat(find(TWO, "draft")).isEmpty();
      assertThat(list(TWO)).isEmpty();
    }

    @Test
    void a_list_is_oldest_first_by_the_place_in_the_history() {
      insert(ONE, "c", 10);
      clock.advance(Duration.ofSeconds(1));
      insert(ONE, "a", 9);
      clock.advance(Duration.ofSeconds(1));
      insert(ONE, "b", 2);
      insert(TWO, "other", 1);
      assertThat(list(ONE)).extracting(Checkpoint::name).containsExactly("b", "a", "c");
    }

    @Test
    void the_checkpoints_of_each_task_are_counted_for_themselves() {
      insert(ONE, "a", 1);
      insert(ONE, "b", 1);
      insert(TWO, "a", 1);
      assertThat(count(ONE)).isEqualTo(2);
      assertThat(count(TWO)).isEqualTo(1);
      assertThat(count(TaskId.of(9))).isZero();
    }

    @Test
    void the_table_itself_keeps_a_name_once_per_task_and_refuses_what_is_no_place() {
      insert(ONE, "a", 1);
      assertThatThrownBy(() -> insert(ONE, "a", 2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("constraint");
      assertThatThrownBy(() -> insert(ONE, "  ", 2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("constraint");
      assertThatThrownBy(() -> insert(ONE, "b", 0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("constraint");
      assertThatThrownBy(() -> insert(TaskId.of(9), "a", 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("constraint");
      assertThat(list(ONE)).containsExactly(new Checkpoint(ONE, "a", 1, clock.instant()));
    }

    @Test
    void a_deleted_task_takes_its_checkpoints_with_it() {
      insert(ONE, "a", 1);
      insert(TWO, "a", 1);
      given(tx -> tx.sql("DELETE FROM tasks WHERE id = 'T-001'").update());
      assertThat(count(ONE)).isZero();
      assertThat(count(TWO)).isEqualTo(1);
    }
  }
}
