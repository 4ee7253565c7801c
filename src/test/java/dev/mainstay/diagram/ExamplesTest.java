package dev.mainstay.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.diagram.BpmnFile.Chart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExamplesTest {
  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("examples"))) {
      return files.filter(each -> each.toString().endsWith(".bpmn")).sorted().toList();
    }
  }

  static Definition example(String name) throws IOException {
    List<Chart> charts = BpmnFile.read(Files.readString(Path.of("examples", name + ".bpmn")));
    assertThat(charts).hasSize(1);
    return Objects.requireNonNull(charts.get(0).definition());
  }

  @Test
  void each_example_is_without_problems_fully_drawn_and_comes_back_equal() throws IOException {
    assertThat(examples()).hasSizeGreaterThanOrEqualTo(4);
    for (Path each : examples()) {
      String file = Files.readString(each);
      Chart chart = BpmnFile.read(file).get(0);
      assertThat(chart.problems()).as(each.toString()).isEmpty();
      Definition definition = Objects.requireNonNull(chart.definition());
      assertThat(each.getFileName().toString()).isEqualTo(definition.key() + ".bpmn");
      assertThat(chart.drawing().shapes()).hasSameSizeAs(definition.nodes());
      assertThat(chart.drawing().lines()).hasSameSizeAs(definition.edges());
      Chart again = BpmnFile.read(BpmnFile.write(definition, chart.drawing())).get(0);
      assertThat(again).isEqualTo(chart);
    }
  }

  @Test
  void lines_of_an_example_begin_and_end_at_their_nodes() throws IOException {
    for (Path each : examples()) {
      Chart chart = BpmnFile.read(Files.readString(each)).get(0);
      Definition definition = Objects.requireNonNull(chart.definition());
      for (Edge edge : definition.edges()) {
        var line = Objects.requireNonNull(chart.drawing().lines().get(edge.id()));
        var source = Objects.requireNonNull(chart.drawing().shapes().get(edge.source()));
        var target = Objects.requireNonNull(chart.drawing().shapes().get(edge.target()));
        assertThat(LayoutTest.touches(source, line.get(0))).as(edge.id()).isTrue();
        assertThat(LayoutTest.touches(target, line.get(line.size() - 1))).as(edge.id()).isTrue();
      }
    }
  }

  @Test
  void parallel_coding_splits_in_three_and_reviews_until_approved() throws IOException {
    Definition coding = example("parallel-coding");
    assertThat(coding.outgoing("split-tasks"))
        .extracting(Edge::target)
        .containsExactly("code-task-1", "code-task-2", "code-task-3");
    assertThat(coding.incoming("join-tasks")).hasSize(3);
    Node review = coding.node("review");
    assertThat(review.traits().order())
        .extracting(order -> order.hands().profile())
        .isEqualTo("reviewer");
    assertThat(coding.outgoing("approved"))
        .extracting(edge -> edge.guard().condition())
        .containsExactly("!review_result.approved", null);
    assertThat(coding.outgoing("fix")).extracting(Edge::target).containsExactly("review");
  }

  @Test
  void endpoints_collects_what_one_task_per_item_gave() throws IOException {
    Node implement = example("endpoints").node("implement");
    assertThat(implement.traits().loop())
        .isEqualTo(new Loop(false, "endpoints", "endpoint", null, "implementations"));
  }

  @Test
  void nightly_starts_by_the_clock_and_minds_time_and_failure() throws IOException {
    Definition nightly = example("nightly");
    assertThat(nightly.node("at-two").traits().trigger())
        .isEqualTo(new Trigger.Timer(Node.TimerKind.CYCLE, "0 2 * * *"));
    assertThat(nightly.boundary("test")).extracting(Node::id).containsExactly("too-long", "failed");
    assertThat(nightly.node("too-long").frame().interrupting()).isFalse();
    assertThat(nightly.node("failed").traits().trigger())
        .isEqualTo(new Trigger.Fault("TESTS_FAILED"));
  }

  @Test
  void release_asks_a_person_and_waits_for_a_message_or_the_hour() throws IOException {
    Definition release = example("release");
    Node approve = release.node("approve");
    assertThat(approve.kind()).isEqualTo(NodeKind.USER_TASK);
    assertThat(approve.traits().order())
        .extracting(order -> order.wording().answers())
        .isEqualTo(List.of("approve", "reject"));
    assertThat(release.node("healthy").traits().trigger())
        .isEqualTo(new Trigger.Message("release-healthy", "version", null));
  }
}
