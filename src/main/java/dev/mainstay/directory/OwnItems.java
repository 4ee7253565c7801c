package dev.mainstay.directory;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Variables;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What Mainstay alone says: ids, times, what was counted. An edit there is put right and told; it
 * is never a conflict, for the store has moved on anyway.
 */
final class OwnItems {
  private OwnItems() {}

  static boolean has(String key) {
    if (key.startsWith("meta/")) return !key.equals("meta/status");
    if (key.startsWith("training/")) return true;
    if (!key.startsWith("var/")) return false;
    int end = key.indexOf('/', "var/".length());
    String first = end < 0 ? key.substring("var/".length()) : key.substring("var/".length(), end);
    return Variables.OWN.contains(first);
  }

  /** What somebody changed there, each field or object once. */
  static List<Edits.Problem> edited(Items base, Items file, Items store) {
    Set<String> told = new LinkedHashSet<>();
    Set<String> keys = new LinkedHashSet<>(file.keys());
    keys.addAll(base.keys());
    for (String key : keys) {
      Object is = file.get(key);
      boolean edited =
          has(key) && !Objects.equals(is, base.get(key)) && !Objects.equals(is, store.get(key));
      if (edited) told.add(key.startsWith("meta/") ? key : group(key));
    }
    List<Edits.Problem> problems = new ArrayList<>();
    for (String key : told) {
      String name = key.substring(key.indexOf('/') + 1);
      String sentence = "%s is what Mainstay itself says; what is true was written there again";
      problems.add(new Edits.Problem(key, Phrase.of(sentence, name), false));
    }
    return problems;
  }

  private static String group(String key) {
    if (key.startsWith("training/")) return "training";
    int end = key.indexOf('/', "var/".length());
    return end < 0 ? key : key.substring(0, end);
  }

  /** The items with the store's word for what is Mainstay's. */
  static Items asIn(Items store, Items items) {
    Items.Builder all = Items.builder().putAll(items.where(key -> !has(key)));
    return all.putAll(store.where(OwnItems::has)).build();
  }
}
