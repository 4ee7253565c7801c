package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.StepWork;
import dev.mainstay.store.Databases;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ConstraintEditsTest {
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

  abstract static class Contract extends OnDirectory {
    Contract(Databases database) {
      super(database);
    }

    private String setting(Setting setting) {
      return setting.shown(execution().setting(setting));
    }

    private List<String> orders() {
      return states.load(task()).directives().items().stream().map(Directive::text).toList();
    }

    @Test
    void settings_of_every_kind_are_taken_from_the_file() throws Exception {
      begun();
      edit(PageName.CONSTRAINTS, "**user_sentiment**: \"neutral\"", "**user_sentiment**: pleased");
      edit(PageName.CONSTRAINTS, "**priority**: \"quality\"", "**priority**: \"cost_efficiency\"");
      edit(PageName.CONSTRAINTS, "**max_cost_per_task**: 0.50", "**max_cost_per_task**: $0.25");
      edit(PageName.CONSTRAINTS, "300 seconds", "200 seconds");
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 4");
      edit(PageName.CONSTRAINTS, "[\"WebFetch\", \"Read\", \"Write\"]", "[\"Read\"]");
      String saved = text(PageName.CONSTRAINTS);
      quiet();
      assertThat(setting(Setting.USER_SENTIMENT)).isEqualTo("\"pleased\"");
      assertThat(setting(Setting.PRIORITY)).isEqualTo("\"cost_efficiency\"");
      assertThat(setting(Setting.MAX_COST_PER_TASK)).isEqualTo("$0.25");
      assertThat(setting(Setting.MAX_EXECUTION_TIME)).isEqualTo("200 seconds");
      assertThat(setting(Setting.MAX_WEB_REQUESTS)).isEqualTo("4");
      assertThat(setting(Setting.PREFERRED_TOOLS)).isEqualTo("[Read]");
      assertThat(text(PageName.CONSTRAINTS)).isEqualTo(saved);
      settled();
    }

    @Test
    void a_looser_limit_becomes_a_proposal_and_what_holds_is_written_back() throws Exception {
      begun();
      edit(PageName.CONSTRAINTS, "**max_cost_per_task**: 0.50", "**max_cost_per_task**: 5.00");
      edit(PageName.CONSTRAINTS, "level**: \"medium\"", "level**: \"high\"");
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 3");
      Report report = sync();
      assertThat(report.findings())
          .hasSize(2)
          .allMatch(finding -> finding.kind() == Kind.RESTORED)
          .allMatch(finding -> finding.sentence().contains("proposals"));
      assertThat(report.review()).isTrue();
      assertThat(text(PageName.CONSTRAINTS))
          .contains("**max_cost_per_task**: 0.50", "level**: \"medium\"")
          .contains("**max_web_requests**: 3");
      assertThat(execution().review().open())
          .extracting(Proposal::what)
          .containsExactly("max_cost_per_task", "human_review_trigger_level");
      assertThat(setting(Setting.MAX_COST_PER_TASK)).isEqualTo("$0.50");
      settled();
      edit(PageName.CONSTRAINTS, "**max_cost_per_task**: 0.50", "**max_cost_per_task**: 5.00");
      found(sync(), Kind.RESTORED);
      assertThat(execution().review().open()).as("asked once").hasSize(2);
      executions.settle(task(), 1, true, ADA);
      quiet();
      assertThat(text(PageName.CONSTRAINTS)).contains("**max_cost_per_task**: 5");
      settled();
    }

    @Test
    void a_value_that_is_none_stays_and_is_told_until_it_is_one() throws Exception {
      begun();
      edit(PageName.CONSTRAINTS, "**user_sentiment**: \"neutral\"", "**user_sentiment**: \"sad\"");
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 2");
      for (int look = 0; look < 2; look++) {
        Finding refused = found(sync(), Kind.REFUSED);
        assertThat(refused.sentence()).contains("neutral, pleased, frustrated, impatient");
        assertThat(lineOf(refused)).isEqualTo("- **user_sentiment**: \"sad\"");
      }
      assertThat(setting(Setting.USER_SENTIMENT)).isEqualTo("\"neutral\"");
      assertThat(setting(Setting.MAX_WEB_REQUESTS)).isEqualTo("2");
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      sync();
      assertThat(text(PageName.CONSTRAINTS)).contains("\"sad\"", "cost_efficiency\"");
      edit(PageName.CONSTRAINTS, "\"sad\"", "\"frustrated\"");
      quiet();
      assertThat(setting(Setting.USER_SENTIMENT)).isEqualTo("\"frustrated\"");
      settled();
    }

    @Test
    void a_setting_cannot_be_left_out() throws Exception {
      begun();
      String before = text(PageName.CONSTRAINTS);
      edit(PageName.CONSTRAINTS, "- **max_file_operations**: 20\n", "");
      assertThat(found(sync(), Kind.RESTORED).sentence()).contains("cannot be left out");
      assertThat(text(PageName.CONSTRAINTS).lines())
          .containsExactlyInAnyOrderElementsOf(before.lines().toList());
      settled();
    }

    @Test
    void directives_are_given_and_lifted_in_the_file() throws Exception {
      begun();
      edit(
          PageName.CONSTRAINTS,
          "## Active Directives\n",
          "## Active Directives\n- For the next 2 steps, be quick\n- Ask before you buy\n");
      quiet();
      assertThat(orders()).containsExactly("For the next 2 steps, be quick", "Ask before you buy");
      assertThat(states.load(task()).directives().items().get(0).stepsLeft()).isEqualTo(2);
      assertThat(text(PageName.CONSTRAINTS)).contains("be quick <!-- 2 steps left -->");
      done(1, "powder");
      quiet();
      assertThat(text(PageName.CONSTRAINTS)).contains("be quick <!-- 1 step left -->");
      edit(PageName.CONSTRAINTS, "- Ask before you buy\n", "");
      quiet();
      assertThat(orders()).containsExactly("For the next 2 steps, be quick");
      done(2, "steam");
      quiet();
      assertThat(orders()).isEmpty();
      assertThat(text(PageName.CONSTRAINTS)).doesNotContain("be quick");
      settled();
    }

    @Test
    void a_binding_directive_comes_back_and_its_end_is_proposed() throws Exception {
      begun();
      states.addDirective(task(), "Never boil it dry", true, ADA);
      quiet();
      String shown = "- Never boil it dry <!-- binding -->\n";
      assertThat(text(PageName.CONSTRAINTS)).contains(shown);
      edit(PageName.CONSTRAINTS, shown, "");
      Report report = sync();
      assertThat(found(report, Kind.RESTORED).sentence()).contains("by a person alone");
      assertThat(text(PageName.CONSTRAINTS)).contains(shown);
      assertThat(orders()).containsExactly("Never boil it dry");
      assertThat(execution().review().open())
          .extracting(Proposal::kind)
          .containsExactly(Proposal.Kind.LIFT);
      settled();
      edit(PageName.CONSTRAINTS, " <!-- binding -->", "");
      assertThat(found(sync(), Kind.RESTORED).sentence()).contains("mark of a directive");
      assertThat(text(PageName.CONSTRAINTS)).contains(shown);
      executions.settle(task(), 1, true, ADA);
      quiet();
      assertThat(orders()).isEmpty();
      settled();
    }

    @Test
    void rules_are_taken_and_one_that_cannot_be_asked_is_told_while_the_others_run()
        throws Exception {
      begun();
      edit(
          PageName.CONSTRAINTS,
          "## Adaptation Rules\n",
          """
          ## Adaptation Rules
          - If failures >= 1 -> set priority to "comprehensiveness"
          - If the moon is full -> set priority to "quality"
          """);
      for (int look = 0; look < 2; look++) {
        Finding told = found(sync(), Kind.RULE);
        assertThat(lineOf(told)).contains("moon is full");
      }
      steps.start(task(), 1, ADA);
      steps.finish(
          task(),
          new StepWork.Report(
              Map.of(StepRecord.Field.ERRORS, "jammed"),
              StepWork.Usage.UNKNOWN,
              JsonObject.EMPTY,
              null),
          ADA);
      sync();
      assertThat(setting(Setting.PRIORITY)).isEqualTo("\"comprehensiveness\"");
      assertThat(text(PageName.CONSTRAINTS)).contains("**priority**: \"comprehensiveness\"");
      edit(PageName.CONSTRAINTS, "- If the moon is full -> set priority to \"quality\"\n", "");
      quiet();
      assertThat(execution().constraints().rules()).hasSize(5);
      settled();
    }

    @Test
    void a_behaviour_of_this_kind_of_work_takes_effect_when_its_words_change() throws Exception {
      directories.init(
          folder, new Beginning(null, GOAL, ExecutionMode.EXECUTION, ExecutionType.RESEARCH), ADA);
      edit(
          PageName.CONSTRAINTS,
          "- **research_tasks**: Set priority to \"comprehensiveness\"",
          "- **research_tasks**: Set priority to \"quality\"\n- **own_tasks**: Go slowly");
      quiet();
      assertThat(setting(Setting.PRIORITY)).isEqualTo("\"quality\"");
      assertThat(execution().constraints().behaviours())
          .contains(new Behaviour("own_tasks", "Go slowly"))
          .hasSize(5);
      edit(PageName.CONSTRAINTS, "- **own_tasks**: Go slowly\n", "");
      quiet();
      assertThat(execution().constraints().behaviours()).hasSize(4);
      settled();
    }
  }
}
