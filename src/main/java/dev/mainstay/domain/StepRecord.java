package dev.mainstay.domain;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of an execution's history: a step that was carried out, or played through. The step
 * failed exactly when the entry names errors.
 */
public record StepRecord(
    int step, Instant at, boolean simulated, Spent spent, Map<Field, String> texts) {
  public static final int FIELD_CHARS_MAX = 20_000;

  /** What is written down in words; cost and time are numbers and stand beside them. */
  public enum Field {
    COMPONENT_USED,
    TOOL_USED,
    REAL_INPUTS,
    REAL_OUTPUTS,
    ERRORS,
    STATE_CHANGES,
    NOTES;

    /** The name in the file: {@code real_inputs}. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public StepRecord {
    if (step < 1 || step > Plan.STEPS_MAX) {
      throw Refusal.invalid("a step's number lies between 1 and " + Plan.STEPS_MAX);
    }
    Map<Field, String> said = new EnumMap<>(Field.class);
    texts.forEach(
        (field, text) -> {
          String body = Text.body(field.key(), text, FIELD_CHARS_MAX).strip();
          if (!body.isEmpty()) said.put(field, body);
        });
    texts = Collections.unmodifiableMap(said);
  }

  public boolean failed() {
    return texts.containsKey(Field.ERRORS);
  }

  /** What was said, or nothing. */
  public @Nullable String text(Field field) {
    return texts.get(field);
  }

  public JsonObject toJson() {
    JsonObject json = JsonObject.of("step", step, "at", Times.write(at), "spent", spent.toJson());
    if (simulated) json = json.with("simulated", true);
    for (var each : texts.entrySet()) json = json.with(each.getKey().key(), each.getValue());
    return json;
  }

  public static StepRecord fromJson(JsonObject json) {
    Map<Field, String> texts = new EnumMap<>(Field.class);
    for (Field field : Field.values()) {
      String text = json.textOrNull(field.key());
      if (text != null) texts.put(field, text);
    }
    return new StepRecord(
        json.integer("step"),
        Times.read(json.text("at")),
        Boolean.TRUE.equals(json.get("simulated")),
        Spent.fromJson(json.object("spent")),
        texts);
  }
}
