package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a step takes and gives, beyond its label: who does it with which tool, from what, to what,
 * and what that is thought to cost. An empty text means that nothing was said.
 */
public record StepDetails(
    String component,
    String tool,
    List<Param> inputs,
    List<Param> expectedOutputs,
    Outlook outlook) {
  public static final int NAME_CHARS_MAX = 256;
  public static final int PARAMS_MAX = 50;
  public static final int PARAM_NAME_CHARS_MAX = 100;
  public static final int TEXT_CHARS_MAX = 4_096;

  public static final StepDetails NONE =
      new StepDetails("", "", List.of(), List.of(), Outlook.NONE);

  /** A named value; texts in it may refer to variables. */
  public record Param(String name, Object value) {
    public Param {
      name = Text.line("a parameter's name", name, PARAM_NAME_CHARS_MAX);
      if (value instanceof String text) {
        value = Text.body("the value of " + name, text, TEXT_CHARS_MAX);
      }
      value = JsonObject.of("value", value).asMap().getOrDefault("value", "");
      JsonObject.shallow("the value of " + name, value);
    }

    JsonObject toJson() {
      return JsonObject.of("name", name, "value", value);
    }

    static Param fromJson(JsonObject json) {
      Object value = json.get("value");
      return new Param(json.text("name"), value == null ? "" : value);
    }
  }

  /** What a step is thought to cost and to take, and what else it changes. */
  public record Outlook(@Nullable BigDecimal cost, @Nullable BigDecimal time, String sideEffects) {
    public static final Outlook NONE = new Outlook(null, null, "");

    public Outlook {
      if (cost != null) cost = Amount.of("an estimated cost", cost);
      if (time != null) time = Amount.of("an estimated time", time);
      sideEffects = Text.body("a step's side effects", sideEffects, TEXT_CHARS_MAX).strip();
    }

    /** Whether somebody said that the step changes something beyond its outputs. */
    public boolean hasSideEffects() {
      String said = sideEffects.toLowerCase(Locale.ROOT).replaceAll("[.\\s]+$", "");
      return !List.of("", "none", "no", "-", "n/a", "nothing").contains(said);
    }
  }

  public StepDetails {
    component = name("a component", component);
    tool = name("a tool", tool);
    inputs = params("inputs", inputs);
    expectedOutputs = params("expected outputs", expectedOutputs);
  }

  private static String name(String what, String text) {
    return text.isBlank() ? "" : Text.line(what, text, NAME_CHARS_MAX);
  }

  private static List<Param> params(String what, List<Param> params) {
    if (params.size() > PARAMS_MAX) {
      throw Refusal.tooLarge(Phrase.of("a step has at most %d %s", PARAMS_MAX, what));
    }
    if (new HashSet<>(params.stream().map(Param::name).toList()).size() < params.size()) {
      throw Refusal.invalid("two " + what + " of a step have one name; rename one of them");
    }
    return List.copyOf(params);
  }

  public JsonObject toJson() {
    return JsonObject.of("component", component, "tool_mapping", tool)
        .with("inputs", inputs.stream().map(Param::toJson).toList())
        .with("expected_outputs", expectedOutputs.stream().map(Param::toJson).toList())
        .with("estimated_cost", text(outlook.cost()))
        .with("estimated_time", text(outlook.time()))
        .with("side_effects", outlook.sideEffects());
  }

  private static @Nullable String text(@Nullable BigDecimal amount) {
    return amount == null ? null : amount.toPlainString();
  }

  static StepDetails fromJson(JsonObject json) {
    String cost = json.textOrNull("estimated_cost");
    String time = json.textOrNull("estimated_time");
    return new StepDetails(
        json.text("component"),
        json.text("tool_mapping"),
        json.objects("inputs").stream().map(Param::fromJson).toList(),
        json.objects("expected_outputs").stream().map(Param::fromJson).toList(),
        new Outlook(
            cost == null ? null : new BigDecimal(cost),
            time == null ? null : new BigDecimal(time),
            json.text("side_effects")));
  }
}
