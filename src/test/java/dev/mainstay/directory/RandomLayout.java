package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A file after a person was there, and a store that went on meanwhile. */
final class RandomLayout {
  private static final List<String> TEXTS =
      List.of(
          "A note of mine %d.",
          "> quoted %d",
          "* * *\nruled %d",
          "1. first %d",
          "<div>kept %d</div>",
          "`code` and **bold**: text %d",
          "```\n## Steps\n- **status**: fenced %d\n```",
          "<!-- a comment %d -->",
          "    - **status**: code %d",
          "[label%d]: /url",
          "\\- escaped %d",
          "<div>\nopen %d");
  private static final List<String> LISTS = List.of("- a line of mine %d", "- **owner**: me %d");
  private static final List<String> HEADINGS =
      List.of(
          "## My own heading %d",
          "   ## Indented %d",
          "  ### Far in %d",
          "#### Deeper %d",
          "Underlined %d\n---",
          "# Another title %d");

  private final Random random;
  private final PageName page;
  private final List<String> inserted = new ArrayList<>();

  RandomLayout(Random random, PageName page) {
    this.random = random;
    this.page = page;
  }

  /** The last line of each text that was put in. */
  List<String> inserted() {
    return inserted;
  }

  /** The text with free text at the boundaries of its blocks. */
  String visited(String text) {
    StringBuilder out = new StringBuilder();
    boolean first = true;
    for (String line : text.split("(?<=\n)")) {
      boolean heading = line.startsWith("## ") || line.startsWith("### ");
      if (!first && (heading || line.startsWith("- ")) && random.nextInt(8) == 0) {
        insert(out, heading);
      }
      out.append(line);
      first = false;
    }
    if (random.nextInt(3) == 0) insert(out, true);
    if (random.nextInt(9) == 0)
      insertLast(
          out, random.nextBoolean() ? "```\nnever closed %d" : "<!-- -->\n  ```\nnever closed %d");
    return out.toString();
  }

  private void insert(StringBuilder out, boolean beforeHeading) {
    List<String> texts = new ArrayList<>(TEXTS);
    if (page != PageName.CONSTRAINTS) texts.addAll(LISTS);
    // A heading amid the fields of a block would end the block.
    if (beforeHeading) texts.addAll(HEADINGS);
    String text = texts.get(random.nextInt(texts.size()));
    // Behind a list item, indented text belongs to the item.
    if (text.startsWith(" ")) text = "<!-- -->\n\n" + text;
    insertLast(out, text);
    out.append('\n');
  }

  private void insertLast(StringBuilder out, String form) {
    String text = form.replace("%d", String.valueOf(inserted.size() + 100));
    for (String line : text.split("\n")) if (line.matches(".*\\d.*")) inserted.add(line);
    out.append('\n').append(text).append('\n');
  }

  /** Some items of the one and some of the other, in an order of their own. */
  Items mixed(Items one, Items two) {
    Items.Builder mixed = Items.builder();
    for (String key : union(one, two, "")) {
      Items from = random.nextBoolean() ? one : two;
      Object value = from.get(key);
      if (key.equals("meta/execution_id")) mixed.put(key, String.valueOf(one.get(key)));
      else if (key.matches("(?s)(meta|setting|training)/.*") && value != null)
        mixed.put(key, value);
    }
    for (String order : List.of("steps", "directives", "rules", "behaviours")) {
      list(mixed, order, one, two);
    }
    if (page == PageName.HISTORY) history(mixed, one, two);
    return mixed.build();
  }

  private static Set<String> union(Items one, Items two, String prefix) {
    Set<String> keys = new LinkedHashSet<>(one.under(prefix).keys());
    keys.addAll(two.under(prefix).keys());
    return keys;
  }

  private void list(Items.Builder mixed, String order, Items one, Items two) {
    Set<String> all = new LinkedHashSet<>(one.texts(order));
    all.addAll(two.texts(order));
    List<String> some = new ArrayList<>(all);
    some.removeIf(each -> random.nextInt(4) == 0);
    if (random.nextBoolean()) Collections.shuffle(some, random);
    boolean steps = order.equals("steps");
    String noun = order.substring(0, order.length() - 1) + "/";
    Map<String, Integer> seen = new HashMap<>();
    // The second of two equal labels is the second only behind the first.
    if (steps)
      some.removeIf(id -> !id.endsWith("#" + (seen.merge(label(id), 1, Integer::sum) - 1)));
    mixed.put(order, some);
    for (String each : some) {
      Items from = random.nextBoolean() ? one : two;
      if (!from.texts(order).contains(each)) from = from == one ? two : one;
      String key = noun + (steps ? each + "/" : Items.part(each));
      for (String own : from.keys()) {
        Object value = from.get(own);
        if (value != null && (steps ? own.startsWith(key) : own.equals(key))) mixed.put(own, value);
      }
    }
  }

  private static String label(String id) {
    return id.substring(0, id.lastIndexOf('#'));
  }

  private void history(Items.Builder mixed, Items one, Items two) {
    List<Object> entries = new ArrayList<>(one.under("entry/").asMap().values());
    if (random.nextInt(3) == 0 && !entries.isEmpty()) entries.remove(0);
    entries.addAll(two.under("entry/").asMap().values());
    mixed.put("entries", entries.size());
    for (int i = 0; i < entries.size(); i++) mixed.put("entry/" + (i + 1), entries.get(i));
  }
}
