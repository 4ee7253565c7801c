package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Items as nobody would write them, and some as everybody does. */
final class RandomItems {
  private static final List<String> SHARDS =
      List.of(
          "a",
          "word",
          "two words",
          "#",
          "# h",
          "## Steps",
          "### Step 1: x",
          "`",
          "```",
          "~~~",
          "\"",
          "'",
          "\\",
          "*",
          "**",
          "**x**:",
          "- ",
          "- **status**: RUNNING",
          "  - p: 1",
          "<!--",
          "-->",
          "<div>",
          "</div>",
          "<?php",
          "<![CDATA[",
          "[a]: /b",
          "[x]",
          "{{ref}}",
          "{",
          "}",
          "[1]",
          "1",
          "-0",
          "1.10",
          "1e5",
          "true",
          "null",
          "$0.10",
          "12s",
          ":",
          ": ",
          "---",
          "===",
          "> q",
          "1. ",
          "+ ",
          "%",
          "%2F",
          "/",
          "|",
          "é",
          "日本",
          "😀",
          "\u00A0",
          "\u2003",
          "\u2028",
          "\u0085",
          "\uFEFF",
          "\uD800",
          "\t",
          " ",
          "  ",
          "    ",
          "\n",
          "\n\n",
          "\r",
          "\r\n",
          "\f",
          "\u0000",
          "\u007F",
          "&amp;",
          "(simulated)",
          "#0",
          "binding",
          "<!-- 1 step left -->",
          "## Metadata",
          "_");

  private final Random random;

  /** Whether texts are only such as a database can keep, for a file that refuses others. */
  private boolean storable;

  RandomItems(Random random) {
    this.random = random;
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  String text() {
    if (chance(40))
      return List.of("Read", "fetch the page", "RUNNING", "x", "ok").get(random.nextInt(5));
    StringBuilder text = new StringBuilder();
    int shards = 1 + random.nextInt(chance(2) ? 400 : 6);
    for (int i = 0; i < shards; i++) text.append(SHARDS.get(random.nextInt(SHARDS.size())));
    String all = text.toString();
    return storable ? all.replace("\u0000", "").replace("\uD800", "") : all;
  }

  Object number() {
    return chance(50)
        ? (Object) (long) random.nextInt(2000)
        : BigDecimal.valueOf(random.nextInt(100_000), random.nextInt(6));
  }

  Object value(int depth) {
    return switch (random.nextInt(depth > 2 ? 4 : 7)) {
      case 0 -> number();
      case 1 -> random.nextBoolean();
      case 2, 3 -> text();
      case 4 -> Items.NULL;
      case 5 -> {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) list.add(value(depth + 1));
        yield list;
      }
      default -> {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) map.put(text(), value(depth + 1));
        yield map;
      }
    };
  }

  Set<String> names(int max) {
    Set<String> names = new LinkedHashSet<>();
    for (int i = random.nextInt(max + 1); i > 0; i--) names.add(text());
    return names;
  }

  private void maybe(Items.Builder items, String key, Object value) {
    if (chance(70)) items.put(key, value);
  }

  Items of(PageName page) {
    Items.Builder items = Items.builder();
    storable = page == PageName.VARIABLES;
    switch (page) {
      case PLAN -> plan(items);
      case CONTEXT -> context(items);
      case VARIABLES -> variables(items, "var", 0);
      case HISTORY -> history(items);
      case CONSTRAINTS -> constraints(items);
    }
    return items.build();
  }

  private void plan(Items.Builder items) {
    items.put("meta/execution_id", chance(80) ? "exec_1_2" : text());
    maybe(items, "meta/goal", text());
    maybe(items, "meta/status", text());
    maybe(items, "meta/current_step", (long) random.nextInt(9));
    maybe(items, "meta/start_time", "2026-11-16T03:00:00Z");
    maybe(items, "meta/last_updated", text());
    maybe(items, "meta/mode", "EXECUTION");
    Map<String, Integer> seen = new LinkedHashMap<>();
    List<String> steps = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      String label = text();
      steps.add(Items.part(label) + "#" + (seen.merge(label, 1, Integer::sum) - 1));
    }
    items.put("steps", steps);
    for (String id : steps) {
      String key = "step/" + id + "/";
      for (String field : List.of("component", "tool_mapping", "status", "side_effects", "note")) {
        maybe(items, key + field, text());
      }
      for (String field : List.of("inputs", "expected_outputs")) {
        Set<String> names = names(3);
        items.put(key + field, new ArrayList<>(names));
        for (String name : names) items.put(key + field + "/" + Items.part(name), value(0));
      }
      maybe(items, key + "estimated_cost", number());
      maybe(items, key + "estimated_time", number());
    }
  }

  /** Passages as a file can hold them: whatever a hostile text turns out to be when it is read. */
  private void context(Items.Builder items) {
    StringBuilder text = new StringBuilder("# T\n");
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      text.append("## ").append(chance(60) ? "Key Findings" : "h" + random.nextInt(9)).append('\n');
      text.append(text().replace("\u0000", "")).append("\n\n");
    }
    Items read = Page.read(PageName.CONTEXT, text.toString()).items();
    items.putAll(read);
  }

  private void variables(Items.Builder items, String key, int depth) {
    for (String name : names(4)) {
      String at = key + "/" + Items.part(name);
      if (depth < 3 && chance(30)) {
        Items.Builder inner = Items.builder();
        variables(inner, at, depth + 1);
        Items below = inner.build();
        if (below.isEmpty()) items.put(at, JsonObject.EMPTY);
        else items.putAll(below);
      } else {
        Object value = Items.plain(value(0));
        // An object that is not empty is no leaf.
        items.put(at, value instanceof JsonObject ? JsonObject.EMPTY : value);
      }
    }
  }

  private void history(Items.Builder items) {
    int count = random.nextInt(4);
    items.put("entries", (long) count);
    for (int n = 1; n <= count; n++) {
      JsonObject entry =
          JsonObject.of("step", random.nextInt(9), "at", "2026-11-16T03:00:0" + n + "Z");
      if (chance(30)) entry = entry.with("simulated", true);
      for (Field field : HistoryPage.ENTRY_FIELDS) {
        if (field.kind() == Field.Kind.TEXT && chance(70)) entry = entry.with(field.name(), text());
      }
      if (chance(50)) entry = entry.with("cost", number());
      if (chance(50)) entry = entry.with("time", number());
      items.put("entry/" + n, entry);
    }
    if (chance(60)) return;
    for (Field field : HistoryPage.TRAINING_FIELDS)
      maybe(items, "training/" + field.name(), text());
  }

  private void constraints(Items.Builder items) {
    for (Field field : ConstraintsPage.MODIFIER_FIELDS) {
      boolean number = field.kind() == Field.Kind.DECIMAL;
      maybe(items, "setting/" + field.name(), number ? number() : text());
    }
    maybe(items, "setting/max_execution_time", number());
    maybe(items, "setting/max_file_operations", (long) random.nextInt(50));
    maybe(items, "setting/max_web_requests", (long) random.nextInt(50));
    maybe(items, "setting/preferred_tools", new ArrayList<>(names(4)));
    Set<String> directives = names(4);
    items.put("directives", new ArrayList<>(directives));
    for (String each : directives) {
      JsonObject marks = JsonObject.of("binding", chance(30) ? true : null);
      if (chance(30)) marks = marks.with("steps_left", random.nextInt(4));
      items.put("directive/" + Items.part(each), marks);
    }
    Set<String> rules = names(4);
    items.put("rules", new ArrayList<>(rules));
    for (String each : rules) items.put("rule/" + Items.part(each), true);
    Set<String> behaviours = names(4);
    items.put("behaviours", new ArrayList<>(behaviours));
    for (String each : behaviours) items.put("behaviour/" + Items.part(each), text());
  }
}
