package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.CompactJson;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An activity once for each item of a list, one after the other or all at once. */
final class Loops {
  static final int ITEMS_MAX = 1_000;

  /** Which round it is; an instance finds it beside its item. */
  static final String COUNTER = "loop_counter";

  static final String RESULT = "result";
  private static final String ITEMS = "items";
  private static final String NEXT = "next";
  private static final String DONE = "done";
  private static final String RESULTS = "results";

  private final Play play;
  private final Board board;
  private final Activities activities;

  Loops(Play play, Activities activities) {
    this.play = play;
    this.board = play.board;
    this.activities = activities;
  }

  private Loop loop(Token token) {
    return Objects.requireNonNull(board.node(token).traits().loop());
  }

  void begin(Token token) {
    Loop loop = loop(token);
    String what = "the list of " + token.position();
    Object found = play.sight.value(what, loop.collection(), token);
    if (!(found instanceof List<?> items)) {
      throw Refusal.invalid(
          Phrase.of(
              "%s, \"%s\", is no list but %s", what, loop.collection(), CompactJson.of(found)));
    }
    if (items.size() > ITEMS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("%s has %,d items of at most %,d", what, items.size(), ITEMS_MAX));
    }
    JsonObject state =
        JsonObject.of(ITEMS, items, NEXT, 0, DONE, 0)
            .with(RESULTS, loop.results() == null ? null : Collections.nCopies(items.size(), null));
    Token body = keep(token, state);
    int rounds = loop.sequential() ? Math.min(1, items.size()) : items.size();
    if (items.isEmpty()) finish(body);
    // A round may be done at once, and with it the whole loop.
    for (int i = 0; i < rounds && board.find(token.id()).isPresent(); i++) next(body.id());
  }

  private Token keep(Token body, JsonObject state) {
    Load load = new Load(null, body.load().locals(), state, null);
    return board.put(
        new Token(body.id(), body.position(), Status.IN_PROGRESS, body.parent(), load));
  }

  /** Begins the next round. */
  private void next(String loop) {
    Token body = board.get(loop);
    JsonObject state = body.load().loop();
    int number = (int) state.number(NEXT);
    keep(body, state.with(NEXT, number + 1));
    Node node = board.node(body);
    JsonObject locals =
        JsonObject.of(COUNTER, number).withAny(loop(body).item(), state.list(ITEMS).get(number));
    Load load = new Load(null, locals, JsonObject.EMPTY, null);
    Token round =
        board.put(new Token(board.nextId(), node.id(), Status.IN_PROGRESS, body.id(), load));
    board.trace(What.ENTERED, node.id(), round.id());
    try {
      activities.start(round);
    } catch (Refusal problem) {
      play.incidents.note(board.get(round.id()), problem.getMessage(), Incidents.Stage.BEGIN);
    }
  }

  /** Begins the next round of a loop in which none is under way; false if none is left. */
  boolean goOn(Token loop) {
    JsonObject state = loop.load().loop();
    boolean left = state.has(NEXT) && state.number(NEXT) < state.list(ITEMS).size();
    if (left) next(loop.id());
    return left;
  }

  /**
   * A round is done; if it is asked whether that is enough and it cannot be told, it is not over.
   */
  void roundDone(Token round, boolean asked) {
    Token body = board.get(String.valueOf(round.parent()));
    Loop loop = loop(body);
    JsonObject counted = counted(body, round);
    boolean enough;
    try {
      enough = asked && isEnough(loop, body, counted, round);
    } catch (Refusal problem) {
      play.incidents.note(round, problem.getMessage(), Incidents.Stage.UNTIL);
      return;
    }
    board.remove(round);
    board.trace(What.LEFT, round.position(), round.id());
    Token after = keep(body, counted);
    if (enough || counted.number(DONE) == counted.list(ITEMS).size()) finish(after);
  }

  private static JsonObject counted(Token body, Token round) {
    JsonObject state = body.load().loop();
    JsonObject counted = state.with(DONE, state.number(DONE) + 1);
    if (!state.has(RESULTS)) return counted; // nobody wants them
    List<@Nullable Object> results = new ArrayList<>(state.list(RESULTS));
    int number = (int) round.load().locals().number(COUNTER);
    results.set(number, round.load().loop().get(RESULT));
    return counted.with(RESULTS, results);
  }

  /** The condition sees the round's variables, and how many rounds there are and are done. */
  private boolean isEnough(Loop loop, Token body, JsonObject counted, Token round) {
    String until = loop.until();
    if (until == null) return false;
    JsonObject locals =
        round
            .load()
            .locals()
            .with("loop_done", counted.number(DONE))
            .with("loop_total", counted.list(ITEMS).size());
    Load load = new Load(null, locals, JsonObject.EMPTY, null);
    Token seeing = new Token(round.id(), round.position(), round.status(), body.id(), load);
    return play.sight.holds("the end of " + round.position(), until, seeing);
  }

  private void finish(Token body) {
    board.children(body.id()).stream()
        .filter(each -> !board.isListener(each))
        .forEach(play::withdraw);
    String variable = loop(body).results();
    if (variable != null) play.sight.set(body, variable, body.load().loop().list(RESULTS));
    activities.loopDone(board.get(body.id()));
  }

  /** What a round has set in its variables, without those it began with. */
  static JsonObject ofItsOwn(Node node, JsonObject locals) {
    Loop loop = Objects.requireNonNull(node.traits().loop());
    Map<String, @Nullable Object> own = new TreeMap<>(locals.asMap());
    own.remove(COUNTER);
    own.remove(loop.item());
    return JsonObject.copyOf(own);
  }
}
