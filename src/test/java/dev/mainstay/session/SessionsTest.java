package dev.mainstay.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.ObservedTurn;
import dev.mainstay.domain.ObservedTurn.ToolUse;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.RepeatFuse.Verdict;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.session.Turns.Outcome;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.Moment;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.Prompts;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SessionsTest {
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
    private static final Place HERE = new Place("/repo", "main");
    private static final Call CLAUDE = Call.by(Actor.agent("claude-code"), "hook");
    private Tasks tasks;
    private TaskStates states;
    private Sessions sessions;
    private Turns turns;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      tasks = new Tasks(store);
      states = new TaskStates(store);
      sessions = new Sessions(store);
      turns = new Turns(store, Set.of("sleep"));
    }

    @AfterEach
    void the_tables_equal_the_replay() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    private AgentSession open(String name) {
      return sessions.open(new Host("claude-code", name, null), HERE, CLAUDE);
    }

    @Test
    void one_that_has_no_task_is_noted_now_and_then() {
      AgentSession idle = open("s1");
      long before = store.commits();
      assertThat(sessions.current(idle.id(), CLAUDE)).isEqualTo(idle);
      assertThat(store.commits()).isEqualTo(before);
      clock.advance(Duration.ofMinutes(1));
      assertThat(sessions.current(idle.id(), CLAUDE).seen().lastSeen()).isEqualTo(clock.instant());
    }

    private static TaskId task(AgentSession session) {
      assertThat(session.bond()).isNotNull();
      return session.bond().task();
    }

    private static ObservedTurn turn(String tool, String arguments, String result) {
      return new ObservedTurn(List.of(ToolUse.of(tool, arguments, result)), List.of());
    }

    private static void refused(Code code, ThrowingCallable call) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @Test
    void the_first_prompt_opens_a_task_with_its_words_as_the_goal() {
      AgentSession session = open("s1");
      assertThat(session.bond()).isNull();
      session = sessions.prompted(session.id(), "  Add login\nwith passkeys", ADA);
      Task task = tasks.show(task(session));
      assertThat(task.title()).isEqualTo("Add login");
      assertThat(task.status()).isEqualTo(TaskStatus.IN_PROGRESS);
      assertThat(states.load(task.id()).run().goal()).isEqualTo("Add login\nwith passkeys");
      assertThat(sessions.prompted(session.id(), "and tests", ADA).bond())
          .isEqualTo(session.bond());
      assertThat(tasks.list(TaskFilter.ALL, null, 10).tasks()).hasSize(1);
      List<RunRecord> runs = sessions.runs(task.id());
      assertThat(runs).extracting(RunRecord::phase).containsExactly(RunPhase.RUNNING);
    }

    @Test
    void a_new_session_of_the_same_agent_in_the_same_place_goes_on() {
      AgentSession first = open("s1");
      first = sessions.prompted(first.id(), "Add login", ADA);
      assertThat(open("s1")).isEqualTo(sessions.show(first.id()));
      AgentSession second = open("s2");
      assertThat(second.bond()).isEqualTo(first.bond());
      assertThat(second.id()).isNotEqualTo(first.id());
      Place elsewhere = new Place("/repo", "other");
      var host = new Host("claude-code", "s3", null);
      assertThat(sessions.open(host, elsewhere, CLAUDE).bond()).isNull();
      var other = new Host("codex", "s1", null);
      assertThat(sessions.open(other, HERE, BOT).bond()).isNull();
      new Leases(store).complete(task(first), JsonObject.EMPTY, second.fenced(CLAUDE));
      AgentSession third = sessions.prompted(second.id(), "Next thing", ADA);
      assertThat(task(third)).isNotEqualTo(task(first));
    }

    @Test
    void a_shell_is_of_the_session_it_names_or_of_the_only_one_live_here() {
      AgentSession first = open("s1");
      clock.advance(Duration.ofSeconds(1));
      AgentSession second = open("s2");
      assertThat(shell("s1")).contains(first.id());
      assertThat(shell(null)).as("of two sessions none is guessed").isEmpty();
      assertThat(shell("unknown")).isEmpty();
      sessions.ended(second.id(), true);
      assertThat(shell("s2")).isEmpty();
      assertThat(shell(null)).contains(first.id());
      clock.advance(Leases.LEASE.plus(Duration.ofSeconds(1)));
      assertThat(shell(null)).isEmpty();
      assertThat(sessions.ofShell("codex", null, HERE)).isEmpty();
      given(tx -> tx.terminals().ensureExternal("dev-1"));
      sessions.open(new Host("claude-code", "s3", "dev-1"), HERE, CLAUDE);
      assertThat(shell(null)).isEmpty();
    }

    private Optional<String> shell(@Nullable String hostSession) {
      return sessions.ofShell("claude-code", hostSession, HERE).map(AgentSession::id);
    }

    @Test
    void a_terminal_that_is_not_ours_is_none() {
      AgentSession session = sessions.open(new Host("codex", "s1", "pts/3"), HERE, BOT);
      assertThat(sessions.show(session.id()).host().terminal()).isNull();
    }

    @Test
    void two_first_prompts_at_once_open_one_task() throws Exception {
      AtomicInteger turn = new AtomicInteger();
      List<TaskId> found =
          Both.atOnce(
              2,
              () -> {
                AgentSession mine = open("s" + turn.incrementAndGet());
                return task(sessions.prompted(mine.id(), "Add login", ADA));
              });
      assertThat(new HashSet<>(found)).hasSize(1);
    }

    @Test
    void a_session_writes_under_its_fence_until_another_holds_the_task() {
      AgentSession session = open("s1");
      session = sessions.prompted(session.id(), "Add login", ADA);
      TaskId id = task(session);
      var noted = NotebookDelta.of(Section.DECISIONS, "x");
      refused(Code.NOT_HOLDER, () -> new Notebooks(store).merge(id, noted, CLAUDE));
      turns.observed(session.id(), turn("Read", "a", "b"), CLAUDE);
      clock.advance(Duration.ofHours(1));
      Leases leases = new Leases(store);
      assertThat(leases.expire()).isEqualTo(1);
      turns.observed(session.id(), turn("Read", "b", "b"), CLAUDE);
      assertThat(sessions.show(session.id()).bond().fence()).isGreaterThan(session.bond().fence());
      clock.advance(Duration.ofHours(1));
      leases.expire();
      leases.hold(id, "somebody", Duration.ofMinutes(5), BOT);
      String mine = session.id();
      refused(Code.LEASE_LOST, () -> turns.observed(mine, turn("Read", "c", "c"), CLAUDE));
      assertThat(states.load(id).trail().actions()).containsExactly("Read", "Read");
    }

    @Test
    void one_turn_is_one_entry_from_what_really_ran() {
      AgentSession session = open("s1");
      session = sessions.prompted(session.id(), "Add login", ADA);
      var use = ToolUse.of("Read", "a", "b");
      var files = List.of("src/A.java", "src/B.java", "src/A.java");
      var seen = new ObservedTurn(List.of(use, use, ToolUse.of("Edit", "c", "d")), files);
      turns.observed(session.id(), seen, CLAUDE.withKey("t1"));
      turns.observed(session.id(), seen, CLAUDE.withKey("t1"));
      turns.observed(session.id(), new ObservedTurn(List.of(), List.of()), CLAUDE);
      assertThat(states.load(task(session)).trail().actions())
          .containsExactly("Read x2, Edit; files: src/A.java, src/B.java");
    }

    @Test
    void repetition_is_noticed_at_two_refused_at_five_and_ends_the_run_at_eight() {
      AgentSession session = open("s1");
      session = sessions.prompted(session.id(), "Add login", ADA);
      TaskId id = task(session);
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        outcomes.add(turns.observed(session.id(), turn("Bash", "make", "error"), CLAUDE));
      }
      assertThat(new Prompts(store).render(id, Prompts.Wanted.by("claude-code")))
          .contains("STOP: Bash was called 4 times in a row");
      for (int i = 5; i <= 8; i++) {
        outcomes.add(turns.before(session.id(), "Bash", "make", CLAUDE));
      }
      assertThat(outcomes)
          .extracting(Outcome::verdict)
          .containsExactly(
              Verdict.FINE,
              Verdict.NOTICE,
              Verdict.NOTICE,
              Verdict.NOTICE,
              Verdict.REFUSE,
              Verdict.REFUSE,
              Verdict.REFUSE,
              Verdict.NO_PROGRESS);
      assertThat(states.load(id).run().phase()).isEqualTo(RunPhase.NO_PROGRESS);
      assertThat(sessions.runs(id).get(0).span().endedAt()).isEqualTo(clock.instant());
      sessions.prompted(session.id(), "try another way", ADA);
      assertThat(states.load(id).run().phase()).isEqualTo(RunPhase.RUNNING);
      assertThat(states.load(id).run().goal()).isEqualTo("Add login");
      assertThat(turns.before(session.id(), "Bash", "make", CLAUDE).verdict())
          .isEqualTo(Verdict.FINE);
    }

    @Test
    void the_turn_that_ends_its_task_is_still_noted() {
      AgentSession session = sessions.prompted(open("s1").id(), "Add login", ADA);
      TaskId id = task(session);
      new Leases(store).complete(id, JsonObject.EMPTY, session.fenced(CLAUDE));
      turns.observed(session.id(), turn("Bash", "make", "ok"), CLAUDE);
      assertThat(states.load(id).trail().actions()).isNotEmpty();
    }

    @Test
    void a_person_who_starts_the_run_again_starts_the_count_again() {
      AgentSession session = sessions.prompted(open("s1").id(), "Add login", ADA);
      for (int i = 1; i <= 8; i++)
        turns.observed(session.id(), turn("Bash", "make", "error"), CLAUDE);
      assertThat(states.load(task(session)).run().phase()).isEqualTo(RunPhase.NO_PROGRESS);
      states.start(task(session), "Add login", List.of(), ADA);
      assertThat(turns.before(session.id(), "Bash", "make", CLAUDE).verdict())
          .isEqualTo(Verdict.FINE);
    }

    @Test
    void two_sessions_of_one_place_go_on_with_the_same_next_task() {
      AgentSession one = sessions.prompted(open("s1").id(), "Add login", ADA);
      AgentSession two = open("s2");
      new Leases(store).complete(task(one), JsonObject.EMPTY, two.fenced(CLAUDE));
      AgentSession next = sessions.prompted(one.id(), "Next thing", ADA);
      assertThat(task(sessions.prompted(two.id(), "go on", ADA))).isEqualTo(task(next));
    }

    @Test
    void any_difference_and_every_polling_tool_reset_the_fuse() {
      AgentSession session = open("s1");
      session = sessions.prompted(session.id(), "Add login", ADA);
      for (int i = 0; i < 12; i++) {
        String result = i % 4 == 3 ? "another" : "error";
        assertThat(turns.observed(session.id(), turn("Bash", "make", result), CLAUDE).verdict())
            .isIn(Verdict.FINE, Verdict.NOTICE);
      }
      for (int i = 0; i < 12; i++) {
        assertThat(turns.observed(session.id(), turn("sleep", "5", ""), CLAUDE).verdict())
            .isEqualTo(Verdict.FINE);
      }
    }

    @Test
    void a_new_goal_is_a_new_run_and_for_persons_alone() {
      AgentSession session = open("s1");
      session = sessions.prompted(session.id(), "Add login", ADA);
      String mine = session.id();
      refused(Code.CONFLICT, () -> sessions.newGoal(mine, "Something else", CLAUDE));
      assertThat(states.load(task(session)).run().goal()).isEqualTo("Add login");
      sessions.newGoal(mine, "Something else", ADA);
      assertThat(sessions.runs(task(session)))
          .extracting(RunRecord::goal, RunRecord::phase)
          .containsExactly(
              tuple("Add login", RunPhase.ABANDONED), tuple("Something else", RunPhase.RUNNING));
    }

    @Test
    void runs_and_sessions_survive_a_rebuild_and_a_fork_goes_on_with_its_run() {
      AgentSession session = open("s1");
      session = sessions.prompted(session.id(), "Add login", ADA);
      sessions.newGoal(session.id(), "Something else", ADA);
      TaskId id = task(session);
      Task fork = new Checkpoints(store).fork(id, Moment.NOW, null, ADA);
      assertThat(sessions.runs(fork.id()))
          .extracting(RunRecord::goal)
          .containsExactly("Something else");
      AgentSession before = sessions.show(session.id());
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      try (Store rebuilt = open(target)) {
        assertThat(Verification.of(rebuilt).findings()).isEmpty();
        assertThat(new Sessions(rebuilt).show(before.id())).isEqualTo(before);
        assertThat(new Sessions(rebuilt).runs(id)).isEqualTo(sessions.runs(id));
        assertThat(rebuilt.reading(tx -> tx.runs().session(id, 2)).orElseThrow())
            .isEqualTo(before.id());
      }
    }
  }
}
