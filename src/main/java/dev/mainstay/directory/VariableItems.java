package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables that the items of variables.json make together. */
final class VariableItems {
  private static final String PREFIX = "var/";

  /** The order of the document; what it does not name stands behind, by name. */
  private static final List<String> ORDER =
      List.of(
          "execution_metadata",
          "step_data",
          "file_paths",
          "extracted_data",
          "cost_tracking",
          "execution_id",
          "goal",
          "mode",
          "current_step",
          "total_steps",
          "output_file",
          "temp_dir",
          "urls_processed",
          "key_metrics",
          "flags",
          "total_cost",
          "step_costs");

  private VariableItems() {}

  /** The items of an object, leaf by leaf. */
  static void put(Items.Builder items, JsonObject object) {
    put(items, PREFIX.substring(0, PREFIX.length() - 1), object);
  }

  /** The same below a key. */
  static void put(Items.Builder items, String at, JsonObject object) {
    List<String> names = new ArrayList<>(object.asMap().keySet());
    names.sort(Comparator.comparing(VariableItems::place)); // stable, so the others keep theirs
    for (String name : names) {
      Object value = object.get(name);
      String key = at + "/" + Items.part(name);
      if (value instanceof JsonObject child && !child.isEmpty()) put(items, key, child);
      else items.put(key, value == null ? Items.NULL : value);
    }
  }

  private static int place(String name) {
    int place = ORDER.indexOf(name);
    return place < 0 ? ORDER.size() : place;
  }

  static JsonObject object(Items items) {
    Map<String, @Nullable Object> root = new LinkedHashMap<>();
    for (var entry : items.under(PREFIX).asMap().entrySet()) {
      String[] parts = entry.getKey().substring(PREFIX.length()).split("/", -1);
      Map<String, @Nullable Object> at = root;
      for (int i = 0; i < parts.length - 1; i++) at = child(at, Items.unpart(parts[i]));
      Object value = entry.getValue();
      at.put(Items.unpart(parts[parts.length - 1]), value == Items.NULL ? null : value);
    }
    return JsonObject.copyOf(root);
  }

  @SuppressWarnings("unchecked") // only maps made here are among the values
  private static Map<String, @Nullable Object> child(
      Map<String, @Nullable Object> parent, String name) {
    Object there = parent.get(name);
    if (there instanceof LinkedHashMap<?, ?> map) return (Map<String, @Nullable Object>) map;
    Map<String, @Nullable Object> made = new LinkedHashMap<>();
    parent.put(name, made);
    return made;
  }
}
