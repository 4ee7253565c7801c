package dev.mainstay.render;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.by;
import static dev.mainstay.render.TaskStateTextTest.applied;
import static dev.mainstay.render.TaskStateTextTest.busy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookEvent;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskUpdate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private static final String WHOLE = "mainstay prompt T-001";

  private static String of(TaskState state, Notebook notebook) {
    return Handover.of(new Dossier(notebook, state, Observed.NONE, Execution.NONE), WHOLE);
  }

  @Test
  void carries_everything_that_the_next_context_needs() {
    var delta = NotebookDelta.of(Section.DECISIONS, "d1", "d2", "d3", "d4", "d5", "d6", "d7");
    Notebook notebook =
        new NotebookEvent.Merged(delta.then(NotebookDelta.of(Section.NEXT_FOCUS, "the parser")))
            .applyTo(Notebook.EMPTY, by(CODER));
    TaskState state = busy();
    state = applied(state, CODER, state.suspend(new Waiting(Waiting.On.QUESTION, "which port?")));
    state = applied(state, ADA, state.resume("7717"));
    assertThat(of(state, notebook))
        .isEqualTo(
            """
            Goal: Ship v1
            Binding directives:
            - do not push (binding, by person:ada via test)
            Answers:
            - question: which port? -> 7717 (by person:ada)
            Criteria:
            - tests pass
            - documented
            Directives:
            - prefer small commits (by agent:coder via test)
            Progress: half way
            Blocked on:
            - review
            - quota
            Open steps:
            - [active] 2. build
            - [todo] 3. test
            - [failed] 4. release - no rights
            Next focus: the parser
            Last decisions:
            - d2 (by agent:coder)
            - d3 (by agent:coder)
            - d4 (by agent:coder)
            - d5 (by agent:coder)
            - d6 (by agent:coder)
            - d7 (by agent:coder)""");
  }

  @Test
  void is_empty_when_nothing_is_known() {
    assertThat(of(TaskState.NONE, Notebook.EMPTY)).isEmpty();
  }

  @Test
  void keeps_the_goal_and_every_binding_directive_when_there_is_too_much() {
    TaskState s = TaskState.NONE;
    s = applied(s, ADA, s.start("g".repeat(TaskState.GOAL_CHARS_MAX), List.of(), ADA));
    for (int i = 0; i < Directives.BINDING_MAX; i++) {
      String text = "order " + i + " " + "o".repeat(Directives.DIRECTIVE_CHARS_MAX - 8);
      s = applied(s, ADA, s.recordDirective(text, true, ADA));
    }
    var steps = IntStream.range(0, 100).mapToObj(i -> Wish.of("step " + i)).toList();
    s = applied(s, CODER, s.apply(TaskUpdate.plan(steps)));
    String text = of(s, Notebook.EMPTY);
    assertThat(text).hasSizeLessThanOrEqualTo(Handover.CHARS_MAX);
    for (int i = 0; i < Directives.BINDING_MAX; i++) assertThat(text).contains("- order " + i);
    assertThat(text)
        .startsWith("Goal: ggg")
        .contains("[todo] 1. step 0")
        .endsWith(" lines left out; to see all: mainstay prompt T-001]");
  }
}
