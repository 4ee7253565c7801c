package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Happening.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine under a scheduler that follows a seed: work ends in any order, fails and is mended, is
 * told twice and late, what was decided is lost with its server and decided again, and servers come
 * back with what was kept. A step is one decision of the engine, and most of them are about
 * something that was told before. {@code -Dsteps=N} says how many, {@code -Dfirst=N} the first
 * seed; {@code -Dseed=N} plays one alone.
 */
@Order(1)
class EngineSimulationTest {
  private static final long STEPS = Long.getLong("steps", 1_000_000);
  private static final long FIRST = Long.getLong("first", 1);
  private static final int LANES = 2;
  private static final int BLOCKS_MAX = 24;

  /** All but one of so many steps tell something that was told before, which costs little. */
  private static final int REPEATED_OF = 16;

  private static final int DEPTH_MAX = 4;
  private static final int FAILURES_MAX = 20;

  /** What was done to one execution, how often the engine decided, and a sum of all of it. */
  private record History(long steps, long disturbed, long trace) {
    static final History NONE = new History(0, 0, 0);

    History and(History other) {
      return new History(steps + other.steps, disturbed + other.disturbed, trace ^ other.trace);
    }
  }

  private static final class Played {
    private final Random random;
    private final Block process;
    private final Playthrough execution;
    private final List<Happening> past = new ArrayList<>();
    private final CRC32C trace = new CRC32C();
    private long steps;
    private long disturbed;
    private int failures;

    Played(long seed) {
      random = new Random(new SplittableRandom(seed).nextLong());
      process = ProcessGenerator.process(random, 1 + random.nextInt(BLOCKS_MAX), DEPTH_MAX);
      execution = new Playthrough(BlockGraph.draw(process), new Scenario(process));
    }

    History toTheEnd() {
      execution.begin(ProcessGenerator.VARIABLES);
      steps++;
      while (!execution.isOver()) {
        disturb();
        Happening next = next();
        if (!(next instanceof Failed) && !(next instanceof Retry)) past.add(next);
        if (random.nextInt(8) == 0) loseStep(next);
        execution.play(next);
        note(next);
      }
      execution.assertEnded();
      var expected = ReferenceInterpreter.outcome(process, ProcessGenerator.VARIABLES);
      assertThat(execution.outcome().done()).isEqualTo(expected.done());
      assertThat(execution.outcome().variables()).isEqualTo(expected.variables());
      return new History(steps, disturbed, trace.getValue());
    }

    /** Something is told twice or late, or a server is killed, and nothing comes of it. */
    private void disturb() {
      Marking marking = execution.marking();
      while (!past.isEmpty() && random.nextInt(REPEATED_OF) > 0) {
        Happening stale = any(past);
        Step step = TokenGame.play(execution.definition, marking, stale, Playthrough.NOW);
        if (step.after() != marking || !step.isIdle()) execution.playStale(stale); // says what
        steps++;
        disturbed++;
      }
      if (random.nextInt(10) == 0) {
        execution.restart();
        disturbed++;
      }
    }

    /** The server died before it could keep what it decided: the same is decided again. */
    private void loseStep(Happening next) {
      execution.copy().play(next);
      steps++;
      disturbed++;
    }

    private Happening next() {
      List<Happening> possible = execution.possible();
      List<Happening> repairs = execution.repairs();
      List<String> fragile = execution.fragile();
      if (failures < FAILURES_MAX && !fragile.isEmpty() && random.nextInt(6) == 0) {
        failures++;
        disturbed++;
        return new Failed(any(fragile), "it broke");
      }
      boolean repair = possible.isEmpty() || !repairs.isEmpty() && random.nextBoolean();
      return any(repair ? repairs : possible);
    }

    private <T> T any(List<T> from) {
      if (from.isEmpty()) throw new AssertionError("nothing can happen: " + execution.marking());
      return from.get(random.nextInt(from.size()));
    }

    private void note(Happening happening) {
      steps++;
      int moment = 31 * happening.hashCode() + execution.marking().hashCode();
      trace.update(moment);
      trace.update(moment >>> 8);
      trace.update(moment >>> 16);
      trace.update(moment >>> 24);
    }
  }

  private static History play(long seed) {
    Played played = new Played(seed);
    try {
      return played.toTheEnd();
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError(
          "seed " + seed + " (replay with -Dseed=" + seed + "): " + failure, failure);
    }
  }

  @Tag("long")
  @Test
  void a_million_steps_under_faults_come_to_what_was_drawn() {
    Long replayed = Long.getLong("seed");
    if (replayed != null) {
      System.out.println(play(replayed));
      return;
    }
    History all =
        LongStream.range(0, LANES)
            .parallel()
            .mapToObj(EngineSimulationTest::lane)
            .reduce(History.NONE, History::and);
    System.out.printf(
        "engine: %d steps, %d faults, trace %08x%n", all.steps(), all.disturbed(), all.trace());
    assertThat(all.steps()).isGreaterThanOrEqualTo(STEPS);
    assertThat(all.disturbed()).isGreaterThan(STEPS / 10);
  }

  private static History lane(long number) {
    History all = History.NONE;
    for (long seed = FIRST + number; all.steps() < (STEPS + LANES - 1) / LANES; seed += LANES) {
      all = all.and(play(seed));
    }
    return all;
  }

  @Test
  void the_same_seed_gives_the_same_trace_and_another_one_another() {
    for (long seed = FIRST; seed < FIRST + 50; seed++) assertThat(play(seed)).isEqualTo(play(seed));
    assertThat(play(FIRST)).isNotEqualTo(play(FIRST + 1));
  }
}
