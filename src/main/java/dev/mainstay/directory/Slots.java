package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Brings the named things of a layout into another order while the rest keeps its place. */
final class Slots {
  private Slots() {}

  /** A thing with its name; free text has none. */
  record Slot<T>(@Nullable String id, T thing) {}

  /**
   * The things in the wanted order: those that stay take each other's places, a new one goes behind
   * its predecessor, and of a removed one its remains are left. Without any place to take, new ones
   * go to {@code end}.
   */
  static <T> List<T> arrange(
      List<Slot<T>> layout,
      List<String> order,
      Function<String, T> make,
      Function<T, List<T>> remains,
      int end) {
    Map<String, T> known = new HashMap<>();
    for (Slot<T> slot : layout) if (slot.id() != null) known.put(slot.id(), slot.thing());
    List<List<T>> runs = new ArrayList<>();
    runs.add(new ArrayList<>());
    for (String id : order) {
      T thing = known.get(id);
      if (thing != null) runs.add(new ArrayList<>(List.of(thing)));
      else runs.get(runs.size() - 1).add(make.apply(id));
    }
    Set<String> wanted = new HashSet<>(order);
    List<T> out = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < layout.size(); i++) {
      Slot<T> slot = layout.get(i);
      boolean stays = slot.id() != null && wanted.contains(slot.id());
      boolean firstPlace = stays || (runs.size() == 1 && slot.id() != null) || i == end;
      if (next == 0 && firstPlace && (runs.size() == 1 || stays)) out.addAll(runs.get(next++));
      if (stays) out.addAll(runs.get(next++));
      else if (slot.id() == null) out.add(slot.thing());
      else out.addAll(remains.apply(slot.thing()));
    }
    if (next == 0) out.addAll(runs.get(0));
    return out;
  }
}
