package dev.mainstay.bench; // what is in no package can be used by no package

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a row says, as lines of JSON on standard output; notes go to standard error. */
public final class Lines {
  private final String work;

  public Lines(String work) {
    this.work = work;
  }

  /** One measured figure. */
  public void sample(String variant, String who, Metric metric, int round, double value) {
    sample(variant, who, metric, round, value, null);
  }

  /** One that is drawn over a size. */
  public void sample(
      String variant, String who, Metric metric, int round, double value, Integer size) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("work", work);
    fields.put("variant", variant);
    fields.put("who", who);
    fields.put("metric", metric.name());
    fields.put("unit", metric.unit());
    fields.put("better", metric.more() ? "more" : "less");
    fields.put("round", round);
    fields.put("value", value);
    if (size != null) fields.put("x", size);
    print(fields);
    System.err.printf(
        Locale.ROOT, "%s, %s, %s, round %d: %.2f%n", variant, metric.name(), who, round, value);
  }

  public record Metric(String name, String unit, boolean more) {}

  /** Whether what came out is right. */
  public void check(String sentence, String variant, String who, boolean ok, String detail) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("check", sentence);
    fields.put("who", who);
    fields.put("variant", variant);
    fields.put("ok", ok);
    fields.put("detail", detail);
    print(fields);
    if (!ok) System.err.println("WRONG: " + sentence + ", " + variant + ", " + who + ": " + detail);
  }

  public void settings(String who, String text) {
    fact("settings", who, text);
  }

  public void fact(String fact, String who, String text) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("fact", fact);
    if (who != null) fields.put("who", who);
    fields.put("text", text);
    print(fields);
  }

  /** At most so many times the cost of somebody else, who is named as he is among the samples. */
  public void goal(String goal, Metric metric, String against, double times) {
    goal(null, goal, metric, against, times);
  }

  /** The same for one of ours alone. */
  public void goal(String who, String goal, Metric metric, String against, double times) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("goal", goal);
    if (who != null) fields.put("who", who);
    fields.put("metric", metric.name());
    fields.put("against", against);
    fields.put("times", times);
    print(fields);
  }

  /** At most so many times the cost in another variant. */
  public void goal(String goal, String metric, String[] variants, double times) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("goal", goal);
    if (metric != null) fields.put("metric", metric);
    fields.put("variant", variants[0]);
    fields.put("against_variant", variants[1]);
    fields.put("times", times);
    print(fields);
  }

  /** At most so much. */
  public void goal(String goal, Metric metric, double most) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("goal", goal);
    fields.put("metric", metric.name());
    fields.put("most", most);
    print(fields);
  }

  private static synchronized void print(Map<String, Object> fields) {
    StringBuilder line = new StringBuilder();
    fields.forEach(
        (name, value) ->
            line.append(line.isEmpty() ? "{" : ",")
                .append(quoted(name))
                .append(':')
                .append(json(value)));
    System.out.println(line.append('}'));
    System.out.flush();
  }

  private static String json(Object value) {
    if (value instanceof Double figure) return String.format(Locale.ROOT, "%.4f", figure);
    return value instanceof String text ? quoted(text) : value.toString();
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char each : text.toCharArray()) {
      if (each == '"' || each == '\\') out.append('\\').append(each);
      else if (each < ' ') out.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
      else out.append(each);
    }
    return out.append('"').toString();
  }
}
