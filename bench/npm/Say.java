import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.PrintStream;

/** The lines that a row prints; see bench/README.md. */
record Say(String work, PrintStream out) {

  Say(String work) {
    this(work, System.out);
  }

  /** A metric, its unit, and whether more of it is better. */
  record Metric(String name, String unit, boolean more) {
    static Metric ms(String name) {
      return new Metric(name, "ms", false);
    }

    static Metric perSecond(String name) {
      return new Metric(name, "1/s", true);
    }

    static Metric less(String name, String unit) {
      return new Metric(name, unit, false);
    }
  }

  void sample(Metric metric, String variant, String who, int round, double value) {
    line(
        JsonObject.of("work", work, "variant", variant, "who", who, "metric", metric.name())
            .with("unit", metric.unit())
            .with("better", metric.more() ? "more" : "less")
            .with("round", round)
            .with("value", Math.round(value * 10_000) / 10_000.0));
  }

  void check(String sentence, String variant, String who, boolean ok, String detail) {
    line(
        JsonObject.of("check", sentence, "variant", variant, "who", who, "ok", ok)
            .with("detail", detail));
  }

  void fact(String who, String text) {
    line(JsonObject.of("fact", "settings", "who", who, "text", text));
  }

  void line(JsonObject line) {
    out.println(JsonText.write(line));
    out.flush();
  }
}
