package dev.mainstay.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.queue.Wanted;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person told an agent to hold to, on its way from task to task. */
class OrdersTest extends OnDatabase {
  private static final Call CODEX = Call.by(Actor.agent("codex"), "mcp");
  private static final Call PROMPT = Call.by(ADA.actor(), "hook");
  private Sessions sessions;
  private TaskStates states;
  private TaskId opened;
  private AgentSession session;

  OrdersTest() {
    super(Databases.SQLITE);
  }

  @BeforeEach
  void prompt() {
    sessions = new Sessions(store);
    states = new TaskStates(store);
    AgentSession begun =
        sessions.open(new Host("codex", "s", null), new Place("/repo", "main"), CODEX);
    session = sessions.prompted(begun.id(), "take the next task", ADA);
    opened = session.bond().task();
  }

  private TaskId created(String title) {
    return new Tasks(store).create(NewTask.titled(title), ADA).id();
  }

  private List<Directive> binding(TaskId task) {
    return states.load(task).directives().binding();
  }

  private void work(TaskId task) {
    session = sessions.work(session.id(), task, CODEX);
    new Leases(store).release(task, "another first", session.fenced(CODEX));
  }

  @Test
  void an_order_for_some_steps_has_no_more_of_them_on_the_next_task() {
    states.addDirective(opened, "for the next 3 steps, run the tests first", true, PROMPT);
    assertThat(binding(opened).get(0).stepsLeft()).isEqualTo(3);
    states.setPlan(opened, List.of("look", "change", "test"), PROMPT);
    states.moveStep(opened, 0, StepStatus.DONE, null, PROMPT);
    Integer left = binding(opened).get(0).stepsLeft();
    assertThat(left).isLessThan(3);
    TaskId next = created("Add login");
    work(next);
    assertThat(binding(next)).extracting(Directive::stepsLeft).containsExactly(left);
  }

  @Test
  void an_order_that_was_lifted_does_not_come_back_and_one_that_binds_is_not_given_again() {
    states.addDirective(opened, "never push to main", true, PROMPT);
    states.addDirective(opened, "keep the tests green", true, PROMPT);
    TaskId first = created("Add login");
    TaskId second = created("Add logout");
    clock.advance(Duration.ofMinutes(1));
    work(first);
    List<Directive> given = binding(first);
    assertThat(given).hasSize(2);
    clock.advance(Duration.ofMinutes(1));
    work(second);
    states.liftDirective(second, "never push to main", ADA);
    clock.advance(Duration.ofMinutes(1));
    work(first);
    assertThat(binding(first)).as("as they were").isEqualTo(given);
    work(second);
    assertThat(binding(second)).extracting(Directive::text).containsExactly("keep the tests green");
  }

  @Test
  void orders_follow_to_a_task_that_was_claimed_elsewhere() {
    states.addDirective(opened, "never push to main", true, PROMPT);
    new Leases(store).release(opened, "another first", session.fenced(CODEX));
    TaskId next = created("Add login");
    new Leases(store).claim(Wanted.any(session.holder(), Duration.ofMinutes(5)), CODEX);
    assertThat(sessions.current(session.id(), CODEX).bond().task()).isEqualTo(next);
    assertThat(binding(next)).extracting(Directive::text).containsExactly("never push to main");
  }
}
