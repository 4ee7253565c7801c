package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionTest {
  private static final Node START = Node.of("start", NodeKind.START_EVENT);
  private static final Node END = Node.of("end", NodeKind.END_EVENT);

  private static Definition of(List<Node> nodes, List<Edge> edges) {
    return new Definition("p", "", nodes, edges);
  }

  @Test
  void every_id_is_there_once_and_every_edge_joins_two_nodes() {
    assertThatThrownBy(() -> of(List.of(START, START), List.of()))
        .isInstanceOf(Refusal.class)
        .hasMessage("the id \"start\" is there twice; rename one of them");
    Edge astray = Edge.of("f", "start", "nowhere");
    assertThatThrownBy(() -> of(List.of(START, END), List.of(astray)))
        .isInstanceOf(Refusal.class)
        .hasMessage("the flow \"f\" names \"nowhere\", and there is no such node");
    Edge sameName = Edge.of("end", "start", "end");
    assertThatThrownBy(() -> of(List.of(START, END), List.of(sameName)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("twice");
  }

  @Test
  void a_scope_without_start_events_begins_where_nothing_leads_to() {
    Definition definition =
        new Sketch()
            .node("a", NodeKind.SERVICE_TASK)
            .node("b", NodeKind.SERVICE_TASK)
            .node("c", NodeKind.SERVICE_TASK)
            .line("a", "b")
            .drawn();
    assertThat(definition.starts(null)).extracting(Node::id).containsExactly("a", "c");
  }

  @Test
  void what_happens_can_be_written_down_and_read_again() {
    JsonObject data = JsonObject.of("x", 1);
    List<Happening> all =
        List.of(
            new Happening.Begin(null, data),
            new Happening.Begin("start", data),
            new Happening.Done("token-1", data),
            new Happening.Failed("token-1", "BAD: it broke"),
            new Happening.Due("token-1"),
            new Happening.Arrived("token-1", data),
            new Happening.Retry("token-1", data),
            new Happening.Skip("token-1", data));
    for (Happening each : all) assertThat(Happening.fromJson(each.toJson())).isEqualTo(each);
  }
}
