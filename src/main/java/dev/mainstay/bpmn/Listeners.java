package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Times;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tokens that wait for a moment or a message: on their own, in a race, or beside an activity. */
final class Listeners {
  private static final String DUE = "due";
  private static final String ROUNDS = "rounds";

  private final Play play;
  private final Board board;

  Listeners(Play play) {
    this.play = play;
    this.board = play.board;
  }

  /** Lets the boundary events of an activity listen; the rounds of a loop have the loop's. */
  void attach(Token token) {
    if (board.isRound(token) || board.isChooser(token)) return;
    for (Node event : board.definition.boundary(token.position())) {
      if (Activities.isAwaited(event)) beside(token.id(), event);
    }
  }

  private void beside(String activity, Node event) {
    Token token = board.place(board.nextId(), event, Status.WAITING, activity);
    await(token);
  }

  /** Asks for what a token waits for; what cannot be told is an incident of its own. */
  void await(Token token) {
    Node node = board.node(token);
    try {
      if (node.traits().trigger() instanceof Trigger.Timer timer) {
        Instant due = play.orders.due(timer, token);
        waitsUntil(token, due, 0);
      } else if (node.traits().trigger() instanceof Trigger.Message message) {
        String correlation = play.orders.correlation(message, token);
        board.put(with(token, Status.WAITING, token.load()));
        board.wish(new Wish.Listen(token.id(), message.name(), correlation));
      } else {
        throw Refusal.invalid(Phrase.of("%s waits for nothing that can come", node.id()));
      }
    } catch (Refusal problem) {
      play.incidents.note(token, problem.getMessage(), Incidents.Stage.BEGIN);
    }
  }

  private void waitsUntil(Token token, Instant due, long rounds) {
    JsonObject loop =
        JsonObject.of(DUE, Times.write(due)).with(ROUNDS, rounds == 0 ? null : rounds);
    board.put(with(token, Status.WAITING, new Load(null, token.load().locals(), loop, null)));
    board.wish(new Wish.Wake(token.id(), due));
  }

  private static Token with(Token token, Status status, Load load) {
    return new Token(token.id(), token.position(), status, token.parent(), load);
  }

  /** An event gateway: all that may follow it listen, and the first to happen wins. */
  void race(Token gateway) {
    for (Edge edge : board.definition.outgoing(gateway.position())) {
      Node event = board.definition.node(edge.target());
      Token token = board.place(board.nextId(), event, Status.WAITING, gateway.id());
      board.trace(What.ENTERED, event.id(), token.id());
      await(token);
    }
  }

  /** The token that has won its race, or ran none, in the scope in which it goes on. */
  Token winner(Token token) {
    Optional<Token> gateway =
        board
            .find(token.parent())
            .filter(each -> board.node(each).kind() == NodeKind.EVENT_GATEWAY);
    if (gateway.isEmpty()) return token;
    Token won =
        new Token(
            token.id(), token.position(), token.status(), gateway.get().parent(), token.load());
    board.put(won);
    board.children(gateway.get().id()).forEach(play::withdraw);
    board.remove(gateway.get());
    board.trace(What.LEFT, gateway.get().position(), gateway.get().id());
    return won;
  }

  /** A boundary event happens: it ends its activity, or another token sets out beside it. */
  void fire(Token listener, @Nullable JsonObject content) {
    Node event = board.node(listener);
    Token activity = board.get(String.valueOf(listener.parent()));
    board.remove(listener);
    if (event.frame().interrupting()) play.withdraw(activity);
    else listenAgain(listener, event);
    Token token = play.activities.goOnFrom(event, activity.parent());
    if (content != null) play.sight.take(token, content);
    play.leave(token, false);
  }

  private void listenAgain(Token listener, Node event) {
    String activity = String.valueOf(listener.parent());
    if (event.traits().trigger() instanceof Trigger.Timer timer) {
      if (Orders.isCycle(timer)) comesRound(listener, event, timer);
    } else {
      beside(activity, event);
    }
  }

  private void comesRound(Token listener, Node event, Trigger.Timer timer) {
    JsonObject loop = listener.load().loop();
    Long before = loop.numberOrNull(ROUNDS);
    long rounds = (before == null ? 0 : before) + 1;
    Instant due = loop.has(DUE) ? Times.read(loop.text(DUE)) : board.now;
    Token next = board.place(board.nextId(), event, Status.WAITING, listener.parent());
    try {
      String text = play.orders.text(timer, next);
      Optional<Instant> moment =
          Timing.of(new Trigger.Timer(timer.kind(), text)).next(due, rounds, board.now);
      if (moment.isPresent()) waitsUntil(next, moment.get(), rounds);
      else board.remove(next);
    } catch (Refusal problem) {
      play.incidents.note(next, problem.getMessage(), Incidents.Stage.BEGIN);
    }
  }

  /** Nothing listens any more beside an activity that is done. */
  void detach(Token activity) {
    for (Token child : board.children(activity.id())) {
      if (board.isListener(child)) play.withdraw(child);
    }
  }
}
