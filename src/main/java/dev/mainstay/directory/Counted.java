package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ids that count equal names, such as {@code boil#0} and {@code boil#1}. When one of several is
 * gone or moved the others are counted again, as a reader of the file would.
 */
final class Counted {
  private Counted() {}

  static Items again(Items items) {
    return again(again(items, "steps", "step/"), "passages", "passage/");
  }

  private static Items again(Items items, String order, String prefix) {
    List<String> ids = items.texts(order);
    Map<String, Integer> seen = new HashMap<>();
    Map<String, String> renamed = new HashMap<>();
    List<String> counted = new ArrayList<>();
    for (String id : ids) {
      String name = id.substring(0, id.lastIndexOf('#'));
      String next = name + "#" + (seen.merge(name, 1, Integer::sum) - 1);
      counted.add(next);
      renamed.put(id, next);
    }
    if (counted.equals(ids)) return items;
    Items.Builder out = Items.builder();
    items
        .asMap()
        .forEach(
            (key, value) -> {
              if (!key.startsWith(prefix)) {
                out.put(key, value);
                return;
              }
              int slash = key.indexOf('/', prefix.length());
              int end = slash < 0 ? key.length() : slash;
              String id = key.substring(prefix.length(), end);
              out.put(prefix + renamed.getOrDefault(id, id) + key.substring(end), value);
            });
    return out.put(order, counted).build();
  }
}
