package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TerminalStatesTest {
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
    private static final Call DEV = Call.by(Actor.agent("dev-1"), "test");
    private static final String SECRET = String.join("9", "correct", "horse", "battery");
    private Terminals terminals;
    private TerminalStates states;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      terminals = new Terminals(store);
      states = new TerminalStates(store);
    }

    private Terminal register(String id, Call call, Object... told) {
      return terminals.register(NewTerminal.external(id).told(JsonObject.of(told)), call);
    }

    private List<String> kinds(String id) {
      return store.reading(
          tx ->
              tx.journal().stream(Terminal.stream(id)).stream()
                  .map(entry -> entry.content().kind())
                  .toList());
    }

    private static void refused(Code code, ThrowingCallable call, String... words) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> {
                assertThat(refusal.code()).isEqualTo(code);
                for (String word : words) assertThat(refusal.sentence()).contains(word);
              });
    }

    @Test
    void a_terminal_is_told_what_it_begins_with_when_it_is_registered() {
      Terminal made =
          terminals.register(
              new NewTerminal(
                  "dev-1",
                  "external",
                  "developer",
                  JsonObject.of(
                      "initial_prompt",
                      "You work on {{task}} in {{place.folder}}.",
                      "variables",
                      JsonObject.of("task", "T-456", "place", JsonObject.of("folder", "src")),
                      "context_data",
                      JsonObject.of("current_task_id", "T-456"))),
              ADA);
      assertThat(made.profile()).isEqualTo("developer");
      assertThat(terminals.get("dev-1")).isEqualTo(made);
      assertThat(terminals.list(null, 10)).containsExactly(made);
      TerminalState state = states.show("dev-1");
      assertThat(state.stamps().version()).isEqualTo(1);
      assertThat(state.told().context().text("current_task_id")).isEqualTo("T-456");
      assertThat(states.promptFor("dev-1", "the profile's")).isEqualTo("You work on T-456 in src.");
      assertThat(kinds("dev-1")).containsExactly("terminal.registered");
    }

    @Test
    void without_a_prompt_of_its_own_the_profiles_is_used_with_its_variables() {
      register("dev-1", ADA, "variables", JsonObject.of("role", "tester"));
      assertThat(states.promptFor("dev-1", "You are {{role}}.")).isEqualTo("You are tester.");
      assertThat(states.promptFor("dev-1", null)).isNull();
      states.update("dev-1", JsonObject.of("initial_prompt", "Mine, {{role}}."), null, ADA);
      assertThat(states.promptFor("dev-1", "You are {{role}}.")).isEqualTo("Mine, tester.");
      states.update("dev-1", JsonObject.EMPTY.withAny("initial_prompt", null), null, ADA);
      assertThat(states.promptFor("dev-1", "You are {{role}}.")).isEqualTo("You are tester.");
    }

    @Test
    void an_unknown_variable_is_named_with_the_nearest() {
      register(
          "dev-1",
          ADA,
          "initial_prompt",
          "On {{brunch}}",
          "variables",
          JsonObject.of("branch", "main", "task", "T-001"));
      refused(
          Code.INVALID,
          () -> states.promptFor("dev-1", null),
          "\"brunch\"",
          "initial prompt of dev-1",
          "\"branch\"");
      refused(Code.NOT_FOUND, () -> states.promptFor("nobody", "x"), "terminal list");
    }

    @Test
    void given_fields_replace_null_clears_and_the_rest_stays() {
      register("dev-1", ADA, "variables", JsonObject.of("a", "1"), "initial_prompt", "p");
      var changes = JsonObject.of("context_data", JsonObject.of("at", "step 2"));
      TerminalState changed = states.update("dev-1", changes, 1L, ADA);
      assertThat(changed.stamps().version()).isEqualTo(2);
      assertThat(changed.told().variables()).isEqualTo(JsonObject.of("a", "1"));
      assertThat(changed.told().initialPrompt()).isEqualTo("p");
      assertThat(states.show("dev-1")).isEqualTo(changed);
      TerminalState cleared =
          states.update("dev-1", JsonObject.EMPTY.withAny("variables", null), null, ADA);
      assertThat(cleared.told().variables().isEmpty()).isTrue();
      assertThat(states.update("dev-1", changes, null, ADA)).as("the same").isEqualTo(cleared);
      assertThat(kinds("dev-1"))
          .containsExactly(
              "terminal.registered", "terminal.state_changed", "terminal.state_changed");
      refused(Code.CONFLICT, () -> states.update("dev-1", changes, 2L, ADA), "version 3, not 2");
      refused(
          Code.INVALID,
          () -> states.update("dev-1", JsonObject.of("contextdata", "x"), null, ADA),
          "context_data");
      refused(Code.INVALID, () -> states.update("dev-1", JsonObject.EMPTY, null, ADA), "nothing");
      refused(
          Code.INVALID,
          () -> states.update("dev-1", JsonObject.of("initial_prompt", 7), null, ADA),
          "must be a text");
    }

    @Test
    void an_agent_changes_its_own_state_but_neither_its_prompt_nor_anothers_state() {
      register("dev-1", ADA);
      register("dev-2", ADA);
      var context = JsonObject.of("context_data", JsonObject.of("x", 1));
      var prompt = JsonObject.of("initial_prompt", "do what you like");
      assertThat(states.update("dev-1", context, null, DEV).stamps().version()).isEqualTo(1);
      states.checkpoint("dev-1", JsonObject.of("status", "IDLE"), DEV);
      refused(Code.CONFLICT, () -> states.update("dev-1", prompt, null, DEV), "its own initial");
      refused(Code.CONFLICT, () -> states.update("dev-2", context, null, DEV), "dev-2");
      refused(Code.CONFLICT, () -> states.checkpoint("dev-2", JsonObject.of("a", 1), DEV), "dev-2");
      refused(Code.CONFLICT, () -> register("dev-1", DEV, "initial_prompt", "mine"), "known");
    }

    @Test
    void a_supervisor_tells_those_it_registered_what_to_do() {
      Call boss = Call.by(Actor.agent("supervisor"), "test");
      register("dev-1", boss, "initial_prompt", "begin");
      states.update("dev-1", JsonObject.of("initial_prompt", "T-002 next"), null, boss);
      assertThat(states.promptFor("dev-1", null)).isEqualTo("T-002 next");
      refused(
          Code.CONFLICT,
          () -> states.update("dev-1", JsonObject.of("initial_prompt", "x"), null, DEV));
      Call self = Call.by(Actor.agent("selfish"), "test");
      refused(Code.CONFLICT, () -> register("selfish", self, "initial_prompt", "x"), "its own");
      refused(Code.NOT_FOUND, () -> terminals.get("selfish"));
      assertThat(register("selfish", self).id()).isEqualTo("selfish");
    }

    @Test
    void a_worker_that_claims_is_external_and_can_be_registered_afterwards() {
      given(
          tx -> {
            tx.terminals().ensureExternal("worker-7");
            tx.terminals().ensureExternal("worker-7");
          });
      assertThat(terminals.get("worker-7").provider()).isEqualTo(Terminal.EXTERNAL);
      assertThat(states.show("worker-7").stamps().version()).isZero();
      terminals.register(new NewTerminal("worker-7", "codex", null, JsonObject.EMPTY), ADA);
      assertThat(terminals.get("worker-7").provider()).isEqualTo("codex");
      refused(Code.CONFLICT, () -> register("worker-7", ADA), "known already");
      given(tx -> tx.terminals().ensureExternal("worker-7"));
      assertThat(terminals.get("worker-7").provider()).isEqualTo("codex");
    }

    @Test
    void the_end_of_a_task_is_noted_without_a_journal_entry_and_keeps_what_was_told() {
      given(tx -> tx.terminals().ensureExternal("dev-1"));
      var ended = TerminalState.ended(TaskId.of(4), TaskStatus.COMPLETED, "x".repeat(100_000));
      given(tx -> tx.terminalStates().checkpointed("dev-1", ended));
      states.update("dev-1", JsonObject.of("initial_prompt", "p"), 1L, ADA);
      given(tx -> tx.terminalStates().checkpointed("dev-1", ended));
      TerminalState state = states.show("dev-1");
      assertThat(state.stamps().version()).isEqualTo(3);
      assertThat(state.told().initialPrompt()).isEqualTo("p");
      assertThat(state.lastCheckpoint()).isNotNull();
      assertThat(state.lastCheckpoint().text("last_task_id")).isEqualTo("T-004");
      assertThat(state.lastCheckpoint().text("timestamp")).startsWith("20");
      assertThat(state.lastCheckpoint().text("last_output"))
          .hasSize(TerminalState.OUTPUT_CHARS_MAX);
      assertThat(kinds("dev-1")).containsExactly("terminal.state_changed");
      var noted = states.checkpoint("dev-1", JsonObject.of("status", "risky"), DEV);
      assertThat(noted).isEqualTo(states.show("dev-1"));
      assertThat(kinds("dev-1")).endsWith("terminal.checkpointed");
    }

    @Test
    void secrets_do_not_reach_the_state_or_the_journal() {
      register("dev-1", ADA, "variables", JsonObject.of("password", SECRET));
      states.checkpoint("dev-1", JsonObject.of("password", SECRET), DEV);
      assertThat(states.show("dev-1").toString()).doesNotContain(SECRET);
      given(
          tx ->
              assertThat(tx.journal().stream(Terminal.stream("dev-1")))
                  .noneMatch(e -> e.content().payload().contains(SECRET)));
    }

    @Test
    void everything_has_a_limit() {
      register("dev-1", ADA);
      String tooLong = "x".repeat(TerminalState.INITIAL_PROMPT_CHARS_MAX + 1);
      for (JsonObject changes :
          List.of(
              JsonObject.of("initial_prompt", tooLong),
              JsonObject.of("variables", JsonObject.of("x", tooLong)),
              JsonObject.of("context_data", JsonObject.of("x", tooLong)))) {
        refused(Code.TOO_LARGE, () -> states.update("dev-1", changes, null, ADA));
      }
      refused(
          Code.TOO_LARGE, () -> states.checkpoint("dev-1", JsonObject.of("output", tooLong), DEV));
      refused(Code.TOO_LARGE, () -> register("y".repeat(Terminal.ID_CHARS_MAX + 1), ADA));
      refused(Code.INVALID, () -> register("two\nlines", ADA));
      refused(Code.INVALID, () -> terminals.list(null, 0), "between 1 and");
    }

    @Test
    void the_same_key_registers_and_changes_once() {
      Call keyed = ADA.withKey("k");
      assertThat(register("dev-1", keyed)).isEqualTo(register("dev-1", keyed));
      Call other = ADA.withKey("l");
      var changes = JsonObject.of("initial_prompt", "p");
      TerminalState first = states.update("dev-1", changes, null, other);
      assertThat(states.update("dev-1", changes, null, other)).isEqualTo(first);
      assertThat(kinds("dev-1")).hasSize(2);
    }

    @Test
    void changes_at_the_same_moment_are_all_counted() throws Exception {
      register("dev-1", ADA);
      var next = new AtomicInteger();
      Both.atOnce(
          8,
          () ->
              states.update(
                  "dev-1",
                  JsonObject.of("context_data", JsonObject.of("n", next.incrementAndGet())),
                  null,
                  ADA));
      assertThat(states.show("dev-1").stamps().version()).isEqualTo(8);
    }

    @Test
    void a_rebuilt_store_knows_them_all() {
      register("dev-1", ADA, "initial_prompt", "p");
      states.checkpoint("dev-1", JsonObject.of("status", "IDLE"), DEV);
      assertThat(Verification.of(store).findings()).isEmpty();
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      try (Store made = open(target)) {
        assertThat(Verification.of(made).findings()).isEmpty();
        assertThat(new TerminalStates(made).show("dev-1")).isEqualTo(states.show("dev-1"));
      }
    }
  }
}
