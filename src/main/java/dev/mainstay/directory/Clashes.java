package dev.mainstay.directory;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What both sides changed differently: each keeps its own until they agree. */
final class Clashes {
  private static final int SHOWN_CHARS_MAX = 200;

  private Clashes() {}

  /** As it is remembered from one look to the next, until both sides agree. */
  static JsonObject json(List<Clash> clashes) {
    JsonObject json = JsonObject.EMPTY;
    for (Clash clash : clashes) {
      if (isWholeStep(clash.key())) continue;
      json =
          json.with(
              clash.key(),
              JsonObject.EMPTY
                  .with("base", value(clash.base()))
                  .with("file", value(clash.file()))
                  .with("store", value(clash.store())));
    }
    return json;
  }

  /** A step that one side took away and the other changed stays on both, and there it ends. */
  private static boolean isWholeStep(String key) {
    return key.startsWith("step/") && key.indexOf('/', "step/".length()) < 0;
  }

  /** Wrapped, so that null and nothing are told apart. */
  private static @Nullable Object value(@Nullable Object value) {
    if (value == null) return null;
    return JsonObject.EMPTY.withAny("is", value == Items.NULL ? null : value);
  }

  /** What both knew before they fell out is still what both knew. */
  static Items overlaid(Items base, JsonObject clashed) {
    Items next = base;
    for (String key : clashed.asMap().keySet()) {
      Items.Builder known = Items.builder();
      next.asMap()
          .forEach(
              (each, value) -> {
                if (!isAt(each, key)) known.put(each, value);
              });
      JsonObject was = clashed.object(key);
      if (was.has("base")) {
        Object value = was.object("base").get("is");
        boolean below = key.startsWith("var/") && value instanceof JsonObject;
        if (below && value instanceof JsonObject object && !object.isEmpty()) {
          VariableItems.put(known, key, object);
        } else {
          known.put(key, value == null ? Items.NULL : value);
        }
      }
      next = known.build();
    }
    return next;
  }

  static String sentence(Clash clash) {
    return "both sides changed %s: the file says %s, the store %s; make them agree"
        .formatted(clash.key(), shown(clash.file()), shown(clash.store()));
  }

  private static String shown(@Nullable Object value) {
    if (value == null) return "nothing";
    return "\"" + Graphemes.cut(value.toString().replaceAll("\\s+", " "), SHOWN_CHARS_MAX) + "\"";
  }

  /** What the files are to say: the truth, but where a file keeps its own, what it says. */
  static Items keeping(Items now, Items file, Merged merged, List<Edits.Problem> problems) {
    Items shown = now;
    for (Clash clash : merged.clashes()) {
      if (isWholeStep(clash.key())) continue;
      shown = keep(shown, merged.file(), clash.key());
      String list = list(clash.key());
      if (list != null) shown = keep(shown, merged.file(), list);
    }
    for (Edits.Problem problem : problems) {
      if (!problem.stays()) continue;
      shown = keep(shown, file, problem.key());
      String group = group(problem.key());
      if (group != null) shown = keep(shown, file, group);
      String list = list(problem.key());
      if (list != null) shown = keep(shown, file, list);
    }
    return shown;
  }

  /** The order list that an item is in. */
  private static @Nullable String list(String key) {
    if (key.startsWith("passage/")) return "passages";
    if (key.startsWith("directive/")) return "directives";
    if (key.startsWith("rule/")) return "rules";
    if (key.startsWith("behaviour/")) return "behaviours";
    int params = Math.max(key.lastIndexOf("/inputs/"), key.lastIndexOf("/expected_outputs/"));
    return key.startsWith("step/") && params > 0
        ? key.substring(0, key.indexOf('/', params + 1))
        : null;
  }

  /** The items that an order list is about go with it. */
  private static @Nullable String group(String key) {
    return switch (key) {
      case "steps" -> "step";
      case "rules" -> "rule";
      case "behaviours" -> "behaviour";
      case "passages" -> "passage";
      default -> null;
    };
  }

  private static Items keep(Items now, Items file, String key) {
    Items.Builder next = Items.builder();
    now.asMap()
        .forEach(
            (each, value) -> {
              if (!isAt(each, key)) next.put(each, value);
            });
    file.asMap()
        .forEach(
            (each, value) -> {
              if (isAt(each, key)) next.put(each, value);
            });
    return next.build();
  }

  private static boolean isAt(String each, String key) {
    return each.equals(key) || (!Items.isOrder(key) && each.startsWith(key + "/"));
  }
}
