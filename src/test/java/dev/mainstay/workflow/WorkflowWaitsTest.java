package dev.mainstay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.About;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.domain.WorkflowWait.Place;
import dev.mainstay.store.Databases;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rows of what executions wait for, when many of them change at once. */
class WorkflowWaitsTest {
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

  abstract static class Contract extends OnWorkflows {
    Contract(Databases database) {
      super(database);
    }

    private WorkflowWait moment(WorkflowExecution execution, int number) {
      Place place = new Place(execution.id(), "moment-" + number);
      About due = About.moment(clock.instant());
      return new WorkflowWait(place, "work", Kind.TIMER, due, clock.instant());
    }

    /** New rows travel together, but none of them may pass what has to go before it. */
    @Test
    void a_task_that_is_wanted_no_more_is_never_there_twice() {
      take(line("one", node("work", NodeKind.SERVICE_TASK)));
      WorkflowExecution other = start("one");
      WorkflowExecution mine = start("one");
      TaskId task = task(mine, "work");
      WorkflowWait wait =
          store.reading(tx -> tx.workflowWaits().of(mine.id())).stream().findFirst().orElseThrow();
      List<WorkflowWait> moments = List.of(moment(other, 1), moment(other, 2), moment(other, 3));
      given(
          tx -> {
            tx.workflowWaits().put(moments, List.of());
            tx.workflowWaits().delete(mine.id(), List.of(wait.token()));
            tx.workflowWaits().delete(other.id(), List.of("moment-3"));
            List<WorkflowWait> gone = List.of(wait.withdrawn(clock.instant()));
            tx.workflowWaits().put(gone, List.of(wait.token()));
          });
      assertThat(store.<List<WorkflowWait>>reading(tx -> tx.workflowWaits().withdrawn(10)))
          .singleElement()
          .satisfies(each -> assertThat(each.name()).isEqualTo(task.value()));
      assertThat(store.<List<WorkflowWait>>reading(tx -> tx.workflowWaits().of(other.id())))
          .hasSize(3);
    }
  }
}
