package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Block.Activity;
import dev.mainstay.bpmn.Block.AdHoc;
import dev.mainstay.bpmn.Block.Again;
import dev.mainstay.bpmn.Block.Beside;
import dev.mainstay.bpmn.Block.Branch;
import dev.mainstay.bpmn.Block.Catch;
import dev.mainstay.bpmn.Block.Choice;
import dev.mainstay.bpmn.Block.Decision;
import dev.mainstay.bpmn.Block.Guard;
import dev.mainstay.bpmn.Block.Guarded;
import dev.mainstay.bpmn.Block.Multi;
import dev.mainstay.bpmn.Block.Parallel;
import dev.mainstay.bpmn.Block.Race;
import dev.mainstay.bpmn.Block.Sequence;
import dev.mainstay.bpmn.Block.Spread;
import dev.mainstay.bpmn.Block.Sub;
import dev.mainstay.bpmn.Block.Task;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Draws a tree of blocks as a process of nodes and edges. */
final class BlockGraph {
  private static final Trigger TIMER = new Trigger.Timer(TimerKind.DURATION, "PT1H");

  /** The workflow that is called, whoever calls. */
  static final String CALLED = "called";

  private final List<Node> nodes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();

  /** Where the next node is joined on: a node, and the guard of the edge that leaves it. */
  private record End(String node, Edge.Guard guard) {
    static End of(String node) {
      return new End(node, Edge.Guard.NONE);
    }
  }

  private BlockGraph() {}

  static Definition draw(Block process) {
    BlockGraph graph = new BlockGraph();
    graph.scope(null, process, true, null);
    return new Definition("random", "", graph.nodes, graph.edges);
  }

  /** The text by which one time of doing a task is known from another. */
  static String description(Task task) {
    return task.seen().stream()
        .map(name -> name + "={{" + name + "}}")
        .collect(Collectors.joining(" ", task.id() + " ", ""));
  }

  private void scope(
      @Nullable String scope, Block body, boolean startEvent, @Nullable String thrown) {
    String name = scope == null ? "top" : scope;
    NodeKind first = startEvent ? NodeKind.START_EVENT : NodeKind.THROW_EVENT;
    End start = node(scope, name + "_start", first);
    Node end = Node.of(name + "_end", NodeKind.END_EVENT).with(Frame.in(scope));
    if (thrown != null) end = end.with(Traits.of(new Trigger.Fault(thrown)));
    join(add(scope, start, body), node(end));
  }

  private End node(@Nullable String scope, String id, NodeKind kind) {
    return node(Node.of(id, kind).with(Frame.in(scope)));
  }

  private End node(Node node) {
    nodes.add(node);
    return End.of(node.id());
  }

  private End join(End from, End to) {
    String id = "e" + (edges.size() + 1);
    edges.add(new Edge(id, "", from.node(), to.node(), from.guard()));
    return to;
  }

  private End add(@Nullable String scope, End from, Block block) {
    if (block instanceof Sequence sequence) {
      End end = from;
      for (Block each : sequence.blocks()) end = add(scope, end, each);
      return end;
    }
    if (block instanceof Activity activity) return activity(scope, from, activity, null);
    if (block instanceof Catch one) {
      return join(from, event(scope, one.id(), one.timer()));
    }
    if (block instanceof Choice choice) return choice(scope, from, choice);
    if (block instanceof Parallel parallel) return parallel(scope, from, parallel);
    if (block instanceof Spread spread) return spread(scope, from, spread);
    if (block instanceof Again again) return again(scope, from, again);
    if (block instanceof Race race) return race(scope, from, race);
    return guarded(scope, from, (Guarded) block);
  }

  private End event(@Nullable String scope, String id, boolean timer) {
    Node node = Node.of(id, NodeKind.CATCH_EVENT).with(Frame.in(scope));
    return node(node.with(fields(timer ? TIMER : message(id))));
  }

  private static Trigger message(String id) {
    return new Trigger.Message("message " + id, null, null);
  }

  /** What a message brings becomes variables, each field one. */
  private static Traits fields(Trigger trigger) {
    Traits traits = Traits.of(trigger);
    boolean message = trigger instanceof Trigger.Message;
    return message ? traits.giving(new Yield(Yield.FIELDS, List.of())) : traits;
  }

  private End activity(@Nullable String scope, End from, Activity activity, @Nullable Loop looped) {
    if (activity instanceof Multi multi) {
      String until = multi.enough() == 0 ? null : "loop_done >= " + multi.enough();
      Loop loop = new Loop(multi.sequential(), multi.list(), multi.item(), until, multi.results());
      return activity(scope, from, multi.activity(), loop);
    }
    NodeKind kind;
    Traits traits;
    if (activity instanceof Task task && task.kind() == NodeKind.CALL_ACTIVITY) {
      kind = task.kind();
      traits = Traits.of(new Inner.Call(CALLED));
    } else if (activity instanceof Task task) {
      kind = task.kind();
      traits = Traits.of(Order.USUAL.saying("", description(task)));
    } else if (activity instanceof AdHoc adHoc) {
      kind = NodeKind.AD_HOC_SUB_PROCESS;
      traits = Traits.of(new Inner.AdHoc(adHoc.sequential(), null, true));
    } else if (activity instanceof Decision decision) {
      kind = NodeKind.BUSINESS_RULE_TASK;
      List<Rule> rules = List.of(new Rule(null, decision.gives()));
      traits = Traits.NONE.giving(new Yield(decision.variable(), rules));
    } else {
      kind = NodeKind.SUB_PROCESS;
      traits = Traits.NONE;
    }
    Node node = Node.of(activity.id(), kind).with(Frame.in(scope)).with(traits.looped(looped));
    End end = join(from, node(node));
    if (activity instanceof AdHoc adHoc) {
      for (Task each : adHoc.tasks()) node(loose(adHoc.id(), each));
    }
    if (activity instanceof Sub sub) scope(sub.id(), sub.body(), sub.startEvent(), sub.thrown());
    return end;
  }

  private static Node loose(String scope, Task task) {
    Node node = Node.of(task.id(), task.kind()).with(Frame.in(scope));
    return node.with(Traits.of(Order.USUAL.saying("", description(task))));
  }

  private End choice(@Nullable String scope, End from, Choice choice) {
    End split =
        choice.first() == null
            ? join(from, node(scope, choice.id(), choice.kind()))
            : activity(scope, from, choice.first(), null);
    End join = node(scope, choice.id() + "_join", choice.kind());
    for (Branch branch : choice.branches()) {
      String condition = branch.when() == null ? null : branch.when().text();
      End way = new End(split.node(), new Edge.Guard(condition, condition == null));
      join(add(scope, way, branch.block()), join);
    }
    return join;
  }

  private End parallel(@Nullable String scope, End from, Parallel parallel) {
    End split = join(from, node(scope, parallel.id(), NodeKind.PARALLEL_GATEWAY));
    End join = node(scope, parallel.id() + "_join", NodeKind.PARALLEL_GATEWAY);
    for (Block branch : parallel.branches()) join(add(scope, split, branch), join);
    return join;
  }

  private End spread(@Nullable String scope, End from, Spread spread) {
    End split = join(from, node(scope, spread.id(), NodeKind.PARALLEL_GATEWAY));
    End end = node(scope, spread.id() + "_merge", NodeKind.EXCLUSIVE_GATEWAY);
    for (int i = 0; i < spread.ways(); i++) join(split, end);
    for (Task task : spread.tasks()) end = activity(scope, end, task, null);
    return end;
  }

  private End again(@Nullable String scope, End from, Again again) {
    String counter = again.counter();
    End zero = activity(scope, from, new Decision(again.id() + "_zero", counter, null, 0), null);
    End back = join(zero, node(scope, again.id(), NodeKind.EXCLUSIVE_GATEWAY));
    End body = add(scope, back, again.body());
    Decision more = new Decision(again.id() + "_more", counter, counter, 1);
    End counted = activity(scope, body, more, null);
    End ask = join(counted, node(scope, again.id() + "_ask", NodeKind.EXCLUSIVE_GATEWAY));
    String less = counter + " < " + again.rounds();
    join(new End(ask.node(), new Edge.Guard(less, false)), back);
    return new End(ask.node(), new Edge.Guard(null, true));
  }

  private End race(@Nullable String scope, End from, Race race) {
    End gateway = join(from, node(scope, race.id(), NodeKind.EVENT_GATEWAY));
    End merge = node(scope, race.id() + "_merge", NodeKind.EXCLUSIVE_GATEWAY);
    End message = join(gateway, event(scope, race.message(), false));
    join(add(scope, message, race.onMessage()), merge);
    End timer = join(gateway, event(scope, race.timer(), true));
    join(add(scope, timer, race.onTimer()), merge);
    return merge;
  }

  private End guarded(@Nullable String scope, End from, Guarded guarded) {
    Guard guard = guarded.guard();
    Activity activity = guarded.activity();
    End done = activity(scope, from, activity, null);
    if (guarded.spare() != null)
      end(scope, guarded.spare(), boundary(scope, activity, guarded.spare()));
    End after = add(scope, boundary(scope, activity, guard), guarded.after());
    if (!guard.interrupting()) {
      end(scope, guard, after);
      return done;
    }
    End merge = node(scope, guard.id() + "_merge", NodeKind.EXCLUSIVE_GATEWAY);
    join(done, merge);
    join(after, merge);
    return merge;
  }

  private End boundary(@Nullable String scope, Activity activity, Guard guard) {
    Frame frame = Frame.at(scope, activity.id(), guard.interrupting());
    Node event = Node.of(guard.id(), NodeKind.BOUNDARY_EVENT).with(frame);
    return node(event.with(fields(trigger(guard))));
  }

  private void end(@Nullable String scope, Guard guard, End from) {
    join(from, node(scope, guard.id() + "_end", NodeKind.END_EVENT));
  }

  private static Trigger trigger(Guard guard) {
    if (guard.what() == Beside.TIMER) return TIMER;
    if (guard.what() == Beside.MESSAGE) return message(guard.id());
    return new Trigger.Fault(code(guard));
  }

  /** Some that catch an error catch every one. */
  static @Nullable String code(Guard guard) {
    return guard.happens() && guard.id().hashCode() % 2 == 0 ? null : "E_" + guard.id();
  }
}
