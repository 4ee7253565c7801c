package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One pass over a template: each variable is resolved once, however often it is named. */
final class ReferenceResolver {
  /** References and containers within each other; it keeps the stack small. */
  private static final int NESTED_MAX = 200;

  private static final int NEAR_MAX = 3;

  /** To look for near names among more would cost more than the hint is worth. */
  private static final int NEAR_PATHS_MAX = 2_000;

  /** A value without references, with its length when written out and its depth as JSON. */
  private record Resolved(@Nullable Object value, long chars, int depth) {}

  private final JsonObject variables;
  private final Consumer<Refusal> problems;
  private final Map<String, Resolved> known = new HashMap<>();

  /** The variables being resolved, outermost first. */
  private final List<String> trail = new ArrayList<>();

  private long copiedChars;
  private int nearLeft;

  /** Problems are given to the taker; if it does not throw, the reference is left as it stands. */
  ReferenceResolver(JsonObject variables, Consumer<Refusal> problems) {
    this(variables, problems, Integer.MAX_VALUE);
  }

  /** The same; after so many missing variables no more near names are looked for. */
  ReferenceResolver(JsonObject variables, Consumer<Refusal> problems, int nearMost) {
    this.variables = variables;
    this.problems = problems;
    this.nearLeft = nearMost;
  }

  @Nullable Object resolve(@Nullable Object template, @Nullable String where) {
    return value(template, where, 0).value();
  }

  private Resolved value(@Nullable Object template, @Nullable String where, int nested) {
    if (nested > NESTED_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the variables refer to each other more than %d levels deep; let them refer directly",
              NESTED_MAX));
    }
    if (template instanceof String text) return text(text, where, nested);
    if (template instanceof List<?> items) {
      List<@Nullable Object> list = new ArrayList<>(items.size());
      Extent extent = new Extent();
      for (Object item : items) list.add(extent.with(value(item, where, nested + 1), 0));
      return extent.of(Collections.unmodifiableList(list));
    }
    if (template instanceof JsonObject object) {
      Map<String, @Nullable Object> fields = new TreeMap<>();
      Extent extent = new Extent();
      object
          .asMap()
          .forEach(
              (key, item) ->
                  fields.put(key, extent.with(value(item, where, nested + 1), key.length() + 3)));
      return extent.of(JsonObject.copyOf(fields));
    }
    return new Resolved(template, CompactJson.of(template).length(), 0);
  }

  /** How large a list or object gets, refused before it is built. */
  private static final class Extent {
    private long chars = 2;
    private int depth;

    @Nullable Object with(Resolved item, int more) {
      chars += item.chars() + 1 + more;
      depth = Math.max(depth, item.depth());
      if (chars > References.RESOLVED_CHARS_MAX) throw tooLarge();
      if (depth >= JsonObject.DEPTH_MAX) {
        throw Refusal.tooLarge(
            Phrase.of(
                "the resolved variables are nested deeper than %d levels; flatten them",
                JsonObject.DEPTH_MAX));
      }
      return item.value();
    }

    Resolved of(Object container) {
      return new Resolved(container, chars, depth + 1);
    }
  }

  private Resolved text(String text, @Nullable String where, int nested) {
    List<References.Part> parts = References.parts(text);
    if (parts.size() == 1) {
      References.Part only = parts.get(0);
      if (only.reference()) return variable(only.text(), where, nested + 1);
      return new Resolved(only.text(), only.text().length(), 0);
    }
    StringBuilder out = new StringBuilder();
    for (References.Part part : parts) {
      if (!part.reference()) {
        out.append(part.text());
        continue;
      }
      Object value = variable(part.text(), where, nested + 1).value();
      String inserted = value instanceof String words ? words : CompactJson.of(value);
      copied(inserted.length());
      out.append(inserted);
    }
    return new Resolved(out.toString(), out.length(), 0);
  }

  private void copied(long chars) {
    copiedChars += chars;
    if (copiedChars > References.RESOLVED_CHARS_MAX) throw tooLarge();
  }

  private static Refusal tooLarge() {
    return Refusal.tooLarge(
        Phrase.of(
            "the references resolve to more than %,d characters; refer to less",
            References.RESOLVED_CHARS_MAX));
  }

  private Resolved variable(String path, @Nullable String where, int nested) {
    Resolved before = known.get(path);
    if (before != null) return before;
    int same = trail.indexOf(path);
    if (same >= 0) {
      List<String> circle = new ArrayList<>(trail.subList(same, trail.size()));
      circle.add(path);
      problems.accept(
          Refusal.invalid(
              Phrase.of(
                  "the variables refer to each other in a circle: %s; take one of these references out",
                  String.join(" -> ", circle))));
      return asWritten(path);
    }
    trail.add(path);
    Resolved found = find(path, where, nested);
    trail.remove(trail.size() - 1);
    known.put(path, found);
    return found;
  }

  private static Resolved asWritten(String path) {
    return new Resolved("{{" + path + "}}", path.length() + 4, 0);
  }

  private Resolved find(String path, @Nullable String where, int nested) {
    Object at = variables;
    boolean resolved = false;
    int end = -1;
    for (String step : path.split("\\.", -1)) {
      // On the way a variable may stand for another: {{x.z}} where x is "{{y}}".
      if (!resolved && at instanceof String text && References.wholly(text) != null) {
        at = variable(path.substring(0, end), where, nested + 1).value();
        resolved = true;
      }
      if (at instanceof JsonObject object && object.has(step)) {
        at = object.get(step);
      } else if (at instanceof List<?> items && place(step) < items.size()) {
        at = items.get(place(step));
      } else {
        problems.accept(missing(path, where));
        return asWritten(path);
      }
      end += 1 + step.length();
    }
    if (!resolved) return value(at, "the variable " + path, nested + 1);
    // It is resolved already, so its braces are no references; only its size is asked.
    long chars = CompactJson.of(at).length();
    copied(chars);
    return new Resolved(at, chars, depth(at));
  }

  private static int place(String step) {
    return step.matches("[0-9]{1,9}") ? Integer.parseInt(step) : Integer.MAX_VALUE;
  }

  private static int depth(@Nullable Object value) {
    Iterable<?> items;
    if (value instanceof JsonObject object) items = object.asMap().values();
    else if (value instanceof List<?> list) items = list;
    else return 0;
    int deepest = 0;
    for (Object item : items) deepest = Math.max(deepest, depth(item));
    return deepest + 1;
  }

  private Refusal missing(String path, @Nullable String where) {
    String sentence =
        Phrase.of(
            "there is no variable \"%s\"%s",
            path, where == null ? "" : ", which " + where + " refers to");
    if (nearLeft <= 0) return Refusal.invalid(sentence);
    nearLeft--;
    List<String> paths = new ArrayList<>();
    variables.asMap().forEach((key, value) -> addPaths(key, value, paths));
    if (paths.isEmpty()) return Refusal.invalid(sentence + "; there are no variables at all");
    return Refusal.invalid(
        sentence
            + "; did you mean "
            + Nearest.some(path, paths, NEAR_MAX).stream()
                .map(near -> "\"" + near + "\"")
                .collect(Collectors.joining(" or "))
            + "?");
  }

  private static void addPaths(String path, @Nullable Object value, List<String> paths) {
    if (paths.size() >= NEAR_PATHS_MAX || path.length() > References.NAME_CHARS_MAX) return;
    paths.add(path);
    if (value instanceof JsonObject object) {
      object.asMap().forEach((key, item) -> addPaths(path + "." + key, item, paths));
    } else if (value instanceof List<?> items) {
      for (int i = 0; i < items.size() && paths.size() < NEAR_PATHS_MAX; i++) {
        addPaths(path + "." + i, items.get(i), paths);
      }
    }
  }
}
