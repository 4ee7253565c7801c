package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.store.Databases;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SimulationTest {
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

  abstract static class Contract extends OnExecution {
    Contract(Databases database) {
      super(database);
    }

    private void simulating(String... labels) {
      begin(ExecutionMode.SIMULATION, null, ADA);
      states.setPlan(ONE, List.of(labels), ADA);
    }

    @Test
    void everything_a_simulation_produces_is_marked() {
      simulating("a", "b");
      run(using("0.1", "2"));
      assertThat(executions.view(ONE).history()).allMatch(StepRecord::simulated);
      assertThat(step(1)).isEqualTo(new Step("a", StepStatus.DONE, Step.SIMULATED));
      assertThat(StepComparison.of(executions.view(ONE)).toJson().objects("steps").get(0))
          .satisfies(row -> assertThat(row.get("simulated")).isEqualTo(true));
    }

    @Test
    void an_execution_records_what_really_happened() {
      begun("a");
      run(Report.DONE);
      assertThat(executions.view(ONE).history()).noneMatch(StepRecord::simulated);
      assertThat(step(1).note()).isNull();
    }

    @Test
    void what_was_only_played_through_does_not_complete_the_task() {
      simulating("a");
      run(Report.DONE);
      executions.finish(ONE, true, null, ADA);
      var held = hold(ONE);
      var holder = BOT.withFence(held.fence());
      leases.start(ONE, holder);
      refused(
          Code.CONFLICT,
          () -> leases.complete(ONE, JsonObject.EMPTY, holder),
          "step 1",
          Step.SIMULATED);
      states.moveStep(ONE, 0, StepStatus.DONE, null, ADA);
      leases.complete(ONE, JsonObject.EMPTY, holder);
    }

    @Test
    void through_every_door_a_step_is_only_simulated_while_a_simulation_is_live() {
      simulating("a", "b", "c");
      states.moveStep(ONE, 0, StepStatus.DONE, null, BOT);
      assertThat(step(1).isSimulated()).isTrue();
      List<Wish> wishes = List.of(Wish.of("a"), new Wish("b", StepStatus.DONE), Wish.of("c"));
      states.update(ONE, TaskUpdate.plan(wishes), BOT);
      assertThat(step(2).isSimulated()).isTrue();
      assertThat(step(3).status()).isEqualTo(StepStatus.TODO);
    }

    @Test
    void what_was_really_done_before_stays_so() {
      states.start(ONE, "the goal", List.of(), ADA);
      states.setPlan(ONE, List.of("a", "b"), ADA);
      states.moveStep(ONE, 0, StepStatus.DONE, "by hand", ADA);
      begin(ExecutionMode.SIMULATION, null, ADA);
      states.setPlan(ONE, List.of("x", "a", "b"), BOT);
      assertThat(step(2)).isEqualTo(new Step("a", StepStatus.DONE, "by hand"));
      states.moveStep(ONE, 1, StepStatus.DONE, "as I said", BOT);
      assertThat(step(2).isSimulated()).isFalse();
    }

    @Test
    void what_only_failed_in_a_simulation_has_not_failed() {
      simulating("a", "b");
      run(failed("no network"));
      assertThat(step(1))
          .isEqualTo(new Step("a", StepStatus.FAILED, Step.SIMULATED + ": no network"));
      run(failed("no network"));
      states.moveStep(ONE, 1, StepStatus.FAILED, null, BOT);
      assertThat(step(2).isSimulated()).isTrue();
      executions.finish(ONE, false, null, ADA);
      begin(ExecutionMode.EXECUTION, null, ADA);
      assertThat(states.load(ONE).plan().steps()).containsExactly(Step.todo("a"), Step.todo("b"));
    }

    @Test
    void saying_the_same_again_is_no_entry() {
      simulating("a");
      states.moveStep(ONE, 0, StepStatus.DONE, null, BOT);
      assertThat(states.moveStep(ONE, 0, StepStatus.DONE, null, BOT).isChange()).isFalse();
    }

    @Test
    void an_execution_afterwards_has_it_all_to_do() {
      simulating("a", "b");
      states.moveStep(ONE, 1, StepStatus.SKIPPED, "not needed", ADA);
      run(Report.DONE);
      executions.finish(ONE, true, null, ADA);
      begin(ExecutionMode.EXECUTION, null, ADA);
      assertThat(step(1)).isEqualTo(Step.todo("a"));
      assertThat(stepStatus(2)).isEqualTo(StepStatus.SKIPPED);
      assertThat(now().figures().records()).isZero();
      assertThat(executions.view(ONE).history()).as("of the newest execution").isEmpty();
    }

    @Test
    void another_simulation_goes_on_from_the_one_before() {
      simulating("a", "b");
      run(Report.DONE);
      executions.finish(ONE, false, null, ADA);
      begin(ExecutionMode.SIMULATION, null, ADA);
      assertThat(step(1).isSimulated()).isTrue();
      assertThat(work.start(ONE, null, BOT).step()).isEqualTo(2);
    }
  }
}
