package dev.mainstay.directory;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What both sides changed differently: each keeps its own until they agree. */
final class Clashes {
  private static final int SHOWN_CHARS_MAX = 200;
  private static final String REFUSED = "refused";

  private Clashes() {}

  /**
   * As it is remembered from one look to the next, until both sides agree: what they changed
   * differently, and what a file is left saying although it is not true.
   */
  static JsonObject json(List<Clash> clashes, Items now, Items shown) {
    Map<String, JsonObject> open = new LinkedHashMap<>();
    for (Clash clash : clashes) {
      if (isWholeStep(clash.key())) continue;
      open.put(
          clash.key(),
          JsonObject.EMPTY
              .with("base", value(clash.base()))
              .with("file", value(clash.file()))
              .with("store", value(clash.store())));
    }
    KeySet clashing = new KeySet(open.keySet());
    Set<String> keys = new LinkedHashSet<>(now.keys());
    keys.addAll(shown.keys());
    for (String key : keys) {
      if (key.startsWith("entry/") || Objects.equals(now.get(key), shown.get(key))) continue;
      if (clashing.covers(key)) continue;
      open.put(key, JsonObject.EMPTY.with("base", value(now.get(key))).with(REFUSED, true));
    }
    return JsonObject.copyOf(open);
  }

  /** Whether what is remembered of an item is that it was not taken. */
  static boolean isRefused(JsonObject clashed, String key) {
    return Boolean.TRUE.equals(clashed.object(key).get(REFUSED));
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
    Items.Builder known = Items.builder();
    KeySet open = new KeySet(clashed.asMap().keySet());
    base.asMap()
        .forEach(
            (each, value) -> {
              if (!open.covers(each)) known.put(each, value);
            });
    for (String key : clashed.asMap().keySet()) {
      JsonObject was = clashed.object(key);
      if (!was.has("base")) continue;
      Object value = was.object("base").get("is");
      boolean below = key.startsWith("var/") && value instanceof JsonObject;
      if (below && value instanceof JsonObject object && !object.isEmpty()) {
        VariableItems.put(known, key, object);
      } else {
        known.put(key, value == null ? Items.NULL : value);
      }
    }
    return known.build();
  }

  static String sentence(Clash clash) {
    return Phrase.of(
        "both sides changed %s: the file says %s, the store %s; write into the file what is to hold: the store's value ends this at once, another one when the store is changed to it",
        words(clash.key()), shown(clash.file()), shown(clash.store()));
  }

  /** The item as a person would call it. */
  static String words(String key) {
    String[] parts = key.split("/");
    String name = Items.unpart(parts.length > 1 ? parts[1] : parts[0]);
    return switch (parts[0]) {
      case "step" -> {
        String label = name.contains("#") ? name.substring(0, name.lastIndexOf('#')) : name;
        String field = parts.length > 2 ? parts[2] + " of " : "";
        yield field + "step \"" + label + "\"";
      }
      case "var" -> "the variable " + Items.unpart(String.join(".", key.substring(4).split("/")));
      case "passage" -> "the passage \"" + name.replaceFirst("#\\d+$", "").strip() + "\"";
      case "directive", "rule", "behaviour" -> "the " + parts[0] + " \"" + name + "\"";
      default -> name;
    };
  }

  private static String shown(@Nullable Object value) {
    if (value == null) return "nothing";
    return "\"" + Graphemes.cut(value.toString().replaceAll("\\s+", " "), SHOWN_CHARS_MAX) + "\"";
  }

  /** What the files are to say: the truth, but where a file keeps its own, what it says. */
  static Items keeping(Items now, Items file, Merged merged, List<Edits.Problem> problems) {
    Set<String> kept = new HashSet<>();
    Set<String> restored = new HashSet<>();
    for (Clash clash : merged.clashes()) {
      if (!isWholeStep(clash.key())) keep(kept, clash.key());
    }
    for (Edits.Problem problem : problems) {
      if (!problem.stays()) restored.add(problem.key());
      else if (!problem.key().startsWith("entry/")) keep(kept, problem.key());
    }
    KeySet ours = new KeySet(restored);
    KeySet theirs = new KeySet(kept);
    Items.Builder shown = Items.builder();
    now.asMap()
        .forEach(
            (key, value) -> {
              if (!theirs.covers(key) || ours.covers(key)) shown.put(key, value);
            });
    merged
        .file()
        .asMap()
        .forEach(
            (key, value) -> {
              if (theirs.covers(key) && !ours.covers(key)) shown.put(key, value);
            });
    Items all = shown.build();
    for (Edits.Problem problem : problems) {
      boolean entry = problem.stays() && problem.key().startsWith("entry/");
      if (entry) all = behind(all, file, problem.key());
    }
    return all;
  }

  /** An item goes with the list it is in, and a list with its items. */
  private static void keep(Set<String> kept, String key) {
    kept.add(key);
    String group = group(key);
    if (group != null) kept.add(group);
    String list = list(key);
    if (list != null) kept.add(list);
  }

  /** Entries that were not taken stand behind those that are true. */
  private static Items behind(Items shown, Items file, String first) {
    Items next = shown;
    long count = shown.get("entries") instanceof Long n ? n : 0;
    long from = Long.parseLong(first.substring("entry/".length()));
    for (long n = from; file.get("entry/" + n) instanceof JsonObject entry; n++) {
      next = next.with("entry/" + ++count, entry);
    }
    return next.with("entries", count);
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
}
