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
import java.util.List;
import java.util.Random;

/**
 * Random processes made of blocks. What comes out of them never depends on the order in which
 * things are done: a variable is written in one place, and read only where that has happened.
 */
final class ProcessGenerator {
  static final JsonObject VARIABLES =
      JsonObject.of("v0", 0, "v1", 1, "v2", 2)
          .with("list0", List.of())
          .with("list1", List.of(7))
          .with("list2", List.of(3, 5))
          .with("list3", List.of(2, 4, 6));

  private final Random random;
  private int left;
  private int named;

  /** What is known where a block stands. */
  private record Place(List<String> numbers, List<String> seen, int depth) {
    Place deeper() {
      return new Place(new ArrayList<>(numbers), seen, depth - 1);
    }

    Place seeing(String name) {
      List<String> all = new ArrayList<>(seen);
      all.add(name);
      List<String> known = new ArrayList<>(numbers);
      known.add(name);
      return new Place(known, all, depth - 1);
    }
  }

  private ProcessGenerator(Random random, int blocks) {
    this.random = random;
    this.left = blocks;
  }

  static Block process(Random random, int blocks, int depth) {
    List<String> numbers = new ArrayList<>(List.of("v0", "v1", "v2"));
    ProcessGenerator generator = new ProcessGenerator(random, blocks);
    List<Block> all = new ArrayList<>();
    Place top = new Place(numbers, List.of(), depth);
    while (generator.left > 0) all.add(generator.sequence(top, 3));
    generator.spread(all);
    return new Sequence(all);
  }

  private String id(String letter) {
    return letter + ++named;
  }

  private Sequence sequence(Place place, int most) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 1 + random.nextInt(most); i > 0 && left > 0; i--) blocks.add(block(place));
    return new Sequence(blocks);
  }

  /** What a scope ends with, now and then. */
  private void spread(List<Block> scope) {
    if (random.nextInt(6) > 0) return;
    List<Task> tasks = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) tasks.add(sameEachTime());
    scope.add(new Spread(id("w"), 2 + random.nextInt(2), tasks));
  }

  private Block block(Place place) {
    left--;
    if (place.depth() == 0) return random.nextInt(5) == 0 ? caught() : task(place);
    return switch (random.nextInt(22)) {
      case 0, 1 -> choice(place, NodeKind.EXCLUSIVE_GATEWAY);
      case 2, 3 -> choice(place, NodeKind.INCLUSIVE_GATEWAY);
      case 4, 5, 6 -> parallel(place);
      case 7 -> again(place);
      case 8 -> sub(place);
      case 9, 10 -> multi(place);
      case 11 -> race(place);
      case 12 -> caught();
      case 13, 14, 15, 16 -> guarded(place);
      case 17 -> adHoc(place);
      case 18 -> task(place, NodeKind.CALL_ACTIVITY);
      default -> task(place);
    };
  }

  private Block.Activity task(Place place) {
    if (random.nextInt(5) == 0) return decision(place);
    NodeKind kind =
        switch (random.nextInt(6)) {
          case 0 -> NodeKind.USER_TASK;
          case 1 -> NodeKind.MANUAL_TASK;
          case 2 -> NodeKind.TASK;
          default -> NodeKind.SERVICE_TASK;
        };
    return task(place, kind);
  }

  private Task task(Place place, NodeKind kind) {
    Task task = new Task(id("t"), kind, place.seen());
    boolean counts = kind.isQueued() || kind == NodeKind.CALL_ACTIVITY;
    if (counts) place.numbers().add(task.id() + "_result.n");
    return task;
  }

  private AdHoc adHoc(Place place) {
    String id = id("h");
    List<Task> tasks = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      tasks.add(task(place, random.nextInt(3) == 0 ? NodeKind.USER_TASK : NodeKind.SERVICE_TASK));
    }
    return new AdHoc(id, tasks, random.nextBoolean());
  }

  private Decision decision(Place place) {
    String id = id("d");
    String from = random.nextBoolean() ? null : pick(place.numbers());
    Decision decision = new Decision(id, id + "_result", from, from == null ? 1 : 0);
    place.numbers().add(decision.variable());
    return decision;
  }

  private Block caught() {
    return new Catch(id("c"), random.nextBoolean());
  }

  private Choice choice(Place place, NodeKind kind) {
    String id = id("x");
    boolean implicit = kind == NodeKind.INCLUSIVE_GATEWAY && random.nextInt(3) == 0;
    Task first = implicit ? task(place, NodeKind.SERVICE_TASK) : null;
    List<Branch> branches = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      branches.add(new Branch(condition(place), branch(place)));
    }
    int at = random.nextInt(branches.size() + 1);
    branches.add(at, new Branch(null, branch(place)));
    return new Choice(id, kind, first, branches);
  }

  private Condition condition(Place place) {
    String sign = pick(List.of("==", "!=", "<", "<=", ">", ">="));
    return new Condition(pick(place.numbers()), sign, random.nextInt(3));
  }

  private Block branch(Place place) {
    return random.nextInt(5) == 0 ? Sequence.EMPTY : sequence(place.deeper(), 2);
  }

  private Parallel parallel(Place place) {
    String id = id("p");
    List<Block> branches = new ArrayList<>();
    List<String> known = new ArrayList<>();
    for (int i = 2 + random.nextInt(2); i > 0; i--) {
      Place inside = place.deeper();
      branches.add(random.nextInt(8) == 0 ? Sequence.EMPTY : sequence(inside, 2));
      known.addAll(inside.numbers());
    }
    for (String name : known) if (!place.numbers().contains(name)) place.numbers().add(name);
    return new Parallel(id, branches);
  }

  private Again again(Place place) {
    String id = id("l");
    Again empty = new Again(id, Sequence.EMPTY, 1 + random.nextInt(3));
    return new Again(id, sequence(place.seeing(empty.counter()), 2), empty.rounds());
  }

  private Sub sub(Place place) {
    String id = id("s");
    return new Sub(id, body(place.deeper()), random.nextBoolean(), null);
  }

  private Sequence body(Place place) {
    List<Block> blocks = new ArrayList<>(sequence(place, 3).blocks());
    spread(blocks);
    return new Sequence(blocks);
  }

  private Multi multi(Place place) {
    boolean sequential = random.nextBoolean();
    int enough = sequential && random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0;
    String list = "list" + random.nextInt(4);
    if (random.nextInt(3) > 0) {
      String id = id("s");
      Place inside = place.seeing("item_" + id);
      Sub sub = new Sub(id, body(inside), random.nextBoolean(), null);
      return new Multi(sub, sequential, list, enough);
    }
    String next = "t" + (named + 1);
    Place inside = place.seeing("item_" + next);
    NodeKind kind =
        switch (random.nextInt(3)) {
          case 0 -> NodeKind.USER_TASK;
          case 1 -> NodeKind.CALL_ACTIVITY;
          default -> NodeKind.SERVICE_TASK;
        };
    return new Multi(task(inside, kind), sequential, list, enough);
  }

  private Race race(Place place) {
    return new Race(id("r"), branch(place), branch(place), random.nextBoolean());
  }

  private Guarded guarded(Place place) {
    Place inside = place.deeper();
    Beside what = Beside.values()[random.nextInt(3)];
    boolean interrupting = what == Beside.ERROR || random.nextBoolean();
    int times = random.nextInt(3) > 0 ? 1 : 0;
    if (what == Beside.MESSAGE && !interrupting) times = random.nextInt(4);
    Guard guard = new Guard(id("b"), what, interrupting, times);
    Activity activity = what == Beside.ERROR ? failing(inside, guard) : activity(inside);
    Guard spare = null;
    if (random.nextInt(3) == 0) {
      Beside other = random.nextBoolean() ? Beside.TIMER : Beside.MESSAGE;
      spare = new Guard(id("b"), other, random.nextBoolean(), 0);
    }
    return new Guarded(activity, guard, interrupting ? branch(place) : beside(), spare);
  }

  private Activity activity(Place place) {
    return switch (random.nextInt(6)) {
      case 0 -> sub(place);
      case 1 -> multi(place);
      case 2 -> adHoc(place);
      case 3 -> task(place, NodeKind.CALL_ACTIVITY);
      default -> task(place);
    };
  }

  /** One whose first work is all that is open in it when it is to fail. */
  private Activity failing(Place place, Guard guard) {
    if (random.nextBoolean()) return task(place, NodeKind.SERVICE_TASK);
    String id = id("s");
    List<Block> body = new ArrayList<>();
    body.add(task(place, NodeKind.SERVICE_TASK));
    // One that throws its error at its end has nothing else in it by then.
    if (guard.happens() && random.nextBoolean()) {
      List<Block> two = List.of(task(place.deeper()), task(place.deeper()));
      body.add(new Parallel(id("p"), two));
      String thrown = BlockGraph.code(guard);
      return new Sub(id, new Sequence(body), true, thrown == null ? "ANY" : thrown);
    }
    body.addAll(body(place.deeper()).blocks());
    return new Sub(id, new Sequence(body), random.nextBoolean(), null);
  }

  /**
   * What is done beside an activity may still be done when the activity comes round again; so it
   * must be the same each time.
   */
  private Block beside() {
    List<Block> tasks = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      tasks.add(sameEachTime());
    }
    return new Sequence(tasks);
  }

  private Task sameEachTime() {
    return new Task(id("t"), NodeKind.SERVICE_TASK, List.of());
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
