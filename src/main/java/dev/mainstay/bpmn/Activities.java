package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import org.jspecify.annotations.Nullable;

/** What is done at a node, from the token's coming to its going. */
final class Activities {
  private final Play play;
  private final Board board;
  private final Listeners listeners;
  private final Loops loops;
  private final AdHocs adHocs;

  Activities(Play play) {
    this.play = play;
    this.board = play.board;
    this.listeners = new Listeners(play);
    this.loops = new Loops(play, this);
    this.adHocs = new AdHocs(play, this);
  }

  /** A token has come to a node where it rests. What cannot be told is refused. */
  void begin(Token token) {
    listeners.attach(token);
    start(token);
  }

  /** Begins what a token stands at, whatever listens beside it being there already. */
  void start(Token token) {
    Node node = board.node(token);
    if (board.isLoop(token)) {
      loops.begin(token);
      return;
    }
    switch (node.kind()) {
      case TASK, SERVICE_TASK -> board.wish(new Wish.Work(token.id(), node.id(), work(token)));
      case USER_TASK, MANUAL_TASK -> board.wish(new Wish.Ask(token.id(), node.id(), work(token)));
      case BUSINESS_RULE_TASK -> done(token, decided(token, node));
      case SEND_TASK -> {
        play.sendMessage(token, node);
        done(token, null);
      }
      case CALL_ACTIVITY ->
          board.wish(new Wish.Call(token.id(), called(node), play.sight.of(token)));
      case SUB_PROCESS ->
          board.definition.starts(node.id()).forEach(each -> enterScope(token, each));
      case AD_HOC_SUB_PROCESS -> {
        if (board.isChooser(token)) adHocs.ask(token);
        else adHocs.begin(token);
      }
      case EVENT_GATEWAY -> listeners.race(token);
      default -> listeners.await(token); // catch events and receive tasks
    }
  }

  private Node.Order work(Token token) {
    return play.orders.work(token);
  }

  private void enterScope(Token scope, Node node) {
    if (node.traits().trigger() == null || !node.kind().isEvent()) {
      play.send(board.nextId(), scope.id(), node);
    }
  }

  private static String called(Node node) {
    if (node.traits().inner() instanceof Inner.Call call) return call.workflow();
    throw Refusal.invalid(node.id() + " names no workflow to call");
  }

  private @Nullable Object decided(Token token, Node node) {
    int number = 0;
    for (Rule rule : node.traits().gives().rules()) {
      String what = Phrase.of("rule %d of %s", ++number, node.id());
      String when = rule.when();
      if (when == null || play.sight.holds(what, when, token)) {
        return play.sight.value(what, rule.gives(), token);
      }
    }
    throw Refusal.invalid(Phrase.of("no rule of %s holds; change a variable and retry", node.id()));
  }

  /** Somebody has mended what was wrong where this token began. */
  void again(Token token) {
    try {
      if (board.isListener(token)) listeners.await(token);
      else if (Play.passes(board.node(token))) play.enter(token, true);
      else start(token);
    } catch (Refusal problem) {
      play.incidents.note(board.get(token.id()), problem.getMessage(), Incidents.Stage.BEGIN);
    }
  }

  /** Somebody has mended what kept a loop or an ad-hoc sub-process from knowing its end. */
  void askedAgain(Token token) {
    if (board.isRound(token)) loops.roundDone(token, true);
    else adHocs.again(token);
  }

  /** Somebody says to go on without it. */
  void skipped(Token token, JsonObject result, Incidents.Stage stage) {
    if (stage == Incidents.Stage.UNTIL && board.isRound(token)) {
      loops.roundDone(token, false);
    } else if (board.isListener(token)) {
      board.remove(token);
    } else if (board.isChooser(token)) {
      adHocs.chosen(token, result.isEmpty() ? JsonObject.of("done", true) : result);
    } else {
      board.children(token.id()).stream()
          .filter(each -> !board.isListener(each))
          .forEach(play::withdraw);
      done(listeners.winner(token), result);
    }
  }

  /** The work of a token has come out. */
  void workDone(Token token, JsonObject result) {
    if (board.isChooser(token)) adHocs.chosen(token, result);
    else done(token, result);
  }

  /** The moment or the message that a token waits for has come. */
  void occurred(Token token, @Nullable JsonObject content) {
    if (board.isListener(token)) {
      listeners.fire(token, content);
      return;
    }
    done(listeners.winner(token), content);
  }

  /** A node is done: its result is taken, its listeners go, and the token goes on. */
  void done(Token token, @Nullable Object result) {
    if (result != null && !board.isScope(token)) play.sight.take(token, result);
    Token now = board.find(token.id()).orElse(token);
    listeners.detach(now);
    if (board.isRound(now)) {
      loops.roundDone(withResult(now, result), true);
    } else {
      play.leave(now, true);
    }
  }

  /** A round keeps its result until the loop has taken it. */
  private Token withResult(Token round, @Nullable Object result) {
    Load load = round.load();
    Object kept = board.isScope(round) ? Loops.ofItsOwn(board.node(round), load.locals()) : result;
    JsonObject loop = load.loop().with(Loops.RESULT, kept);
    return board.put(
        new Token(
            round.id(),
            round.position(),
            Status.IN_PROGRESS,
            round.parent(),
            new Load(load.edge(), load.locals(), loop, null)));
  }

  /** A loop is done with all its rounds. */
  void loopDone(Token loop) {
    listeners.detach(loop);
    play.leave(loop, true);
  }

  /** Nothing is left in a loop or a sub-process: it goes on; false if the token is neither. */
  boolean isEmpty(Token token) {
    if (board.isLoop(token)) return loops.goOn(token);
    if (!board.isScope(token)) return false;
    if (board.node(token).kind() == NodeKind.AD_HOC_SUB_PROCESS) adHocs.again(token);
    else done(token, null);
    return true;
  }

  /** A token at a boundary event that has happened, in the scope of the activity beside it. */
  Token goOnFrom(Node event, @Nullable String parent) {
    String id = board.nextId();
    board.trace(What.ENTERED, event.id(), id);
    return board.place(id, event, Status.IN_PROGRESS, parent);
  }

  /** A token waits for what its trigger says. */
  static boolean isAwaited(Node node) {
    return node.traits().trigger() instanceof Trigger.Timer
        || node.traits().trigger() instanceof Trigger.Message;
  }
}
