package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowExecution.Status.COMPLETED;
import static dev.mainstay.domain.WorkflowExecution.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What happens at the same moment, or is cut off in the middle, happens once or not at all. */
class WorkflowRacesTest {
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

    private static Node timer(String id, NodeKind kind, TimerKind when, String text) {
      return node(id, kind).with(Traits.of(new Trigger.Timer(when, text)));
    }

    @Test
    void a_task_and_its_token_end_in_one_commit_or_not_at_all() {
      take(threefold());
      WorkflowExecution made = start("threefold");
      TaskId task = task(made, "code-task-1");
      Leases leases = new Leases(store);
      var call = BOT.withFence(leases.hold(task, "bot", LEASE, BOT).fence());
      JsonObject before = now(made).standing().data();
      store.follow(
          (tx, ends) -> {
            executions.ended(tx, ends);
            throw new IllegalStateException("cut off");
          });
      assertThatThrownBy(() -> leases.complete(task, JsonObject.EMPTY, call))
          .hasMessageContaining("cut off");
      assertThat(status(task)).isEqualTo(TaskStatus.ASSIGNED);
      assertThat(now(made).standing().data()).isEqualTo(before);
      assertThat(kinds(made.id())).hasSize(2);
      store.follow(executions::ended);
      long commits = store.commits();
      leases.complete(task, JsonObject.EMPTY, call);
      assertThat(store.commits() - commits).isEqualTo(1);
      assertThat(now(made).standing().data()).isNotEqualTo(before);
    }

    @Test
    void the_last_two_tasks_finished_at_once_let_the_join_fire_once() throws Exception {
      take(lineAfterJoin());
      for (int round = 0; round < 5; round++) {
        WorkflowExecution made = start("joined");
        Queue<TaskId> left = new ConcurrentLinkedQueue<>();
        for (int i = 1; i <= 3; i++) left.add(task(made, "code-task-" + i));
        try (Store other = open(address)) {
          new WorkflowExecutions(other);
          Queue<Store> stores = new ConcurrentLinkedQueue<>(List.of(store, other, store));
          Both.atOnce(
              3,
              () -> {
                TaskId mine = left.remove();
                Leases leases = new Leases(stores.remove());
                long fence = leases.hold(mine, "bot-" + mine, LEASE, BOT).fence();
                return leases.complete(
                    mine, JsonObject.EMPTY, BOT.as("bot-" + mine).withFence(fence));
              });
        }
        complete(task(made, "after")); // there is one
        assertThat(status(made)).isEqualTo(COMPLETED);
        assertThat(all()).hasSize(4 * (round + 1));
      }
    }

    private static Definition lineAfterJoin() {
      Definition three = threefold();
      List<Node> nodes = new ArrayList<>(three.nodes());
      nodes.add(node("after", NodeKind.SERVICE_TASK));
      List<Edge> edges = new ArrayList<>(three.edges());
      edges.removeIf(edge -> edge.target().equals("end"));
      edges.addAll(path("join-tasks", "after", "end"));
      return new Definition("joined", "", nodes, edges);
    }

    @Test
    void a_moment_comes_once_however_many_servers_look() throws Exception {
      take(
          line(
              "wait",
              timer("pause", NodeKind.CATCH_EVENT, TimerKind.DURATION, "PT10M"),
              node("work", NodeKind.SERVICE_TASK)));
      List<WorkflowExecution> made = new ArrayList<>();
      for (int i = 0; i < 5; i++) made.add(start("wait"));
      long commits = store.commits();
      assertThat(executions.due()).isZero();
      assertThat(store.commits()).isEqualTo(commits);
      clock.advance(Duration.ofMinutes(10));
      try (Store other = open(address)) {
        Queue<WorkflowExecutions> servers =
            new ConcurrentLinkedQueue<>(List.of(executions, new WorkflowExecutions(other)));
        Both.atOnce(2, () -> servers.remove().due());
      }
      assertThat(all()).hasSize(5);
      for (WorkflowExecution each : made) complete(task(each, "work"));
      assertThat(made).allSatisfy(each -> assertThat(status(each)).isEqualTo(COMPLETED));
    }

    @Test
    void a_paused_execution_lets_its_moment_pass_until_it_goes_on() {
      take(line("wait", timer("pause", NodeKind.CATCH_EVENT, TimerKind.DURATION, "PT10M")));
      WorkflowExecution made = start("wait");
      executions.pause(made.id(), "not now", ADA);
      clock.advance(Duration.ofHours(1));
      assertThat(executions.due()).isZero();
      executions.resume(made.id(), ADA);
      assertThat(executions.due()).isEqualTo(1);
      assertThat(status(made)).isEqualTo(COMPLETED);
    }

    @Test
    void an_interrupting_timer_ends_the_task_it_sits_on() {
      Node late =
          timer("late", NodeKind.BOUNDARY_EVENT, TimerKind.DURATION, "PT5M")
              .with(Frame.at(null, "work", true));
      List<Node> nodes =
          List.of(
              node("start", NodeKind.START_EVENT),
              node("work", NodeKind.SERVICE_TASK),
              late,
              node("remind", NodeKind.SERVICE_TASK),
              node("end", NodeKind.END_EVENT));
      List<Edge> edges = new ArrayList<>(path("start", "work", "end"));
      edges.addAll(path("late", "remind", "end"));
      take(new Definition("bounded", "", nodes, edges));
      WorkflowExecution made = start("bounded");
      assertThat(now(made).standing().node()).isEqualTo("work");
      TaskId work = task(made, "work");
      long fence = new Leases(store).hold(work, "bot", LEASE, BOT).fence();
      assertThat(fence).isEqualTo(1);
      clock.advance(Duration.ofMinutes(5));
      assertThat(executions.due()).isPositive();
      assertThat(status(work)).isEqualTo(TaskStatus.CANCELLED);
      complete(task(made, "remind"));
      assertThat(status(made)).isEqualTo(COMPLETED);
      assertThat(executions.due()).isZero();
    }

    @Test
    void work_that_nobody_could_be_told_of_in_time_is_withdrawn_by_the_next_look() {
      take(threefold());
      WorkflowExecution made = start("threefold");
      TaskId task = task(made, "code-task-1");
      given(
          tx -> {
            Moving moving = new Moving(tx, new Definitions());
            moving.cancel(moving.lock(made.id()), "killed right after this", ADA);
            moving.run(); // without whoever tells of it after the commit
          });
      assertThat(status(task)).isEqualTo(TaskStatus.PENDING);
      assertThat(executions.due()).isEqualTo(3);
      assertThat(status(task)).isEqualTo(TaskStatus.CANCELLED);
      assertThat(executions.due()).isZero();
    }

    @Test
    void a_task_that_ended_where_nobody_followed_moves_its_token_within_a_minute() {
      take(line("plain", node("work", NodeKind.SERVICE_TASK)));
      WorkflowExecution early = start("plain");
      WorkflowExecution late = start("plain");
      try (Store other = open(address)) { // which knows of no workflows
        complete(other, task(early, "work"), "n", 1);
        assertThat(status(early)).isEqualTo(RUNNING);
        assertThat(executions.due()).isEqualTo(1);
        assertThat(variable(early, "work_result")).isEqualTo(JsonObject.of("n", 1));
        assertThat(status(early)).isEqualTo(COMPLETED);
        complete(other, task(late, "work"), "n", 2);
      }
      assertThat(executions.due()).isZero();
      clock.advance(Strays.LOOK_EVERY);
      assertThat(executions.due()).isEqualTo(1);
      assertThat(variable(late, "work_result")).isEqualTo(JsonObject.of("n", 2));
      clock.advance(Strays.LOOK_EVERY);
      assertThat(executions.due()).isZero();
    }

    @Test
    void a_task_that_failed_where_nobody_followed_is_an_incident_once() {
      take(line("plain", node("work", NodeKind.SERVICE_TASK)));
      WorkflowExecution failed = start("plain");
      WorkflowExecution cancelled = start("plain");
      WorkflowExecution paused = start("plain");
      executions.pause(paused.id(), "later", ADA);
      try (Store other = open(address)) {
        Leases leases = new Leases(other);
        TaskId work = task(failed, "work");
        long fence = leases.hold(work, "bot", LEASE, BOT).fence();
        leases.fail(work, "the disk is full", BOT.withFence(fence));
        new Tasks(other).cancel(task(cancelled, "work"), "not this", ADA);
        complete(other, task(paused, "work"));
      }
      assertThat(executions.due()).isEqualTo(2);
      assertThat(now(failed).standing().error()).contains("the disk is full");
      assertThat(now(cancelled).standing().error()).contains("not this");
      executions.resume(paused.id(), ADA);
      clock.advance(Strays.LOOK_EVERY);
      assertThat(executions.due()).isEqualTo(1);
      assertThat(status(paused)).isEqualTo(COMPLETED);
      clock.advance(Strays.LOOK_EVERY);
      assertThat(executions.due()).isZero();
    }

    @Test
    void a_workflow_that_starts_by_the_calendar_starts_once_for_each_moment() throws Exception {
      Node start = timer("night", NodeKind.START_EVENT, TimerKind.CYCLE, "0 4 * * *");
      List<Node> nodes =
          List.of(start, node("work", NodeKind.SERVICE_TASK), node("end", NodeKind.END_EVENT));
      take(new Definition("nightly", "", nodes, path("night", "work", "end")));
      assertThat(executions.due()).isZero();
      clock.advance(Duration.ofHours(1));
      try (Store other = open(address)) {
        Queue<WorkflowExecutions> servers =
            new ConcurrentLinkedQueue<>(List.of(executions, new WorkflowExecutions(other)));
        Both.atOnce(2, () -> servers.remove().due());
      }
      List<WorkflowExecution> made = executions.list("nightly", RUNNING, null, 10);
      assertThat(made).hasSize(1);
      assertThat(made.get(0).home().folder()).isEqualTo("/work");
      assertThat(made.get(0).home().session()).isEqualTo("workflow");
      clock.advance(Duration.ofDays(3)); // of what was missed one is made up for
      executions.due();
      executions.due();
      assertThat(executions.list("nightly", null, null, 10)).hasSize(2);
    }
  }
}
