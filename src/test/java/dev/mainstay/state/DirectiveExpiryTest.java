package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.store.Databases;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DirectiveExpiryTest {
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
    private static final String TWO_STEPS = "For the next 2 steps, prefer tools that are fast";

    Contract(Databases database) {
      super(database);
    }

    private List<String> orders() {
      return states.load(ONE).directives().items().stream().map(Directive::text).toList();
    }

    private Integer left() {
      return states.load(ONE).directives().items().get(0).stepsLeft();
    }

    @Test
    void an_order_for_two_steps_is_lifted_by_an_event_after_the_second() {
      begun("a", "b", "c");
      states.addDirective(ONE, TWO_STEPS, false, BOT);
      states.addDirective(ONE, "be brief", false, BOT);
      run(Report.DONE);
      assertThat(left()).isEqualTo(1);
      assertThat(orders()).containsExactly(TWO_STEPS, "be brief");
      run(failed("no"));
      assertThat(orders()).containsExactly("be brief");
      assertThat(payloads("state.directive_lifted"))
          .containsExactly(JsonObject.of("text", TWO_STEPS));
    }

    @Test
    void steps_that_end_by_a_whole_new_plan_count_as_well() {
      begun("a", "b", "c");
      states.addDirective(ONE, TWO_STEPS, false, BOT);
      List<Plan.Wish> wishes =
          List.of(
              new Plan.Wish("a", StepStatus.DONE),
              new Plan.Wish("b", StepStatus.SKIPPED),
              new Plan.Wish("c", null));
      states.update(ONE, TaskUpdate.plan(wishes), BOT);
      assertThat(orders()).isEmpty();
    }

    @Test
    void binding_ones_end_with_their_steps_too() {
      begun("a", "b");
      states.addDirective(ONE, "During the next step, ask before you write", true, ADA);
      run(Report.DONE);
      assertThat(orders()).isEmpty();
    }

    @Test
    void only_steps_that_end_are_counted() {
      begun("a", "b", "c");
      states.addDirective(ONE, TWO_STEPS, false, BOT);
      work.start(ONE, null, BOT);
      assertThat(left()).isEqualTo(2);
      states.moveStep(ONE, 0, StepStatus.TODO, null, BOT);
      states.moveStep(ONE, 0, StepStatus.ACTIVE, null, BOT);
      assertThat(left()).isEqualTo(2);
      states.moveStep(ONE, 0, StepStatus.DONE, null, BOT);
      assertThat(left()).isEqualTo(1);
      states.moveStep(ONE, 0, StepStatus.DONE, "again", BOT);
      work.finish(ONE, Report.DONE, BOT);
      assertThat(left()).as("it had ended already").isEqualTo(1);
      states.setPlan(ONE, List.of("a", "b", "d"), BOT);
      assertThat(left()).isEqualTo(1);
      states.moveStep(ONE, 1, StepStatus.SKIPPED, "no need", BOT);
      assertThat(orders()).isEmpty();
    }

    @Test
    void an_order_that_is_given_again_begins_anew() {
      begun("a", "b", "c");
      states.addDirective(ONE, TWO_STEPS, false, BOT);
      run(Report.DONE);
      states.addDirective(ONE, TWO_STEPS, false, BOT);
      assertThat(left()).isEqualTo(2);
    }
  }
}
