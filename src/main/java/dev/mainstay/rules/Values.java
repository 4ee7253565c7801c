package dev.mainstay.rules;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked of values as JSON has them: what they are, whether they are the same, which
 * goes first. A number is compared as a decimal, and two whole ones exactly.
 */
final class Values {
  /** JSON's null, where Java's null cannot go. */
  static final Object NOTHING = new Nothing();

  private static final class Nothing {
    @Override
    public String toString() {
      return "null";
    }
  }

  private Values() {}

  static boolean isNull(@Nullable Object value) {
    return value == null || value == NOTHING;
  }

  /** What a value is, in words. */
  static String words(@Nullable Object value) {
    if (isNull(value)) return "null";
    if (value instanceof Number) return Figure.NUMBER.words();
    if (value instanceof String) return Figure.TEXT.words();
    if (value instanceof Boolean) return Figure.FLAG.words();
    return value instanceof List ? "a list" : "an object";
  }

  /** The fields of an object; null if it is none. */
  static @Nullable Map<?, ?> fields(@Nullable Object value) {
    if (value instanceof JsonObject object) return object.asMap();
    return value instanceof Map<?, ?> map ? map : null;
  }

  /** A field that must be there. */
  static @Nullable Object field(@Nullable Object value, String name, String owner) {
    Map<?, ?> fields = owned(value, name, owner);
    if (fields.containsKey(name)) return fields.get(name);
    List<String> known = fields.keySet().stream().map(String::valueOf).toList();
    throw new Unanswered(
        Phrase.of("%s has no field \"%s\"", owner, name) + Given.nearest(name, known));
  }

  static boolean has(@Nullable Object value, String name, String owner) {
    return owned(value, name, owner).containsKey(name);
  }

  private static Map<?, ?> owned(@Nullable Object value, String name, String owner) {
    Map<?, ?> fields = fields(value);
    if (fields != null) return fields;
    throw new Unanswered(
        Phrase.of("%s is %s, and so it has no field \"%s\"", owner, words(value), name));
  }

  /** An item of a list by its number from 0, or a field of an object by its name. */
  static @Nullable Object item(@Nullable Object value, @Nullable Object at, String owner) {
    if (fields(value) != null && at instanceof String name) return field(value, name, owner);
    if (!(value instanceof List<?> list) || !(at instanceof Number number)) {
      throw new Unanswered(
          Phrase.of("%s is %s, and %s picks nothing out of it", owner, words(value), words(at)));
    }
    double index = number.doubleValue();
    if (index >= 0 && index < list.size() && index == Math.rint(index)) {
      return list.get((int) index);
    }
    throw new Unanswered(
        Phrase.of(
            "%s has %d items, counted from 0, and none at %s", owner, list.size(), text(number)));
  }

  static boolean flag(@Nullable Object value, String sign) {
    if (value instanceof Boolean flag) return flag;
    throw new Unanswered(
        Phrase.of("\"%s\" needs true or false, and this is %s", sign, words(value)));
  }

  static boolean equal(Given given, @Nullable Object one, @Nullable Object other) {
    given.work(1);
    if (isNull(one) || isNull(other)) return isNull(one) && isNull(other);
    if (one instanceof Number a && other instanceof Number b) return order(a, b) == 0;
    if (one instanceof String a && other instanceof String b) {
      if (a.length() != b.length()) return false;
      given.work(a.length());
      return a.equals(b);
    }
    if (one instanceof List<?> a && other instanceof List<?> b) return equalItems(given, a, b);
    Map<?, ?> a = fields(one);
    Map<?, ?> b = fields(other);
    if (a != null && b != null) return equalFields(given, a, b);
    return Objects.equals(one, other);
  }

  private static boolean equalItems(Given given, List<?> one, List<?> other) {
    if (one.size() != other.size()) return false;
    for (int i = 0; i < one.size(); i++) {
      if (!equal(given, one.get(i), other.get(i))) return false;
    }
    return true;
  }

  private static boolean equalFields(Given given, Map<?, ?> one, Map<?, ?> other) {
    if (one.size() != other.size()) return false;
    for (Map.Entry<?, ?> field : one.entrySet()) {
      if (!other.containsKey(field.getKey())) return false;
      if (!equal(given, field.getValue(), other.get(field.getKey()))) return false;
    }
    return true;
  }

  /** Which of two numbers, texts or flags goes first, as compareTo says it. */
  static int compare(Given given, @Nullable Object one, String sign, @Nullable Object other) {
    if (one instanceof Number a && other instanceof Number b) return order(a, b);
    if (one instanceof String a && other instanceof String b) {
      given.work(Math.min(a.length(), b.length()));
      return a.compareTo(b);
    }
    if (one instanceof Boolean a && other instanceof Boolean b) return a.compareTo(b);
    throw unfit(sign, one, other);
  }

  private static int order(Number one, Number other) {
    if (one instanceof Long a && other instanceof Long b) return a.compareTo(b);
    double a = one.doubleValue();
    double b = other.doubleValue();
    return a < b ? -1 : a > b ? 1 : 0;
  }

  static Unanswered unfit(String sign, @Nullable Object one, @Nullable Object other) {
    return new Unanswered(
        Phrase.of("\"%s\" cannot be used with %s and %s", sign, words(one), words(other)));
  }

  /** A number as people write it: a whole one without a point. */
  static String text(Number number) {
    return String.valueOf(number(number));
  }

  /** As JSON has it: a whole number is a long, and any other a decimal. */
  private static Number number(Number number) {
    if (number instanceof Long) return number;
    try {
      BigDecimal decimal =
          number instanceof BigDecimal known ? known : new BigDecimal(number.toString());
      try {
        return decimal.longValueExact();
      } catch (ArithmeticException notWhole) {
        return decimal;
      }
    } catch (NumberFormatException infinite) {
      throw new Unanswered("the number is too large");
    }
  }

  /** The value as JSON has it, made of nothing that the expression made for itself. */
  static @Nullable Object json(Given given, @Nullable Object value) {
    given.work(1);
    if (isNull(value)) return null;
    if (value instanceof Number number) return number(number);
    if (value instanceof String text) {
      given.work(text.length());
      return text;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> items = new ArrayList<>(list.size());
      for (Object item : list) items.add(json(given, item));
      return Collections.unmodifiableList(items);
    }
    Map<?, ?> fields = fields(value);
    if (fields == null) return value;
    Map<String, @Nullable Object> copy = new TreeMap<>();
    fields.forEach((name, each) -> copy.put(String.valueOf(name), json(given, each)));
    return JsonObject.copyOf(copy);
  }
}
