package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the five files say, as one ordered map from a key to a plain value, so that files and store
 * can be compared item by item. Equal numbers are equal values however they were spelled, and an
 * order list that is empty is absent.
 */
public final class Items {
  /** Stands for JSON's null where it is an item of its own. */
  public static final Object NULL =
      new Object() {
        @Override
        public String toString() {
          return "null";
        }
      };

  public static final Items EMPTY = new Items(Map.of());

  /** Whole numbers of up to so many digits are longs, as in the JSON of the store. */
  private static final int LONG_DIGITS_MAX = 18;

  private static final Set<String> ORDERS =
      Set.of("steps", "passages", "directives", "rules", "behaviours", "proposals");

  private final Map<String, Object> values;

  private Items(Map<String, Object> values) {
    this.values = values;
  }

  /** Puts items in order; the last value of a key counts. */
  public static final class Builder {
    private final Map<String, Object> values = new LinkedHashMap<>();

    public Builder put(String key, Object value) {
      Object plain = plain(value);
      if (isOrder(key) && plain instanceof List<?> list && list.isEmpty()) values.remove(key);
      else values.put(key, plain);
      return this;
    }

    public Builder putAll(Items items) {
      values.putAll(items.values);
      return this;
    }

    public Builder remove(String key) {
      values.remove(key);
      return this;
    }

    public boolean has(String key) {
      return values.containsKey(key);
    }

    public Items build() {
      return new Items(Collections.unmodifiableMap(new LinkedHashMap<>(values)));
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A part of a key, in which a slash is no longer a separator. */
  public static String part(String text) {
    return text.replace("%", "%25").replace("/", "%2F");
  }

  public static String unpart(String part) {
    return part.replace("%2F", "/").replace("%25", "%");
  }

  /** Whether the key's value is a list that only says which items there are, in which order. */
  public static boolean isOrder(String key) {
    if (ORDERS.contains(key)) return true;
    if (!key.startsWith("step/")) return false;
    int slash = key.indexOf('/', "step/".length());
    if (slash < 0) return false;
    String field = key.substring(slash + 1);
    return field.equals("inputs") || field.equals("expected_outputs");
  }

  public @Nullable Object get(String key) {
    return values.get(key);
  }

  /** The value as text; null if there is none or it is no text. */
  public @Nullable String text(String key) {
    return values.get(key) instanceof String text ? text : null;
  }

  /** The texts of an order list; an absent list is empty. */
  public List<String> texts(String key) {
    if (!(values.get(key) instanceof List<?> list)) return List.of();
    return list.stream().map(String::valueOf).toList();
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  public Items with(String key, Object value) {
    return builder().putAll(this).put(key, value).build();
  }

  public Items without(String key) {
    return builder().putAll(this).remove(key).build();
  }

  public Set<String> keys() {
    return values.keySet();
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** The items whose key starts so; give the slash too where a whole part is meant. */
  public Items under(String prefix) {
    return where(key -> key.startsWith(prefix));
  }

  /** The items that stand in this file. */
  public Items of(PageName page) {
    return where(page::owns);
  }

  public Items where(Predicate<String> wanted) {
    Builder some = builder();
    values.forEach(
        (key, value) -> {
          if (wanted.test(key)) some.put(key, value);
        });
    return some.build();
  }

  public Map<String, Object> asMap() {
    return values;
  }

  /** The one form of a value: numbers normalised, maps as JSON objects, lists immutable. */
  static Object plain(@Nullable Object value) {
    if (value == null || value == NULL) return NULL;
    Object inner = inner(value);
    return inner == null ? NULL : inner;
  }

  private static @Nullable Object inner(@Nullable Object value) {
    if (value == null || value == NULL) return null;
    if (value instanceof Number number) return number(new BigDecimal(number.toString()));
    if (value instanceof JsonObject object) return object(object.asMap());
    if (value instanceof Map<?, ?> map) return object(map);
    if (value instanceof Collection<?> items) {
      List<@Nullable Object> list = new ArrayList<>(items.size());
      for (Object item : items) list.add(inner(item));
      return Collections.unmodifiableList(list);
    }
    return value instanceof Boolean ? value : value.toString();
  }

  private static JsonObject object(Map<?, ?> map) {
    Map<String, @Nullable Object> fields = new TreeMap<>();
    map.forEach((key, value) -> fields.put(String.valueOf(key), inner(value)));
    return JsonObject.copyOf(fields);
  }

  /** A long where the number is whole and not too large, else a decimal without idle zeros. */
  static Object number(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    boolean whole =
        stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= LONG_DIGITS_MAX;
    return whole ? (Object) stripped.longValueExact() : stripped;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Items items && values.equals(items.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
