package dev.mainstay.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.queue.Wanted;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.Moment;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a session works on: what it was given, before what it remembers. */
class WorkTest {
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
    private static final Call CODEX = Call.by(Actor.agent("codex"), "mcp");
    private Tasks tasks;
    private Sessions sessions;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      tasks = new Tasks(store);
      sessions = new Sessions(store);
    }

    @AfterEach
    void the_tables_equal_the_replay() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    private AgentSession open(String name, String terminal) {
      return sessions.open(new Host("codex", name, terminal), HERE, CODEX);
    }

    private TaskId created(String title) {
      return tasks.create(NewTask.titled(title), ADA).id();
    }

    private static TaskId task(AgentSession session) {
      assertThat(session.bond()).isNotNull();
      return session.bond().task();
    }

    private void complete(AgentSession session) {
      Call fenced = session.fenced(CODEX);
      new Leases(store).complete(task(session), JsonObject.EMPTY, fenced);
    }

    @Test
    void a_task_that_is_begun_is_held_and_has_its_own_words_as_the_goal() {
      var brief = new Brief("Add login", "with passkeys", TaskType.CODE, 0, JsonObject.EMPTY);
      var asked = new NewTask(brief, null, null, List.of(), Terms.NONE);
      TaskId id = tasks.create(asked, ADA).id();
      AgentSession session = sessions.work(open("s1", null).id(), id, CODEX);
      Task task = tasks.show(id);
      assertThat(task.status()).isEqualTo(TaskStatus.IN_PROGRESS);
      assertThat(task.lease().map(Lease::holder)).contains(session.holder());
      assertThat(new TaskStates(store).load(id).run().goal())
          .isEqualTo("Add login\n\nwith passkeys");
      assertThat(sessions.work(session.id(), id, CODEX).bond()).isEqualTo(session.bond());
    }

    @Test
    void what_was_claimed_for_the_holder_is_what_its_sessions_work_on() {
      AgentSession mcp = open("mcp", null);
      AgentSession hook = sessions.prompted(open("hook", null).id(), "take the next task", ADA);
      TaskId opened = task(hook);
      assertThat(Sessions.isImplicit(tasks.show(opened))).isTrue();
      TaskId queued = created("Add login");
      var wanted = Wanted.any(mcp.holder(), Duration.ofMinutes(5));
      new Leases(store).claim(wanted, CODEX);
      assertThat(Sessions.isImplicit(tasks.show(queued))).isFalse();
      mcp = sessions.work(mcp.id(), queued, CODEX);
      hook = sessions.current(hook.id(), CODEX);
      assertThat(task(hook)).isEqualTo(queued);
      assertThat(hook.bond()).isEqualTo(mcp.bond());
      complete(mcp);
      assertThat(task(sessions.current(hook.id(), CODEX))).isEqualTo(opened);
      assertThat(task(sessions.current(mcp.id(), CODEX))).isEqualTo(opened);
    }

    private List<String> binding(TaskId id) {
      return new TaskStates(store)
          .load(id).directives().binding().stream().map(Directive::text).toList();
    }

    /** As a hook does with what a person said to remember. */
    private void order(TaskId id, String text) {
      Call said = Call.by(ADA.actor(), "hook");
      new TaskStates(store).addDirective(id, text, true, said);
    }

    @Test
    void what_a_person_ordered_in_a_prompt_binds_on_the_next_task_of_the_queue_too() {
      AgentSession hook = sessions.prompted(open("hook", null).id(), "take the next task", ADA);
      order(task(hook), "never push to main");
      new TaskStates(store).addDirective(task(hook), "about this one", true, ADA);
      TaskId first = created("Add login");
      TaskId second = created("Add logout");
      AgentSession mcp = sessions.current(open("mcp", null).id(), CODEX);

      mcp = sessions.work(mcp.id(), first, CODEX);
      assertThat(binding(first)).containsExactly("never push to main");
      Directive order = new TaskStates(store).load(first).directives().binding().get(0);
      assertThat(order.author()).as("it stays a person's").isEqualTo(ADA.actor());
      complete(mcp);
      mcp = sessions.work(mcp.id(), second, CODEX);

      assertThat(binding(second)).containsExactly("never push to main");
      assertThat(binding(task(mcp))).hasSize(1);
    }

    @Test
    void an_order_for_which_there_is_no_room_among_the_binding_ones_is_still_shown() {
      AgentSession hook = sessions.prompted(open("hook", null).id(), "take the next task", ADA);
      order(task(hook), "never push to main");
      TaskId next = created("Add login");
      for (int i = 0; i < Directives.BINDING_MAX; i++) order(next, "rule " + i);

      sessions.work(sessions.current(open("mcp", null).id(), CODEX).id(), next, CODEX);

      assertThat(binding(next))
          .hasSize(Directives.BINDING_MAX)
          .doesNotContain("never push to main");
      assertThat(new TaskStates(store).load(next).directives().items())
          .extracting(Directive::text)
          .contains("never push to main");
    }

    @Test
    void only_a_prompt_makes_a_task_that_is_for_no_queue() {
      JsonObject mark = tasks.show(task(prompted("fix it"))).brief().metadata();
      var brief = new Brief("Mine", "", TaskType.CODE, 0, mark);
      var forged = new NewTask(brief, null, null, List.of(), Terms.NONE);
      assertThatThrownBy(() -> tasks.create(forged, ADA))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("set by prompts alone");
      TaskId queued = created("Add login");
      JsonObject change = JsonObject.of("metadata", mark);
      assertThatThrownBy(() -> tasks.update(queued, change, null, ADA))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("set by prompts alone");

      tasks.update(
          queued, JsonObject.of("metadata", JsonObject.of("opened_by", "jira")), null, ADA);

      assertThat(tasks.ready(null, 10)).extracting(Task::id).containsExactly(queued);
    }

    @Test
    void what_a_prompt_opened_stays_so_whatever_its_metadata_become() {
      TaskId opened = task(prompted("fix it"));

      tasks.update(opened, JsonObject.of("metadata", JsonObject.of("area", "login")), null, ADA);

      assertThat(Sessions.isImplicit(tasks.show(opened))).isTrue();
      assertThat(tasks.show(opened).brief().metadata().text("area")).isEqualTo("login");
    }

    @Test
    void a_fork_of_what_a_prompt_opened_can_be_claimed() {
      TaskId opened = task(prompted("fix it"));

      Task fork = new Checkpoints(store).fork(opened, Moment.entry(1), "try again", ADA);

      assertThat(tasks.ready(null, 10)).extracting(Task::id).containsExactly(fork.id());
    }

    private AgentSession prompted(String words) {
      return sessions.prompted(open("hook", null).id(), words, ADA);
    }

    @Test
    void a_claim_whose_claimer_died_is_found_by_the_next_session() {
      AgentSession first = open("s1", null);
      TaskId id = created("Add login");
      new Leases(store).claim(Wanted.any(first.holder(), Duration.ofMinutes(5)), CODEX);
      assertThat(task(open("s2", null))).isEqualTo(id);
    }

    @Test
    void a_session_in_a_terminal_works_on_what_the_terminal_was_given() {
      TaskId id = created("Add login");
      new Leases(store).claim(Wanted.any("builder-1", Duration.ofMinutes(5)), ADA);
      AgentSession session = open("s1", "builder-1");
      assertThat(task(session)).isEqualTo(id);
      assertThat(session.holder()).isEqualTo("builder-1");
      assertThat(session.actor()).isEqualTo(Actor.agent("builder-1"));
      complete(session);
      TaskId next = created("Add logout");
      new Leases(store).claim(Wanted.any("builder-1", Duration.ofMinutes(5)), ADA);
      assertThat(task(sessions.current(session.id(), CODEX))).isEqualTo(next);
    }

    @Test
    void an_agent_in_a_terminal_does_not_go_on_with_what_another_did_in_its_folder() {
      TaskId id = created("Add login");
      sessions.work(open("s1", null).id(), id, CODEX);
      TaskId other = created("Add logout");
      new Leases(store).claim(Wanted.any("builder-1", Duration.ofMinutes(5)), ADA);
      new Leases(store).complete(other, JsonObject.EMPTY, ADA);
      assertThat(open("s2", "builder-1").bond()).isNull();
    }

    @Test
    void a_task_of_somebody_else_is_not_begun() {
      TaskId id = created("Add login");
      new Leases(store).claim(Wanted.any("builder-1", Duration.ofMinutes(5)), ADA);
      String mine = open("s1", null).id();
      assertThatThrownBy(() -> sessions.work(mine, id, CODEX))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("not yours");
    }

    @Test
    void being_seen_keeps_the_task() {
      AgentSession session = sessions.work(open("s1", null).id(), created("Add login"), CODEX);
      for (int i = 0; i < 5; i++) {
        clock.advance(Leases.LEASE.dividedBy(2));
        assertThat(sessions.current(session.id(), CODEX).bond()).isEqualTo(session.bond());
        assertThat(new Leases(store).expire()).isZero();
      }
    }

    @Test
    void whoever_is_seen_often_is_noted_now_and_then() {
      AgentSession session = sessions.work(open("s1", null).id(), created("Add login"), CODEX);
      long before = store.commits();
      sessions.current(session.id(), CODEX);
      assertThat(store.commits()).isEqualTo(before);
      new Leases(store).renew(task(session), Duration.ofMinutes(1), session.fenced(CODEX));
      sessions.current(session.id(), CODEX); // what it holds would soon be over
      clock.advance(Leases.LEASE.dividedBy(2));
      assertThat(new Leases(store).expire()).isZero();
    }

    @Test
    void what_a_terminal_works_on_is_not_gone_on_with_beside_it() {
      TaskId id = created("Add login");
      new Leases(store).claim(Wanted.any("builder-1", Duration.ofMinutes(5)), ADA);
      assertThat(task(open("s1", "builder-1"))).isEqualTo(id);
      assertThat(open("s2", null).bond()).isNull();
    }

    @Test
    void a_task_that_a_person_gave_back_is_not_taken_again_by_a_sign_of_life() {
      AgentSession session = sessions.work(open("s1", null).id(), created("Add login"), CODEX);
      new Leases(store).release(task(session), "not now", ADA);
      assertThat(sessions.current(session.id(), CODEX).bond()).isNull();
      assertThat(open("s1", null).bond()).isNull();
      assertThat(tasks.list(TaskFilter.ALL, null, 10).tasks())
          .extracting(Task::status)
          .containsExactly(TaskStatus.PENDING);
    }

    @Test
    void what_waits_below_the_present_task_is_kept_for_as_long_as_the_agent_is_seen() {
      AgentSession session = sessions.prompted(open("s1", null).id(), "take the next task", ADA);
      TaskId opened = task(session);
      AgentSession busy = sessions.work(session.id(), created("Add login"), CODEX);
      for (int i = 0; i < 4; i++) {
        clock.advance(Leases.LEASE.dividedBy(2));
        busy = sessions.current(busy.id(), CODEX);
        assertThat(new Leases(store).expire()).isZero();
      }
      complete(busy);
      assertThat(task(sessions.current(busy.id(), CODEX))).isEqualTo(opened);
    }

    @Test
    void what_a_prompt_opened_is_offered_to_nobody_else_and_found_again_by_its_agent() {
      AgentSession session = sessions.prompted(open("s1", null).id(), "Add login", ADA);
      clock.advance(Leases.LEASE.multipliedBy(2));
      assertThat(new Leases(store).expire()).isEqualTo(1);
      var somebody = Wanted.any("builder-1", Duration.ofMinutes(5));
      assertThat(new Leases(store).claim(somebody, ADA)).isEmpty();
      assertThat(tasks.ready(null, 10)).isEmpty();
      assertThat(task(open("s2", null))).isEqualTo(task(session));
    }

    @Test
    void a_prompt_after_somebody_else_took_the_task_opens_another() {
      AgentSession session = sessions.work(open("s1", null).id(), created("Add login"), CODEX);
      clock.advance(Leases.LEASE.multipliedBy(2));
      new Leases(store).expire();
      new Leases(store).claim(Wanted.any("builder-1", Duration.ofMinutes(5)), ADA);
      AgentSession next = sessions.prompted(session.id(), "Now add a tax field", ADA);
      assertThat(task(next)).isNotEqualTo(task(session));
    }

    @Test
    void a_session_that_makes_a_branch_for_its_task_goes_on_with_it() {
      AgentSession session = sessions.work(open("s1", null).id(), created("Add login"), CODEX);
      var branched = new Place(HERE.worktree(), "login");
      AgentSession same = sessions.open(session.host(), branched, CODEX);
      assertThat(same.bond()).isEqualTo(session.bond());
      assertThat(task(sessions.prompted(same.id(), "and tests", ADA))).isEqualTo(task(session));
      var another = new Host("codex", "s9", null);
      assertThat(sessions.open(another, branched, CODEX).bond()).isNull();
      var elsewhere = new Place("/other", "main");
      assertThat(sessions.open(session.host(), elsewhere, CODEX).bond()).isNull();
    }

    @Test
    void what_hooks_remember_outlives_another_task() {
      AgentSession hook = open("hook", null);
      JsonObject memory = JsonObject.of("orders", List.of("use tabs"));
      sessions.remember(hook.id(), memory);
      sessions.work(open("mcp", null).id(), created("Add login"), CODEX);
      assertThat(sessions.show(hook.id()).memory()).isEqualTo(memory);
      TaskId id = task(sessions.show(hook.id()));
      new TaskStates(store).end(id, RunPhase.ABANDONED, "another way", ADA);
      new TaskStates(store).start(id, "Add login", List.of(), ADA);
      assertThat(sessions.show(hook.id()).memory()).isEqualTo(memory);
    }

    @Test
    void an_agent_that_gives_its_task_up_does_not_get_rid_of_what_binds_it() {
      AgentSession before = sessions.prompted(open("s0", null).id(), "Look around", ADA);
      complete(before);
      clock.advance(Duration.ofMinutes(1));
      AgentSession session = sessions.prompted(open("s1", null).id(), "Add login", ADA);
      TaskStates states = new TaskStates(store);
      states.addDirective(task(session), "Never push to main", true, ADA);
      new Leases(store).fail(task(session), "too hard", session.fenced(CODEX));
      assertThat(sessions.show(session.id()).bond()).isNull();
      AgentSession next = sessions.prompted(session.id(), "Now the docs", ADA);
      assertThat(task(next)).isNotEqualTo(task(session));
      assertThat(states.load(task(next)).directives().items())
          .extracting(order -> order.text())
          .containsExactly("Never push to main");
      new Leases(store).release(task(next), "not now", sessions.show(next.id()).fenced(CODEX));
      AgentSession third = sessions.prompted(open("s2", null).id(), "Or the tests", ADA);
      assertThat(states.load(task(third)).directives().binding()).hasSize(1);
    }

    @Test
    void what_a_person_made_binding_binds_in_the_next_task_of_the_place_too() {
      AgentSession session = sessions.prompted(open("s1", null).id(), "Add login", ADA);
      TaskStates states = new TaskStates(store);
      states.addDirective(task(session), "Never push to main", true, ADA);
      states.addDirective(task(session), "use tabs", false, ADA);
      complete(session);
      AgentSession next = sessions.prompted(open("s2", null).id(), "Now the docs", ADA);
      assertThat(states.load(task(next)).directives().items())
          .extracting(order -> order.text())
          .containsExactly("Never push to main");
    }
  }
}
