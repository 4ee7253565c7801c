package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges what the file says and what the store says, item by item, against what both last knew.
 * What only one side changed goes to both; what both changed differently stays as it is on each.
 */
public final class ThreeWay {
  /** The lists whose elements have items of their own, and how their keys begin. */
  private static final Map<String, String> OWNED =
      Map.of(
          "passages", "passage/",
          "directives", "directive/",
          "rules", "rule/",
          "behaviours", "behaviour/");

  private final Items base;
  private final Items file;
  private final Items store;
  private final Side toFile = new Side();
  private final Side toStore = new Side();
  private final Side toBase = new Side();
  private final Map<String, Clash> clashes = new LinkedHashMap<>();

  /** The result for one side. */
  private static final class Side {
    private final Items.Builder items = Items.builder();

    void put(String key, @Nullable Object value) {
      if (value == null) items.remove(key);
      else items.put(key, value);
    }
  }

  private ThreeWay(Items base, Items file, Items store) {
    this.base = base;
    this.file = file;
    this.store = store;
  }

  public static Merged merge(Items base, Items file, Items store) {
    return new ThreeWay(base, file, store).merged();
  }

  private Merged merged() {
    Set<String> keys = new LinkedHashSet<>(file.keys());
    keys.addAll(store.keys());
    keys.addAll(base.keys());
    Set<String> settled = steps();
    List<String> orders = new ArrayList<>();
    for (String key : keys) {
      if (settled.contains(stepOf(key)) || isHistory(key)) continue;
      if (key.equals("proposals")) all(key, store.get(key));
      else if (Items.isOrder(key)) orders.add(key);
      else item(key);
    }
    new VariableTree().settle(keys);
    for (String key : orders) if (!key.equals("steps")) order(key);
    if (orders.contains("steps")) stepOrder(settled);
    Merged.History history = history();
    return new Merged(
        Counted.again(toFile.items.build()),
        Counted.again(toStore.items.build()),
        Counted.again(toBase.items.build()),
        List.copyOf(clashes.values()),
        history);
  }

  private void all(String key, @Nullable Object value) {
    toFile.put(key, value);
    toStore.put(key, value);
    toBase.put(key, value);
  }

  private void item(String key) {
    Object before = base.get(key);
    Object here = file.get(key);
    Object there = store.get(key);
    if (Objects.equals(here, there)) all(key, here);
    else if (Objects.equals(before, there)) all(key, here);
    else if (Objects.equals(before, here)) all(key, there);
    else clash(key);
  }

  private void clash(String key) {
    toFile.put(key, file.get(key));
    toStore.put(key, store.get(key));
    toBase.put(key, base.get(key));
    clashes.put(key, new Clash(key, base.get(key), file.get(key), store.get(key)));
  }

  /** {@code step/<id>} of a key below it; empty for any other key. */
  private static String stepOf(String key) {
    if (!key.startsWith("step/")) return "";
    int slash = key.indexOf('/', "step/".length());
    return slash < 0 ? "" : key.substring(0, slash);
  }

  /**
   * Settles the steps that one side removed: they are gone on both, but one that the other side
   * changed meanwhile stays on both, with one clash for the person to decide.
   */
  private Set<String> steps() {
    Set<String> settled = new HashSet<>();
    Set<String> here = new HashSet<>(file.texts("steps"));
    Set<String> there = new HashSet<>(store.texts("steps"));
    for (String id : base.texts("steps")) {
      if (here.contains(id) && there.contains(id)) continue;
      String step = "step/" + id;
      settled.add(step);
      if (!here.contains(id) && !there.contains(id)) continue;
      Items kept = (here.contains(id) ? file : store).under(step + "/");
      if (kept.equals(base.under(step + "/"))) continue;
      for (String key : kept.keys()) all(key, kept.get(key));
      Object before = object(base, step);
      Object inFile = here.contains(id) ? object(file, step) : null;
      Object inStore = there.contains(id) ? object(store, step) : null;
      clashes.put(step, new Clash(step, before, inFile, inStore));
    }
    return settled;
  }

  private static JsonObject object(Items items, String step) {
    Map<String, Object> fields = new LinkedHashMap<>();
    items
        .under(step + "/")
        .asMap()
        .forEach((k, v) -> fields.put(k.substring(step.length() + 1), v));
    return (JsonObject) Items.plain(fields);
  }

  private void stepOrder(Set<String> settled) {
    List<String> before = base.texts("steps");
    List<String> order = Sequences.merged(before, file.texts("steps"), store.texts("steps"));
    order.removeIf(id -> settled.contains("step/" + id) && !clashes.containsKey("step/" + id));
    all("steps", order);
  }

  /** An element is in a side's list as long as its item is in that side's result. */
  private void order(String key) {
    String prefix = OWNED.getOrDefault(key, key + "/");
    List<String> order = Sequences.merged(base.texts(key), file.texts(key), store.texts(key));
    boolean ids = key.equals("passages");
    List<String> inFile = new ArrayList<>();
    List<String> inStore = new ArrayList<>();
    List<String> inBase = new ArrayList<>();
    for (String each : order) {
      String item = prefix + (ids ? each : Items.part(each));
      if (toFile.items.has(item)) inFile.add(each);
      if (toStore.items.has(item)) inStore.add(each);
      if (toBase.items.has(item)) inBase.add(each);
    }
    toFile.put(key, inFile);
    toStore.put(key, inStore);
    toBase.put(key, inBase);
  }

  private static boolean isHistory(String key) {
    return key.equals("entries") || key.startsWith("entry/");
  }

  /** History is the store's; what the file has added or altered is told apart. */
  private Merged.History history() {
    for (String key : store.keys()) if (isHistory(key)) all(key, store.get(key));
    List<JsonObject> appended = new ArrayList<>();
    List<Integer> tampered = new ArrayList<>();
    if (!file.has("entries") && !base.has("entries")) return new Merged.History(appended, tampered);
    long known = count(base);
    for (int n = 1; n <= known; n++) {
      Object here = file.get("entry/" + n);
      boolean untouched = Objects.equals(here, base.get("entry/" + n));
      if (!untouched && !Objects.equals(here, store.get("entry/" + n))) tampered.add(n);
    }
    for (long n = known + 1; n <= count(file); n++) {
      Object here = file.get("entry/" + n);
      boolean same = appended.isEmpty() && Objects.equals(here, store.get("entry/" + n));
      if (!same && here instanceof JsonObject entry) appended.add(entry);
    }
    return new Merged.History(appended, tampered);
  }

  private static long count(Items items) {
    return items.get("entries") instanceof Long count ? count : 0;
  }

  /** A variable cannot be a value and hold others; where a merge gives both, it is a clash. */
  private final class VariableTree {
    void settle(Set<String> keys) {
      for (String key : keys) {
        if (!key.startsWith("var/")) continue;
        for (int at = key.lastIndexOf('/');
            at > "var".length();
            at = key.lastIndexOf('/', at - 1)) {
          String above = key.substring(0, at);
          if (keys.contains(above) && both(above, key)) separate(above, keys);
        }
      }
    }

    private boolean both(String above, String key) {
      return toFile.items.has(above) && toFile.items.has(key)
          || toStore.items.has(above) && toStore.items.has(key)
          || toBase.items.has(above) && toBase.items.has(key);
    }

    private void separate(String above, Set<String> keys) {
      boolean emptied =
          JsonObject.EMPTY.equals(file.get(above)) || JsonObject.EMPTY.equals(store.get(above));
      if (emptied) {
        all(above, null);
        return;
      }
      for (String key : keys) {
        if (!key.equals(above) && !key.startsWith(above + "/")) continue;
        clash(key);
        clashes.remove(key);
      }
      clashes.put(
          above, new Clash(above, value(base, above), value(file, above), value(store, above)));
    }

    private static @Nullable Object value(Items items, String key) {
      if (items.has(key)) return items.get(key);
      JsonObject below = object(items, key);
      return below.isEmpty() ? null : below;
    }
  }
}
