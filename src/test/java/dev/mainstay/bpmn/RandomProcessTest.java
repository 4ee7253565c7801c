package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random processes, played in random order, against an interpreter that knows no tokens. */
class RandomProcessTest {
  private static final int BLOCKS_MAX = 24;
  private static final int DEPTH_MAX = 4;
  private static final int FAILURES_MAX = 20;

  @Test
  void whatever_the_order_the_same_is_done() {
    Seeds.forAll(
        2_000,
        random -> {
          Block process = process(random);
          Playthrough played = begun(process);
          List<Happening> past = new ArrayList<>();
          while (!played.isOver()) {
            disturb(played, past, random);
            Happening next = next(played.possible(), played, random);
            past.add(next);
            played.play(next);
          }
          assertAsExpected(process, played);
        });
  }

  @Test
  void what_fails_and_is_mended_leaves_nothing_stranded() {
    Seeds.forAll(
        1_000,
        random -> {
          Block process = process(random);
          Playthrough played = begun(process);
          List<Happening> past = new ArrayList<>();
          int failures = 0;
          while (!played.isOver()) {
            disturb(played, past, random);
            List<Happening> possible = played.possible();
            List<Happening> repairs = played.repairs();
            List<String> fragile = played.fragile();
            Happening next;
            if (failures < FAILURES_MAX && !fragile.isEmpty() && random.nextInt(3) == 0) {
              next = new Failed(fragile.get(random.nextInt(fragile.size())), "it broke");
              failures++;
            } else if (possible.isEmpty() || (!repairs.isEmpty() && random.nextBoolean())) {
              next = next(repairs, played, random);
            } else {
              next = next(possible, played, random);
            }
            if (!(next instanceof Failed) && !(next instanceof Happening.Retry)) past.add(next);
            played.play(next);
          }
          assertAsExpected(process, played);
        });
  }

  @Test
  void what_a_variable_was_missing_for_goes_on_when_it_is_given() {
    Seeds.forAll(
        500,
        random -> {
          Block process = process(random);
          Map<String, Object> given = new TreeMap<>(ProcessGenerator.VARIABLES.asMap());
          given.keySet().removeIf(name -> random.nextInt(3) == 0);
          Playthrough played = begun(process, JsonObject.copyOf(given));
          while (!played.isOver()) {
            disturb(played, List.of(), random);
            List<Happening> possible = new ArrayList<>(played.possible());
            List<Happening> tries = played.secondTries(ProcessGenerator.VARIABLES);
            // What is interrupted must have come as far as it comes by itself.
            if (!tries.isEmpty()) possible.removeIf(played::isBeside);
            possible.addAll(tries);
            played.play(next(possible, played, random));
          }
          played.assertEnded();
          assertThat(played.outcome().done())
              .as("what was done in %s", process)
              .isEqualTo(expected(process).done());
        });
  }

  @Test
  void all_orders_of_a_split_in_three_come_to_the_same() {
    Block two = new Block.Sequence(List.of(task("a"), task("b")));
    Block process =
        new Block.Sequence(
            List.of(
                task("plan"),
                new Block.Parallel(
                    "p",
                    List.of(
                        two,
                        new Block.Sequence(List.of(task("c"), task("d"))),
                        new Block.Sequence(List.of(task("e"), task("f"))))),
                task("merge")));
    // Six tasks in three rows of two: 6! / (2! 2! 2!) orders.
    assertThat(explore(process, begun(process), Integer.MAX_VALUE)).isEqualTo(90);
  }

  @Test
  void all_orders_of_small_processes_come_to_the_same() {
    Seeds.forAll(
        150,
        random -> {
          Block process = ProcessGenerator.process(random, 1 + random.nextInt(5), 3);
          assertThat(explore(process, begun(process), 60)).isPositive();
        });
  }

  private static Block task(String id) {
    return new Block.Task(id, NodeKind.SERVICE_TASK, List.of());
  }

  /** How many orders there are, each played to its end; at most so many. */
  private static int explore(Block process, Playthrough played, int most) {
    if (played.isOver()) {
      assertAsExpected(process, played);
      return 1;
    }
    int orders = 0;
    for (Happening next : played.possible()) {
      if (orders >= most) break;
      Playthrough other = played.copy();
      other.play(next);
      orders += explore(process, other, most - orders);
    }
    return orders;
  }

  private static Block process(Random random) {
    return ProcessGenerator.process(random, 1 + random.nextInt(BLOCKS_MAX), DEPTH_MAX);
  }

  private static Playthrough begun(Block process) {
    return begun(process, ProcessGenerator.VARIABLES);
  }

  private static Playthrough begun(Block process, JsonObject variables) {
    Playthrough played = new Playthrough(BlockGraph.draw(process), new Scenario(process));
    played.begin(variables);
    return played;
  }

  /** Something is told twice, or the server is killed, and nothing comes of it. */
  private static void disturb(Playthrough played, List<Happening> past, Random random) {
    if (!past.isEmpty() && random.nextInt(3) == 0) played.playStale(next(past, played, random));
    if (random.nextInt(5) == 0) played.restart();
  }

  private static Happening next(List<Happening> from, Playthrough played, Random random) {
    assertThat(from).as("what can happen next in %s", played.marking()).isNotEmpty();
    return from.get(random.nextInt(from.size()));
  }

  private static ReferenceInterpreter.Outcome expected(Block process) {
    return ReferenceInterpreter.outcome(process, ProcessGenerator.VARIABLES);
  }

  private static void assertAsExpected(Block process, Playthrough played) {
    played.assertEnded();
    ReferenceInterpreter.Outcome expected = expected(process);
    assertThat(played.outcome().done())
        .as("what was done in %s", process)
        .isEqualTo(expected.done());
    assertThat(played.outcome().variables()).as("%s", process).isEqualTo(expected.variables());
  }
}
