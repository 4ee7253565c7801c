import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;

/** One value that a row measured. */
record Sample(
    String work, String variant, String who, String metric, String unit, boolean more, Value at) {

  /** In which round, and, where a figure is drawn over a size, at which size. */
  record Value(int round, double value, Double x) {}

  static Sample of(JsonObject line) {
    String better = line.text("better");
    if (!better.equals("more") && !better.equals("less")) {
      throw new IllegalArgumentException("better is more or less, not " + better);
    }
    Double x = line.has("x") ? number(line.get("x")) : null;
    Value at = new Value((int) line.number("round"), number(line.get("value")), x);
    return new Sample(
        line.text("work"),
        line.has("variant") ? line.text("variant") : "",
        line.text("who"),
        line.text("metric"),
        line.text("unit"),
        better.equals("more"),
        at);
  }

  JsonObject json() {
    return JsonObject.of("work", work, "variant", variant, "who", who, "metric", metric)
        .with("unit", unit)
        .with("better", more ? "more" : "less")
        .with("round", at.round())
        .with("value", at.value())
        .with("x", at.x());
  }

  static double number(Object value) {
    if (value instanceof Number number) return number.doubleValue();
    throw new IllegalArgumentException(new BigDecimal(String.valueOf(value)) + " is no number");
  }

  static boolean isOurs(String who) {
    return who.equals("mainstay") || who.startsWith("mainstay, ");
  }

  static boolean isFloor(String who) {
    return who.startsWith("floor: ");
  }

  static boolean isPeer(String who) {
    return !isOurs(who) && !isFloor(who);
  }
}
