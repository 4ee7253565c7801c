package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.session.Places;
import dev.mainstay.store.Databases;
import dev.mainstay.terminal.NewTerminal;
import dev.mainstay.upkeep.Verification;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An agent takes a task, works on it, comes back, and ends it. */
class WorkFlowTest {
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

  abstract static class Contract extends OnOffer {
    Contract(Databases database) {
      super(database);
    }

    @AfterEach
    void the_tables_equal_the_replay() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    private Task show(TaskId id) {
      return rooms.tasks().show(id);
    }

    @Test
    void without_a_task_it_is_said_what_could_be_done() {
      task("Add login");
      assertThat(said(claude("c1"), "state", "{}"))
          .contains("You work on no task now", "next_task", "create_task", "T-001 Add login");
      assertThat(show(TaskId.of(1)).status()).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void a_task_is_named_by_the_alias_that_it_was_made_with() {
      said(claude("c1"), "create_task", "{'title':'Add login','alias':'login','begin':true}");
      assertThat(said(claude("c1"), "update", "{'task':'login','decisions':['Passkeys']}"))
          .contains("decisions (1)");
      assertThat(said(claude("c1"), "state", "{'task':'login'}")).contains("T-001", "Passkeys");
    }

    @Test
    void the_most_urgent_task_is_claimed_and_shown() {
      task("Later");
      TaskId urgent = rooms.tasks().create(NewTask.titled("Now").withPriority(9), ADA).id();
      Reply reply = call(claude("c1"), "next_task", "{}");
      assertThat(reply.structured()).isNull();
      assertThat(words(reply)).contains("Claimed for you", "You hold T-002: Now");
      assertThat(show(urgent).status()).isEqualTo(TaskStatus.IN_PROGRESS);
      assertThat(said(claude("c1"), "next_task", "{}")).contains("You still hold", "T-002");
      assertThat(said(codex("c2"), "next_task", "{}")).contains("T-001");
    }

    @Test
    void a_task_of_a_type_is_claimed_or_none() {
      task("Code");
      assertThat(said(claude("c1"), "next_task", "{'type':'review'}"))
          .startsWith("No task of type review is ready");
      assertThat(said(claude("c1"), "next_task", "{'wait_seconds':1,'type':'REVIEW'}"))
          .startsWith("No task");
    }

    @Test
    void what_is_written_down_is_there_for_the_next_connection() {
      TaskId id = task("Add login");
      said(claude("c1"), "next_task", "{}");
      String first =
          said(
              claude("c1"),
              "update",
              "{'plan':['Find the form','Write the test'],'decisions':['Passkeys, as asked'],"
                  + "'open_issues':['No test data'],'next_focus':'the form','progress':'begun'}");
      assertThat(first)
          .contains("plan (2), progress set", "decisions (1)", "Next step: 1. Find the form");
      said(claude("c1"), "update", "{'steps':[{'step':1,'status':'done'}]}");
      String again = said(claude("another"), "state", "{}");
      assertThat(again)
          .contains("You hold T-001", "Open steps: 1, open criteria: 0.", "[done] 1. Find the form")
          .contains("Passkeys, as asked", "No test data", "the form");
      assertThat(said(claude("c1"), "update", "{'decisions':['Passkeys, as asked']}"))
          .contains("nothing changed");
      assertThat(rooms.states().load(id).plan().step(0).status()).isEqualTo(StepStatus.DONE);
    }

    @Test
    void the_end_is_refused_with_what_is_open_until_it_is_settled() {
      TaskId id = task("Add login");
      rooms.states().start(id, "Add login", List.of("the login works"), ADA);
      said(claude("c1"), "next_task", "{}");
      said(claude("c1"), "update", "{'plan':['Write it']}");
      String refused = refused(claude("c1"), "finish_task", "{'outcome':'completed'}");
      assertThat(refused)
          .contains("2 things are left")
          .contains("update {\"steps\":[{\"step\":1,\"status\":\"done\"}]} says it is done")
          .contains("update {\"met\":[1]} says it is")
          .doesNotContain("'mainstay");
      said(claude("c1"), "update", "{'steps':[{'step':1,'status':'done'}],'met':[1]}");
      task("Next");
      assertThat(said(claude("c1"), "finish_task", "{'outcome':'completed','result':'works'}"))
          .contains("T-001 is COMPLETED", "next_task", "T-002 Next");
      assertThat(show(id).status()).isEqualTo(TaskStatus.COMPLETED);
      assertThat(said(claude("c1"), "state", "{}")).contains("T-001 is COMPLETED", "no task now");
    }

    @Test
    void a_check_is_named_with_the_shell_in_which_it_runs() {
      TaskId id = task("Add login");
      rooms.states().start(id, "Add login", List.of(), ADA);
      rooms.states().addCriterion(id, "tests pass", "mvn test", ADA);
      said(claude("c1"), "next_task", "{}");
      assertThat(refused(claude("c1"), "finish_task", "{'outcome':'completed'}"))
          .contains("\"mvn test\" was never run", "in a shell, mainstay evidence run T-001");
    }

    @Test
    void what_is_given_back_is_not_taken_again_by_the_next_call() {
      TaskId id = task("Too hard");
      said(claude("c1"), "next_task", "{}");
      said(claude("second"), "state", "{}");
      assertThat(refused(claude("c1"), "finish_task", "{'outcome':'released'}")).contains("reason");
      said(claude("c1"), "finish_task", "{'outcome':'released','reason':'no access'}");
      assertThat(said(claude("c1"), "state", "{}")).contains("no task now", "T-001 Too hard");
      assertThat(said(claude("second"), "state", "{}")).contains("no task now");
      assertThat(show(id).status()).isEqualTo(TaskStatus.PENDING);
      assertThat(said(codex("c2"), "next_task", "{}")).contains("T-001");
    }

    @Test
    void what_a_prompt_opened_is_not_said_to_be_offered_to_others() {
      Place place = Places.around(claude("c1").folder());
      var hook = rooms.sessions().open(new Host("claude-code", "hook", null), place, ADA);
      rooms.sessions().prompted(hook.id(), "Add login", ADA);
      assertThat(said(claude("c1"), "finish_task", "{'outcome':'released','reason':'not now'}"))
          .contains("T-001 is PENDING until a person assigns it");
      assertThat(said(codex("c2"), "next_task", "{}")).contains("No task is ready");
      assertThat(rooms.leases().hold(TaskId.of(1), "lead", Leases.LEASE, ADA).status())
          .isEqualTo(TaskStatus.ASSIGNED);
    }

    @Test
    void a_failed_task_says_why() {
      TaskId id = task("Impossible");
      said(claude("c1"), "next_task", "{}");
      assertThat(said(claude("c1"), "finish_task", "{'outcome':'failed','reason':'no such API'}"))
          .contains("T-001 is FAILED");
      assertThat(show(id).progress().reason()).isEqualTo("no such API");
    }

    @Test
    void somebody_else_cannot_write_to_a_task_that_is_held() {
      TaskId id = task("Add login");
      said(claude("c1"), "next_task", "{}");
      assertThat(refused(codex("c2"), "update", "{'task':'T-001','decisions':['mine']}"))
          .contains(
              "held by claude-code@", "you are agent:codex", "message its holder", "next_task")
          .doesNotContain("lease lost", "at a terminal");
      clock.advance(Leases.LEASE.multipliedBy(2));
      rooms.leases().expire();
      rooms.leases().hold(id, "bot", Leases.LEASE, BOT);
      assertThat(refused(claude("c1"), "update", "{'decisions':['mine']}"))
          .contains("lease lost", "held by bot");
      assertThat(refused(claude("c1"), "finish_task", "{'outcome':'completed'}"))
          .contains("lease lost");
      assertThat(said(claude("c1"), "state", "{}")).contains("held by bot", "no longer hold it");
      assertThat(rooms.notebooks().load(id).isEmpty()).isTrue();
    }

    @Test
    void no_task_goes_to_two_of_many_agents() throws Exception {
      for (int i = 0; i < 8; i++) task("Task " + i);
      ExecutorService all = Executors.newFixedThreadPool(8);
      List<Callable<String>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Guest guest = new Guest("agent-" + i, "c", null, folder, true);
        calls.add(() -> said(guest, "next_task", "{'wait_seconds':30}"));
      }
      Set<String> got = new HashSet<>();
      for (Future<String> each : all.invokeAll(calls)) {
        got.add(
            each.get().lines().filter(line -> line.startsWith("You hold")).findFirst().orElse(""));
      }
      all.shutdown();
      assertThat(got).hasSize(8).doesNotContain("");
    }

    @Test
    void who_sits_in_a_terminal_gets_what_was_given_to_it() {
      rooms.terminals().register(new NewTerminal("worker-1", "shell", null, JsonObject.EMPTY), ADA);
      TaskId id = task("Delegated");
      rooms.leases().hold(id, "worker-1", Leases.LEASE, ADA);
      Guest worker = new Guest("codex", "c9", "worker-1", folder, true);
      assertThat(said(worker, "state", "{}")).contains("You hold T-001: Delegated");
      said(worker, "update", "{'decisions':['as a worker']}");
      assertThat(rooms.notebooks().load(id).toJson().toString()).contains("agent:worker-1");
    }

    @Test
    void a_task_is_made_and_begun_in_one_call() {
      Reply made =
          call(claude("c1"), "create_task", "{'title':'Fix the build','type':'test','begin':true}");
      assertThat(words(made)).contains("T-001 made and begun");
      assertThat(show(TaskId.of(1)).status()).isEqualTo(TaskStatus.IN_PROGRESS);
      assertThat(said(claude("c1"), "create_task", "{'title':'More','begin':true}"))
          .contains("not begun, as you hold T-001");
      assertThat(said(claude("c1"), "create_task", "{'title':'After','depends_on':['T-002']}"))
          .contains("waiting for 1 other task");
      assertThat(said(claude("c1"), "create_task", "{'title':'Part','parent':'T-001'}"))
          .contains("T-004 made");
      assertThat(show(TaskId.of(4)).links().parent()).isEqualTo(TaskId.of(1));
    }

    @Test
    void the_same_key_does_it_once() {
      Guest guest = claude("c1");
      String make = "{'title':'Once','begin':true}";
      String first = words(call(guest, "k1", "create_task", make));
      offer = new Offer(rooms); // as a process that was started again: nothing is in memory
      assertThat(words(call(guest, "k1", "create_task", make))).isEqualTo(first);
      assertThat(rooms.tasks().list(TaskFilter.ALL, null, 10).tasks()).hasSize(1);
      call(guest, "k2", "update", "{'history':['did it']}");
      offer = new Offer(rooms);
      call(guest, "k2", "update", "{'history':['did it']}");
      assertThat(rooms.notebooks().load(TaskId.of(1)).toBlob().texts("history"))
          .containsExactly("did it");
      String given = "{'outcome':'released','reason':'later'}";
      first = words(call(guest, "k3", "finish_task", given));
      assertThat(words(call(guest, "k3", "finish_task", given))).isEqualTo(first);
      assertThat(call(guest, "k1", "create_task", "{'title':'Other'}").isError()).isTrue();
    }

    @Test
    void who_may_only_read_changes_nothing() {
      task("Add login");
      Guest reader = new Guest("claude-code", "r", null, folder, false);
      assertThat(refused(reader, "next_task", "{}")).contains("may only read");
      assertThat(refused(reader, "write_file", "{'path':'a','content':'b'}"))
          .contains("may only read");
      assertThat(said(reader, "state", "{'task':'T-001'}")).contains("T-001 is PENDING");
      assertThat(said(reader, "state", "{}")).contains("T-001 Add login");
      assertThat(said(reader, "recall", "{'ref':'tasks:ready'}")).contains("Add login");
      assertThat(show(TaskId.of(1)).stamps().version()).isEqualTo(1);
    }

    @Test
    void an_agent_gives_no_binding_orders_and_changes_no_goal() {
      TaskId id = task("Add login");
      said(claude("c1"), "next_task", "{}");
      said(claude("c1"), "update", "{'directive':'always run the tests'}");
      assertThat(rooms.states().load(id).directives().items())
          .singleElement()
          .satisfies(order -> assertThat(order.binding()).isFalse());
      assertThat(refused(claude("c1"), "update", "{'goal':'something else'}"))
          .contains("update has no argument \"goal\"");
    }

    @Test
    void what_was_done_before_a_refusal_is_told() {
      task("Add login");
      said(claude("c1"), "next_task", "{}");
      assertThat(
              refused(
                  claude("c1"), "update", "{'plan':['One'],'steps':[{'step':7,'status':'done'}]}"))
          .contains("there is no step 7", "Before that was done: plan (1) set");
    }

    @Test
    void somebody_who_vanished_is_found_again_by_his_place() {
      task("Add login");
      said(claude("c1"), "next_task", "{}");
      clock.advance(Leases.LEASE.plusMinutes(1));
      rooms.leases().expire();
      assertThat(said(claude("c2"), "state", "{}")).contains("You hold T-001");
      assertThat(said(codex("c3"), "next_task", "{}")).startsWith("No task is ready");
      Call person = Call.by(Actor.person("ada"), "test");
      assertThat(rooms.tasks().cancel(TaskId.of(1), "no", person).status().isEnded()).isTrue();
    }
  }
}
