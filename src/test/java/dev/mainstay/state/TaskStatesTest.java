package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookSamples;
import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.TaskStateEvent.Compressed;
import dev.mainstay.domain.TaskStateJson;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.domain.Trail;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TaskStatesTest {
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
    private TaskStates states;
    private Checkpoints checkpoints;
    private EvidenceBook evidence;
    private static final EvidenceSeen OK = seen("make", 0);
    private static final ConflictSeen CONFLICT = new ConflictSeen("a.txt", TaskId.of(2), "1", "2");

    private static EvidenceSeen seen(String command, int exitCode) {
      return new EvidenceSeen(command, exitCode, new Tree("w-1", "t-1"), How.RAN);
    }

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void room() {
      states = new TaskStates(store);
      checkpoints = new Checkpoints(store);
      evidence = new EvidenceBook(store);
    }

    private static TaskUpdate update(String json, Object value) {
      return TaskUpdate.fromJson(JsonObject.of(json, value));
    }

    @Test
    void the_goal_is_set_at_the_start_and_refused_afterwards() {
      assertThat(states.load(ONE)).isEqualTo(TaskState.NONE);
      states.start(ONE, "add login", List.of("tests pass"), BOT);
      refused(Code.CONFLICT, () -> states.start(ONE, "other", List.of(), ADA), "add login");
      refused(Code.CONFLICT, () -> states.update(ONE, update("goal", "other"), BOT), "goal");
      states.meetCriterion(ONE, 0, null, BOT);
      states.end(ONE, RunPhase.FINISHED, "", BOT);
      refused(Code.CONFLICT, () -> states.start(ONE, "other", List.of(), BOT), "only a person");
      states.start(ONE, "other", List.of(), ADA);
      assertThat(states.load(ONE).run().goal()).isEqualTo("other");
    }

    @Test
    void open_steps_shrink_and_another_plan_keeps_what_is_done() {
      states.setPlan(ONE, List.of("a", "b", "c"), BOT);
      states.moveStep(ONE, 0, StepStatus.DONE, null, BOT);
      states.moveStep(ONE, 2, StepStatus.SKIPPED, "not needed", BOT);
      assertThat(states.load(ONE).openSteps()).containsExactly("b");
      states.setPlan(ONE, List.of("b", "a", "d"), BOT);
      assertThat(states.load(ONE).openSteps()).containsExactly("b", "d");
      states.update(ONE, update("current_step", 0), BOT);
      assertThat(states.load(ONE).plan().steps().get(0))
          .isEqualTo(new Step("b", StepStatus.ACTIVE, null));
      refused(Code.NOT_FOUND, () -> states.moveStep(ONE, 9, StepStatus.DONE, null, BOT), "step 10");
    }

    @Test
    void binding_directives_are_for_persons_and_the_ninth_is_refused_with_the_list() {
      refused(Code.INVALID, () -> states.addDirective(ONE, "obey", true, BOT), "person");
      for (int i = 1; i <= Directives.BINDING_MAX; i++) {
        states.addDirective(ONE, "rule " + i, true, ADA);
      }
      refused(Code.CONFLICT, () -> states.addDirective(ONE, "rule 9", true, ADA), "rule 1");
      for (int i = 1; i <= 12; i++) states.addDirective(ONE, "hint " + i, false, BOT);
      var directives = states.load(ONE).directives();
      assertThat(directives.binding()).hasSize(8);
      assertThat(directives.dropped()).isEqualTo(4);
      refused(Code.INVALID, () -> states.liftDirective(ONE, "rule 1", BOT), "person:ada");
      states.liftDirective(ONE, "rule 1", ADA);
      assertThat(states.load(ONE).directives().binding()).hasSize(7);
      refused(Code.INVALID, () -> states.addDirective(ONE, "  ", false, BOT), "needs a text");
    }

    @Test
    void at_most_six_actions_are_kept_and_every_compression_is_retrievable() {
      for (int i = 1; i <= 9; i++) states.noteActions(ONE, "turn " + i, BOT);
      assertThat(states.noteActions(ONE, " ", BOT).isChange()).isFalse();
      for (int i = 1; i <= Trail.COMPRESSIONS_MAX + 5; i++) {
        states.logCompression(ONE, new Compressed("snip", "cut " + i, 100, 50), BOT);
      }
      TaskState state = states.load(ONE);
      assertThat(state.trail().actions()).hasSize(6).endsWith("turn 9");
      assertThat(states.compressions(ONE, 0, 1_000)).hasSize(Trail.COMPRESSIONS_MAX + 5);
      states.start(ONE, "g", List.of(), ADA);
      assertThat(notebooks.show(ONE, null))
          .contains("cut 105", "cut 103")
          .doesNotContain("cut 102");
    }

    @Test
    void a_renewal_carries_everything_over_but_scratchpad_and_actions() {
      states.start(ONE, "add login", List.of("tests pass"), BOT);
      states.setPlan(ONE, List.of("a", "b"), BOT);
      states.moveStep(ONE, 0, StepStatus.DONE, null, BOT);
      states.addDirective(ONE, "no new libraries", true, ADA);
      states.update(ONE, update("scratchpad", "try this"), BOT);
      states.update(ONE, update("preserved_refs", List.of("call_1")), BOT);
      states.noteActions(ONE, "read", BOT);
      notebooks.merge(ONE, NotebookDelta.of(Section.DECISIONS, "use JWT"), BOT);
      var renewal = states.renew(ONE, "full", BOT.withKey("r"));
      assertThat(renewal.handover())
          .contains("add login", "[todo] 2. b", "use JWT")
          .doesNotContain("1. a");
      assertThat(states.renew(ONE, "full", BOT.withKey("r"))).isEqualTo(renewal);
      TaskState state = states.load(ONE);
      assertThat(state.run().context()).isEqualTo(2);
      assertThat(state.work().scratchpad()).isEmpty();
      assertThat(state.work().preservedRefs()).containsExactly("call_1");
      assertThat(state.trail().actions()).isEmpty();
      assertThat(state.newestBinding()).isNotNull();
      assertThat(state.run().criteriaTexts()).containsExactly("tests pass");
    }

    @Test
    void a_suspended_run_goes_on_without_a_second_start() {
      states.start(ONE, "add login", List.of(), BOT);
      states.suspend(ONE, new Waiting(Waiting.On.QUESTION, "which port?"), BOT);
      refused(Code.CONFLICT, () -> states.start(ONE, "add login", List.of(), BOT), "already");
      states.resume(ONE, "7717", ADA);
      assertThat(states.load(ONE).run().phase()).isEqualTo(RunPhase.RUNNING);
      assertThat(states.load(ONE).run().context()).isEqualTo(1);
      refused(Code.CONFLICT, () -> states.resume(ONE, "", ADA), "waits for nothing");
    }

    @Test
    void the_answer_to_a_suspended_run_is_shown_wherever_its_state_is() {
      states.start(ONE, "add login", List.of(), BOT);
      states.suspend(ONE, new Waiting(Waiting.On.QUESTION, "which port?"), BOT);
      states.resume(ONE, "port 7717", ADA);
      String shown = "question: which port? -> port 7717 (by person:ada)";
      assertThat(new Prompts(store).render(ONE, Prompts.Wanted.by("codex"))).contains(shown);
      assertThat(notebooks.show(ONE, null)).contains(shown);
      assertThat(states.renew(ONE, "full", BOT).handover()).contains(shown);
      assertThat(TaskStateJson.write(states.load(ONE)).objects("answers").get(0).text("answer"))
          .isEqualTo("port 7717");
    }

    @Test
    void the_newest_answers_are_kept_and_an_empty_one_is_none() {
      states.start(ONE, "add login", List.of(), BOT);
      for (int i = 1; i <= TaskState.ANSWERS_MAX + 1; i++) {
        states.suspend(ONE, new Waiting(Waiting.On.CHILD, "child " + i), BOT);
        states.resume(ONE, "result " + i, ADA);
      }
      states.suspend(ONE, new Waiting(Waiting.On.BARRIER, "all"), BOT);
      states.resume(ONE, " ", ADA);
      assertThat(states.load(ONE).run().answers())
          .extracting(TaskState.Answer::text)
          .containsExactly("result 2", "result 3", "result 4");
    }

    /** Stores written before answers were kept have such entries and no answer in their tables. */
    @Test
    void an_entry_that_does_not_say_what_was_answered_replays_without_an_answer() {
      var old = TaskStateEvent.read("state.resumed", JsonObject.of("answer", "7717"));
      states.start(ONE, "add login", List.of(), BOT);
      states.suspend(ONE, new Waiting(Waiting.On.QUESTION, "which port?"), BOT);
      var after = old.applyTo(states.load(ONE), new Origin(ADA.actor(), "cli", Instant.EPOCH));
      assertThat(after.run().answers()).isEmpty();
      assertThat(old.payload()).isEqualTo(JsonObject.of("answer", "7717"));
    }

    @Test
    void the_fence_holds_for_every_write_to_the_run() {
      Task held = hold(ONE);
      Call late = BOT.withFence(held.fence() - 1);
      List<Runnable> writes =
          List.of(
              () -> states.start(ONE, "g", List.of(), late),
              () -> states.setPlan(ONE, List.of("a"), late),
              () -> states.addDirective(ONE, "d", false, late),
              () -> states.addCriterion(ONE, "c", late),
              () -> states.meetCriterion(ONE, 0, null, late),
              () -> states.reopenCriterion(ONE, 0, late),
              () -> evidence.record(ONE, OK, late),
              () -> evidence.recordConflict(ONE, CONFLICT, late),
              () -> evidence.settle(ONE, CONFLICT.path(), late),
              () -> states.noteActions(ONE, "n", late),
              () -> checkpoints.save(ONE, "c", late),
              () -> checkpoints.restore(ONE, Moment.NOW, late));
      for (Runnable write : writes) refused(Code.LEASE_LOST, write::run, "no longer valid");
      states.start(ONE, "g", List.of(), BOT.withFence(held.fence()));
      assertThat(states.load(ONE).isStarted()).isTrue();
    }

    @Test
    void interleaved_updates_of_two_writers_are_both_kept() throws Exception {
      AtomicInteger turn = new AtomicInteger();
      Both.atOnce(
          2,
          () -> {
            boolean first = turn.getAndIncrement() == 0;
            for (int i = 0; i < 10; i++) {
              if (first) states.addCriterion(ONE, "criterion " + i, ADA);
              else notebooks.merge(ONE, NotebookDelta.of(Section.GOALS, "goal " + i), BOT);
            }
            return 0;
          });
      assertThat(states.load(ONE).run().criteria()).hasSize(10);
      assertThat(notebooks.load(ONE).texts(Section.GOALS)).hasSize(10);
    }

    /** The tables are compared with the replay after each test; here after any history at all. */
    @Test
    void any_history_of_every_kind_of_write_replays() {
      Seeds.forAll(
          database() == Databases.SQLITE ? 30 : 12,
          random -> {
            TaskId id = tasks.create(NewTask.titled("random"), ADA).id();
            for (int i = 0; i < 30; i++) {
              try {
                anything(random, id, random.nextBoolean() ? ADA : BOT);
              } catch (Refusal no) {
                assertThat(no.code()).isNotEqualTo(Code.STORE_UNAVAILABLE);
              }
            }
          });
    }

    private void anything(Random random, TaskId id, Call by) {
      String word = "word " + random.nextInt(9);
      switch (random.nextInt(21)) {
        case 0 -> states.start(id, "goal " + random.nextInt(2), List.of(word), by);
        case 1 -> states.setPlan(id, List.of(word, "word 1", "step"), by);
        case 2 -> states.moveStep(id, random.nextInt(3), StepStatus.DONE, null, by);
        case 3 -> states.addDirective(id, word, random.nextBoolean(), by);
        case 4 -> states.noteActions(id, word, by);
        case 5 -> states.renew(id, word, by);
        case 6 -> states.end(id, RunPhase.FINISHED, word, by);
        case 7 -> notebooks.merge(id, NotebookSamples.anyDelta(random), by);
        case 8 -> checkpoints.save(id, random.nextInt(3) == 0 ? null : word, by);
        case 9 -> checkpoints.restore(id, Moment.entry(1 + random.nextInt(12)), by);
        case 10 -> checkpoints.fork(id, new Moment(word), null, by);
        case 11 -> states.addCriterion(id, word, random.nextBoolean() ? "make" : null, by);
        case 12 -> states.meetCriterion(id, random.nextInt(3), word, by);
        case 13 -> states.reopenCriterion(id, random.nextInt(3), by);
        case 14 -> evidence.record(id, seen(word, random.nextInt(2)), by);
        case 15 -> evidence.recordConflict(id, new ConflictSeen(word, ONE, word, null), by);
        case 16 -> evidence.settle(id, word, by);
        case 17 -> states.end(id, RunPhase.ABANDONED, word, by);
        case 18 -> states.suspend(id, new Waiting(Waiting.On.QUESTION, word), by);
        case 19 -> states.resume(id, random.nextInt(3) == 0 ? "" : word, by);
        default -> states.update(id, update("progress", word), by);
      }
    }
  }
}
