package dev.mainstay.diagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.diagram.BpmnFile.Chart;
import dev.mainstay.domain.Refusal;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.camunda.bpm.model.bpmn.Bpmn;
import org.junit.jupiter.api.Test;

class RoundTripTest {
  @Test
  void a_process_and_its_drawing_come_back_as_they_were_written() {
    Set<NodeKind> seen = EnumSet.noneOf(NodeKind.class);
    Seeds.forAll(
        200,
        random -> {
          Definition definition = RandomDefinitions.definition(random);
          Drawing drawing = RandomDefinitions.drawing(random, definition);
          definition.nodes().forEach(each -> seen.add(each.kind()));
          String file = BpmnFile.write(definition, drawing);
          isValid(file);
          Chart chart = BpmnFile.read(file).get(0);
          Definition back = Objects.requireNonNull(chart.definition());
          assertThat(back.nodes()).containsExactlyElementsOf(definition.nodes());
          assertThat(back.edges()).containsExactlyElementsOf(definition.edges());
          assertThat(back).isEqualTo(definition);
          assertThat(chart.drawing()).isEqualTo(drawing);
        });
    if (Long.getLong("seed") == null) assertThat(seen).isEqualTo(EnumSet.allOf(NodeKind.class));
  }

  @Test
  void a_process_without_a_drawing_gets_one_and_keeps_it() {
    Seeds.forAll(
        100,
        random -> {
          Definition definition = RandomDefinitions.definition(random);
          String file = BpmnFile.write(definition, Drawing.NONE);
          Chart chart = BpmnFile.read(file).get(0);
          assertThat(chart.definition()).isEqualTo(definition);
          assertThat(BpmnFile.write(definition, chart.drawing())).isEqualTo(file);
        });
  }

  private static void isValid(String file) {
    Bpmn.validateModel(
        Bpmn.readModelFromStream(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void characters_that_xml_cannot_hold_are_replaced() {
    Node node = new Node("a", "x\u0001y\uD800z", NodeKind.TASK, Node.Frame.TOP, Node.Traits.NONE);
    Definition definition = new Definition("p", "", List.of(node), List.of());
    Chart chart = BpmnFile.read(BpmnFile.write(definition, Drawing.NONE)).get(0);
    assertThat(Objects.requireNonNull(chart.definition()).node("a").name())
        .isEqualTo("x\uFFFDy\uFFFDz");
  }

  @Test
  void ids_that_no_file_can_have_are_refused() {
    Definition definition =
        new Definition("p", "", List.of(Node.of("1 a", NodeKind.TASK)), List.of());
    assertThatThrownBy(() -> BpmnFile.write(definition, Drawing.NONE))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("cannot be written as BPMN")
        .hasMessageContaining("1 a");
  }
}
