package dev.mainstay.render;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskState.Run;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.domain.TaskUpdate.Change;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskStateTextTest {
  private static final RepeatFuse FRESH = RepeatFuse.fresh(List.of());

  static TaskState applied(TaskState before, Actor actor, List<TaskStateEvent> events) {
    TaskState after = before;
    for (var event : events) after = event.applyTo(after, by(actor));
    return after;
  }

  private static TaskState started(String goal) {
    return applied(TaskState.NONE, ADA, TaskState.NONE.start(goal, List.of(), ADA));
  }

  static TaskState busy() {
    TaskState s = TaskState.NONE;
    s = applied(s, ADA, s.start("Ship v1", List.of("tests pass", "documented"), ADA));
    s = applied(s, CODER, s.recordDirective("prefer small commits", false, CODER));
    s = applied(s, ADA, s.recordDirective("do not push", true, ADA));
    var wishes =
        List.of(
            new Wish("design", StepStatus.DONE),
            new Wish("build", StepStatus.ACTIVE),
            Wish.of("test"),
            Wish.of("release"));
    s = applied(s, CODER, s.apply(TaskUpdate.plan(wishes)));
    s = applied(s, CODER, s.moveStep(3, StepStatus.FAILED, "no rights"));
    var change =
        new Change("half way", "x = 1\ny = 2", List.of("review", "quota"), List.of("call-7"));
    s = applied(s, CODER, s.apply(TaskUpdate.work(change)));
    s = applied(s, CODER, s.noteActions("module_read, module_list"));
    for (int i = 1; i <= 4; i++)
      s = applied(s, Actor.SYSTEM, s.logCompression("snip", "part " + i, 12_000, 8_000));
    return s;
  }

  @Test
  void before_a_run_there_is_nothing_to_say() {
    assertThat(TaskStateText.compact(TaskState.NONE)).isEmpty();
    assertThat(TaskStateText.footer(TaskState.NONE, FRESH)).isEmpty();
  }

  @Test
  void everything_stands_in_the_layout_of_the_document() {
    assertThat(TaskStateText.compact(busy()))
        .isEqualTo(
            """
            [TASK STATE] goal: Ship v1
            criteria: tests pass | documented
            directives:
            - prefer small commits (by agent:coder via test)
            - do not push (binding, by person:ada via test)
            plan:
            [done] 1. design
            [active] 2. build
            [todo] 3. test
            [failed] 4. release - no rights
            progress: half way
            blocked on: review | quota
            scratchpad: x = 1
                y = 2
            compression history:
            - snip: part 2 (12,000 to 8,000 tokens)
            - snip: part 3 (12,000 to 8,000 tokens)
            - snip: part 4 (12,000 to 8,000 tokens)""");
  }

  @Test
  void a_run_with_a_goal_alone_is_one_line() {
    assertThat(TaskStateText.compact(started("Ship v1"))).isEqualTo("[TASK STATE] goal: Ship v1");
  }

  @Test
  void as_soon_as_more_is_known_of_one_criterion_each_says_how_it_stands() {
    var met = new Criterion.Met(ADA, NOON, null);
    var criteria =
        List.of(
            new Criterion("documented", null, met),
            new Criterion("tested", "make test", null),
            Criterion.of("quick"));
    var run = new Run("Ship v1", criteria, RunPhase.RUNNING, 1, null);
    TaskState none = TaskState.NONE;
    var state = new TaskState(run, none.plan(), none.work(), none.directives(), none.trail());
    assertThat(TaskStateText.compact(state))
        .endsWith("\ncriteria: [met] documented | [check] tested | [unmet] quick");
  }

  @Test
  void what_a_suspended_run_waits_for_is_among_what_blocks_it() {
    TaskState state = started("Ship v1");
    var waiting = new Waiting(Waiting.On.QUESTION, "which colour?");
    state = applied(state, CODER, state.suspend(waiting));
    assertThat(TaskStateText.compact(state)).endsWith("\nblocked on: question: which colour?");
  }

  @Test
  void orders_that_gave_way_are_counted() {
    TaskState state = started("Ship v1");
    for (int i = 0; i < 9; i++)
      state = applied(state, CODER, state.recordDirective("wish " + i, false, CODER));
    assertThat(TaskStateText.compact(state)).endsWith("\n- (1 older one left out)");
  }

  @Test
  void the_footer_says_what_was_done_what_is_next_and_what_to_remember() {
    assertThat(TaskStateText.footer(busy(), FRESH))
        .isEqualTo(
            """
            Just done: module_read, module_list
            Next step: [active] 2. build
            Remember: do not push (binding, by person:ada via test)""");
  }

  @Test
  void the_footer_says_stop_on_repetition() {
    RepeatFuse fuse = FRESH.after("read", "a", "r");
    assertThat(TaskStateText.footer(busy(), fuse)).doesNotContain("STOP");
    fuse = fuse.after("read", "a", "r");
    assertThat(TaskStateText.footer(busy(), fuse))
        .contains(
            "\nSTOP: read was called 2 times in a row with the same arguments and the same result;"
                + " do something else, or say what blocks you.\nNext step: ");
  }

  @Test
  void shows_the_answers_of_a_run_that_was_suspended() {
    TaskState state = started("Ship v1");
    state = applied(state, CODER, state.suspend(new Waiting(Waiting.On.QUESTION, "which port?")));
    state = applied(state, ADA, state.resume("7717"));
    assertThat(TaskStateText.compact(state))
        .endsWith("\nanswers:\n- question: which port? -> 7717 (by person:ada)");
  }

  @Test
  void no_stored_text_begins_a_line_or_a_block_of_its_own() {
    Seeds.forAll(
        500,
        random -> {
          TaskState s = started(NeutralTest.hostile(random));
          s = applied(s, ADA, s.recordDirective(NeutralTest.hostile(random), true, ADA));
          var change =
              new Change(
                  NeutralTest.hostile(random),
                  NeutralTest.hostile(random),
                  List.of(NeutralTest.hostile(random)),
                  null);
          s = applied(s, CODER, s.apply(TaskUpdate.work(change)));
          s = applied(s, CODER, s.noteActions(NeutralTest.hostile(random)));
          s = applied(s, CODER, s.logCompression("snip", NeutralTest.hostile(random), 2, 1));
          String text = TaskStateText.compact(s);
          assertThat(text).startsWith("[TASK STATE] goal: ");
          NeutralTest.assertHarmless(unsigned(text.substring(1)));
          NeutralTest.assertHarmless(unsigned(TaskStateText.footer(s, FRESH)));
          NeutralTest.assertHarmless(
              unsigned(
                  Handover.of(
                      new Dossier(Notebook.EMPTY, s, Observed.NONE, Execution.NONE), "all")));
          assertThat(text.lines().filter(line -> !line.startsWith("    ")))
              .allMatch(
                  line ->
                      line.matches(
                          "(\\[TASK STATE\\] goal|progress|blocked on|scratchpad): x.*"
                              + "|directives:|compression history:|- x.*|- snip: x.*"));
        });
  }

  /** Without the one signature that we wrote ourselves. */
  private static String unsigned(String text) {
    return text.replace(" (binding, by person:ada via test)\n", "\n")
        .replaceFirst(" \\(binding, by person:ada via test\\)$", "");
  }
}
