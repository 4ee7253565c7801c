package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Step.Ending;
import dev.mainstay.bpmn.Step.Trace;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.domain.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Plays one execution, and keeps what it wants and what happened. */
final class Game {
  private final Definition definition;
  private final Map<String, Wish> open = new LinkedHashMap<>();
  private final List<Trace> traces = new ArrayList<>();
  private final List<Wish> sent = new ArrayList<>();
  private Marking marking = Marking.EMPTY;
  private Instant now = Instant.parse("2026-11-16T08:00:00Z");
  private @Nullable Ending ending;

  Game(Sketch sketch) {
    definition = sketch.drawn();
  }

  static Game begun(Sketch sketch, Object... variables) {
    Game game = new Game(sketch);
    game.play(new Happening.Begin(null, JsonObject.of(variables)));
    return game;
  }

  Step play(Happening happening) {
    Step step = TokenGame.play(definition, marking, happening, now);
    // What is written down is what goes on after a restart.
    marking = Marking.fromJson(step.after().toJson());
    assertThat(marking).isEqualTo(step.after());
    for (Wish wish : step.wishes()) {
      if (wish instanceof Wish.Withdraw) open.remove(wish.token());
      else if (wish instanceof Wish.Send) sent.add(wish);
      else open.put(wish.token(), wish);
    }
    traces.addAll(step.traces());
    if (step.ending() != null) ending = step.ending();
    return step;
  }

  Game later(long seconds) {
    now = now.plusSeconds(seconds);
    return this;
  }

  Instant now() {
    return now;
  }

  /** The token that stands at a node, the oldest of several. */
  Token at(String node) {
    return all(node).get(0);
  }

  List<Token> all(String node) {
    return marking.tokens().stream().filter(token -> token.position().equals(node)).toList();
  }

  /** The token at a node for which something is wanted. */
  String wanted(String node) {
    return marking.tokens().stream()
        .filter(token -> token.position().equals(node) && open.containsKey(token.id()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing is wanted at " + node + ": " + marking))
        .id();
  }

  Game done(String node, Object... result) {
    String token = wanted(node);
    open.remove(token);
    play(new Happening.Done(token, JsonObject.of(result)));
    return this;
  }

  Game failed(String node, String error) {
    String token = wanted(node);
    open.remove(token);
    play(new Happening.Failed(token, error));
    return this;
  }

  Game due(String node) {
    String token = wanted(node);
    open.remove(token);
    play(new Happening.Due(token));
    return this;
  }

  Game arrived(String node, Object... content) {
    String token = wanted(node);
    open.remove(token);
    play(new Happening.Arrived(token, JsonObject.of(content)));
    return this;
  }

  Game retry(String node, Object... variables) {
    play(new Happening.Retry(incident(node).id(), JsonObject.of(variables)));
    return this;
  }

  Game skip(String node, Object... result) {
    play(new Happening.Skip(incident(node).id(), JsonObject.of(result)));
    return this;
  }

  Token incident(String node) {
    return all(node).stream()
        .filter(token -> token.status() == Token.Status.INCIDENT)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no incident at " + node + ": " + marking));
  }

  /** Nodes at which something is wanted. */
  List<String> open() {
    TreeSet<String> nodes = new TreeSet<>();
    for (String token : open.keySet()) nodes.add(marking.find(token).orElseThrow().position());
    return List.copyOf(nodes);
  }

  Wish wish(String node) {
    return open.get(wanted(node));
  }

  List<Wish> sent() {
    return sent;
  }

  Marking marking() {
    return marking;
  }

  @Nullable Ending ending() {
    return ending;
  }

  JsonObject variables() {
    return marking.variables();
  }

  /** How often a node was left. */
  long left(String node) {
    return count(What.LEFT, node);
  }

  long count(What what, String node) {
    return traces.stream()
        .filter(trace -> trace.what() == what && trace.node().equals(node))
        .count();
  }

  Game endsWell() {
    assertThat(ending).as("%s", marking).isEqualTo(Ending.WELL);
    assertThat(marking.tokens()).isEmpty();
    assertThat(open).isEmpty();
    return this;
  }
}
