package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.Tamper;
import dev.mainstay.workflow.NewExecution;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.Workflows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Executions leave the store when they ended long ago, and are made anew from their streams. */
class ArchivedExecutionsTest {
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

  abstract static class Contract extends OnRetention {
    private static final String INNER =
        """
        {"name": "inner", "nodes": [{"id": "start", "kind": "start_event"},
           {"id": "work", "kind": "service_task"}, {"id": "end", "kind": "end_event"}],
         "edges": [{"source": "start", "target": "work"}, {"source": "work", "target": "end"}]}""";
    private static final String OUTER =
        """
        {"name": "outer", "nodes": [{"id": "start", "kind": "start_event"},
           {"id": "use", "kind": "call_activity", "calls": "inner"},
           {"id": "after", "kind": "service_task"}, {"id": "end", "kind": "end_event"}],
         "edges": [{"source": "start", "target": "use"}, {"source": "use", "target": "after"},
           {"source": "after", "target": "end"}]}""";

    private WorkflowExecutions executions;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void workflows() {
      executions = new WorkflowExecutions(store);
      Workflows workflows = new Workflows(store);
      workflows.importJson(JsonText.object(INNER), ADA);
      workflows.importJson(JsonText.object(OUTER), ADA);
    }

    private WorkflowExecution start(String workflow) {
      var wanted = new NewExecution(workflow, "s", "here", Path.of("/work"), JsonObject.EMPTY);
      return executions.start(wanted, ADA);
    }

    private TaskId open(String node) {
      return tasks.list(TaskFilter.ALL, null, 100).tasks().stream()
          .filter(task -> !task.status().isEnded())
          .filter(task -> node.equals(task.brief().metadata().get("node_id")))
          .map(Task::id)
          .findFirst()
          .orElseThrow();
    }

    private String calledBy(WorkflowExecution caller) {
      return executions.list("inner", null, null, 100).stream()
          .filter(
              each -> {
                var by = each.home().caller();
                return by != null && by.execution().equals(caller.id());
              })
          .map(WorkflowExecution::id)
          .findFirst()
          .orElseThrow();
    }

    private List<String> left() {
      return executions.list(null, null, null, 100).stream().map(WorkflowExecution::id).toList();
    }

    @Test
    void one_that_ended_long_ago_leaves_with_those_it_called_and_one_under_way_keeps_its_own() {
      WorkflowExecution ended = start("outer");
      complete(open("work"));
      complete(open("after"));
      WorkflowExecution cancelled = start("inner");
      executions.cancel(cancelled.id(), "enough", ADA);
      WorkflowExecution running = start("outer");
      complete(open("work"));
      String called = calledBy(running);
      timePasses();
      Map<String, JournalEntry> before = entries(store);
      var report = plan();
      assertThat(report.leaving().executions()).isEqualTo(3);
      assertThat(report.leaving().ids()).contains(ended.id(), cancelled.id());
      assertThat(why(report)).containsEntry(called, "the execution that called it goes on");
      var result = gc();
      assertThat(result.changed()).isEmpty();
      assertThat(left()).containsExactlyInAnyOrder(running.id(), called);
      Map<String, JournalEntry> archived = entries(file());
      assertThat(archived.keySet()).anyMatch(key -> key.startsWith("execution/" + ended.id()));
      Map<String, JournalEntry> together = new TreeMap<>(archived);
      together.putAll(entries(store));
      assertThat(together).isEqualTo(before);
      assertThat(Verification.of(store).findings()).isEmpty();
      assertThat(rows()).contains(ended.id()).doesNotContain(running.id());
      complete(open("after"));
      assertThat(executions.show(running.id()).execution().status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void an_execution_that_was_tampered_with_is_found_and_is_right_again_in_a_rebuild() {
      WorkflowExecution running = start("outer");
      complete(open("work"));
      WorkflowExecution ended = start("inner");
      complete(open("work"));
      List<WorkflowExecution> right = executions.list(null, null, null, 100);
      Tamper.with(
          store,
          "UPDATE workflow_executions SET execution_data = '{\"tokens\":[],\"variables\":{},\"numbered\":9}' WHERE id = '"
              + running.id()
              + "'");
      Tamper.with(
          store,
          "UPDATE workflow_executions SET status = 'FAILED' WHERE id = '" + ended.id() + "'");
      StoreAddress target = database().fresh();
      Rebuild.Result result = Rebuild.into(store, target);
      assertThat(result.before().findings())
          .extracting(Verification.Finding::where)
          .containsExactlyInAnyOrder(
              "workflow_executions." + running.id(), "workflow_executions." + ended.id());
      assertThat(result.kept()).isEmpty();
      try (Store rebuilt = open(target)) {
        assertThat(Verification.of(rebuilt).findings()).isEmpty();
        assertThat(new WorkflowExecutions(rebuilt).list(null, null, null, 100))
            .containsExactlyInAnyOrderElementsOf(right);
      }
    }

    private List<String> rows() {
      List<String> ids = new ArrayList<>();
      ArchiveFile.read(
          file(),
          new ArchiveFile.Reader() {
            @Override
            public void row(JsonObject row) {
              ids.add(String.valueOf(row.object("values").get("id")));
            }
          });
      return ids;
    }
  }
}
