package dev.mainstay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The workflows of {@code examples/}, from their files to their ends. */
abstract class ExamplesTest extends OnWorkflows {
  @Nested
  static class OnSqlite extends ExamplesTest {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  static class OnPostgresql extends ExamplesTest {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  ExamplesTest(Databases database) {
    super(database);
  }

  private void take(String example) throws IOException {
    String xml = Files.readString(Path.of("examples", example + ".bpmn"));
    assertThat(workflows.importBpmn(xml, ADA)).allMatch(Workflows.Imported::isNew);
    assertThat(workflows.importBpmn(xml, ADA)).noneMatch(Workflows.Imported::isNew);
    assertThat(workflows.export(example)).isEqualTo(xml);
  }

  @Test
  void a_file_without_a_drawing_comes_back_with_one() throws IOException {
    String xml = Files.readString(Path.of("examples", "release.bpmn"));
    String bare = xml.replaceAll("(?s)<bpmndi:BPMNDiagram.*</bpmndi:BPMNDiagram>", "");
    assertThat(bare).doesNotContain("BPMNShape");
    workflows.importBpmn(bare, ADA);
    assertThat(workflows.export("release")).contains("BPMNShape", "BPMNEdge");
  }

  @Test
  void three_developers_work_at_once_and_what_a_review_finds_is_mended() throws IOException {
    take("parallel-coding");
    WorkflowExecution run = start("parallel-coding", "goal", "a shop");
    for (int i = 3; i >= 1; i--) complete(task(run, "code-task-" + i), "files", List.of("A.java"));
    Task review = tasks.show(task(run, "review"));
    assertThat(review.brief().title()).isEqualTo("Review: a shop");
    Optional<Delegation> given = store.reading(tx -> tx.delegations().find(review.id()));
    assertThat(given.orElseThrow().wish().profile()).isEqualTo("reviewer");
    complete(review.id(), "approved", false, "findings", "no tests");
    Task fix = tasks.show(task(run, "fix"));
    assertThat(fix.brief().description()).contains("no tests");
    complete(fix.id());
    complete(task(run, "review"), "approved", true);
    assertThat(status(run)).isEqualTo(Status.COMPLETED);
    assertThat(all()).hasSize(6).extracting(Task::status).containsOnly(TaskStatus.COMPLETED);
  }

  @Test
  void there_is_one_task_for_each_endpoint_and_the_results_are_in_their_order() throws IOException {
    take("endpoints");
    WorkflowExecution run = start("endpoints", "endpoints", List.of("GET /users", "POST /users"));
    List<Task> made = all();
    assertThat(made).hasSize(2);
    assertThat(made.get(1).brief().title()).contains("POST /users");
    complete(made.get(1).id(), "number", 2);
    complete(made.get(0).id(), "number", 1);
    while (status(run) == Status.RUNNING) {
      Task next = all().get(all().size() - 1);
      complete(next.id(), "approved", true);
    }
    assertThat(status(run)).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_night_in_which_tests_fail_gives_work_for_the_morning() throws IOException {
    take("nightly");
    List<WorkflowStart> due = store.reading(tx -> tx.workflowStarts().due(10));
    assertThat(due).isEmpty();
    WorkflowExecution run = start("nightly");
    fail(task(run, "test"), "TESTS_FAILED: ShopTest");
    complete(task(run, "mend"));
    assertThat(status(run)).isEqualTo(Status.COMPLETED);
    assertThat(open(run)).isEmpty();
  }

  @Test
  void a_release_waits_for_a_person_and_then_for_word_that_all_is_well() throws IOException {
    take("release");
    WorkflowExecution run = start("release", "version", "1.2");
    complete(task(run, "build"), "notes", "faster");
    assertThat(executions.questions(10)).extracting(Question::node).containsExactly("approve");
    assertThat(executions.questions(10).get(0).text()).contains("faster");
    refused(
        Code.INVALID,
        () -> executions.answer(run.id(), "approve", JsonObject.of("answer", "perhaps"), ADA),
        "approve",
        "reject");
    executions.answer(run.id(), "approve", JsonObject.of("answer", "approve"), ADA);
    complete(task(run, "publish"));
    NewMessage other = new NewMessage("release-healthy", "9.9", null, JsonObject.EMPTY, false);
    refused(Code.CONFLICT, () -> executions.message(other, ADA));
    NewMessage word = new NewMessage("release-healthy", "1.2", null, JsonObject.EMPTY, false);
    executions.message(word, ADA);
    assertThat(status(run)).isEqualTo(Status.COMPLETED);
    assertThat(open(run)).isEmpty();
  }
}
