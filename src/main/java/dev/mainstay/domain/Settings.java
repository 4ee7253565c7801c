package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The value of every {@link Setting}. */
public record Settings(Map<Setting, Object> values) {
  public static final Settings INITIAL = new Settings(Map.of());

  public Settings {
    Map<Setting, Object> all = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      all.put(setting, setting.value(values.getOrDefault(setting, setting.initial())));
    }
    values = Collections.unmodifiableMap(all);
  }

  public Object get(Setting setting) {
    Object value = values.get(setting);
    if (value == null) throw new IllegalStateException("no value for " + setting);
    return value;
  }

  public String text(Setting setting) {
    return Setting.written(get(setting)).toString();
  }

  /** A sum of money, a time or a count as a number. */
  public BigDecimal number(Setting setting) {
    return new BigDecimal(get(setting).toString());
  }

  Settings with(Setting setting, Object value) {
    Map<Setting, Object> next = new EnumMap<>(values);
    next.put(setting, setting.value(value));
    return new Settings(next);
  }

  public JsonObject toJson() {
    JsonObject json = JsonObject.EMPTY;
    for (var entry : values.entrySet()) {
      json = json.with(entry.getKey().key(), Setting.written(entry.getValue()));
    }
    return json;
  }

  static Settings fromJson(JsonObject json) {
    Map<Setting, Object> values = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      Object value = json.get(setting.key());
      if (value != null) values.put(setting, value);
    }
    return new Settings(values);
  }
}
