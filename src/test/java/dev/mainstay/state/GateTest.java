package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.CompletionGate.Standing;
import dev.mainstay.domain.Conflict;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Workspace.Place;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.state.Prompts.Wanted;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.Tamper;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GateTest {
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

  abstract static class Contract extends OnState {
    private static final TaskId TWO = TaskId.of(2);
    private static final Place REPO = new Place("host", "/repo");
    private static final String CHECK = "mvn -B verify";
    private TaskStates states;
    private Checkpoints checkpoints;
    private EvidenceBook evidence;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      states = new TaskStates(store);
      checkpoints = new Checkpoints(store);
      evidence = new EvidenceBook(store);
      given(tx -> tx.workspaces().open(REPO, "tree-1"));
    }

    private static EvidenceSeen seen(int exitCode, String tree) {
      return new EvidenceSeen(CHECK, exitCode, new Tree(REPO.id(), tree), How.RAN);
    }

    private void filesBecome(String tree) {
      given(tx -> tx.workspaces().setTree(REPO.id(), tree));
    }

    private Call held(TaskId id) {
      return BOT.withFence(hold(id).fence());
    }

    private Task complete(TaskId id, Call call) {
      return leases.complete(id, JsonObject.EMPTY, call);
    }

    private List<String> kinds(TaskId id) {
      return store.reading(tx -> tx.journal().stream(id.stream())).stream()
          .map(JournalEntry::content)
          .map(JournalEntry.Content::kind)
          .toList();
    }

    @Test
    void a_task_is_completed_once_no_step_is_open_and_every_criterion_is_met() {
      states.setPlan(ONE, List.of("write", "test"), ADA);
      states.addCriterion(ONE, "documented", ADA);
      Call bot = held(ONE);
      int entries = kinds(ONE).size();
      refused(
          Code.CONFLICT,
          () -> complete(ONE, bot.withKey("early")),
          "3 things are left",
          "step 1 is todo: write",
          "step 2 is todo: test",
          "criterion 1 is not met: documented");
      assertThat(kinds(ONE)).as("nothing was changed").hasSize(entries);
      states.moveStep(ONE, 0, StepStatus.DONE, null, bot);
      states.moveStep(ONE, 1, StepStatus.FAILED, "no server", bot);
      states.meetCriterion(ONE, 0, "see README", bot);
      refused(Code.CONFLICT, () -> complete(ONE, bot), "1 thing is left", "test - no server");
      states.moveStep(ONE, 1, StepStatus.SKIPPED, "not here", bot);
      assertThat(complete(ONE, bot.withKey("early")).status()).isEqualTo(TaskStatus.COMPLETED);
      assertThat(states.load(ONE).run().criterion(0).met().by()).isEqualTo(BOT.actor());
    }

    @Test
    void a_lost_lease_is_said_before_what_is_missing() {
      states.setPlan(ONE, List.of("write"), ADA);
      Call bot = held(ONE);
      refused(Code.LEASE_LOST, () -> complete(ONE, bot.withFence(bot.fence() - 1)), "lease lost");
    }

    @Test
    void a_word_that_is_taken_back_closes_the_gate_again() {
      states.addCriterion(ONE, "documented", ADA);
      states.meetCriterion(ONE, 0, null, BOT);
      states.reopenCriterion(ONE, 0, ADA);
      Call bot = held(ONE);
      refused(Code.CONFLICT, () -> complete(ONE, bot), "criterion 1 is not met");
    }

    @Test
    void a_check_is_met_by_fresh_success_alone() {
      states.addCriterion(ONE, "all tests pass", CHECK, ADA);
      refused(Code.CONFLICT, () -> states.meetCriterion(ONE, 0, "I ran it", ADA), "nobody's word");
      Call bot = held(ONE);
      refused(Code.CONFLICT, () -> complete(ONE, bot), "was never run", "evidence run T-001");
      evidence.record(ONE, seen(1, "tree-1"), bot);
      refused(Code.CONFLICT, () -> complete(ONE, bot), "exit code 1");
      evidence.record(ONE, seen(0, "tree-1"), bot);
      assertThat(evidence.list(ONE)).extracting(EvidenceBook.Entry::fresh).containsExactly(true);
      filesBecome("tree-2");
      assertThat(evidence.list(ONE)).extracting(EvidenceBook.Entry::fresh).containsExactly(false);
      assertThat(evidence.criteria(ONE).get(0).standing()).isEqualTo(Standing.STALE);
      refused(Code.CONFLICT, () -> complete(ONE, bot), "files changed after its check");
      evidence.record(ONE, seen(0, "tree-2"), bot);
      assertThat(evidence.criteria(ONE).get(0).standing()).isEqualTo(Standing.MET);
      assertThat(complete(ONE, bot).status()).isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void evidence_from_a_workspace_that_nobody_knows_is_stale() {
      states.addCriterion(ONE, "all tests pass", CHECK, ADA);
      var elsewhere = new EvidenceSeen(CHECK, 0, new Tree("w-gone", "tree-1"), How.OBSERVED);
      evidence.record(ONE, elsewhere, ADA);
      assertThat(evidence.criteria(ONE).get(0).standing()).isEqualTo(Standing.STALE);
    }

    @Test
    void a_run_is_finished_by_the_same_rule_and_given_up_by_none() {
      states.start(ONE, "ship", List.of("documented"), ADA);
      refused(
          Code.CONFLICT,
          () -> states.end(ONE, RunPhase.FINISHED, "", BOT),
          "criterion 1 is not met: documented");
      assertThat(states.load(ONE).run().phase()).isEqualTo(RunPhase.RUNNING);
      states.end(ONE, RunPhase.NO_PROGRESS, "stuck", BOT);
      refused(Code.CONFLICT, () -> states.end(ONE, RunPhase.FINISHED, "", BOT), "no progress");
      states.start(ONE, "ship", List.of(), BOT);
      states.end(ONE, RunPhase.ABANDONED, "", ADA);
      states.start(ONE, "ship", List.of(), BOT);
      states.meetCriterion(ONE, 0, null, BOT);
      Receipt done = states.end(ONE, RunPhase.FINISHED, "", BOT.withKey("k"));
      states.reopenCriterion(ONE, 0, ADA);
      assertThat(states.end(ONE, RunPhase.FINISHED, "", BOT.withKey("k"))).isEqualTo(done);
    }

    @Test
    void failing_releasing_and_cancelling_ask_for_nothing() {
      for (int i = 0; i < 3; i++) {
        TaskId id = tasks.create(NewTask.titled("open"), ADA).id();
        states.setPlan(id, List.of("write"), ADA);
        Call bot = held(id);
        switch (i) {
          case 0 -> leases.fail(id, "broken", bot);
          case 1 -> leases.release(id, "later", bot);
          default -> tasks.cancel(id, "not wanted", ADA);
        }
        assertThat(tasks.show(id).status()).isNotEqualTo(TaskStatus.COMPLETED);
      }
      assertThat(complete(ONE, held(ONE)).status()).as("asked").isEqualTo(TaskStatus.COMPLETED);
    }

    /** Whichever comes first: no task is completed after a criterion was added that nobody met. */
    @Test
    void a_criterion_added_while_the_task_completes_comes_before_or_after_and_never_between()
        throws Exception {
      for (int round = 0; round < 10; round++) {
        TaskId id = tasks.create(NewTask.titled("raced"), ADA).id();
        Call bot = held(id);
        AtomicInteger turn = new AtomicInteger();
        Both.atOnce(
            2,
            () -> {
              try {
                if (turn.getAndIncrement() == 0) states.addCriterion(id, "late", ADA);
                else complete(id, bot);
              } catch (Refusal no) {
                assertThat(no.sentence()).contains("criterion 1 is not met: late");
              }
              return 0;
            });
        List<String> kinds = kinds(id);
        int added = kinds.indexOf("state.criterion_added");
        int completed = kinds.indexOf("task.completed");
        assertThat(completed).isLessThan(added);
      }
    }

    @Test
    void going_back_undoes_nothing_that_was_seen_and_a_fork_has_seen_nothing() {
      states.addCriterion(ONE, "documented", ADA);
      states.setPlan(ONE, List.of("a"), ADA);
      checkpoints.save(ONE, "before", ADA);
      evidence.record(ONE, seen(0, "tree-1"), ADA);
      evidence.recordConflict(ONE, new ConflictSeen("a.txt", TWO, "1", "2"), ADA);
      states.meetCriterion(ONE, 0, null, BOT);
      states.setPlan(ONE, List.of("a", "b"), ADA);
      Dossier now = notebooks.known(ONE).dossier();
      checkpoints.restore(ONE, new Moment("before"), ADA);
      Dossier back = notebooks.known(ONE).dossier();
      assertThat(back.state().plan().steps()).hasSize(1);
      assertThat(back.observed()).isEqualTo(now.observed()).isNotEqualTo(Observed.NONE);
      assertThat(back.state().run()).isEqualTo(now.state().run());
      TaskId fork = checkpoints.fork(ONE, Moment.NOW, null, ADA).id();
      assertThat(notebooks.known(fork).dossier().observed()).isEqualTo(Observed.NONE);
      assertThat(notebooks.known(fork).dossier().state().run()).isEqualTo(now.state().run());
      var diff = new TimeTravel(store).diff(ONE, new Moment("before"), Moment.NOW).changes();
      assertThat(diff).containsOnlyKeys("criteria", "evidence", "conflicts");
      assertThat(diff.get("conflicts").come()).containsExactly("a.txt with T-002");
    }

    @Test
    void conflicts_are_kept_once_shown_in_the_prompt_and_settled() {
      var seen = new ConflictSeen("a.txt", TWO, "1", "2");
      assertThat(evidence.recordConflict(ONE, seen, ADA).isChange()).isTrue();
      assertThat(evidence.recordConflict(ONE, seen, BOT).isChange()).isFalse();
      assertThat(evidence.conflicts(ONE)).extracting(Conflict::other).containsExactly(TWO);
      String prompt = new Prompts(store).render(ONE, Wanted.by("claude-code"));
      assertThat(prompt).contains("<conflicts>\n- a.txt was changed by T-002, too: read it again");
      assertThat(evidence.settle(ONE, "b.txt", BOT).isChange()).isFalse();
      evidence.settle(ONE, "a.txt", BOT);
      assertThat(new Prompts(store).render(ONE, Wanted.by("claude-code")))
          .doesNotContain("conflicts");
    }

    @Test
    void how_criteria_stand_changes_nothing_in_the_stable_part_of_a_prompt() {
      states.start(ONE, "ship", List.of("documented"), ADA);
      states.addCriterion(ONE, "tested", CHECK, ADA);
      Prompts prompts = new Prompts(store);
      var before = prompts.rendered(ONE, Wanted.by("claude-code"));
      states.meetCriterion(ONE, 0, "see README", BOT);
      evidence.record(ONE, seen(0, "tree-1"), BOT);
      var after = prompts.rendered(ONE, Wanted.by("claude-code"));
      int stable = before.stablePrefixBytes();
      assertThat(after.stablePrefixBytes()).isEqualTo(stable);
      assertThat(after.text()).startsWith(before.text().substring(0, stable));
      assertThat(after.text())
          .contains(
              "<criteria>\n- documented\n- tested\n</criteria>",
              "<criteria_state>\n[met] 1. documented - see README (by agent:bot)\n"
                  + "[check] 2. tested - exit code 0 of: mvn -B verify\n</criteria_state>",
              "<evidence>\n- mvn -B verify: exit code 0 (ran at ");
    }

    @Test
    void secrets_in_commands_and_notes_do_not_reach_the_journal() {
      String secret = "gh" + "p_" + "a1B2c3D4" + "e5F6g7H8" + "i9J0k1L2" + "m3N4o5P6" + "q7R8";
      String command = "push --with " + secret;
      states.addCriterion(ONE, "pushed", command, ADA);
      states.addCriterion(ONE, "said", ADA);
      states.meetCriterion(ONE, 1, "with " + secret, ADA);
      evidence.record(
          ONE, new EvidenceSeen(command, 0, new Tree(REPO.id(), "tree-1"), How.RAN), ADA);
      assertThat(store.reading(tx -> tx.journal().stream(ONE.stream())).toString())
          .doesNotContain(secret);
      assertThat(evidence.criteria(ONE)).allMatch(judged -> judged.standing().isMet());
    }

    @Test
    void the_same_key_records_evidence_once() {
      Receipt first = evidence.record(ONE, seen(0, "tree-1"), ADA.withKey("k"));
      assertThat(evidence.record(ONE, seen(0, "tree-1"), ADA.withKey("k"))).isEqualTo(first);
      assertThat(kinds(ONE)).containsExactly("task.created", "observed.evidence");
      refused(Code.CONFLICT, () -> evidence.record(ONE, seen(1, "tree-1"), ADA.withKey("k")), "k");
    }

    @Test
    void everything_survives_a_rebuild_and_a_changed_row_is_found() {
      states.start(ONE, "ship", List.of("documented"), ADA);
      states.addCriterion(ONE, "tested", CHECK, ADA);
      states.meetCriterion(ONE, 0, "see README", BOT);
      evidence.record(ONE, seen(0, "tree-1"), BOT);
      evidence.recordConflict(ONE, new ConflictSeen("a.txt", TWO, null, "2"), BOT);
      evidence.recordConflict(ONE, new ConflictSeen("b.txt", TWO, "1", null), BOT);
      evidence.settle(ONE, "b.txt", BOT);
      Dossier right = notebooks.known(ONE).dossier();
      Tamper.with(store, "UPDATE dossiers SET observed = '{}'");
      assertThat(Verification.of(store).findings())
          .extracting(finding -> finding.where() + " " + finding.problem().split(" ")[0])
          .containsExactly("dossiers.T-001 conflicts", "dossiers.T-001 evidence");
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      try (Store rebuilt = open(target)) {
        assertThat(Verification.of(rebuilt).findings()).isEmpty();
        assertThat(new Notebooks(rebuilt).known(ONE).dossier()).isEqualTo(right);
      }
      repair(right);
    }

    /** So that the check after each test sees the row as it should be. */
    private void repair(Dossier right) {
      String json = JsonText.write(right.observed().toJson());
      Tamper.with(store, "UPDATE dossiers SET observed = '" + json + "'");
    }
  }
}
