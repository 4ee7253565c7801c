package dev.mainstay.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.ObservedTurn;
import dev.mainstay.domain.ObservedTurn.ToolUse;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.StepWork;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.state.StepWork.Usage;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What observed turns and prompts mean to an execution; the rest is in SessionsTest. */
class TurnsTest {
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
    private static final Call CLAUDE = Call.by(Actor.agent("claude-code"), "hook");
    private Sessions sessions;
    private Turns turns;
    private Executions executions;
    private StepWork work;
    private AgentSession session;
    private TaskId task;
    private int calls;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aSessionOnATask() {
      sessions = new Sessions(store);
      turns = new Turns(store, Set.of());
      executions = new Executions(store);
      work = new StepWork(store);
      Host host = new Host("claude-code", "s1", null);
      session = sessions.open(host, new Place("/repo", "main"), CLAUDE);
      session = sessions.prompted(session.id(), "Add login", ADA);
      task = session.bond().task();
    }

    @AfterEach
    void the_tables_equal_the_replay() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    private void begin() {
      executions.begin(new Beginning(task, null, ExecutionMode.EXECUTION, null), ADA);
      new TaskStates(store).setPlan(task, List.of("a", "b"), ADA);
    }

    private void seen(String... tools) {
      List<ToolUse> uses = new ArrayList<>();
      for (String tool : tools) uses.add(ToolUse.of(tool, "call " + calls++, "done"));
      turns.observed(session.id(), new ObservedTurn(uses, List.of()), CLAUDE);
    }

    private Execution now() {
      return executions.view(task).execution();
    }

    private static Spent counted(long files, long web) {
      return new Spent(BigDecimal.ZERO, BigDecimal.ZERO, files, web);
    }

    @Test
    void file_operations_and_web_requests_are_counted_as_they_are_seen() {
      begin();
      seen("Read", "mcp__files__write_file", "Bash", "WebFetch");
      seen("Bash");
      assertThat(now().figures().total()).isEqualTo(counted(2, 1));
      work.start(task, null, ADA);
      seen("Edit");
      assertThat(now().figures().total()).isEqualTo(counted(3, 1));
      assertThat(now().head().running().seen()).isEqualTo(counted(1, 0));
    }

    @Test
    void a_tool_that_was_seen_during_a_step_and_named_at_its_end_counts_once() {
      begin();
      work.start(task, null, ADA);
      seen("Read");
      var texts = Map.of(Field.TOOL_USED, "Read");
      var usage = new Usage(BigDecimal.ZERO, BigDecimal.ZERO, null, null);
      work.finish(task, new Report(texts, usage, JsonObject.EMPTY, null), ADA);
      assertThat(now().figures().total()).isEqualTo(counted(1, 0));
    }

    @Test
    void another_goal_ends_the_execution_that_was_for_the_goal_before() {
      begin();
      work.start(task, null, ADA);
      sessions.newGoal(session.id(), "Remove login", ADA);
      assertThat(now().status()).isEqualTo(ExecutionStatus.COMPLETED_FAILURE);
      assertThat(new TaskStates(store).load(task).run().goal()).isEqualTo("Remove login");
      assertThat(new TaskStates(store).load(task).run().phase()).isEqualTo(RunPhase.RUNNING);
      executions.begin(new Beginning(task, null, ExecutionMode.SIMULATION, null), ADA);
      sessions.newGoal(session.id(), "Add it again", ADA);
      assertThat(now().status()).isEqualTo(ExecutionStatus.COMPLETED_FAILURE);
    }

    @Test
    void without_an_execution_nothing_is_counted() {
      seen("Read");
      begin();
      assertThat(now().figures().total().isNothing()).isTrue();
      executions.finish(task, false, null, ADA);
      seen("Read");
      assertThat(now().figures().total().isNothing()).isTrue();
    }

    @Test
    void a_limit_passed_by_what_is_seen_pauses_for_review() {
      begin();
      work.start(task, null, ADA);
      for (int i = 0; i < 5; i++) seen("WebFetch");
      assertThat(now().status()).isEqualTo(ExecutionStatus.IN_PROGRESS);
      seen("WebSearch");
      assertThat(now().status()).isEqualTo(ExecutionStatus.PAUSED);
      assertThat(now().head().reviewFor()).contains("6 web requests of 5");
      seen("WebSearch");
      assertThat(now().figures().total().webRequests()).as("counted on").isEqualTo(7);
    }

    @Test
    void what_was_used_up_while_planning_counts_when_work_begins() {
      begin();
      for (int i = 0; i < 6; i++) seen("WebFetch");
      assertThat(now().status()).isEqualTo(ExecutionStatus.PLANNING);
      work.start(task, null, ADA);
      assertThat(now().status()).isEqualTo(ExecutionStatus.PAUSED);
    }

    @Test
    void praise_in_a_persons_prompt_is_feedback_and_in_an_agents_is_none() {
      begin();
      sessions.prompted(session.id(), "Great work! Now the tests.", CLAUDE);
      assertThat(now().setting(Setting.USER_SENTIMENT)).isEqualTo("neutral");
      sessions.prompted(session.id(), "Now the tests.", ADA);
      assertThat(now().setting(Setting.USER_SENTIMENT)).isEqualTo("neutral");
      sessions.prompted(session.id(), "Great work! Now the tests.", ADA);
      assertThat(now().setting(Setting.USER_SENTIMENT)).isEqualTo("pleased");
    }

    @Test
    void praise_without_an_execution_is_heard_by_nobody_and_long_praise_is_cut() {
      sessions.prompted(session.id(), "Great work!", ADA);
      begin();
      sessions.prompted(session.id(), "Great work!\n" + "and so on ".repeat(2_000), ADA);
      assertThat(now().setting(Setting.USER_SENTIMENT)).isEqualTo("pleased");
    }

    @Test
    void a_prompt_with_praise_that_no_database_keeps_is_taken_all_the_same() {
      begin();
      sessions.prompted(session.id(), "Great work!\nHere is the log: \0", ADA);
      assertThat(now().isLive()).isTrue();
    }
  }
}
