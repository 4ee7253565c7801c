package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Step.Ending;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What goes wrong: who catches it, what is left for somebody to mend, and how it goes on then. */
final class Incidents {
  private static final Pattern CODED =
      Pattern.compile("\\s*([A-Za-z0-9_.-]+)\\s*:.*", Pattern.DOTALL);
  private static final String STAGE = "stage";

  /** Where a token was when it could not go on; kept with it, so that it is tried again there. */
  enum Stage {
    BEGIN,
    LEAVING,
    JOIN,
    /** An ad-hoc sub-process or a loop that could not tell whether it has enough. */
    UNTIL
  }

  private final Play play;
  private final Board board;

  Incidents(Play play) {
    this.play = play;
    this.board = play.board;
  }

  /** Lets a token stand until somebody mends what is wrong. */
  void note(Token token, @Nullable String problem, Stage stage) {
    Load load = token.load();
    String why = problem == null ? "no reason was given" : problem;
    JsonObject loop = load.loop().with(STAGE, stage.name());
    Load next = new Load(load.edge(), load.locals(), loop, why);
    board.put(new Token(token.id(), token.position(), Status.INCIDENT, token.parent(), next));
    board.trace(What.FAILED, token.position(), token.id(), why);
  }

  static Stage stage(Token token) {
    String stage = token.load().loop().textOrNull(STAGE);
    return stage == null ? Stage.BEGIN : Stage.valueOf(stage);
  }

  /** The token as it is when somebody goes on with it. */
  private Token mended(Token token) {
    Load load = token.load();
    var kept = new TreeMap<>(load.loop().asMap());
    kept.remove(STAGE);
    Load next = new Load(load.edge(), load.locals(), JsonObject.copyOf(kept), null);
    return board.put(
        new Token(token.id(), token.position(), Status.IN_PROGRESS, token.parent(), next));
  }

  static @Nullable String code(String error) {
    Matcher coded = CODED.matcher(error);
    return coded.matches() ? coded.group(1) : null;
  }

  /** The work of a token has failed. */
  void failed(Token token, String error) {
    String code = code(error);
    Optional<Caught> caught = catcher(token, code);
    if (caught.isEmpty()) {
      note(token, error, Stage.BEGIN);
      return;
    }
    board.trace(What.FAILED, token.position(), token.id(), error);
    caught(caught.get(), token, code, error);
  }

  /** An end event has thrown an error. */
  void thrown(Token token, Node end, @Nullable String code) {
    String error =
        Phrase.of(
            "%s ended with the error %s", end.title(), code == null ? "without a code" : code);
    Optional<Caught> caught = board.find(token.parent()).flatMap(each -> catcher(each, code));
    if (caught.isPresent()) caught(caught.get(), token, code, error);
    else play.stop(new Ending(code, error));
  }

  /** The activity that is ended by an error, and the event that catches it. */
  private record Caught(Token activity, Node event) {}

  private Optional<Caught> catcher(Token from, @Nullable String code) {
    Optional<Token> each = Optional.of(from);
    while (each.isPresent()) {
      Token token = each.get();
      if (!board.isRound(token) && !board.isChooser(token)) {
        Node event = catcher(board.node(token), code);
        if (event != null) return Optional.of(new Caught(token, event));
      }
      each = board.find(token.parent());
    }
    return Optional.empty();
  }

  private @Nullable Node catcher(Node activity, @Nullable String code) {
    Node any = null;
    for (Node event : board.definition.boundary(activity.id())) {
      if (!(event.traits().trigger() instanceof Trigger.Fault fault)) continue;
      if (fault.code() == null) any = any == null ? event : any;
      else if (fault.code().equals(code)) return event;
    }
    return any;
  }

  private void caught(Caught caught, Token from, @Nullable String code, String error) {
    String variable = caught.event().traits().gives().result();
    JsonObject told = JsonObject.of("code", code, "message", error).with("node", from.position());
    Token activity = caught.activity();
    if (from.id().equals(activity.id())) board.children(from.id()).forEach(play::withdraw);
    if (from.id().equals(activity.id())) board.remove(from);
    else play.withdraw(activity);
    Token event = play.activities.goOnFrom(caught.event(), activity.parent());
    if (variable != null) play.sight.take(event, told);
    play.leave(event, false);
  }

  void retry(Token token, JsonObject variables) {
    board.trace(What.RETRIED, token.position(), token.id());
    variables.asMap().forEach((name, value) -> play.sight.set(token, name, value));
    Stage stage = stage(token);
    Token again = mended(board.get(token.id()));
    switch (stage) {
      case LEAVING -> play.leave(again, true);
      case JOIN -> {
        String edge = again.load().edge();
        board.remove(again);
        board
            .definition
            .findEdge(edge == null ? "" : edge)
            .ifPresent(each -> play.park(again.id(), again.parent(), each));
      }
      case UNTIL -> play.activities.askedAgain(again);
      case BEGIN -> play.activities.again(again);
    }
  }

  /** Goes on as if it were done; false if nobody says which way. */
  boolean skip(Token token, JsonObject result) {
    Stage stage = stage(token);
    Node node = board.node(token);
    boolean atWays = stage == Stage.LEAVING || node.kind().isGateway();
    Edge way = atWays ? play.wayNamed(token, result.textOrNull("take")) : null;
    if (stage == Stage.JOIN) {
      board.trace(What.SKIPPED, node.id(), token.id());
      play.fireJoin(node.id(), token.parent());
      return true;
    }
    if (atWays && way == null) return false;
    board.trace(What.SKIPPED, node.id(), token.id());
    Token onward = mended(token);
    if (way != null) play.leaveBy(onward, List.of(way), true);
    else play.activities.skipped(onward, result, stage);
    return true;
  }
}
