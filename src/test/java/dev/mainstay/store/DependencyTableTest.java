package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.DependencyTable.Dependent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DependencyTableTest {
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
    private static final TaskId THREE = TaskId.of(3);

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void threeTasks() {
      for (int i = 0; i < 3; i++) {
        given(
            tx -> {
              var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
              var created = new TaskEvent.Created(brief, null, null, List.of());
              tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
            });
      }
    }

    @Test
    void edges_are_found_from_both_ends() {
      var any = new Dependency(TWO, Dependency.Kind.AFTER_ANY);
      given(tx -> tx.dependencies().insert(THREE, any, 0));
      given(tx -> tx.dependencies().insert(THREE, Dependency.on(ONE), 1));
      Map<TaskId, List<Dependency>> of =
          store.reading(tx -> tx.dependencies().of(List.of(THREE, ONE)));
      assertThat(of).isEqualTo(Map.of(THREE, List.of(any, Dependency.on(ONE))));
      List<Dependent> dependents = store.reading(tx -> tx.dependencies().dependents(ONE));
      assertThat(dependents).containsExactly(new Dependent(THREE, Dependency.Kind.BLOCKS));
    }

    @Test
    void an_edge_is_kept_once_and_never_points_to_itself_or_to_nothing() {
      given(tx -> tx.dependencies().insert(TWO, Dependency.on(ONE), 0));
      for (Dependency bad :
          List.of(Dependency.on(ONE), Dependency.on(TWO), Dependency.on(TaskId.of(9)))) {
        assertThatThrownBy(() -> given(tx -> tx.dependencies().insert(TWO, bad, 1)))
            .isInstanceOf(IllegalStateException.class);
      }
    }

    @Test
    void a_removed_edge_is_gone() {
      given(tx -> tx.dependencies().insert(TWO, Dependency.on(ONE), 0));
      given(tx -> tx.dependencies().delete(TWO, ONE));
      assertThat(store.<Map<?, ?>>reading(tx -> tx.dependencies().of(List.of(TWO)))).isEmpty();
    }

    @Test
    void a_recount_gives_every_pending_task_its_number_of_unmet_dependencies() {
      given(tx -> tx.dependencies().insert(THREE, Dependency.on(ONE), 0));
      given(
          tx ->
              tx.dependencies()
                  .insert(THREE, new Dependency(TWO, Dependency.Kind.AFTER_FAILURE), 1));
      given(
          tx ->
              tx.sql("UPDATE tasks SET dependencies = '[\"T-001\",\"T-002\"]' WHERE id = 'T-003'")
                  .update());
      assertThat(store.<List<TaskId>>reading(tx -> tx.dependencies().miscounted()))
          .containsExactly(THREE);
      given(tx -> tx.dependencies().recount());
      assertThat(store.<List<TaskId>>reading(tx -> tx.dependencies().miscounted())).isEmpty();
      assertThat(store.<Integer>reading(tx -> tx.tasks().get(THREE).links().unmet())).isEqualTo(2);
    }

    @Test
    void a_deleted_task_takes_its_edges_with_it() {
      given(tx -> tx.dependencies().insert(TWO, Dependency.on(ONE), 0));
      given(tx -> tx.sql("DELETE FROM tasks WHERE id = 'T-001'").update());
      assertThat(store.<Map<?, ?>>reading(tx -> tx.dependencies().of(List.of(TWO)))).isEmpty();
    }
  }
}
