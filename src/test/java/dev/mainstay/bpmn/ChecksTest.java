package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksTest {
  private static final Node START = Node.of("s", NodeKind.START_EVENT);
  private static final Node END = Node.of("z", NodeKind.END_EVENT);

  private final List<Node> nodes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();

  private ChecksTest with(Node... more) {
    nodes.addAll(Arrays.asList(more));
    return this;
  }

  private ChecksTest with(Edge... more) {
    edges.addAll(Arrays.asList(more));
    return this;
  }

  /** Flows along these nodes, each named by the two ids. */
  private ChecksTest flow(String... ids) {
    for (int i = 1; i < ids.length; i++) {
      edges.add(Edge.of(ids[i - 1] + ids[i], ids[i - 1], ids[i]));
    }
    return this;
  }

  /** Start, this node, and an end. */
  private static ChecksTest around(Node node) {
    return new ChecksTest().with(START, node, END).flow("s", node.id(), "z");
  }

  private List<Problem> problems() {
    return Checks.of(new Definition("p", "", nodes, edges));
  }

  private void isSaid(boolean fatal, String element, String what) {
    assertThat(problems())
        .as(what)
        .anySatisfy(
            problem -> {
              assertThat(problem.element()).isEqualTo(element);
              assertThat(problem.what()).contains(what);
              assertThat(problem.advice()).isNotBlank();
              assertThat(problem.isFatal()).isEqualTo(fatal);
            });
  }

  private void isFatal(String element, String what) {
    isSaid(true, element, what);
  }

  private void isNoted(String element, String what) {
    isSaid(false, element, what);
  }

  private void isFine() {
    assertThat(problems()).isEmpty();
  }

  private static Node task(String id) {
    return Node.of(id, NodeKind.SERVICE_TASK);
  }

  private static Node event(String id, NodeKind kind, Trigger trigger) {
    return Node.of(id, kind).with(Traits.of(trigger));
  }

  private static Trigger.Message message(String name) {
    return new Trigger.Message(name, null, null);
  }

  private static Trigger.Timer timer(TimerKind kind, String text) {
    return new Trigger.Timer(kind, text);
  }

  @Test
  void a_plain_process_has_no_problems() {
    around(task("a")).isFine();
  }

  @Test
  void every_scope_begins_at_one_plain_start() {
    new ChecksTest().isFatal("p", "the process is empty");
    new ChecksTest().with(task("a")).isFatal("p", "no start event");
    around(task("a"))
        .with(Node.of("s2", NodeKind.START_EVENT))
        .flow("s2", "a")
        .isFatal("s2", "another plain start event, \"s\"");
    around(task("a"))
        .with(event("s2", NodeKind.START_EVENT, message("m")))
        .flow("s2", "a")
        .isFine();
    around(Node.of("sub", NodeKind.SUB_PROCESS)).isFatal("sub", "the sub-process is empty");
    around(Node.of("sub", NodeKind.SUB_PROCESS))
        .with(task("i").with(Frame.in("sub")))
        .isFatal("sub", "no start event");
    around(Node.of("sub", NodeKind.SUB_PROCESS))
        .with(event("i", NodeKind.START_EVENT, message("m")).with(Frame.in("sub")))
        .isFatal("i", "begins when it is reached");
  }

  @Test
  void what_is_never_reached_is_named() {
    around(task("a")).with(task("b"), task("c")).flow("b", "c").isFatal("c", "nothing leads to it");
    around(task("a"))
        .with(event("b", NodeKind.BOUNDARY_EVENT, message("m")).with(Frame.at(null, "a", true)))
        .with(task("c"))
        .flow("b", "c")
        .isFine();
  }

  @Test
  void gateways_know_which_flow_to_take() {
    Node gateway = Node.of("g", NodeKind.EXCLUSIVE_GATEWAY);
    around(gateway).with(task("a")).flow("g", "a").isFatal("ga", "cannot tell when");
    Node inclusive = Node.of("g", NodeKind.INCLUSIVE_GATEWAY);
    around(inclusive).with(task("a")).flow("g", "a").isNoted("ga", "always taken");
    new ChecksTest()
        .with(START, gateway, task("a"), task("b"))
        .flow("s", "g")
        .with(Edge.of("ga", "g", "a").otherwise(), Edge.of("gb", "g", "b").otherwise())
        .isFatal("gb", "another default");
    Node parallel = Node.of("g", NodeKind.PARALLEL_GATEWAY);
    around(parallel)
        .with(task("a"))
        .with(Edge.of("ga", "g", "a").when("x > 1"))
        .isFatal("ga", "does not look at conditions");
    around(parallel)
        .with(task("a"))
        .with(Edge.of("ga", "g", "a").otherwise())
        .isFatal("ga", "no use for a default");
    new ChecksTest()
        .with(START, gateway, task("a"))
        .flow("s", "g")
        .with(new Edge("ga", "", "g", "a", new Edge.Guard("x", true)))
        .isNoted("ga", "never asked");
  }

  @Test
  void an_event_gateway_waits_for_two_things_that_can_happen() {
    Node gateway = Node.of("g", NodeKind.EVENT_GATEWAY);
    Node one = event("a", NodeKind.CATCH_EVENT, message("m"));
    Node two = event("b", NodeKind.CATCH_EVENT, timer(TimerKind.DURATION, "PT1H"));
    new ChecksTest().with(START, gateway, one).flow("s", "g", "a").isFatal("g", "not two");
    ChecksTest both = new ChecksTest().with(START, gateway, one, two).flow("s", "g", "a");
    both.flow("g", "b").isFine();
    both.with(task("c")).flow("g", "c").isFatal("c", "nothing that can be waited for");
    both.flow("c", "a").isFatal("a", "other flows lead to it");
  }

  @Test
  void a_boundary_event_stands_at_an_activity() {
    Node at = event("b", NodeKind.BOUNDARY_EVENT, new Trigger.Fault("X"));
    around(task("a")).with(at).isFatal("b", "attached to nothing");
    around(task("a")).with(at.with(Frame.at(null, "no", true))).isFatal("b", "no such node");
    around(task("a")).with(at.with(Frame.at(null, "s", true))).isFatal("b", "no activity");
    around(task("a")).with(at.with(Frame.at(null, "a", false))).isFatal("b", "always ends it");
    around(task("a")).with(at.with(Frame.at(null, "a", true))).isNoted("b", "no flow leaves");
    around(task("a"))
        .with(at.with(Frame.at(null, "a", true)))
        .flow("b", "z")
        .flow("a", "b")
        .isFatal("ab", "nothing can arrive");
    around(task("a").with(Frame.at(null, "s", true))).isFatal("a", "only a boundary event");
  }

  @Test
  void events_are_where_they_can_be() {
    around(Node.of("a", NodeKind.CATCH_EVENT)).isFatal("a", "a catch event cannot be without");
    around(event("a", NodeKind.THROW_EVENT, timer(TimerKind.DURATION, "PT1H")))
        .isFatal("a", "a throw event cannot be a timer");
    around(event("a", NodeKind.CATCH_EVENT, new Trigger.Fault(null)))
        .isFatal("a", "a catch event cannot be for an error");
    around(event("a", NodeKind.EXCLUSIVE_GATEWAY, new Trigger.Terminate()))
        .isFatal("a", "an exclusive gateway cannot be one that terminates");
    around(Node.of("a", NodeKind.RECEIVE_TASK)).isFatal("a", "a receive task cannot be without");
    around(event("a", NodeKind.SEND_TASK, message(""))).isFatal("a", "no name");
    around(event("a", NodeKind.CATCH_EVENT, new Trigger.Message("m", null, "{}")))
        .isNoted("a", "only who sends");
    new ChecksTest()
        .with(START, event("z", NodeKind.END_EVENT, new Trigger.Fault(null)))
        .flow("s", "z")
        .isFatal("z", "no code");
    new ChecksTest()
        .with(START, event("z", NodeKind.END_EVENT, new Trigger.Fault("a b")))
        .flow("s", "z")
        .isFatal("z", "no code of an error");
  }

  @Test
  void timers_say_when() {
    for (String each : List.of("PT15M", "P1D", "P1DT2H", "P1M", "PT0S", "=wait")) {
      around(event("a", NodeKind.CATCH_EVENT, timer(TimerKind.DURATION, each))).isFine();
    }
    for (String each : List.of("", "15 minutes", "-PT1H", "PT", "P99999999999999999999D")) {
      around(event("a", NodeKind.CATCH_EVENT, timer(TimerKind.DURATION, each)))
          .isFatal("a", "is no duration");
    }
    for (String each : List.of("2027-01-31T09:00:00Z", "2027-01-31T09:00+01:00")) {
      around(event("a", NodeKind.CATCH_EVENT, timer(TimerKind.DATE, each))).isFine();
    }
    around(event("a", NodeKind.CATCH_EVENT, timer(TimerKind.DATE, "2027-01-31T09:00:00")))
        .isFatal("a", "is no moment");
    for (String each :
        List.of("R/PT1H", "R3/P1D", "R/2027-01-31T09:00:00Z/P1D", "0 2 * * *", "@daily")) {
      around(event("a", NodeKind.CATCH_EVENT, timer(TimerKind.CYCLE, each))).isFine();
    }
    for (String each : List.of("R3", "R/tomorrow/P1D", "R/x", "61 2 * * *", "often")) {
      around(event("a", NodeKind.CATCH_EVENT, timer(TimerKind.CYCLE, each)))
          .isFatal("a", "is no cycle");
    }
    new ChecksTest()
        .with(event("s", NodeKind.START_EVENT, timer(TimerKind.CYCLE, "=x")))
        .isFatal("s", "there are none yet");
  }

  @Test
  void flows_stay_in_their_scope_and_off_starts_and_ends() {
    ChecksTest sub =
        around(Node.of("sub", NodeKind.SUB_PROCESS))
            .with(Node.of("i", NodeKind.START_EVENT).with(Frame.in("sub")));
    sub.isFine();
    sub.flow("i", "z").isFatal("iz", "crosses the border");
    around(task("a")).flow("a", "s").isFatal("as", "nothing can arrive");
    around(task("a")).flow("z", "a").isFatal("za", "leaves the end event");
  }

  @Test
  void a_scope_is_a_sub_process_that_is_there_and_not_too_deep() {
    around(task("a")).with(task("i").with(Frame.in("a"))).isFatal("i", "is no sub-process");
    around(task("a")).with(task("i").with(Frame.in("no"))).isFatal("i", "is no sub-process");
    Node one = Node.of("one", NodeKind.SUB_PROCESS).with(Frame.in("two"));
    Node two = Node.of("two", NodeKind.SUB_PROCESS).with(Frame.in("one"));
    around(task("a")).with(one, two).isFatal("one", "more than 30 sub-processes");
  }

  @Test
  void an_ad_hoc_sub_process_has_activities_and_no_start_or_end() {
    Node adHoc =
        Node.of("a", NodeKind.AD_HOC_SUB_PROCESS)
            .with(Traits.of(new Inner.AdHoc(false, null, true)));
    around(adHoc).isFatal("a", "nothing to choose from");
    around(adHoc).with(task("i").with(Frame.in("a")), task("j").with(Frame.in("a"))).isFine();
    around(adHoc)
        .with(task("i").with(Frame.in("a")), Node.of("e", NodeKind.END_EVENT).with(Frame.in("a")))
        .isFatal("e", "no start and no end");
  }

  @Test
  void activities_say_what_is_to_be_done() {
    around(Node.of("a", NodeKind.CALL_ACTIVITY)).isFatal("a", "calls nothing");
    around(Node.of("a", NodeKind.CALL_ACTIVITY).with(Traits.of(new Inner.Call(""))))
        .isFatal("a", "calls nothing");
    around(task("a").with(Traits.of(new Inner.Call("x")))).isFatal("a", "has no use for calls");
    around(Node.of("a", NodeKind.BUSINESS_RULE_TASK)).isFatal("a", "has no rules");
    Yield rules = new Yield(null, List.of(new Rule("x >", "1 +")));
    ChecksTest wrong =
        around(Node.of("a", NodeKind.BUSINESS_RULE_TASK).with(Traits.NONE.giving(rules)));
    wrong.isFatal("a", "the condition of rule 1");
    wrong.isFatal("a", "the result of rule 1");
    around(task("a").with(Traits.NONE.giving(rules))).isNoted("a", "only a business rule task");
  }

  @Test
  void loops_have_a_list_and_names_are_names() {
    around(looped(new Loop(false, "xs", "x", "x > 1", "all"))).isFine();
    around(looped(new Loop(false, "", "x", null, null))).isFatal("a", "no list to go over");
    around(looped(new Loop(false, "xs +", "x", null, null))).isFatal("a", "the collection");
    around(looped(new Loop(false, "xs", "1x", null, null))).isFatal("a", "the item");
    around(looped(new Loop(false, "xs", "loop_counter", null, null))).isFatal("a", "loop_counter");
    around(looped(new Loop(false, "xs", "x", "((", null))).isFatal("a", "completion condition");
    around(looped(new Loop(false, "xs", "x", null, "a b"))).isFatal("a", "the list of results");
    around(task("a").with(Traits.NONE.giving(new Yield("a-b", List.of())))).isFatal("a", "\"a-b\"");
    around(task("a").with(Traits.NONE.giving(new Yield("*", List.of())))).isFine();
  }

  private static Node looped(Loop loop) {
    return task("a").with(Traits.NONE.looped(loop));
  }

  private static Node ordered(NodeKind kind, Order order) {
    return Node.of("a", kind).with(Traits.of(order));
  }

  @Test
  void orders_are_such_that_a_task_can_be_made_of_them() {
    Order usual = Order.USUAL;
    around(ordered(NodeKind.TASK, usual.saying("{{x}} and {{ y.z_1 }}", "{ {x} }"))).isFine();
    for (String each : List.of("{{", "{{x", "{{x y}}", "{{}}", "{{x..y}}", "a {{x}} {{x.}}")) {
      around(ordered(NodeKind.TASK, usual.saying(each, ""))).isFatal("a", "names no variable");
    }
    around(ordered(NodeKind.TASK, new Order("a b", 0, Wording.NONE, Hands.ANY, JsonObject.EMPTY)))
        .isFatal("a", "\"a b\" is no type of task");
    around(
            ordered(
                NodeKind.TASK,
                new Order("CODE", 9_999_999, Wording.NONE, Hands.ANY, JsonObject.EMPTY)))
        .isFatal("a", "out of reach");
    around(ordered(NodeKind.TASK, usual.saying("x".repeat(2000), "")))
        .isFatal("a", "the title has");
    around(ordered(NodeKind.TASK, usual.saying("", "\u0001"))).isFatal("a", "cannot hold");
    around(ordered(NodeKind.TASK, usual.by(new Hands("", null, false)))).isFatal("a", "profile");
    around(ordered(NodeKind.PARALLEL_GATEWAY, usual)).isNoted("a", "orders no work");
    Order answers =
        new Order(
            "CODE", 0, new Wording("", "", List.of("yes", "yes")), Hands.ANY, JsonObject.EMPTY);
    around(ordered(NodeKind.USER_TASK, answers)).isFatal("a", "an answer twice");
    around(ordered(NodeKind.TASK, answers)).isNoted("a", "only a person's task");
  }

  @Test
  void ids_and_names_can_be_written_to_a_file() {
    around(task("1a")).isFatal("1a", "is no id");
    around(task("a b")).isFatal("a b", "is no id");
    around(task("x".repeat(201))).isFatal("x".repeat(200), "201 characters");
    around(new Node("a", "\u0000", NodeKind.TASK, Frame.TOP, Traits.NONE)).isFatal("a", "the name");
    around(new Node("a", "x".repeat(1001), NodeKind.TASK, Frame.TOP, Traits.NONE))
        .isFatal("a", "1001 characters");
  }

  @Test
  void expressions_that_do_not_compile_are_named_with_the_reason() {
    Node gateway = Node.of("g", NodeKind.EXCLUSIVE_GATEWAY);
    new ChecksTest()
        .with(START, gateway, END)
        .flow("s", "g")
        .with(Edge.of("gz", "g", "z").when("a = 1"))
        .isFatal("gz", "the condition \"a = 1\" cannot be used: ");
    around(event("a", NodeKind.CATCH_EVENT, new Trigger.Message("m", "a b", null)))
        .isFatal("a", "the correlation \"a b\"");
    around(event("a", NodeKind.CATCH_EVENT, timer(TimerKind.DURATION, "= 1 +")))
        .isFatal("a", "the timer");
  }

  @Test
  void all_problems_are_said_in_the_order_of_the_nodes() {
    ChecksTest many = around(Node.of("a", NodeKind.CALL_ACTIVITY)).with(task("1"), task("c"));
    assertThat(many.problems()).extracting(Problem::element).containsExactly("a", "1", "1", "c");
  }
}
