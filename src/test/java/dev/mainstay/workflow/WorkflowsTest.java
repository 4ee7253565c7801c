package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowExecution.Status.COMPLETED;
import static dev.mainstay.domain.WorkflowExecution.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WorkflowsTest {
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

  abstract static class Contract extends OnWorkflows {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void every_import_that_differs_is_a_version_of_its_own() {
      Workflow first = take(threefold());
      assertThat(first.id()).isEqualTo("WF-001");
      assertThat(first.version()).isEqualTo(1);
      assertThat(first.title()).isEqualTo("Three at once");
      var same = workflows.importJson(json(threefold()), ADA);
      assertThat(same.isNew()).isFalse();
      assertThat(same.workflow()).isEqualTo(first);
      Workflow other = take(line("other", node("work", NodeKind.SERVICE_TASK)));
      assertThat(other.id()).isEqualTo("WF-002");
      Definition renamed =
          new Definition("threefold", "Three", threefold().nodes(), threefold().edges());
      Workflow second = take(renamed);
      assertThat(second.version()).isEqualTo(2);
      assertThat(workflows.show("threefold").workflow()).isEqualTo(second);
      assertThat(workflows.show("threefold@1").workflow()).isEqualTo(first);
      assertThat(workflows.show("WF-001").definition()).isEqualTo(threefold());
      assertThat(workflows.list(null, 10))
          .extracting(each -> each.workflow().id())
          .containsExactly("WF-002", second.id());
      assertThat(workflows.list("other", 10)).hasSize(1);
      List<JournalEntry> told =
          store.reading(tx -> tx.journal().stream(Workflow.stream("threefold")));
      assertThat(told)
          .extracting(entry -> entry.content().kind())
          .containsExactly("workflow.imported", "workflow.imported");
    }

    @Test
    void what_is_taken_in_at_the_same_moment_gets_numbers_of_its_own() throws Exception {
      var all = Both.atOnce(2, () -> workflows.importJson(json(threefold()), ADA));
      assertThat(all).extracting(each -> each.workflow().id()).containsOnly("WF-001");
      assertThat(all).extracting(Workflows.Imported::isNew).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void the_examples_are_taken_in_given_back_and_started() throws IOException {
      try (var files = Files.list(Path.of("examples"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".bpmn")).toList()) {
          String xml = Files.readString(file);
          assertThat(Workflows.check(xml)).as(file.toString()).noneMatch(Problem::isFatal);
          for (var imported : workflows.importBpmn(xml, ADA)) {
            assertThat(imported.isNew()).isTrue();
            String name = imported.workflow().name();
            assertThat(workflows.export(name)).isEqualTo(xml);
            assertThat(workflows.show(name).drawing().shapes()).isNotEmpty();
          }
          assertThat(workflows.importBpmn(xml, ADA)).noneMatch(Workflows.Imported::isNew);
        }
      }
    }

    @Test
    void a_drawing_from_json_is_kept_and_exported_as_bpmn() {
      JsonObject position = new Shape(10, 20, 100, 80, false).toJson();
      JsonObject json =
          JsonObject.of("name", "drawn")
              .with(
                  "nodes",
                  List.of(
                      JsonObject.of("id", "start", "kind", "start_event"),
                      JsonObject.of("id", "work", "kind", "service_task", "position", position),
                      JsonObject.of("id", "end", "kind", "end_event")))
              .with(
                  "edges",
                  List.of(
                      JsonObject.of("source", "start", "target", "work"),
                      JsonObject.of("source", "work", "target", "end")
                          .with(
                              "waypoints",
                              List.of(
                                  JsonObject.of("x", 1, "y", 2), JsonObject.of("x", 3, "y", 4)))));
      workflows.importJson(json, ADA);
      var shown = workflows.show("drawn");
      assertThat(shown.drawing().shapes()).containsOnlyKeys("work");
      assertThat(shown.drawing().lines()).containsOnlyKeys("work_to_end");
      String xml = workflows.export("drawn");
      var again = workflows.importBpmn(xml, ADA);
      assertThat(again).singleElement().satisfies(each -> assertThat(each.isNew()).isTrue());
      assertThat(workflows.show("drawn").definition()).isEqualTo(shown.definition());
      refused(
          Code.INVALID, () -> workflows.importJson(json.with("node", 1), ADA), "has no \"node\"");
    }

    @Test
    void a_file_with_one_wrong_process_is_refused_whole_with_every_problem() {
      refused(
          Code.INVALID,
          () ->
              take(
                  new Definition(
                      "lost",
                      "",
                      List.of(node("a", NodeKind.TASK)),
                      List.of())) /* nothing begins and nothing ends */,
          "lost");
      assertThat(workflows.list(null, 10)).isEmpty();
      refused(
          Code.INVALID,
          () -> take(line("WF-7", node("work", NodeKind.SERVICE_TASK))),
          "looks like the id of a version");
    }

    private static Definition asking(String kindOfSecond, boolean more) {
      NodeKind kind = NodeKind.parse(kindOfSecond);
      List<Node> nodes = new ArrayList<>();
      nodes.add(node("start", NodeKind.START_EVENT));
      nodes.add(node("first", NodeKind.SERVICE_TASK));
      nodes.add(node("second", kind));
      nodes.add(node("end", NodeKind.END_EVENT));
      List<Edge> edges = new ArrayList<>(path("start", "first", "second"));
      if (more) {
        nodes.add(node("third", NodeKind.SERVICE_TASK));
        edges.addAll(path("second", "third", "end"));
      } else {
        edges.addAll(path("second", "end"));
      }
      return new Definition("asking", "", nodes, edges);
    }

    @Test
    void an_execution_goes_on_by_a_new_version_when_its_tokens_can_stand_there() {
      take(asking("service_task", false));
      WorkflowExecution made = start("asking");
      complete(task(made, "first"));
      Workflow second = take(asking("service_task", true));
      refused(Code.CONFLICT, () -> executions.migrate(made.id(), 1L, ADA), "already");
      WorkflowExecution after = executions.migrate(made.id(), null, ADA);
      assertThat(after.workflow()).isEqualTo(second.id());
      assertThat(kinds(made.id())).endsWith("workflow.migrated");
      complete(task(made, "second"));
      assertThat(status(made)).isEqualTo(RUNNING);
      complete(task(made, "third"));
      assertThat(status(made)).isEqualTo(COMPLETED);
    }

    @Test
    void an_execution_whose_token_could_not_stand_there_stays_and_is_told_why() {
      take(asking("service_task", false));
      WorkflowExecution made = start("asking");
      complete(task(made, "first"));
      take(asking("user_task", false));
      refused(
          Code.CONFLICT,
          () -> executions.migrate(made.id(), null, ADA),
          "second is a user_task there, not a service_task");
      List<Node> nodes =
          List.of(
              node("start", NodeKind.START_EVENT),
              node("first", NodeKind.SERVICE_TASK),
              node("end", NodeKind.END_EVENT));
      take(new Definition("asking", "", nodes, path("start", "first", "end")));
      refused(
          Code.CONFLICT,
          () -> executions.migrate(made.id(), 3L, ADA),
          "it stands at second, which is not there");
      refused(Code.NOT_FOUND, () -> executions.migrate(made.id(), 9L, ADA), "no workflow asking@9");
      assertThat(now(made).workflow()).isEqualTo(made.workflow());
      complete(task(made, "second"));
      assertThat(status(made)).isEqualTo(COMPLETED);
    }

    private static Definition hearing(String message) {
      return line(
          "hearing",
          node("hear", NodeKind.CATCH_EVENT)
              .with(Traits.of(new Trigger.Message(message, null, null))));
    }

    @Test
    void an_execution_that_waits_for_something_else_there_stays() {
      take(hearing("one"));
      WorkflowExecution made = start("hearing");
      take(hearing("other"));
      refused(
          Code.CONFLICT,
          () -> executions.migrate(made.id(), null, ADA),
          "it waits at hear, which waits for something else there");
    }

    @Test
    void an_execution_that_waits_at_a_join_stays_when_that_is_something_else_there() {
      take(threefold());
      WorkflowExecution made = start("threefold");
      complete(task(made, "code-task-1"));
      List<Node> nodes = new ArrayList<>();
      for (Node each : threefold().nodes()) {
        boolean isJoin = each.id().equals("join-tasks");
        nodes.add(isJoin ? node(each.id(), NodeKind.INCLUSIVE_GATEWAY) : each);
      }
      take(new Definition("threefold", "", nodes, threefold().edges()));
      refused(
          Code.CONFLICT,
          () -> executions.migrate(made.id(), null, ADA),
          "join-tasks is a inclusive_gateway there");
    }

    @Test
    void a_file_has_so_many_processes_and_no_more() {
      StringBuilder processes = new StringBuilder();
      for (int i = 0; i <= Workflows.PROCESSES_MAX; i++) {
        processes.append(
            Phrase.of(
                "<process id=\"p%d\"><startEvent id=\"s%d\"/><endEvent id=\"e%d\"/>"
                    + "<sequenceFlow id=\"f%d\" sourceRef=\"s%d\" targetRef=\"e%d\"/></process>",
                i, i, i, i, i, i));
      }
      String head =
          "<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\""
              + " targetNamespace=\"https://mainstay.dev/test\">";
      String file = head + processes + "</definitions>";
      refused(Code.TOO_LARGE, () -> workflows.importBpmn(file, ADA), "21 processes", "split it");
      String less =
          head + processes.substring(processes.indexOf("<process id=\"p1\"")) + "</definitions>";
      assertThat(workflows.importBpmn(less, ADA)).hasSize(Workflows.PROCESSES_MAX);
    }

    @Test
    void a_boundary_event_that_catches_the_failure_of_a_task_goes_on_from_there() {
      Node caught =
          node("caught", NodeKind.BOUNDARY_EVENT)
              .with(Frame.at(null, "work", true))
              .with(Traits.of(new Trigger.Fault("DISK")));
      List<Node> nodes =
          List.of(
              node("start", NodeKind.START_EVENT),
              node("work", NodeKind.SERVICE_TASK),
              caught,
              node("mend", NodeKind.SERVICE_TASK),
              node("end", NodeKind.END_EVENT));
      List<Edge> edges = new ArrayList<>(path("start", "work", "end"));
      edges.addAll(path("caught", "mend", "end"));
      take(new Definition("caught", "", nodes, edges));
      WorkflowExecution made = start("caught");
      fail(task(made, "work"), "DISK: it is full");
      complete(task(made, "mend"));
      assertThat(status(made)).isEqualTo(COMPLETED);
    }
  }
}
