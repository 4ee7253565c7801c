package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random process, played in random order as the game alone plays it, for tests that let a store
 * play the same.
 */
public final class RandomFlow {
  private final Block process;
  private final Random random;
  private final Playthrough played;

  private RandomFlow(Block process, Random random, Instant now) {
    this.process = process;
    this.random = random;
    this.played = new Playthrough(drawn(process), new Scenario(process), now);
  }

  /** What is taken into a store has a start event in every scope. */
  private static Definition drawn(Block process) {
    Definition drawn = BlockGraph.draw(process);
    List<Node> nodes = new ArrayList<>();
    for (Node each : drawn.nodes()) {
      boolean begins = each.kind() == NodeKind.THROW_EVENT;
      nodes.add(begins ? Node.of(each.id(), NodeKind.START_EVENT).with(each.frame()) : each);
    }
    return new Definition(drawn.key(), drawn.title(), nodes, drawn.edges());
  }

  /** One with at most so many blocks, played where it is always the same moment. */
  public static RandomFlow of(Random random, int blocks, int depth, Instant now) {
    return new RandomFlow(ProcessGenerator.process(random, blocks, depth), random, now);
  }

  /** The workflow that is called by some of them: a person's answer is what comes out of it. */
  public static String called() {
    return BlockGraph.CALLED;
  }

  public static JsonObject variables() {
    return ProcessGenerator.VARIABLES;
  }

  public Definition definition() {
    return played.definition;
  }

  public void begin() {
    played.begin(variables());
  }

  /** Something that can happen next, which does not happen yet; null when it is over. */
  public @Nullable Happening next() {
    if (played.isOver()) return null;
    var possible = played.possible();
    return possible.get(random.nextInt(possible.size()));
  }

  public void play(Happening next) {
    played.play(next);
  }

  /** Tokens and variables as they stand. */
  public JsonObject standing() {
    return played.marking().toJson();
  }

  /** How often each node is done in the end, found without tokens. */
  public Map<String, Integer> expected() {
    return ReferenceInterpreter.outcome(process, variables()).done();
  }

  /** The variables in the end, found without tokens. */
  public JsonObject expectedVariables() {
    return ReferenceInterpreter.outcome(process, variables()).variables();
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
