package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowExecution.Status.COMPLETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Happening;
import dev.mainstay.bpmn.Happening.Done;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.bpmn.RandomFlow;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Once;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Random processes on real databases: in any order of completion, cut off at random commits and by
 * servers that are gone, they come to what an interpreter without tokens says. {@code
 * -Dprocesses=N} makes it longer.
 */
class RandomExecutionsTest {
  private static final int PROCESSES = Integer.getInteger("processes", 8);
  private static final int BLOCKS_MAX = 10;
  private static final int DEPTH_MAX = 3;

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

    @Test
    void whatever_the_order_and_whoever_is_cut_off_the_same_is_done() {
      take(line(RandomFlow.called(), node("ask", NodeKind.USER_TASK)));
      Seeds.forAll(
          PROCESSES,
          random -> {
            int blocks = 1 + random.nextInt(BLOCKS_MAX);
            RandomFlow flow = RandomFlow.of(random, blocks, DEPTH_MAX, clock.instant());
            Definition drawn = flow.definition();
            take(new Definition("random", "", drawn.nodes(), drawn.edges()));
            flow.begin();
            WorkflowExecution made = begun();
            for (Happening next = flow.next(); next != null; next = flow.next()) {
              assertThat(now(made).standing().data()).as("%s", flow).isEqualTo(flow.standing());
              if (random.nextInt(4) == 0) serveAnew();
              if (random.nextInt(4) == 0) cutOff(made, next);
              happens(made, next);
              flow.play(next);
            }
            assertThat(status(made)).as("%s", flow).isEqualTo(COMPLETED);
            assertThat(done(made, drawn)).as("%s", flow).isEqualTo(flow.expected());
            assertThat(now(made).standing().data().object("variables"))
                .as("%s", flow)
                .isEqualTo(flow.expectedVariables());
          });
    }

    private WorkflowExecution begun() {
      return start("random", RandomFlow.variables());
    }

    private WorkflowExecution start(String workflow, JsonObject variables) {
      var wanted = new NewExecution(workflow, "session", "here", Path.of("/work"), variables);
      return executions.start(wanted, ADA);
    }

    /** Nothing of what a server had in memory is there any more. */
    private void serveAnew() {
      store.close();
      store = open(address);
      workflows = new Workflows(store);
      executions = new WorkflowExecutions(store);
      tasks = new Tasks(store);
    }

    /** All of a step is done but the commit. */
    private void cutOff(WorkflowExecution execution, Happening next) {
      JsonObject before = now(execution).standing().data();
      assertThatThrownBy(
              () ->
                  store.inTransaction(
                      Once.unkeyed(),
                      tx -> {
                        Moving moving = new Moving(tx, new Definitions());
                        moving.happens(moving.lock(execution.id()), next, ADA);
                        moving.run();
                        throw new IllegalStateException("cut off");
                      }))
          .hasMessageContaining("cut off");
      assertThat(now(execution).standing().data()).isEqualTo(before);
    }

    private void happens(WorkflowExecution execution, Happening next) {
      if (next instanceof Done done) {
        done(execution, wait(execution, done.token()), done.result());
      } else if (next instanceof Failed failed && isTask(execution, failed.token())) {
        fail(new TaskId(wait(execution, failed.token()).name()), failed.error());
      } else {
        store.inTransaction(
            Once.unkeyed(),
            tx -> {
              Moving moving = new Moving(tx, new Definitions());
              moving.happens(moving.lock(execution.id()), next, ADA);
              moving.run();
              return true;
            });
        executions.due(); // tells those whose work is wanted no more
      }
    }

    private boolean isTask(WorkflowExecution execution, String token) {
      return wait(execution, token).kind() == Kind.TASK;
    }

    private WorkflowWait wait(WorkflowExecution execution, String token) {
      return store.reading(tx -> tx.workflowWaits().of(execution.id())).stream()
          .filter(wait -> wait.token().equals(token))
          .findFirst()
          .orElseThrow(() -> new AssertionError(token + " waits for nothing"));
    }

    private void done(WorkflowExecution execution, WorkflowWait wait, JsonObject result) {
      if (wait.kind() == Kind.ANSWER) {
        executions.answer(execution.id(), wait.token(), result, ADA);
      } else if (wait.kind() == Kind.CALL) {
        executions.answer(wait.name(), "ask", result, ADA);
      } else {
        TaskId task = new TaskId(wait.name());
        Leases leases = new Leases(store);
        leases.complete(task, result, BOT.withFence(leases.hold(task, "bot", LEASE, BOT).fence()));
      }
    }

    /** How often each activity and event was left, as the journal tells. */
    private Map<String, Integer> done(WorkflowExecution execution, Definition drawn) {
      Map<String, Integer> done = new TreeMap<>();
      entries(execution.id())
          .forEach(
              entry -> {
                JsonObject payload = JsonText.object(entry.content().payload());
                for (JsonObject trace : payload.objects("traces")) {
                  NodeKind kind = drawn.node(trace.text("node")).kind();
                  boolean isEvent = kind == NodeKind.CATCH_EVENT || kind == NodeKind.BOUNDARY_EVENT;
                  boolean counts = kind.isActivity() || isEvent;
                  if (counts && trace.text("what").equals("LEFT")) {
                    done.merge(trace.text("node"), 1, Integer::sum);
                  }
                }
              });
      return done;
    }
  }
}
