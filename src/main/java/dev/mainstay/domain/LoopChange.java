package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What changed in a token that goes through a list. Its items stay the same from round to round,
 * and one result comes to the others, so that only what differs is told.
 */
final class LoopChange {
  private static final String LOOP = "loop";

  /** Says that of the loop only what differs is there. */
  private static final String KEPT = "loop_kept";

  private static final String RESULTS = "results";
  private static final String RESULTS_AT = "results_at";

  private LoopChange() {}

  /** The token as it is told to whoever knows how it was. */
  static JsonObject told(@Nullable JsonObject was, JsonObject is) {
    if (was == null || was.object(LOOP).isEmpty() || is.object(LOOP).isEmpty()) return is;
    Map<String, @Nullable Object> before = was.object(LOOP).asMap();
    Map<String, @Nullable Object> after = is.object(LOOP).asMap();
    if (!after.keySet().containsAll(before.keySet())) return is;
    Map<String, @Nullable Object> changed = new TreeMap<>();
    after.forEach(
        (name, value) -> {
          if (!before.containsKey(name) || !Objects.equals(before.get(name), value)) {
            changed.put(name, value);
          }
        });
    Object old = before.get(RESULTS);
    if (changed.get(RESULTS) instanceof List<?> now
        && old instanceof List<?> then
        && now.size() == then.size()) {
      changed.remove(RESULTS);
      changed.put(RESULTS_AT, places(then, now));
    }
    Map<String, @Nullable Object> told = new TreeMap<>(is.asMap());
    told.put(LOOP, JsonObject.copyOf(changed));
    told.put(KEPT, true);
    return JsonObject.copyOf(told);
  }

  private static JsonObject places(List<?> then, List<?> now) {
    Map<String, @Nullable Object> places = new TreeMap<>();
    for (int i = 0; i < now.size(); i++) {
      if (!Objects.equals(then.get(i), now.get(i))) places.put(String.valueOf(i), now.get(i));
    }
    return JsonObject.copyOf(places);
  }

  /** The token as it is, for whoever knows how it was. */
  static JsonObject applied(@Nullable JsonObject was, JsonObject told) {
    if (!Boolean.TRUE.equals(told.get(KEPT))) return told;
    if (was == null)
      throw new IllegalStateException(told + " goes on from a token that is not there");
    Map<String, @Nullable Object> loop = new TreeMap<>(was.object(LOOP).asMap());
    loop.putAll(told.object(LOOP).asMap());
    if (loop.remove(RESULTS_AT) instanceof JsonObject places) {
      List<@Nullable Object> results =
          new ArrayList<>((List<?>) Objects.requireNonNull(loop.get(RESULTS)));
      places.asMap().forEach((place, value) -> results.set(Integer.parseInt(place), value));
      loop.put(RESULTS, results);
    }
    Map<String, @Nullable Object> is = new TreeMap<>(told.asMap());
    is.remove(KEPT);
    is.put(LOOP, JsonObject.copyOf(loop));
    return JsonObject.copyOf(is);
  }
}
