package dev.mainstay.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Texts of statements that are made of others, each made once: there are few, and they repeat. */
final class SqlText {
  private static final int KEPT_MAX = 2_000;
  private static final Map<Made, String> KEPT = new ConcurrentHashMap<>();

  /** What a text was made of. */
  private record Made(String text, String name, String with) {
    // The JVM makes those of a record when they are first called, and each command would wait.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Made made
          && text.equals(made.text)
          && name.equals(made.name)
          && with.equals(made.with);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * text.hashCode() + name.hashCode()) + with.hashCode();
    }
  }

  private SqlText() {}

  /** The text with a fragment in the place of {@code <name>}. */
  static String filled(String text, String name, String fragment) {
    return kept(new Made(text, name, fragment), () -> text.replace("<" + name + ">", fragment));
  }

  /**
   * The text with so many binds in the place of {@code :name}; with {@code NULL} in the place of
   * none, as nothing is equal to it. Beside others it would make {@code NOT IN} never true.
   */
  static String spread(String text, String name, int size) {
    return kept(
        new Made(text, name, String.valueOf(size)),
        () -> {
          List<String> names = new ArrayList<>();
          for (int i = 0; i < size; i++) names.add(":" + numbered(name, i));
          String list = names.isEmpty() ? "NULL" : String.join(", ", names);
          return text.replaceAll(":" + name + "\\b", list);
        });
  }

  /** The text with a comparison with a list in the place of {@code IN (:name)}. */
  static String compared(String text, String name, Object item) {
    String type = item instanceof Number ? "bigint" : "text";
    return kept(
        new Made(text, name, type),
        () -> {
          String list = " (:" + name + "::" + type + "[])";
          String found = " IN (:" + name + ")";
          return text.replace(" NOT" + found, " <> ALL" + list).replace(found, " = ANY" + list);
        });
  }

  /** Few sizes, so that there are few texts: as each is prepared. */
  static int sizeFor(int items) {
    return items <= 1 ? items : Integer.highestOneBit(items - 1) << 1;
  }

  static String numbered(String name, int place) {
    return name + "_" + place;
  }

  private static String kept(Made made, Supplier<String> making) {
    String known = KEPT.get(made);
    if (known != null) return known;
    String text = making.get();
    if (KEPT.size() < KEPT_MAX) KEPT.put(made, text);
    return text;
  }
}
