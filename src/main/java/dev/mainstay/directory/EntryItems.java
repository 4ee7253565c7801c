package dev.mainstay.directory;

import dev.mainstay.domain.Amount;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.Times;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** Entries of the history in the words of history.md. */
final class EntryItems {
  private EntryItems() {}

  static JsonObject of(StepRecord record) {
    JsonObject entry =
        JsonObject.of("step", record.step(), "at", Times.write(record.at()))
            .with("simulated", record.simulated() ? true : null)
            .with("cost", record.spent().cost())
            .with("time", record.spent().time());
    for (var text : record.texts().entrySet()) {
      entry = entry.with(text.getKey().key(), text.getValue());
    }
    return entry;
  }

  /** An entry that somebody wrote; in a simulation nothing was really done. */
  static StepRecord record(JsonObject entry, boolean simulation) {
    Map<Field, String> texts = new EnumMap<>(Field.class);
    for (Field field : Field.values()) {
      String text = entry.textOrNull(field.key());
      if (text != null) texts.put(field, text);
    }
    Spent spent = new Spent(amount(entry, "cost"), amount(entry, "time"), 0, 0);
    boolean simulated = simulation || Boolean.TRUE.equals(entry.get("simulated"));
    return new StepRecord(entry.integer("step"), at(entry.text("at")), simulated, spent, texts);
  }

  private static BigDecimal amount(JsonObject entry, String key) {
    Object value = entry.get(key);
    return value == null ? BigDecimal.ZERO : Amount.of(key, new BigDecimal(value.toString()));
  }

  private static Instant at(String text) {
    try {
      return Times.read(text);
    } catch (DateTimeException | NumberFormatException unreadable) {
      throw Refusal.invalid(
          Phrase.of("\"%s\" is no time; write one such as 2026-01-31T12:00:00Z", text));
    }
  }
}
