package dev.mainstay.rules;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Arithmetic as the tests understand it: a tree that can be written down and worked out. */
record Arithmetic(String sign, List<Arithmetic> operands) {
  static final List<String> NAMES = List.of("cost", "budget", "time", "failures");
  private static final List<String> SIGNS = List.of("+", "-", "*", "/", "%");

  static Arithmetic random(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      boolean named = random.nextBoolean();
      String decimal = random.nextInt(9) + (random.nextBoolean() ? "" : "." + random.nextInt(100));
      return new Arithmetic(named ? NAMES.get(random.nextInt(NAMES.size())) : decimal, List.of());
    }
    return new Arithmetic(
        SIGNS.get(random.nextInt(SIGNS.size())),
        List.of(random(random, depth - 1), random(random, depth - 1)));
  }

  String text() {
    if (operands.isEmpty()) return sign;
    return "(" + operands.get(0).text() + " " + sign + " " + operands.get(1).text() + ")";
  }

  /** Null when something is divided by zero on the way. */
  @Nullable Double value(Map<String, Object> given) {
    if (operands.isEmpty()) {
      return given.get(sign) instanceof Double known ? known : Double.valueOf(sign);
    }
    Double a = operands.get(0).value(given);
    Double b = operands.get(1).value(given);
    if (a == null || b == null) return null;
    return switch (sign) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> b == 0 ? null : Double.valueOf(a / b);
      case "%" -> b == 0 ? null : Double.valueOf(a % b);
      default -> throw new IllegalStateException(sign);
    };
  }
}
