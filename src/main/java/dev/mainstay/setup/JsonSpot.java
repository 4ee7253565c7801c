package dev.mainstay.setup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One value of a JSON text, and where in the text it stands: from start, up to but without end. */
record JsonSpot(Kind kind, int start, int end, @Nullable Object scalar, List<Entry> entries) {

  /** What a value is. */
  enum Kind {
    OBJECT,
    LIST,
    SCALAR
  }

  /**
   * A member of an object, beginning at its name, or an item of a list; {@code comma} is where the
   * comma behind it stands, or -1.
   */
  record Entry(@Nullable String name, int start, JsonSpot value, int comma) {}

  JsonSpot {
    entries = List.copyOf(entries);
  }

  /** The value without its place: a map, a list, a text, a number, a truth value or null. */
  @Nullable Object value() {
    return switch (kind) {
      case SCALAR -> scalar;
      case LIST -> {
        List<@Nullable Object> items = new ArrayList<>();
        for (Entry entry : entries) items.add(entry.value().value());
        yield items;
      }
      case OBJECT -> {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (Entry entry : entries)
          members.put(String.valueOf(entry.name()), entry.value().value());
        yield members;
      }
    };
  }

  /** The member of that name, or the item of that number; null when there is none. */
  @Nullable JsonSpot child(Object key) {
    if (key instanceof Integer number) {
      return kind == Kind.LIST && number < entries.size() ? entries.get(number).value() : null;
    }
    for (Entry entry : entries) if (key.equals(entry.name())) return entry.value();
    return null;
  }

  /** Whether the value is an object that has at least these members. */
  boolean holds(Map<String, ?> wanted) {
    if (kind != Kind.OBJECT || !(value() instanceof Map<?, ?> members)) return false;
    return wanted.entrySet().stream().allMatch(e -> e.getValue().equals(members.get(e.getKey())));
  }
}
