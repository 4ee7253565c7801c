package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskType;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WorkflowTableTest {
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
    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void twoWorkflowsWithNodes() {
      run("INSERT INTO workflows (id, name) VALUES ('w1', 'one'), ('w2', 'two')");
      run(
          """
          INSERT INTO workflow_nodes (id, workflow_id, node_data)
          VALUES ('a', 'w1', '{}'), ('b', 'w1', '{}'), ('a', 'w2', '{}')""");
      run(
          """
          INSERT INTO workflow_edges (id, workflow_id, source, target)
          VALUES ('e', 'w1', 'a', 'b'), ('e', 'w2', 'a', 'a')""");
    }

    private void run(String sql) {
      given(tx -> tx.sql(sql).update());
    }

    private long count(String rows) {
      return store.reading(
          tx -> tx.sql("SELECT count(*) AS many FROM " + rows).one(row -> row.number("many")));
    }

    private Task taskOf(String workflow) {
      return store.inTransaction(
          Once.unkeyed(),
          tx -> {
            var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
            var created = new TaskEvent.Created(brief, workflow, null, List.of());
            return tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
          });
    }

    @Test
    void a_workflow_that_is_there_may_be_named() {
      assertThatCode(() -> given(tx -> tx.workflows().mustExist("w1"))).doesNotThrowAnyException();
    }

    @Test
    void an_unknown_workflow_is_refused_as_not_found() {
      for (String unknown : List.of("w3", "W1", "", "w1 ")) {
        assertThatThrownBy(() -> given(tx -> tx.workflows().mustExist(unknown)))
            .isInstanceOfSatisfying(
                Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.NOT_FOUND))
            .hasMessageContaining("no workflow " + unknown);
      }
    }

    @Test
    void a_task_outlives_its_workflow_and_belongs_to_none_then() {
      Task task = taskOf("w1");
      assertThat(task.links().workflow()).isEqualTo("w1");
      run("DELETE FROM workflows WHERE id = 'w1'");
      Task after = store.reading(tx -> tx.tasks().get(task.id()));
      assertThat(after.links().workflow()).isNull();
    }

    @Test
    void a_task_of_a_workflow_that_is_not_there_is_refused_by_the_table_itself() {
      assertThatThrownBy(() -> taskOf("w3"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("constraint");
      assertThat(count("tasks")).isZero();
      assertThat(count("journal")).isZero();
    }

    @Test
    void a_deleted_workflow_takes_along_what_is_its_own_and_nothing_of_another() {
      run("INSERT INTO session_workflows (session_name, workflow_id) VALUES ('s', 'w1')");
      run(
          """
          INSERT INTO workflow_executions (id, workflow_id, session_name, status)
          VALUES ('x', 'w1', 's', 'RUNNING')""");
      run("DELETE FROM workflows WHERE id = 'w1'");
      for (String table :
          List.of("workflow_nodes", "workflow_edges", "session_workflows", "workflow_executions")) {
        assertThat(count(table + " WHERE workflow_id = 'w1'")).as(table).isZero();
      }
      assertThat(count("workflow_nodes")).isEqualTo(1);
      assertThat(count("workflow_edges")).isEqualTo(1);
    }

    @Test
    void a_deleted_node_takes_the_edges_at_both_its_ends_with_it() {
      run("DELETE FROM workflow_nodes WHERE workflow_id = 'w1' AND id = 'b'");
      assertThat(count("workflow_edges WHERE workflow_id = 'w1'")).isZero();
      assertThat(count("workflow_edges WHERE workflow_id = 'w2'")).isEqualTo(1);
    }

    @Test
    void the_tables_themselves_refuse_what_is_there_twice_or_points_nowhere() {
      for (String change :
          List.of(
              "INSERT INTO workflows (id, name) VALUES ('w1', 'again')",
              "INSERT INTO workflows (id) VALUES ('w3')",
              "INSERT INTO workflow_nodes (id, workflow_id, node_data) VALUES ('a', 'w1', '{}')",
              "INSERT INTO workflow_nodes (id, workflow_id, node_data) VALUES ('a', 'w3', '{}')",
              "INSERT INTO workflow_edges (id, workflow_id, source, target)"
                  + " VALUES ('f', 'w2', 'a', 'b')",
              "INSERT INTO session_workflows (session_name, workflow_id) VALUES ('s', 'w3')",
              "INSERT INTO workflow_executions (id, workflow_id, session_name, status)"
                  + " VALUES ('x', 'w1', 's', 'DONE')")) {
        assertThatThrownBy(() -> run(change))
            .as(change)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("constraint");
      }
    }
  }
}
