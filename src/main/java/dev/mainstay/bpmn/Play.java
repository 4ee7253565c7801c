package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Step.Ending;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The moves of one step. Tokens on their way wait in a list; when it is empty, joins fire and
 * scopes end, until nothing moves any more.
 */
final class Play {
  /** So many nodes are passed in one step; more is a circle in which nothing is waited for. */
  static final int MOVES_MAX = 10_000;

  /** A loop over as many items as there may be, each a sub-process, has not half as many. */
  static final int TOKENS_MAX = 5_000;

  /**
   * A token on its way to a node.
   *
   * @param spent whether something was wanted under its id already, so that it needs another
   */
  record Transit(
      String id, boolean spent, @Nullable String parent, Node node, @Nullable Edge edge) {}

  final Board board;
  final Sight sight;
  final Orders orders;
  final Incidents incidents;
  final Activities activities;
  private final Ways ways;
  private final Joins joins;
  private final Deque<Transit> underWay = new ArrayDeque<>();
  private int moves;

  Play(Board board) {
    this.board = board;
    this.sight = new Sight(board);
    this.orders = new Orders(board, sight);
    this.ways = new Ways(board.definition, sight);
    this.incidents = new Incidents(this);
    this.activities = new Activities(this);
    this.joins = new Joins(this);
  }

  void begin(@Nullable String start, JsonObject variables) {
    variables.asMap().forEach(board.variables()::put);
    List<Node> starts = starts(start);
    if (starts.isEmpty()) {
      String which = start == null ? "plain start" : "start \"" + start + "\"";
      board.ends(new Ending(null, "the process has no " + which));
    }
    for (Node node : starts) send(board.nextId(), null, node);
  }

  /** Whoever names none means the plain one, or the only one there is. */
  private List<Node> starts(@Nullable String named) {
    List<Node> all = board.definition.starts(null);
    if (named != null) return all.stream().filter(node -> node.id().equals(named)).toList();
    List<Node> plain = all.stream().filter(node -> node.traits().trigger() == null).toList();
    return plain.isEmpty() && all.size() == 1 ? all : plain;
  }

  /** A new token goes to a node without having come from another. */
  void send(String id, @Nullable String parent, Node node) {
    setOut(new Transit(id, false, parent, node, null));
  }

  private void setOut(Transit transit) {
    if (++moves > MOVES_MAX) {
      throw new Overrun(
          Phrase.of(
              "it would pass more than %,d nodes without waiting; look for a circle", MOVES_MAX));
    }
    if (board.count() + underWay.size() >= TOKENS_MAX) {
      throw new Overrun(Phrase.of("it would have more than %,d tokens at once", TOKENS_MAX));
    }
    underWay.add(transit);
  }

  /** Moves everything that can move. */
  void run() {
    while (!board.isOver()) {
      if (!underWay.isEmpty()) arrive(underWay.removeFirst());
      else if (!joins.fireWhole() && !settle() && !joins.fireReachable() && !joins.strand()) break;
    }
    if (board.count() == 0 && !board.isOver()) board.ends(Ending.WELL);
  }

  private void arrive(Transit transit) {
    String parent = transit.parent();
    if (parent != null && board.find(parent).isEmpty()) return; // it was ended meanwhile
    Edge edge = transit.edge();
    if (edge != null && Joins.isJoin(board.definition, transit.node())) {
      park(transit.id(), parent, edge);
      return;
    }
    boolean rests = !passes(transit.node());
    String id = transit.spent() && rests ? board.nextId() : transit.id();
    board.trace(What.ENTERED, transit.node().id(), id);
    Token token = board.place(id, transit.node(), Status.IN_PROGRESS, parent);
    try {
      enter(token, transit.spent() && !rests);
    } catch (Refusal problem) {
      incidents.note(board.get(id), problem.getMessage(), Incidents.Stage.BEGIN);
    }
  }

  void park(String id, @Nullable String parent, Edge edge) {
    Load load = new Load(edge.id(), JsonObject.EMPTY, JsonObject.EMPTY, null);
    board.put(new Token(id, edge.source(), Status.COMPLETED, parent, load));
  }

  /** Whether a token never rests there, unless something goes wrong. */
  static boolean passes(Node node) {
    return switch (node.kind()) {
      case START_EVENT, END_EVENT, THROW_EVENT -> true;
      case EXCLUSIVE_GATEWAY, PARALLEL_GATEWAY, INCLUSIVE_GATEWAY -> true;
      default -> false;
    };
  }

  void enter(Token token, boolean spent) {
    Node node = board.node(token);
    switch (node.kind()) {
      case START_EVENT, EXCLUSIVE_GATEWAY, PARALLEL_GATEWAY, INCLUSIVE_GATEWAY ->
          leave(token, spent);
      case THROW_EVENT -> {
        sendMessage(token, node);
        leave(token, spent);
      }
      case END_EVENT -> end(token, node);
      default -> activities.begin(token);
    }
  }

  void sendMessage(Token token, Node node) {
    if (node.traits().trigger() instanceof Trigger.Message message) {
      board.wish(new Wish.Send(token.id(), orders.posting(message, token)));
    }
  }

  private void end(Token token, Node node) {
    sendMessage(token, node);
    board.remove(token);
    board.trace(What.LEFT, node.id(), token.id());
    if (node.traits().trigger() instanceof Trigger.Terminate) {
      underWay.removeIf(each -> Objects.equals(each.parent(), token.parent()));
      board.inner(token.parent()).forEach(this::withdraw);
    } else if (node.traits().trigger() instanceof Trigger.Fault fault) {
      incidents.thrown(token, node, fault.code());
    }
  }

  /** A token that is done with its node goes on; where no way is open it is an incident. */
  void leave(Token token, boolean spent) {
    Node node = board.node(token);
    List<Edge> edges;
    try {
      edges = ways.of(node, token);
    } catch (Refusal problem) {
      incidents.note(token, problem.getMessage(), Incidents.Stage.LEAVING);
      return;
    }
    leaveBy(token, edges, spent);
  }

  void leaveBy(Token token, List<Edge> edges, boolean spent) {
    board.remove(token);
    board.trace(What.LEFT, token.position(), token.id());
    boolean first = true;
    for (Edge edge : edges) {
      Node target = board.definition.node(edge.target());
      String id = first ? token.id() : board.nextId();
      setOut(new Transit(id, first && spent, token.parent(), target, edge));
      first = false;
    }
  }

  /** The way that somebody who skips a node names, or the default one; null if there is none. */
  @Nullable Edge wayNamed(Token token, @Nullable String id) {
    return ways.named(board.node(token), id);
  }

  void fireJoin(String join, @Nullable String parent) {
    joins.fire(join, parent);
  }

  /** Ends a token from outside, with all that lives in it. */
  void withdraw(Token token) {
    for (Token child : board.children(token.id())) withdraw(child);
    boolean listens = board.isListener(token);
    // Of an incident too: its task may be tried again by whoever failed at it.
    boolean wanted =
        token.status() == Status.WAITING
            || (token.status() != Status.COMPLETED && board.isWork(token));
    board.remove(token);
    if (wanted) board.wish(new Wish.Withdraw(token.id()));
    if (!listens && token.status() != Status.COMPLETED) {
      board.trace(What.WITHDRAWN, token.position(), token.id());
    }
  }

  void stop(Ending how) {
    underWay.clear();
    board.children(null).forEach(this::withdraw);
    board.ends(how);
  }

  /** A loop or sub-process in which no token is left goes on. */
  private boolean settle() {
    Optional<Token> next = board.nextUnsettled();
    while (next.isPresent()) {
      Token token = next.get();
      boolean empty = token.status() == Status.IN_PROGRESS && board.inner(token.id()).isEmpty();
      if (empty && activities.isEmpty(token)) return true;
      next = board.nextUnsettled();
    }
    return false;
  }
}
