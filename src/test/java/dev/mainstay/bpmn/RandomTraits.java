package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Whatever a node of a kind may have, drawn at random. */
public final class RandomTraits {
  private static final List<String> WORDS =
      List.of(
          "",
          "Review",
          "two words",
          "  outer blanks ",
          "a\nline\n  and another",
          "<&>\"'",
          "]]>",
          "größer ≥ 😀",
          "{{name}}",
          "tab\there",
          "comma, separated",
          "\r\nreturn\r",
          "true",
          "12");

  private static final List<String> EXPRESSIONS =
      List.of("a", "a.b > 2 && !c", "x == \"<&>\"", "[1, 2]", "size(items) < 3", "'${a}' != b");

  private final Random random;

  public RandomTraits(Random random) {
    this.random = random;
  }

  public String words() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  public String expression() {
    return EXPRESSIONS.get(random.nextInt(EXPRESSIONS.size()));
  }

  private @Nullable String maybe(String text) {
    return random.nextBoolean() ? text : null;
  }

  public Traits of(NodeKind kind) {
    boolean ordered = kind.isQueued() || kind.isAsked() || kind == NodeKind.AD_HOC_SUB_PROCESS;
    return new Traits(
        trigger(kind),
        ordered ? order() : null,
        kind.isActivity() && random.nextBoolean() ? loop() : null,
        inner(kind),
        new Yield(
            random.nextInt(3) > 0 ? null : maybe("*") == null ? "result_1" : "*", rules(kind)));
  }

  private @Nullable Trigger trigger(NodeKind kind) {
    if (kind == NodeKind.SEND_TASK || kind == NodeKind.RECEIVE_TASK) return message();
    if (!kind.isEvent()) return null;
    return switch (random.nextInt(5)) {
      case 0 ->
          new Trigger.Timer(
              TimerKind.values()[random.nextInt(3)],
              List.of("PT1H", "0 2 * * *", "=wait", "2027-01-01T00:00:00Z").get(random.nextInt(4)));
      case 1 -> message();
      case 2 -> new Trigger.Fault(maybe("CODE_" + random.nextInt(3)));
      case 3 -> new Trigger.Terminate();
      default -> null;
    };
  }

  private Trigger message() {
    String name = List.of("", "order", "größe \"1\"", "a b").get(random.nextInt(4));
    return new Trigger.Message(name, maybe(expression()), maybe(expression()));
  }

  /** The usual order is none at all. */
  private @Nullable Order order() {
    List<String> answers = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) answers.add(words());
    Order order =
        new Order(
            random.nextBoolean() ? Order.TYPE : "REVIEW",
            random.nextInt(3) - 1,
            new Wording(words(), words(), answers),
            new Hands(maybe("reviewer"), maybe("stub"), random.nextBoolean()),
            metadata());
    return random.nextInt(4) == 0 || order.equals(Order.USUAL) ? null : order;
  }

  private JsonObject metadata() {
    JsonObject metadata = JsonObject.EMPTY;
    for (int i = random.nextInt(5); i > 0; i--) {
      String key =
          List.of("language", "type", "odd key", "", "x.y-z", "field", "größe")
              .get(random.nextInt(7));
      metadata = metadata.withAny(key, value(0));
    }
    return metadata;
  }

  private @Nullable Object value(int depth) {
    return switch (random.nextInt(depth < 3 ? 7 : 5)) {
      case 0 -> words();
      case 1 -> random.nextLong();
      case 2 -> new BigDecimal(random.nextInt(1000)).movePointLeft(2);
      case 3 -> random.nextBoolean();
      case 4 -> null;
      case 5 -> Arrays.asList(value(depth + 1), value(depth + 1));
      default -> JsonObject.EMPTY.withAny(words(), value(depth + 1)).withAny("k", value(depth + 1));
    };
  }

  private Loop loop() {
    return new Loop(
        random.nextBoolean(),
        random.nextInt(5) == 0 ? "" : expression(),
        random.nextBoolean() ? Loop.ITEM : "endpoint",
        maybe(expression()),
        maybe("all_results"));
  }

  private @Nullable Inner inner(NodeKind kind) {
    if (kind == NodeKind.CALL_ACTIVITY) {
      return new Inner.Call(List.of("", "other", "other@3", "two words").get(random.nextInt(4)));
    }
    if (kind != NodeKind.AD_HOC_SUB_PROCESS) return null;
    return new Inner.AdHoc(random.nextBoolean(), maybe(expression()), random.nextBoolean());
  }

  private List<Rule> rules(NodeKind kind) {
    List<Rule> rules = new ArrayList<>();
    if (kind != NodeKind.BUSINESS_RULE_TASK) return rules;
    for (int i = random.nextInt(4); i > 0; i--) {
      rules.add(new Rule(maybe(expression()), expression()));
    }
    return rules;
  }
}
