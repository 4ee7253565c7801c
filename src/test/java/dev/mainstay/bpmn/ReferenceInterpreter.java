package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Block.Activity;
import dev.mainstay.bpmn.Block.AdHoc;
import dev.mainstay.bpmn.Block.Again;
import dev.mainstay.bpmn.Block.Beside;
import dev.mainstay.bpmn.Block.Branch;
import dev.mainstay.bpmn.Block.Catch;
import dev.mainstay.bpmn.Block.Choice;
import dev.mainstay.bpmn.Block.Condition;
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
import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What comes of a process, found by walking its tree of blocks: it knows no tokens, no edges and no
 * joins.
 */
final class ReferenceInterpreter {
  private static final int N_VALUES = 3;

  /** Variables: those of the process, or those of one round within others. */
  private record Scope(Map<String, @Nullable Object> own, @Nullable Scope outer) {
    @Nullable Object get(String name) {
      if (own.containsKey(name) || outer == null) return own.get(name);
      return outer.get(name);
    }

    long number(String path) {
      int dot = path.indexOf('.');
      if (dot < 0) return (Long) Objects.requireNonNull(get(path), path);
      JsonObject object = (JsonObject) Objects.requireNonNull(get(path.substring(0, dot)), path);
      return object.number(path.substring(dot + 1));
    }
  }

  /** How often each node was done. */
  private Map<String, Integer> done = new TreeMap<>();

  private final Scope top;

  private ReferenceInterpreter(JsonObject variables) {
    this.top = new Scope(new TreeMap<>(variables.asMap()), null);
  }

  /** What a process leaves behind. */
  record Outcome(Map<String, Integer> done, JsonObject variables) {}

  static Outcome outcome(Block process, JsonObject variables) {
    ReferenceInterpreter reference = new ReferenceInterpreter(variables);
    boolean ended = reference.run(process, reference.top, false);
    if (!ended) throw new IllegalStateException("a whole process always ends");
    return new Outcome(reference.done, JsonObject.copyOf(reference.top.own()));
  }

  /** What somebody answers for a task: the same for the same description. */
  static JsonObject result(NodeKind kind, String node, String description) {
    if (kind.isAsked()) return JsonObject.of(node + "_answer", description);
    long n = Math.floorMod(description.hashCode(), N_VALUES);
    return JsonObject.of("made", description, "n", n);
  }

  /** What a message says: a field of its own for each event. */
  static JsonObject said(String event) {
    return JsonObject.of(event + "_said", event);
  }

  private void count(String node) {
    done.merge(node, 1, Integer::sum);
  }

  /**
   * Runs a block to its end; or, when nobody does anything, as far as it comes by itself.
   *
   * @return whether it came to its end
   */
  private boolean run(Block block, Scope scope, boolean alone) {
    if (block instanceof Sequence sequence) {
      for (Block each : sequence.blocks()) if (!run(each, scope, alone)) return false;
      return true;
    }
    if (block instanceof Activity activity) return activity(activity, scope, alone);
    if (block instanceof Choice choice) return choice(choice, scope, alone);
    if (block instanceof Spread spread) {
      List<Block> same = List.copyOf(spread.tasks());
      return all(Collections.nCopies(spread.ways(), new Sequence(same)), scope, alone);
    }
    if (block instanceof Parallel parallel) return all(parallel.branches(), scope, alone);
    if (block instanceof Again again) return again(again, scope, alone);
    if (block instanceof Guarded guarded) return guarded(guarded, scope, alone);
    if (alone) return false;
    if (block instanceof Catch one) {
      happens(one.id(), one.timer(), scope);
      return true;
    }
    Race race = (Race) block;
    happens(race.timerWins() ? race.timer() : race.message(), race.timerWins(), scope);
    return run(race.timerWins() ? race.onTimer() : race.onMessage(), scope, false);
  }

  private void happens(String event, boolean timer, Scope scope) {
    count(event);
    if (!timer) scope.own().putAll(said(event).asMap());
  }

  private boolean all(List<Block> blocks, Scope scope, boolean alone) {
    boolean ended = true;
    for (Block block : blocks) ended &= run(block, scope, alone);
    return ended;
  }

  private boolean choice(Choice choice, Scope scope, boolean alone) {
    if (choice.first() != null && !run(choice.first(), scope, alone)) return false;
    return all(taken(choice, scope), scope, alone);
  }

  private static List<Block> taken(Choice choice, Scope scope) {
    List<Block> taken = new ArrayList<>();
    for (Branch branch : choice.branches()) {
      if (branch.when() == null || !holds(branch.when(), scope)) continue;
      taken.add(branch.block());
      if (choice.kind() == NodeKind.EXCLUSIVE_GATEWAY) return taken;
    }
    if (!taken.isEmpty()) return taken;
    return choice.branches().stream()
        .filter(branch -> branch.when() == null)
        .map(Branch::block)
        .toList();
  }

  private static boolean holds(Condition condition, Scope scope) {
    int order = Long.compare(scope.number(condition.variable()), condition.number());
    return switch (condition.sign()) {
      case "==" -> order == 0;
      case "!=" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      default -> throw new IllegalStateException(condition.sign());
    };
  }

  private boolean again(Again again, Scope scope, boolean alone) {
    count(again.id() + "_zero");
    scope.own().put(again.counter(), 0L);
    for (long round = 1; round <= again.rounds(); round++) {
      if (!run(again.body(), scope, alone)) return false;
      count(again.id() + "_more");
      scope.own().put(again.counter(), round);
    }
    return true;
  }

  private boolean activity(Activity activity, Scope scope, boolean alone) {
    if (activity instanceof Multi multi) return multi(multi, scope, alone);
    if ((activity instanceof Task || activity instanceof AdHoc) && alone) return false;
    if (activity instanceof AdHoc adHoc) {
      for (Task each : adHoc.tasks()) activity(each, scope, false);
      for (int i = 0; i < adHoc.choices(); i++) count(adHoc.id());
    }
    if (activity instanceof Sub sub && !run(sub.body(), scope, alone)) return false;
    count(activity.id());
    if (activity instanceof Task task) {
      JsonObject result = result(task, scope);
      if (task.kind().isAsked()) scope.own().putAll(result.asMap());
      else scope.own().put(task.id() + "_result", result);
    } else if (activity instanceof Decision decision) {
      scope.own().put(decision.variable(), value(decision, scope));
    }
    return true;
  }

  private static JsonObject result(Task task, Scope scope) {
    String description =
        task.seen().stream()
            .map(name -> name + "=" + scope.get(name))
            .collect(Collectors.joining(" ", task.id() + " ", ""));
    return result(task.kind(), task.id(), description);
  }

  private static long value(Decision decision, Scope scope) {
    return decision.plus() + (decision.from() == null ? 0 : scope.number(decision.from()));
  }

  private boolean multi(Multi multi, Scope scope, boolean alone) {
    List<?> items = (List<?>) Objects.requireNonNull(scope.get(multi.list()));
    List<@Nullable Object> results = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) results.add(null);
    boolean ended = true;
    for (int i = 0; i < items.size(); i++) {
      Scope round = new Scope(new TreeMap<>(), scope);
      round.own().put(multi.item(), items.get(i));
      ended &= activity(multi.activity(), round, alone);
      if (!ended && multi.sequential()) return false;
      if (ended) results.set(i, left(multi.activity(), round, multi.item()));
      if (i + 1 == multi.enough()) break;
    }
    if (!ended) return false;
    count(multi.id());
    scope.own().put(multi.results(), results);
    return true;
  }

  /** What a round leaves behind. */
  private static @Nullable Object left(Activity activity, Scope round, String item) {
    if (activity instanceof Task task) return result(task, round);
    if (activity instanceof Decision decision) return round.get(decision.variable());
    Map<String, @Nullable Object> own = new TreeMap<>(round.own());
    own.remove(item);
    return JsonObject.copyOf(own);
  }

  private boolean guarded(Guarded guarded, Scope scope, boolean alone) {
    Guard guard = guarded.guard();
    if (alone || !guard.happens()) return run(guarded.activity(), scope, alone);
    Map<String, Integer> doneBefore = new TreeMap<>(done);
    Map<String, @Nullable Object> ownBefore = new TreeMap<>(scope.own());
    if (run(guarded.activity(), scope, true)) return true; // nothing was waited for
    if (!guard.interrupting()) {
      done = doneBefore;
      scope.own().clear();
      scope.own().putAll(ownBefore);
      run(guarded.activity(), scope, false);
    }
    if (guarded.activity() instanceof Sub sub && sub.thrown() != null) {
      run(sub.body(), scope, false);
    }
    for (int i = 0; i < guard.times(); i++) {
      happens(guard.id(), guard.what() != Beside.MESSAGE, scope);
      run(guarded.after(), scope, false);
    }
    return true;
  }
}
