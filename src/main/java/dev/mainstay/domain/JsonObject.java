package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as a value: keys sorted, contents immutable. It holds strings, longs, decimals,
 * booleans, nulls, lists and objects, and nothing else, so that equal objects have equal text.
 */
public final class JsonObject {
  public static final JsonObject EMPTY = new JsonObject(Collections.emptySortedMap());
  public static final int DEPTH_MAX = 64;

  /** What is a part of what is known about a task leaves room for what is around it. */
  public static final int DEPTH_INSIDE_MAX = 32;

  private final Map<String, @Nullable Object> fields;

  private JsonObject(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  /** Keys and values in turn; a key whose value is null is left out. */
  public static JsonObject of(@Nullable Object... keysAndValues) {
    Map<String, @Nullable Object> fields = new TreeMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      Object value = keysAndValues[i + 1];
      if (value != null) fields.put(String.valueOf(keysAndValues[i]), plain(value, 0));
    }
    return new JsonObject(Collections.unmodifiableMap(fields));
  }

  public static JsonObject copyOf(Map<?, ?> map) {
    return copyOf(map, 0);
  }

  private static JsonObject copyOf(Map<?, ?> map, int depth) {
    Map<String, @Nullable Object> fields = new TreeMap<>();
    map.forEach((key, value) -> fields.put(String.valueOf(key), plain(value, depth + 1)));
    return new JsonObject(Collections.unmodifiableMap(fields));
  }

  private static @Nullable Object plain(@Nullable Object value, int depth) {
    if (depth > DEPTH_MAX) {
      throw Refusal.tooLarge("the JSON is nested deeper than " + DEPTH_MAX + " levels; flatten it");
    }
    if (value instanceof Integer || value instanceof Short) return ((Number) value).longValue();
    if (value instanceof Double || value instanceof Float) return new BigDecimal(value.toString());
    if (value instanceof Map<?, ?> map) return copyOf(map, depth);
    if (value instanceof Collection<?> items) {
      List<@Nullable Object> list = new ArrayList<>(items.size());
      for (Object item : items) list.add(plain(item, depth + 1));
      return Collections.unmodifiableList(list);
    }
    if (value instanceof Enum<?> constant) return constant.name();
    if (value == null
        || value instanceof String
        || value instanceof Long
        || value instanceof BigDecimal
        || value instanceof Boolean
        || value instanceof JsonObject) return value;
    return value.toString();
  }

  /** How many levels of objects and lists a value has; a plain one has none. */
  public static int depth(@Nullable Object value) {
    Collection<?> inner = List.of();
    if (value instanceof JsonObject object) inner = object.fields.values();
    else if (value instanceof Collection<?> items) inner = items;
    else return 0;
    int deepest = 0;
    for (Object item : inner) deepest = Math.max(deepest, depth(item));
    return deepest + 1;
  }

  /** Refuses what is nested so deeply that it could not be kept within other objects. */
  public static <T> T shallow(String what, T value) {
    if (depth(value) <= DEPTH_INSIDE_MAX) return value;
    throw Refusal.tooLarge(
        Phrase.of("%s is nested at most %d levels deep; flatten it", what, DEPTH_INSIDE_MAX));
  }

  public boolean has(String key) {
    return fields.containsKey(key);
  }

  public boolean isEmpty() {
    return fields.isEmpty();
  }

  public Map<String, @Nullable Object> asMap() {
    return fields;
  }

  public @Nullable Object get(String key) {
    return fields.get(key);
  }

  public String text(String key) {
    return String.valueOf(required(key));
  }

  public @Nullable String textOrNull(String key) {
    Object value = fields.get(key);
    return value == null ? null : value.toString();
  }

  public long number(String key) {
    Object value = required(key);
    if (value instanceof Long whole) return whole;
    return wrong(
        key, value instanceof BigDecimal ? "a whole number that is not so large" : "a number");
  }

  /** Returns a whole number of 32 bits; a larger one is refused like a text in its place. */
  public int integer(String key) {
    long value = number(key);
    if (value == (int) value) return (int) value;
    return wrong(key, "a whole number that is not so large");
  }

  public @Nullable Integer integerOrNull(String key) {
    return fields.get(key) == null ? null : integer(key);
  }

  public @Nullable Long numberOrNull(String key) {
    return fields.get(key) == null ? null : number(key);
  }

  public JsonObject object(String key) {
    Object value = fields.get(key);
    if (value == null) return EMPTY;
    return value instanceof JsonObject object ? object : wrong(key, "an object");
  }

  public List<?> list(String key) {
    Object value = fields.get(key);
    if (value == null) return List.of();
    return value instanceof List<?> list ? list : wrong(key, "a list");
  }

  /** The list's items as text; an absent list is empty. */
  public List<String> texts(String key) {
    return list(key).stream().map(String::valueOf).toList();
  }

  /** The list's items as objects; an absent list is empty. */
  public List<JsonObject> objects(String key) {
    return list(key).stream()
        .map(
            item ->
                item instanceof JsonObject object ? object : this.<JsonObject>wrong(key, "objects"))
        .toList();
  }

  /** This object with one field more, or with another value of it; null changes nothing. */
  public JsonObject with(String key, @Nullable Object value) {
    if (value == null) return this;
    Map<String, @Nullable Object> next = new TreeMap<>(fields);
    next.put(key, plain(value, 0));
    return new JsonObject(Collections.unmodifiableMap(next));
  }

  /** The same, but null is a value as well. */
  public JsonObject withAny(String key, @Nullable Object value) {
    Map<String, @Nullable Object> next = new TreeMap<>(fields);
    next.put(key, plain(value, 0));
    return new JsonObject(Collections.unmodifiableMap(next));
  }

  private Object required(String key) {
    Object value = fields.get(key);
    if (value == null) throw Refusal.invalid("the field \"" + key + "\" is missing");
    return value;
  }

  private <T> T wrong(String key, String wanted) {
    throw Refusal.invalid("the field \"" + key + "\" must be " + wanted);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonObject object && fields.equals(object.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
