package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.bpmn.Edge.Guard;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionJsonTest {
  @Test
  void a_node_comes_back_from_its_json() {
    Seeds.forAll(
        500,
        random -> {
          RandomTraits traits = new RandomTraits(random);
          NodeKind kind = NodeKind.values()[random.nextInt(NodeKind.values().length)];
          Frame frame =
              new Frame(
                  random.nextBoolean() ? "scope" : null,
                  random.nextBoolean() ? "host" : null,
                  random.nextBoolean());
          Node node = new Node("id", traits.words(), kind, frame, traits.of(kind));
          assertThat(DefinitionJson.readNode(DefinitionJson.write(node))).isEqualTo(node);
        });
  }

  @Test
  void an_edge_comes_back_from_its_json() {
    Seeds.forAll(
        50,
        random -> {
          RandomTraits traits = new RandomTraits(random);
          String condition = random.nextBoolean() ? traits.expression() : null;
          Guard guard = new Guard(condition, random.nextBoolean());
          Edge edge = new Edge("e", traits.words(), "a", "b", guard);
          assertThat(DefinitionJson.readEdge(DefinitionJson.write(edge))).isEqualTo(edge);
        });
  }

  @Test
  void what_is_usual_is_not_said() {
    assertThat(DefinitionJson.write(Node.of("a", NodeKind.SERVICE_TASK)))
        .isEqualTo(JsonObject.of("id", "a", "kind", "service_task"));
    assertThat(DefinitionJson.write(Edge.of("e", "a", "b")))
        .isEqualTo(JsonObject.of("id", "e", "source", "a", "target", "b"));
  }

  @Test
  void a_node_is_flat_and_friendly() {
    Order order = Order.USUAL.saying("Do it", "all of it").by(new Hands("coder", null, true));
    Node node = Node.of("a", NodeKind.SERVICE_TASK).with(Traits.of(order));
    assertThat(DefinitionJson.write(node))
        .isEqualTo(
            JsonObject.of("id", "a", "kind", "service_task", "title", "Do it")
                .with("description", "all of it")
                .with("profile", "coder")
                .with("worktree", true));
  }

  private static void isRefused(JsonObject node, String words) {
    assertThatThrownBy(() -> DefinitionJson.readNode(node))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(words);
  }

  @Test
  void what_is_not_known_is_refused_with_what_was_probably_meant() {
    JsonObject node = JsonObject.of("id", "a", "kind", "service_task");
    isRefused(
        node.with("descripton", "x"),
        "the node \"a\" has no use for \"descripton\"; did you mean \"description\"?");
    isRefused(node.with("kind", "servicetask"), "did you mean \"service_task\"?");
    isRefused(node.with("loop", JsonObject.of("colection", "x")), "did you mean \"collection\"?");
    isRefused(node.with("timer", JsonObject.of("durations", "PT1H")), "did you mean \"duration\"?");
    isRefused(node.with("rules", List.of(JsonObject.of("if", "x"))), "a rule of the node \"a\"");
    assertThatThrownBy(
            () -> DefinitionJson.readEdge(JsonObject.of("source", "a", "target", "b", "when", "x")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("the edge \"a_to_b\" has no use for \"when\"");
  }

  @Test
  void what_is_missing_or_of_another_type_is_refused_by_name() {
    JsonObject node = JsonObject.of("id", "a", "kind", "service_task");
    isRefused(JsonObject.EMPTY, "a node needs \"id\"");
    isRefused(JsonObject.of("id", "a"), "the node \"a\" needs \"kind\"");
    isRefused(node.with("title", 3), "\"title\" of the node \"a\" must be a text");
    isRefused(node.with("worktree", "yes"), "must be true or false");
    isRefused(node.with("priority", 1L << 40), "out of reach");
    isRefused(node.with("answers", List.of(1)), "must be texts");
    isRefused(node.with("timer", JsonObject.EMPTY), "is one of duration, date, cycle");
    isRefused(
        node.with("terminate", true).with("error", JsonObject.EMPTY),
        "error and terminate; keep one");
  }
}
