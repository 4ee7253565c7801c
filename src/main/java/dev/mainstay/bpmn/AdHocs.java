package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.CompactJson;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A sub-process in which somebody chooses what is done next, until there is enough. */
final class AdHocs {
  private static final String DONE = "done";

  private final Play play;
  private final Board board;
  private final Activities activities;

  AdHocs(Play play, Activities activities) {
    this.play = play;
    this.board = play.board;
    this.activities = activities;
  }

  private static Inner.AdHoc terms(Node node) {
    return node.traits().inner() instanceof Inner.AdHoc terms
        ? terms
        : new Inner.AdHoc(false, null, true);
  }

  static boolean isSequential(Node node) {
    return terms(node).sequential();
  }

  void begin(Token scope) {
    Node node = board.node(scope);
    Token chooser = board.place(board.nextId(), node, Status.IN_PROGRESS, scope.id());
    try {
      ask(chooser);
    } catch (Refusal problem) {
      play.incidents.note(chooser, problem.getMessage(), Incidents.Stage.BEGIN);
    }
  }

  void ask(Token chooser) {
    board.wish(new Wish.Work(chooser.id(), chooser.position(), play.orders.work(chooser)));
  }

  /** Somebody has chosen, or said that it is done. */
  void chosen(Token chooser, JsonObject result) {
    Token scope = board.get(String.valueOf(chooser.parent()));
    if (Boolean.TRUE.equals(result.get(DONE))) {
      board.remove(chooser);
      finish(scope);
      return;
    }
    List<Node> next;
    try {
      next = choices(board.node(scope), result);
    } catch (Refusal problem) {
      play.incidents.note(chooser, problem.getMessage(), Incidents.Stage.BEGIN);
      return;
    }
    board.remove(chooser);
    for (Node node : next) play.send(board.nextId(), scope.id(), node);
    String ids = next.stream().map(Node::id).collect(Collectors.joining(", "));
    board.trace(What.LEFT, scope.position(), chooser.id(), "chose " + ids);
  }

  private List<Node> choices(Node node, JsonObject result) {
    Object next = result.get("next");
    List<?> ids = next instanceof List<?> list ? list : next == null ? List.of() : List.of(next);
    List<Node> all = board.definition.starts(node.id());
    List<Node> chosen = new ArrayList<>();
    for (Object id : ids) {
      all.stream().filter(each -> each.id().equals(id)).findFirst().ifPresent(chosen::add);
    }
    boolean tooMany =
        (isSequential(node) && ids.size() > 1) || ids.stream().distinct().count() < ids.size();
    if (chosen.size() == ids.size() && !chosen.isEmpty() && !tooMany) return chosen;
    throw Refusal.invalid(
        Phrase.of(
            "%s was answered with %s; the result must have \"next\" with %s of %s, or \"done\": true",
            node.id(),
            CompactJson.of(result),
            isSequential(node) ? "one" : "some",
            all.stream().map(Node::id).collect(Collectors.joining(", "))));
  }

  /** Nothing is left in it: it has enough, or somebody chooses again. */
  void again(Token scope) {
    String until = terms(board.node(scope)).until();
    boolean enough;
    try {
      enough = until != null && play.sight.holds("the end of " + scope.position(), until, scope);
    } catch (Refusal problem) {
      play.incidents.note(scope, problem.getMessage(), Incidents.Stage.UNTIL);
      return;
    }
    if (enough) finish(scope);
    else begin(scope);
  }

  private void finish(Token scope) {
    board.inner(scope.id()).forEach(play::withdraw);
    Load load = scope.load();
    Load plain = new Load(null, load.locals(), JsonObject.EMPTY, null);
    Token over = new Token(scope.id(), scope.position(), Status.IN_PROGRESS, scope.parent(), plain);
    activities.done(board.put(over), null);
  }
}
