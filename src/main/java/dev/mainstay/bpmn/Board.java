package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Step.Ending;
import dev.mainstay.bpmn.Step.Trace;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One step while it is being worked out: the tokens as they are moved, and what comes of it. */
final class Board {
  private static final String PREFIX = "token-";
  private static final Pattern ID = Pattern.compile(PREFIX + "[0-9]{1,18}");

  /** What stands for the process itself where a parent is named in maps. */
  private static final String TOP = "";

  final Definition definition;
  final Instant now;
  private final Map<Long, Token> tokens = new TreeMap<>();

  /** The same by what they live in, which is asked for at every move. */
  private final Map<String, Map<Long, Token>> within = new HashMap<>();

  /** Tokens that were put, or lost one that lived in them, and were not looked at since. */
  private final TreeSet<Long> unsettled = new TreeSet<>();

  private int completed;
  private final Map<String, @Nullable Object> variables;
  private final List<Wish> wishes = new ArrayList<>();
  private final List<Trace> traces = new ArrayList<>();
  private long numbered;
  private @Nullable Ending ending;

  Board(Definition definition, Marking before, Instant now) {
    this.definition = definition;
    this.now = now;
    before.tokens().forEach(this::put);
    unsettled.clear(); // they were settled when they were written down
    this.variables = new LinkedHashMap<>(before.variables().asMap());
    this.numbered = before.numbered();
  }

  Step step() {
    Marking after =
        new Marking(List.copyOf(tokens.values()), JsonObject.copyOf(variables), numbered);
    return new Step(after, wishes, traces, ending);
  }

  String nextId() {
    return PREFIX + ++numbered;
  }

  Token put(Token token) {
    find(token.id()).ifPresent(this::remove);
    tokens.put(token.number(), token);
    within.computeIfAbsent(parent(token), each -> new TreeMap<>()).put(token.number(), token);
    if (token.status() == Status.COMPLETED) completed++;
    unsettled.add(token.number());
    return token;
  }

  private static String parent(Token token) {
    return token.parent() == null ? TOP : token.parent();
  }

  /** A new token that stands at a node. */
  Token place(String id, Node node, Status status, @Nullable String parent) {
    return put(new Token(id, node.id(), status, parent, Load.NONE));
  }

  void remove(Token token) {
    Token gone = tokens.remove(token.number());
    if (gone == null) return;
    if (gone.status() == Status.COMPLETED) completed--;
    within.getOrDefault(parent(gone), Map.of()).remove(gone.number());
    find(gone.parent()).ifPresent(parent -> unsettled.add(parent.number()));
  }

  /** Whether some token waits at a join. */
  boolean hasCompleted() {
    return completed > 0;
  }

  /** The next token, oldest first, that may have something to do since others moved. */
  Optional<Token> nextUnsettled() {
    while (!unsettled.isEmpty()) {
      Token token = tokens.get(unsettled.pollFirst());
      if (token != null) return Optional.of(token);
    }
    return Optional.empty();
  }

  Optional<Token> find(@Nullable String id) {
    if (id == null || !ID.matcher(id).matches()) return Optional.empty();
    return Optional.ofNullable(tokens.get(Long.parseLong(id.substring(PREFIX.length()))));
  }

  /** A token that is known to be there. */
  Token get(String id) {
    return find(id).orElseThrow(() -> new IllegalStateException("no " + id));
  }

  int count() {
    return tokens.size();
  }

  Collection<Token> all() {
    return List.copyOf(tokens.values());
  }

  Node node(Token token) {
    return definition.node(token.position());
  }

  /** What lives directly in a token; in the process itself for null. */
  List<Token> children(@Nullable String parent) {
    return List.copyOf(within.getOrDefault(parent == null ? TOP : parent, Map.of()).values());
  }

  /** The same without the boundary events that only listen beside it. */
  List<Token> inner(@Nullable String parent) {
    return children(parent).stream().filter(each -> !isListener(each)).toList();
  }

  /** Whether it is a boundary event that waits beside an activity. */
  boolean isListener(Token token) {
    Node node = node(token);
    return node.kind() == NodeKind.BOUNDARY_EVENT
        && find(token.parent())
            .filter(parent -> parent.position().equals(node.frame().attachedTo()))
            .isPresent();
  }

  /** Whether it is a loop, in which its rounds live. */
  boolean isLoop(Token token) {
    return node(token).traits().loop() != null && likeAround(token) == 0;
  }

  /** Whether it is one round of a loop, and its parent the loop itself. */
  boolean isRound(Token token) {
    return node(token).traits().loop() != null && likeAround(token) == 1;
  }

  /** Whether it asks whoever chooses in an ad-hoc sub-process. */
  boolean isChooser(Token token) {
    Node node = node(token);
    return node.kind() == NodeKind.AD_HOC_SUB_PROCESS
        && likeAround(token) == (node.traits().loop() == null ? 1 : 2);
  }

  /** Whether others live in it as in a process of its own. */
  boolean isScope(Token token) {
    return node(token).kind().isScope() && !isLoop(token) && !isChooser(token);
  }

  /** Whether somebody outside does what its node says. */
  boolean isWork(Token token) {
    NodeKind kind = node(token).kind();
    boolean outside = kind.isQueued() || kind.isAsked() || kind == NodeKind.CALL_ACTIVITY;
    return isChooser(token) || (outside && !isLoop(token));
  }

  /** A loop, its rounds and who chooses stand at the same node, one within the other. */
  private int likeAround(Token token) {
    int like = 0;
    Optional<Token> parent = find(token.parent());
    while (parent.isPresent() && parent.get().position().equals(token.position())) {
      like++;
      parent = find(parent.get().parent());
    }
    return like;
  }

  Map<String, @Nullable Object> variables() {
    return variables;
  }

  void wish(Wish wish) {
    wishes.add(wish);
  }

  void trace(What what, String node, String token) {
    trace(what, node, token, null);
  }

  void trace(What what, String node, String token, @Nullable String note) {
    traces.add(new Trace(what, node, token, note));
  }

  void ends(Ending how) {
    ending = how;
  }

  boolean isOver() {
    return ending != null;
  }
}
