package dev.mainstay.rules;

import dev.cel.common.Operator;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableComprehension;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.cel.common.ast.CelMutableExpr.CelMutableSelect;
import dev.mainstay.domain.Phrase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes of an expression as it is written one as it is asked: each operation of CEL becomes a call
 * of {@link Operation}, and each variable is looked up when it is needed.
 */
final class Rewriting {
  static final String GIVEN = "mainstay_given";
  static final String DO = "mainstay_do";
  private static final Set<String> CONNECTIVES =
      Set.of(
          Operator.LOGICAL_AND.getFunction(),
          Operator.LOGICAL_OR.getFunction(),
          Operator.CONDITIONAL.getFunction(),
          Operator.NOT_STRICTLY_FALSE.getFunction());
  private static final String FUNCTIONS =
      "there are size, contains, startsWith, endsWith, string, has, all, exists, exists_one,"
          + " filter and map";

  private final Remark remark;
  private final Map<Long, Integer> offsets;

  /** What the loops around a node name; such a name is no variable. */
  private final Deque<Set<String>> looped = new ArrayDeque<>();

  private final Set<String> variables = new TreeSet<>();
  private boolean preparing;
  private long lastId;

  Rewriting(Remark remark, Map<Long, Integer> offsets) {
    this.remark = remark;
    this.offsets = offsets;
  }

  /**
   * Refuses what an expression has no use for and makes every number a decimal, for CEL has no
   * arithmetic of an integer and a decimal. Gives the names of all variables.
   */
  Set<String> prepare(CelMutableExpr root) {
    preparing = true;
    visit(root);
    return variables;
  }

  void rewrite(CelMutableExpr root) {
    preparing = false;
    visit(root);
  }

  private void visit(CelMutableExpr node) {
    lastId = Math.max(lastId, node.id());
    switch (node.getKind()) {
      case CONSTANT -> constant(node);
      case IDENT -> name(node);
      case SELECT -> select(node);
      case CALL -> call(node);
      case LIST -> node.list().elements().forEach(this::visit);
      case MAP -> map(node.map());
      case COMPREHENSION -> loop(node.comprehension());
      case STRUCT -> throw refuse(node, "there are no types; write a map, as {\"name\": 1} is one");
      case NOT_SET -> throw refuse(node, "something is missing");
    }
  }

  private RuntimeException refuse(CelMutableExpr node, String what) {
    return remark.at(offsets.getOrDefault(node.id(), 0) + 1, what);
  }

  private void constant(CelMutableExpr node) {
    CelConstant constant = node.constant();
    switch (constant.getKind()) {
      case INT64_VALUE -> node.setConstant(CelConstant.ofValue((double) constant.int64Value()));
      case UINT64_VALUE ->
          node.setConstant(CelConstant.ofValue(constant.uint64Value().doubleValue()));
      case BYTES_VALUE -> throw refuse(node, "there are no bytes; write a text");
      case NULL_VALUE -> {
        if (!preparing) become(node, Operation.NULL);
      }
      default -> {}
    }
  }

  private void name(CelMutableExpr node) {
    String name = node.ident().name();
    if (looped.stream().anyMatch(names -> names.contains(name))) return;
    // A dot in front says that the name is no part of another, which it never is.
    String plain = name.startsWith(".") ? name.substring(1) : name;
    if (preparing) {
      variables.add(plain);
      node.ident().setName(plain);
    } else {
      become(node, Operation.VARIABLE, text(plain));
    }
  }

  private void select(CelMutableExpr node) {
    CelMutableSelect select = node.select();
    String owner = words(select.operand());
    visit(select.operand());
    if (preparing) return;
    become(
        node,
        select.testOnly() ? Operation.HAS : Operation.FIELD,
        select.operand(),
        text(select.field()),
        text(owner));
  }

  private void call(CelMutableExpr node) {
    CelMutableCall call = node.call();
    String function = call.function();
    List<CelMutableExpr> operands = new ArrayList<>();
    call.target().ifPresent(operands::add);
    operands.addAll(call.args());
    Operation operation = Operation.of(function);
    if (operation == null && !CONNECTIVES.contains(function)) {
      throw refuse(node, Phrase.of("\"%s\" is no function; %s", function, FUNCTIONS));
    }
    String owner = operation == Operation.ITEM ? words(operands.get(0)) : "";
    operands.forEach(this::visit);
    if (preparing) return;
    if (operation == null) {
      connect(call);
    } else if (!isGrowingList(node)) {
      if (operation == Operation.ITEM) operands.add(text(owner));
      become(node, operation, operands.toArray(CelMutableExpr[]::new));
    }
  }

  /** The conditions of a connective must be true or false. */
  private void connect(CelMutableCall call) {
    Operator operator = Operator.findReverse(call.function()).orElseThrow();
    int conditions =
        switch (operator) {
          case LOGICAL_AND, LOGICAL_OR -> 2;
          case CONDITIONAL -> 1;
          default -> 0;
        };
    for (int i = 0; i < conditions; i++) {
      CelMutableExpr flag = CelMutableExpr.ofNotSet(++lastId);
      become(flag, Operation.FLAG, call.args().get(i), text(sign(operator)));
      call.setArg(i, flag);
    }
  }

  private static String sign(Operator operator) {
    return switch (operator) {
      case LOGICAL_AND -> "&&";
      case LOGICAL_OR -> "||";
      default -> "?";
    };
  }

  /** A loop adds one item after the other to its list; CEL does so without copying the list. */
  private boolean isGrowingList(CelMutableExpr node) {
    CelMutableCall call = node.call();
    return call.function().equals(Operator.ADD.getFunction())
        && call.args().get(0).getKind() == Kind.IDENT
        && !looped.isEmpty()
        && call.args().get(0).ident().name().startsWith("@")
        && call.args().get(1).getKind() == Kind.LIST;
  }

  private void map(CelMutableMap map) {
    for (CelMutableMap.Entry entry : map.entries()) {
      visit(entry.key());
      visit(entry.value());
      lastId = Math.max(lastId, entry.id());
      if (preparing) continue;
      CelMutableExpr key = CelMutableExpr.ofNotSet(++lastId);
      become(key, Operation.KEY, entry.key());
      entry.setKey(key);
    }
  }

  private void loop(CelMutableComprehension loop) {
    visit(loop.iterRange());
    visit(loop.accuInit());
    looped.push(Set.of(loop.accuVar(), loop.iterVar()));
    visit(loop.loopCondition());
    visit(loop.loopStep());
    visit(loop.result());
    looped.pop();
    if (preparing) return;
    CelMutableExpr items = CelMutableExpr.ofNotSet(++lastId);
    become(items, Operation.ITEMS, loop.iterRange());
    loop.setIterRange(items);
  }

  private void become(CelMutableExpr node, Operation operation, CelMutableExpr... operands) {
    List<CelMutableExpr> all = new ArrayList<>();
    all.add(CelMutableExpr.ofIdent(++lastId, GIVEN));
    all.add(text(operation.name()));
    all.addAll(List.of(operands));
    node.setCall(CelMutableCall.create(DO, all));
  }

  private CelMutableExpr text(String text) {
    return CelMutableExpr.ofConstant(++lastId, CelConstant.ofValue(text));
  }

  /** What a value is called in sentences: the path to it, if it has one. */
  private static String words(CelMutableExpr node) {
    return switch (node.getKind()) {
      case IDENT -> node.ident().name();
      case SELECT -> words(node.select().operand()) + "." + node.select().field();
      case CALL ->
          node.call().function().equals(Operator.INDEX.getFunction())
              ? "an item of " + words(node.call().args().get(0))
              : "what is asked";
      default -> "what is asked";
    };
  }
}
