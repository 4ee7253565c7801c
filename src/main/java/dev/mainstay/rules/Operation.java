package dev.mainstay.rules;

import dev.cel.common.Operator;
import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an expression does with values. CEL itself only says what follows what: its own operations
 * know whole numbers and decimals as two things, and say what is wrong in words of their own.
 */
enum Operation {
  VARIABLE((given, of) -> given.variable(text(of.get(0)))),
  NULL((given, of) -> Values.NOTHING),
  FIELD((given, of) -> Values.field(of.get(0), text(of.get(1)), text(of.get(2)))),
  HAS((given, of) -> Values.has(of.get(0), text(of.get(1)), text(of.get(2)))),
  ITEM((given, of) -> Values.item(of.get(0), of.get(1), text(of.get(2)))),
  FLAG((given, of) -> Values.flag(of.get(0), text(of.get(1)))),
  KEY((given, of) -> key(of.get(0))),
  ITEMS((given, of) -> items(given, of.get(0))),
  NOT((given, of) -> !Values.flag(of.get(0), "!")),
  EQUAL((given, of) -> Values.equal(given, of.get(0), of.get(1))),
  UNEQUAL((given, of) -> !Values.equal(given, of.get(0), of.get(1))),
  LESS((given, of) -> Values.compare(given, of.get(0), "<", of.get(1)) < 0),
  AT_MOST((given, of) -> Values.compare(given, of.get(0), "<=", of.get(1)) <= 0),
  MORE((given, of) -> Values.compare(given, of.get(0), ">", of.get(1)) > 0),
  AT_LEAST((given, of) -> Values.compare(given, of.get(0), ">=", of.get(1)) >= 0),
  PLUS((given, of) -> plus(given, of.get(0), of.get(1))),
  MINUS((given, of) -> finite(number(of, 0, "-") - number(of, 1, "-"))),
  TIMES((given, of) -> finite(number(of, 0, "*") * number(of, 1, "*"))),
  DIVIDED((given, of) -> finite(number(of, 0, "/") / notZero(number(of, 1, "/")))),
  REMAINDER((given, of) -> finite(number(of, 0, "%") % notZero(number(of, 1, "%")))),
  NEGATED((given, of) -> -number(of, 0, "-")),
  IN((given, of) -> in(given, of.get(0), of.get(1))),
  SIZE((given, of) -> size(given, of.get(0))),
  STRING((given, of) -> string(given, of.get(0))),
  CONTAINS((given, of) -> texts(given, of, "contains").contains(text(of.get(1)))),
  STARTS_WITH((given, of) -> texts(given, of, "startsWith").startsWith(text(of.get(1)))),
  ENDS_WITH((given, of) -> texts(given, of, "endsWith").endsWith(text(of.get(1))));

  /** A search may compare what is searched for at every place; so many characters are one step. */
  private static final int COMPARED_AT_ONCE_CHARS = 64;

  /** By the function that CEL reads for it. */
  private static final Map<String, Operation> BY_FUNCTION = new HashMap<>();

  static {
    BY_FUNCTION.put(Operator.INDEX.getFunction(), ITEM);
    BY_FUNCTION.put(Operator.LOGICAL_NOT.getFunction(), NOT);
    BY_FUNCTION.put(Operator.EQUALS.getFunction(), EQUAL);
    BY_FUNCTION.put(Operator.NOT_EQUALS.getFunction(), UNEQUAL);
    BY_FUNCTION.put(Operator.LESS.getFunction(), LESS);
    BY_FUNCTION.put(Operator.LESS_EQUALS.getFunction(), AT_MOST);
    BY_FUNCTION.put(Operator.GREATER.getFunction(), MORE);
    BY_FUNCTION.put(Operator.GREATER_EQUALS.getFunction(), AT_LEAST);
    BY_FUNCTION.put(Operator.ADD.getFunction(), PLUS);
    BY_FUNCTION.put(Operator.SUBTRACT.getFunction(), MINUS);
    BY_FUNCTION.put(Operator.MULTIPLY.getFunction(), TIMES);
    BY_FUNCTION.put(Operator.DIVIDE.getFunction(), DIVIDED);
    BY_FUNCTION.put(Operator.MODULO.getFunction(), REMAINDER);
    BY_FUNCTION.put(Operator.NEGATE.getFunction(), NEGATED);
    BY_FUNCTION.put(Operator.IN.getFunction(), IN);
    BY_FUNCTION.put("size", SIZE);
    BY_FUNCTION.put("string", STRING);
    BY_FUNCTION.put("contains", CONTAINS);
    BY_FUNCTION.put("startsWith", STARTS_WITH);
    BY_FUNCTION.put("endsWith", ENDS_WITH);
  }

  /** What is done; what comes out may be null, as JSON has it. */
  @FunctionalInterface
  private interface Deed {
    @Nullable Object with(Given given, List<? extends @Nullable Object> operands);
  }

  private final Deed deed;

  Operation(Deed deed) {
    this.deed = deed;
  }

  static @Nullable Operation of(String function) {
    return BY_FUNCTION.get(function);
  }

  /** What comes out; never Java's null, which CEL has no place for. */
  Object apply(Given given, List<?> operands) {
    Object value = deed.with(given, operands);
    return value == null ? Values.NOTHING : value;
  }

  private static String text(@Nullable Object value) {
    return (String) Objects.requireNonNull(value);
  }

  private static String key(@Nullable Object value) {
    if (value instanceof String text) return text;
    throw new Unanswered(
        Phrase.of("the key of a map is a text, and this one is %s", Values.words(value)));
  }

  /** What a loop goes over: the items of a list, or the names of an object's fields. */
  private static List<Object> items(Given given, @Nullable Object value) {
    Map<?, ?> fields = Values.fields(value);
    if (fields == null && !(value instanceof List)) {
      throw new Unanswered(
          Phrase.of("a loop goes over a list, and this is %s", Values.words(value)));
    }
    Iterable<?> each = fields == null ? (List<?>) Objects.requireNonNull(value) : fields.keySet();
    List<Object> items = new ArrayList<>();
    for (Object item : each) {
      given.work(1);
      items.add(item == null ? Values.NOTHING : item);
    }
    return items;
  }

  private static double number(List<?> operands, int at, String sign) {
    for (Object operand : operands) {
      if (operand instanceof Number) continue;
      if (operands.size() == 2) throw Values.unfit(sign, operands.get(0), operands.get(1));
      throw new Unanswered(Phrase.of("\"%s\" cannot be used with %s", sign, Values.words(operand)));
    }
    return finite(((Number) operands.get(at)).doubleValue());
  }

  private static double notZero(double divisor) {
    if (divisor == 0) throw new Unanswered("division by zero");
    return divisor;
  }

  private static double finite(double number) {
    if (Double.isFinite(number)) return number;
    throw new Unanswered("the number is too large");
  }

  private static Object plus(Given given, @Nullable Object one, @Nullable Object other) {
    if (one instanceof String a && other instanceof String b) {
      given.work((long) a.length() + b.length());
      return a + b;
    }
    if (one instanceof List<?> a && other instanceof List<?> b) {
      given.work((long) a.size() + b.size());
      List<@Nullable Object> all = new ArrayList<>(a);
      all.addAll(b);
      return all;
    }
    if (one instanceof Number a && other instanceof Number b) {
      return finite(finite(a.doubleValue()) + finite(b.doubleValue()));
    }
    throw Values.unfit("+", one, other);
  }

  private static boolean in(Given given, @Nullable Object item, @Nullable Object all) {
    if (all instanceof List<?> list) {
      for (Object each : list) if (Values.equal(given, item, each)) return true;
      return false;
    }
    Map<?, ?> fields = Values.fields(all);
    if (fields == null) throw Values.unfit("in", item, all);
    return item instanceof String && fields.containsKey(item);
  }

  private static double size(Given given, @Nullable Object value) {
    if (value instanceof List<?> list) return list.size();
    if (value instanceof String text) {
      given.work(text.length());
      return text.codePointCount(0, text.length());
    }
    Map<?, ?> fields = Values.fields(value);
    if (fields != null) return fields.size();
    throw new Unanswered(Phrase.of("\"size\" cannot be used with %s", Values.words(value)));
  }

  private static String string(Given given, @Nullable Object value) {
    given.work(1);
    if (value instanceof String text) return text;
    if (value instanceof Number number) return Values.text(number);
    if (value instanceof Boolean) return value.toString();
    throw new Unanswered(Phrase.of("\"string\" cannot be used with %s", Values.words(value)));
  }

  /** The text that is searched; both must be texts. */
  private static String texts(Given given, List<?> operands, String function) {
    if (operands.get(0) instanceof String all && operands.get(1) instanceof String part) {
      given.work(all.length() * (1L + part.length() / COMPARED_AT_ONCE_CHARS));
      return all;
    }
    throw Values.unfit(function, operands.get(0), operands.get(1));
  }
}
