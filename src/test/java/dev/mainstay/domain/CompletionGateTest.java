package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.CompletionGate.Standing;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.Plan.Step;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CompletionGateTest {
  private static final TaskId ONE = TaskId.of(1);
  private static final Map<String, String> NOW = Map.of("w-1", "new", "w-2", "other");

  private static TaskState planned(Step... steps) {
    return TaskState.NONE.with(new Plan(List.of(steps)));
  }

  private static TaskState having(Criterion... criteria) {
    return TaskState.NONE.with(TaskState.NONE.run().with(List.of(criteria)));
  }

  private static TaskState checked() {
    return having(new Criterion("all tests pass", "mvn -B verify", null));
  }

  private static Observed seen(int exitCode, String workspace, String tree) {
    return seen(Observed.NONE, "mvn -B verify", exitCode, new Tree(workspace, tree));
  }

  private static Observed seen(Observed before, String command, int exitCode, Tree on) {
    return new EvidenceSeen(command, exitCode, on, How.RAN).applyTo(before, by(CODER));
  }

  private static List<String> missing(TaskState state, Observed observed) {
    return CompletionGate.missing(ONE, state, observed, NOW);
  }

  private static String only(TaskState state, Observed observed) {
    assertThat(missing(state, observed)).hasSize(1);
    return missing(state, observed).get(0);
  }

  @Test
  void a_task_without_plan_and_criteria_is_done_when_its_holder_says_so() {
    assertThat(missing(TaskState.NONE, Observed.NONE)).isEmpty();
    assertThatCode(() -> CompletionGate.refuse(ONE, List.of())).doesNotThrowAnyException();
  }

  @Test
  void every_step_that_is_left_is_named_and_one_that_failed_is_left_with_its_reason() {
    TaskState state =
        planned(
            new Step("List the endpoints", StepStatus.DONE, null),
            Step.todo("Choose the token format"),
            new Step("Draw a picture", StepStatus.SKIPPED, "not needed"),
            new Step("Write openapi.yaml", StepStatus.ACTIVE, null),
            new Step("Publish", StepStatus.FAILED, "no rights"));
    assertThat(missing(state, Observed.NONE))
        .containsExactly(
            "step 2 is todo: Choose the token format; 'mainstay plan done T-001 2' says it is done",
            "step 4 is active: Write openapi.yaml; 'mainstay plan done T-001 4' says it is done",
            "step 5 is failed: Publish - no rights; 'mainstay plan done T-001 5' says it is done");
  }

  @Test
  void a_criterion_without_a_check_is_met_by_word() {
    assertThat(only(having(Criterion.of("an OpenAPI file")), Observed.NONE))
        .isEqualTo(
            "criterion 1 is not met: an OpenAPI file; 'mainstay criteria meet T-001 1' says it is");
    var met = new Criterion.Met(CODER, NotebookSamples.NOON, null);
    assertThat(missing(having(new Criterion("an OpenAPI file", null, met)), Observed.NONE))
        .isEmpty();
  }

  @Test
  void a_check_that_was_never_run_is_run_by_a_command() {
    String sentence =
        "criterion 1 is not met: all tests pass; its check \"mvn -B verify\" was never run, and"
            + " 'mainstay evidence run T-001' runs it";
    assertThat(only(checked(), Observed.NONE)).isEqualTo(sentence);
    var another = seen(Observed.NONE, "mvn -B test", 0, new Tree("w-1", "new"));
    assertThat(only(checked(), another)).as("exactly that command").isEqualTo(sentence);
  }

  @Test
  void a_check_that_failed_says_with_which_exit_code() {
    assertThat(only(checked(), seen(137, "w-1", "new")))
        .isEqualTo(
            "criterion 1 is not met: all tests pass; its check \"mvn -B verify\" ended with exit code"
                + " 137; once that is mended, 'mainstay evidence run T-001' runs it again");
  }

  @Test
  void a_check_is_stale_once_files_changed_or_nobody_knows_its_workspace() {
    String sentence =
        "criterion 1 is not met: all tests pass; files changed after its check \"mvn -B verify\" had"
            + " run, and 'mainstay evidence run T-001' runs it again";
    assertThat(only(checked(), seen(0, "w-1", "old"))).isEqualTo(sentence);
    assertThat(only(checked(), seen(0, "w-9", "new"))).isEqualTo(sentence);
  }

  @Test
  void a_check_is_met_by_success_on_the_files_as_they_are() {
    assertThat(missing(checked(), seen(0, "w-1", "new"))).isEmpty();
    Observed failedFirst = seen(1, "w-1", "new");
    assertThat(missing(checked(), seen(failedFirst, "mvn -B verify", 0, new Tree("w-1", "new"))))
        .isEmpty();
  }

  @Test
  void a_newer_failure_in_another_workspace_counts_more_than_an_older_success() {
    Observed both = seen(seen(0, "w-1", "new"), "mvn -B verify", 2, new Tree("w-2", "other"));
    assertThat(CompletionGate.standing(checked().run().criterion(0), both, NOW))
        .isEqualTo(Standing.FAILED);
  }

  @Test
  void the_refusal_is_one_sentence_with_the_whole_list() {
    TaskState state =
        TaskState.NONE
            .with(new Plan(List.of(Step.todo("write"))))
            .with(TaskState.NONE.run().with(List.of(Criterion.of("documented"))));
    assertThatThrownBy(() -> CompletionGate.refuse(ONE, missing(state, Observed.NONE)))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(Refusal.Code.CONFLICT))
        .hasMessage(
            "T-001 is not done, 2 things are left: (1) step 1 is todo: write; 'mainstay plan done"
                + " T-001 1' says it is done, (2) criterion 1 is not met: documented; 'mainstay"
                + " criteria meet T-001 1' says it is");
  }

  @Test
  void a_long_list_names_twenty_and_counts_the_rest_and_long_texts_are_cut_visibly() {
    String longText = "x".repeat(1_000);
    Criterion[] many =
        IntStream.range(0, 25).mapToObj(i -> Criterion.of(i + longText)).toArray(Criterion[]::new);
    assertThatThrownBy(() -> CompletionGate.refuse(ONE, missing(having(many), Observed.NONE)))
        .hasMessageContaining("25 things are left")
        .hasMessageContaining("(20) criterion 20")
        .hasMessageContaining("xxx...; 'mainstay")
        .hasMessageEndingWith(", and 5 more")
        .satisfies(no -> assertThat(no.getMessage()).hasSizeLessThan(5_000));
  }

  @Test
  void nobodys_word_meets_a_criterion_with_a_check() {
    for (Actor actor : List.of(ADA, CODER, Actor.SYSTEM)) {
      assertThatThrownBy(() -> checked().meetCriterion(0, "trust me", actor))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("nobody's word");
    }
    assertThatThrownBy(
            () -> new Criterion("x", "make", new Criterion.Met(ADA, NotebookSamples.NOON, null)))
        .isInstanceOf(IllegalStateException.class);
  }
}
