package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.CompletionGate.Standing;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.RepoState.OpenTask;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a type of task requires, and what an agent's own list still has open. */
class RequirementTest {
  private static final TaskId ONE = TaskId.of(1);
  private static final Map<String, String> NOW = Map.of("w-1", "new");
  private static final Requirement CHECK = new Requirement("./check.sh");

  private static TaskTypeRule rule(Requirement... requires) {
    return new TaskTypeRule(TaskType.CODE, List.of(requires), 1, NOON);
  }

  private static Observed seen(Observed before, String command, int exitCode, String tree) {
    return new EvidenceSeen(command, exitCode, new Tree("w-1", tree), How.RAN)
        .applyTo(before, by(CODER));
  }

  private static Observed seen(String command, int exitCode, String tree) {
    return seen(Observed.NONE, command, exitCode, tree);
  }

  private static List<String> missing(Requirement required, Observed observed) {
    return CompletionGate.missing(ONE, rule(required), observed, NOW);
  }

  @Test
  void tests_are_any_command_that_tests_and_a_command_is_itself_alone() {
    assertThat(new Requirement(" Tests ")).isEqualTo(Requirement.TESTS).hasToString("tests");
    assertThat(Requirement.TESTS.isTests()).isTrue();
    assertThat(CHECK.isTests()).isFalse();
    assertThat(CHECK).hasToString("./check.sh");
    Observed both = seen(seen("mvn -B verify", 0, "new"), "./check.sh", 1, "new");
    assertThat(Requirement.TESTS.newest(both).orElseThrow().command()).isEqualTo("mvn -B verify");
    assertThat(CHECK.newest(both).orElseThrow().exitCode()).isEqualTo(1);
    assertThat(new Requirement("make all").newest(both)).isEmpty();
    Observed again = seen(both, "npm test", 2, "new");
    assertThat(Requirement.TESTS.newest(again).orElseThrow().command()).isEqualTo("npm test");
  }

  @Test
  void a_single_word_cannot_be_required_as_nobody_knows_what_it_means() {
    assertThatThrownBy(() -> new Requirement("linting"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("\"linting\" cannot be required");
    assertThatThrownBy(() -> new Requirement(" ")).isInstanceOf(Refusal.class);
  }

  @Test
  void a_requirement_stands_by_the_newest_run_and_the_files_as_they_are() {
    assertThat(standing(Observed.NONE)).isEqualTo(Standing.NEVER_RUN);
    assertThat(standing(seen("./check.sh", 0, "new"))).isEqualTo(Standing.MET);
    assertThat(standing(seen("./check.sh", 0, "old"))).isEqualTo(Standing.STALE);
    assertThat(standing(seen("./check.sh", 3, "new"))).isEqualTo(Standing.FAILED);
    assertThat(standing(seen("./other.sh", 0, "new"))).isEqualTo(Standing.NEVER_RUN);
  }

  private static Standing standing(Observed observed) {
    return CompletionGate.standing(CHECK, observed, NOW);
  }

  @Test
  void only_what_was_not_seen_to_end_well_is_unproven() {
    Observed observed = seen("./check.sh", 0, "new");
    TaskTypeRule rule = rule(Requirement.TESTS, CHECK);
    assertThat(CompletionGate.unproven(rule, observed, NOW)).containsExactly(Requirement.TESTS);
    assertThat(CompletionGate.unproven(rule, Observed.NONE, NOW))
        .containsExactly(Requirement.TESTS, CHECK);
    Observed all = seen(observed, "mvn -B verify", 0, "new");
    assertThat(CompletionGate.unproven(rule, all, NOW)).isEmpty();
    assertThat(CompletionGate.missing(ONE, rule, all, NOW)).isEmpty();
  }

  @Test
  void the_sentence_says_what_is_missing_and_what_to_run() {
    assertThat(missing(CHECK, Observed.NONE))
        .containsExactly(
            "tasks of type CODE need \"./check.sh\", and Mainstay has seen no such run; 'mainstay"
                + " evidence run T-001 -- ./check.sh' runs it");
    assertThat(missing(CHECK, seen("./check.sh", 3, "new")))
        .containsExactly(
            "tasks of type CODE need \"./check.sh\", and the last run ended with exit code 3;"
                + " 'mainstay evidence run T-001 -- ./check.sh' runs it");
    assertThat(missing(Requirement.TESTS, seen("mvn -B verify", 0, "old")))
        .containsExactly(
            "tasks of type CODE need tests, and files changed after the last run; 'mainstay"
                + " evidence run T-001 -- mvn -B verify' runs them");
    assertThat(missing(Requirement.TESTS, Observed.NONE))
        .containsExactly(
            "tasks of type CODE need tests, and Mainstay has seen no such run; 'mainstay evidence"
                + " run T-001 -- COMMAND' runs them");
  }

  @Test
  void what_the_agents_list_has_open_is_missing_unless_the_plan_decides_it() {
    var tasks =
        List.of(
            new OpenTask("write the docs", OpenTask.Status.PENDING, 1),
            new OpenTask("write the code", OpenTask.Status.IN_PROGRESS, 2),
            new OpenTask("look around", OpenTask.Status.COMPLETED, 3),
            new OpenTask("a step", OpenTask.Status.PENDING, 4));
    var workspace =
        new Workspace(
            "w-1",
            new Workspace.Place("host", "/repo"),
            new Workspace.Story("T-001", tasks),
            new Workspace.Files("t", 1, null),
            NOON);
    TaskState planned = TaskState.NONE.with(new Plan(List.of(Step.todo("a step"))));
    assertThat(CompletionGate.missing(planned, workspace))
        .containsExactly(
            "the agent's list has \"write the docs\" as pending; 'mainstay repo tasks FILE' takes a"
                + " newer list",
            "the agent's list has \"write the code\" as in_progress; 'mainstay repo tasks FILE'"
                + " takes a newer list");
  }

  @Test
  void a_rule_is_told_and_comes_back_and_has_its_limit() {
    TaskTypeRule rule = rule(Requirement.TESTS, CHECK);
    assertThat(TaskTypeRule.fromJson(rule.toJson())).isEqualTo(rule);
    TaskTypeRule none = TaskTypeRule.none(TaskType.REVIEW);
    assertThat(TaskTypeRule.fromJson(none.toJson())).isEqualTo(none);
    assertThat(none.toJson().has("updated_at")).isFalse();
    var required = new TaskTypeRule.Required(List.of("tests"));
    assertThat(required.kind()).isEqualTo("task_type.required");
    assertThat(required.payload()).isEqualTo(JsonObject.of("requires", List.of("tests")));
    List<Requirement> most = Collections.nCopies(TaskTypeRule.REQUIRES_MAX, CHECK);
    assertThat(new TaskTypeRule(TaskType.CODE, most, 1, NOON).texts()).hasSize(10);
    List<Requirement> more = Stream.concat(most.stream(), Stream.of(CHECK)).toList();
    assertThatThrownBy(() -> new TaskTypeRule(TaskType.CODE, more, 1, NOON))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("at most 10");
  }
}
