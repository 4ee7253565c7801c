package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.bpmn.Happening.Arrived;
import dev.mainstay.bpmn.Happening.Begin;
import dev.mainstay.bpmn.Happening.Done;
import dev.mainstay.bpmn.Happening.Due;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Happening.Retry;
import dev.mainstay.bpmn.Happening.Skip;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.Step.Trace;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.domain.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Processes that nobody would draw, to which anything may happen: they stay sound all the same. */
class RandomGraphTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int NODES_MAX = 12;
  private static final int HAPPENINGS_MAX = 40;
  private static final Set<NodeKind> WAITING =
      EnumSet.of(
          NodeKind.TASK,
          NodeKind.SERVICE_TASK,
          NodeKind.USER_TASK,
          NodeKind.RECEIVE_TASK,
          NodeKind.CATCH_EVENT,
          NodeKind.CALL_ACTIVITY);
  private static final int TOKENS_MAX = 200;
  private static final List<String> EXPRESSIONS =
      List.of("v1 == 1", "v1 > 1", "flag", "!flag", "v1 != 1", "missing", "v1", "1 +");
  private static final List<String> TIMES = List.of("PT1H", "R3/PT1H", "soon", "=v1");
  private static final List<String> CODES = List.of("A", "B");
  private static final JsonObject VARIABLES =
      JsonObject.of("v1", 1, "flag", true).with("list", List.of(1, 2, 3));

  @Test
  void no_graph_and_no_happening_breaks_the_game() {
    Seeds.forAll(
        1_500,
        random -> {
          Definition definition = definition(random);
          Marking marking = Marking.EMPTY;
          Set<String> wanted = new HashSet<>();
          Set<String> failed = new HashSet<>();
          Happening next = new Begin(null, VARIABLES);
          for (int i = 0; i < HAPPENINGS_MAX; i++) {
            Step step = TokenGame.play(definition, marking, next, NOW.plusSeconds(i));
            if (step.isIdle()) assertThat(step.after()).isEqualTo(marking);
            marking = Marking.fromJson(step.after().toJson());
            assertThat(marking).isEqualTo(step.after());
            for (Trace trace : step.traces()) {
              if (trace.what() == What.FAILED) failed.add(trace.token());
              boolean last = trace.what() == What.LEFT && endsAll(definition.node(trace.node()));
              if (last) assertThat(step.ending()).as("after %s", trace).isNotNull();
            }
            satisfy(next, step, wanted);
            assertWanted(next, step, wanted, failed);
            assertSound(marking, next, wanted);
            if (step.ending() != null) {
              assertThat(marking.tokens()).as("%s", next).isEmpty();
              break;
            }
            assertCanGoOn(marking, next, wanted);
            if (runsInCircles(marking)) break;
            next = happening(random, definition, marking);
          }
        });
  }

  /** Something is wanted, or somebody has to mend something: nothing waits for ever. */
  private static void assertCanGoOn(Marking marking, Happening happened, Set<String> wanted) {
    boolean incident =
        marking.tokens().stream().anyMatch(token -> token.status() == Token.Status.INCIDENT);
    assertThat(incident || !wanted.isEmpty()).as("%s in %s", happened, marking).isTrue();
  }

  private static boolean endsAll(Node node) {
    return node.kind() == NodeKind.END_EVENT
        && node.frame().scope() == null
        && node.traits().trigger() instanceof Trigger.Terminate;
  }

  /** Sound, but to go on with it would take the whole time of this test. */
  private static boolean runsInCircles(Marking marking) {
    return marking.tokens().size() > TOKENS_MAX
        || marking.tokens().stream()
            .anyMatch(token -> String.valueOf(token.load().problem()).contains("circle"));
  }

  /** Nothing is wanted twice, and nothing withdrawn but what is wanted or could not be. */
  private static void assertWanted(
      Happening happened, Step step, Set<String> wanted, Set<String> failed) {
    for (Wish wish : step.wishes()) {
      if (wish instanceof Wish.Send) continue;
      if (wish instanceof Wish.Withdraw) {
        boolean known = wanted.remove(wish.token()) || failed.contains(wish.token());
        assertThat(known).as("%s after %s", wish, happened).isTrue();
      } else {
        boolean once = wanted.add(wish.token()) || happened instanceof Retry;
        assertThat(once).as("%s once after %s", wish, happened).isTrue();
      }
    }
  }

  private static void assertSound(Marking marking, Happening happened, Set<String> wanted) {
    Set<String> there = new HashSet<>();
    for (Token token : marking.tokens()) there.add(token.id());
    assertThat(there).as("tokens after %s", happened).hasSameSizeAs(marking.tokens());
    assertThat(there.containsAll(wanted))
        .as("%s are wanted and %s are there after %s", wanted, there, happened)
        .isTrue();
    for (Token token : marking.tokens()) {
      boolean lives = token.parent() == null || there.contains(token.parent());
      assertThat(lives).as("%s lives somewhere", token).isTrue();
    }
  }

  /** What has happened is not wanted any more; what has failed may still be done. */
  private static void satisfy(Happening happened, Step step, Set<String> wanted) {
    if (step.isIdle() || happened instanceof Begin || happened instanceof Retry) return;
    String token = happened.toJson().text("token");
    boolean open = step.after().find(token).isPresent();
    if (!(happened instanceof Failed) || !open) wanted.remove(token);
  }

  /** Mostly what fits the token, so that it comes far; now and then something else. */
  private static Happening happening(Random random, Definition definition, Marking marking) {
    Token token = pick(random, marking.tokens());
    List<Edge> ways = definition.outgoing(token.position());
    boolean incident = token.status() == Token.Status.INCIDENT;
    if (incident && random.nextInt(4) > 0) {
      if (random.nextBoolean()) return new Retry(token.id(), JsonObject.of("missing", true));
      String way = ways.isEmpty() ? null : pick(random, ways).id();
      return new Skip(token.id(), JsonObject.of("take", way));
    }
    List<Node> inside = definition.inside(token.position());
    if (!inside.isEmpty() && random.nextInt(4) > 0) {
      return new Done(token.id(), JsonObject.of("next", pick(random, inside).id()));
    }
    return anything(random, token);
  }

  private static Happening anything(Random random, Token token) {
    JsonObject data =
        switch (random.nextInt(6)) {
          case 0 -> JsonObject.of("next", "n" + random.nextInt(NODES_MAX));
          case 1 -> JsonObject.of("done", true);
          case 2 -> JsonObject.of("flag", random.nextBoolean(), "v1", random.nextInt(3));
          case 3 -> JsonObject.of("take", "e" + random.nextInt(2 * NODES_MAX));
          case 4 -> JsonObject.of("missing", random.nextBoolean());
          default -> JsonObject.EMPTY;
        };
    return switch (random.nextInt(10)) {
      case 0 -> new Failed(token.id(), pick(random, List.of("A: a", "B: b", "none")));
      case 1, 2 -> new Due(token.id());
      case 3, 4 -> new Arrived(token.id(), data);
      case 5 -> new Retry(token.id(), data);
      case 6, 7 -> new Skip(token.id(), data);
      default -> new Done(token.id(), data);
    };
  }

  private static Definition definition(Random random) {
    List<Node> nodes = new ArrayList<>();
    List<String> scopes = new ArrayList<>();
    int count = 3 + random.nextInt(NODES_MAX - 2);
    for (int i = 0; i < count; i++) {
      NodeKind kind = i == 0 ? NodeKind.START_EVENT : pick(random, List.of(NodeKind.values()));
      String scope =
          i == 0 || scopes.isEmpty() || random.nextBoolean() ? null : pick(random, scopes);
      Node node = Node.of("n" + i, kind).with(frame(random, kind, scope, nodes));
      if (kind == NodeKind.BOUNDARY_EVENT && node.frame().attachedTo() == null) continue;
      nodes.add(i == 0 ? node : node.with(traits(random, kind)));
      if (kind.isScope()) scopes.add(node.id());
    }
    List<Edge> edges = edges(random, nodes);
    // One that nothing can follow is refused by the checks, and would wait for ever.
    nodes.replaceAll(
        node ->
            node.kind() == NodeKind.EVENT_GATEWAY
                    && edges.stream().noneMatch(edge -> edge.source().equals(node.id()))
                ? Node.of(node.id(), NodeKind.TASK).with(node.frame())
                : node);
    return new Definition("random", "", nodes, edges);
  }

  private static Frame frame(
      Random random, NodeKind kind, @Nullable String scope, List<Node> nodes) {
    if (kind != NodeKind.BOUNDARY_EVENT) return Frame.in(scope);
    List<Node> activities = nodes.stream().filter(each -> each.kind().isActivity()).toList();
    if (activities.isEmpty()) return Frame.in(scope);
    Node activity = pick(random, activities);
    return Frame.at(activity.frame().scope(), activity.id(), random.nextBoolean());
  }

  private static List<Edge> edges(Random random, List<Node> nodes) {
    List<Edge> edges = new ArrayList<>();
    nodes.stream()
        .filter(node -> node.frame().scope() == null && node.kind().isActivity())
        .findFirst()
        .ifPresent(node -> edges.add(Edge.of("e0", nodes.get(0).id(), node.id())));
    for (int i = nodes.size() * 2; i > 0; i--) {
      Node from = pick(random, nodes);
      Node to = pick(random, nodes);
      boolean inOneScope = Objects.equals(from.frame().scope(), to.frame().scope());
      boolean entered = to.kind() != NodeKind.START_EVENT && to.kind() != NodeKind.BOUNDARY_EVENT;
      // A circle in which nothing is waited for is an incident, and takes long until it is one.
      boolean waits = WAITING.contains(from.kind()) || nodes.indexOf(from) < nodes.indexOf(to);
      if (!inOneScope || !entered || !waits || from.kind() == NodeKind.END_EVENT) continue;
      if (from.kind() == NodeKind.EVENT_GATEWAY && !isCaught(to)) continue;
      Edge edge = Edge.of("e" + edges.size(), from.id(), to.id());
      edges.add(
          switch (random.nextInt(4)) {
            case 0 -> edge.when(pick(random, EXPRESSIONS));
            case 1 -> edge.otherwise();
            default -> edge;
          });
    }
    return edges;
  }

  private static boolean isCaught(Node node) {
    return (node.kind() == NodeKind.CATCH_EVENT || node.kind() == NodeKind.RECEIVE_TASK)
        && node.traits().loop() == null;
  }

  private static Traits traits(Random random, NodeKind kind) {
    Traits traits = Traits.NONE;
    if (kind.isEvent() || kind == NodeKind.SEND_TASK || kind == NodeKind.RECEIVE_TASK) {
      traits = random.nextInt(5) == 0 ? Traits.NONE : Traits.of(trigger(random));
    } else if (kind == NodeKind.AD_HOC_SUB_PROCESS) {
      String until = random.nextBoolean() ? null : pick(random, EXPRESSIONS);
      traits = Traits.of(new Inner.AdHoc(random.nextBoolean(), until, random.nextBoolean()));
    } else if (kind == NodeKind.CALL_ACTIVITY) {
      traits = Traits.of(new Inner.Call("other"));
    } else if (kind == NodeKind.BUSINESS_RULE_TASK) {
      Rule rule = new Rule(random.nextBoolean() ? null : pick(random, EXPRESSIONS), "v1");
      traits = Traits.NONE.giving(new Yield(null, List.of(rule)));
    } else if (kind.isQueued() || kind.isAsked()) {
      String text = random.nextInt(4) == 0 ? "{{missing}}" : "{{v1}}";
      traits = Traits.of(Order.USUAL.saying("", text));
    }
    if (!kind.isActivity() || random.nextInt(4) > 0) return traits;
    String until = random.nextInt(3) > 0 ? null : pick(random, EXPRESSIONS);
    String list = random.nextInt(5) == 0 ? pick(random, EXPRESSIONS) : "list";
    return traits.looped(new Loop(random.nextBoolean(), list, "item", until, "all"));
  }

  private static Trigger trigger(Random random) {
    return switch (random.nextInt(8)) {
      case 0, 1 ->
          new Trigger.Timer(pick(random, List.of(TimerKind.values())), pick(random, TIMES));
      case 2, 3 -> new Trigger.Message("m", random.nextBoolean() ? null : "v1", null);
      case 4 -> new Trigger.Message("m", null, pick(random, EXPRESSIONS));
      case 5 -> new Trigger.Fault(pick(random, CODES));
      case 6 -> new Trigger.Fault(null);
      default -> new Trigger.Terminate();
    };
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
