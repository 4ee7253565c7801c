package dev.mainstay.directory;

import dev.mainstay.directory.JsonSource.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** variables.json: one JSON object, its leaves as items, its keys in the person's order. */
final class VariablesPage {
  /** The document's order; the values are the items'. */
  static final String TEMPLATE =
      """
      {
        "execution_metadata": {
          "execution_id": null,
          "goal": null,
          "mode": null
        },
        "step_data": {
          "current_step": null,
          "total_steps": null
        },
        "file_paths": {
          "output_file": null,
          "temp_dir": null
        },
        "extracted_data": {
          "urls_processed": null,
          "key_metrics": null,
          "flags": null
        },
        "cost_tracking": {
          "total_cost": null,
          "step_costs": null
        }
      }
      """;

  private static final String ROOT = "var";
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private VariablesPage() {}

  static Reading read(String text) {
    String json = bare(text);
    Lines lines = new Lines(json);
    Reading.Notes notes = new Reading.Notes();
    leaves(
        parsed(json),
        ROOT,
        (key, node) -> notes.put(key, Items.plain(node.value()), lines.lineOf(node.start())));
    return notes.reading();
  }

  private static String bare(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private static Node parsed(String json) {
    try {
      Node root = JsonSource.parse(json);
      if (root.members() != null) return root;
      throw new JsonSource.Fault(root.start(), "the file must hold one JSON object in braces");
    } catch (JsonSource.Fault fault) {
      Lines lines = new Lines(json);
      int line = lines.lineOf(fault.offset);
      throw new PageFault(PageName.VARIABLES, line, lines.columnOf(fault.offset), fault.sentence);
    }
  }

  private static void leaves(Node node, String key, BiConsumer<String, Node> taker) {
    Map<String, Node> members = node.members();
    if (members == null || (members.isEmpty() && !key.equals(ROOT))) taker.accept(key, node);
    else {
      members.forEach((name, each) -> leaves(each, key + "/" + Items.part(name), taker));
    }
  }

  static String write(Items items, String layout) {
    Items wanted = items.of(PageName.VARIABLES);
    if (read(layout).items().equals(wanted)) return layout;
    String json = bare(layout);
    String mark = layout.substring(0, layout.length() - json.length());
    Node old = parsed(json);
    return mark + new Printing(json, Lines.ending(layout)).text(tree(wanted), old);
  }

  /** The leaves as nested maps; an empty object gives way to what stands below its key. */
  private static Map<String, Object> tree(Items items) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (String key : items.keys()) {
      Object value = items.get(key);
      if (value == null) continue;
      String[] parts = key.split("/", -1);
      Map<String, Object> at = tree;
      for (int i = 1; i + 1 < parts.length; i++) at = below(at, Items.unpart(parts[i]));
      String last = Items.unpart(parts[parts.length - 1]);
      if (!(at.get(last) instanceof Map)) at.put(last, value);
    }
    return tree;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> below(Map<String, Object> at, String name) {
    Object inner = at.get(name);
    if (inner instanceof Map) return (Map<String, Object>) inner;
    Map<String, Object> made = new LinkedHashMap<>();
    at.put(name, made);
    return made;
  }

  /** Writes a tree in the old order of keys, with the old spelling of what did not change. */
  private record Printing(String source, String ending) {
    String text(Map<String, Object> tree, Node old) {
      StringBuilder out = new StringBuilder();
      print(out, tree, old, "");
      return out.append(ending).toString();
    }

    private void print(StringBuilder out, Object value, @Nullable Node old, String indent) {
      if (!(value instanceof Map<?, ?> map)) {
        out.append(old != null && says(old, value) ? raw(old) : PlainValue.json(value));
        return;
      }
      if (map.isEmpty()) {
        out.append("{}");
        return;
      }
      Map<String, Node> members = old == null ? null : old.members();
      Map<String, Object> ordered = new LinkedHashMap<>();
      if (members != null) {
        for (String name : members.keySet()) {
          Object each = map.get(name);
          if (each != null) ordered.put(name, each);
        }
      }
      map.forEach((name, each) -> ordered.putIfAbsent(String.valueOf(name), each));
      String inner = indent + "  ";
      String comma = "{";
      for (Map.Entry<String, Object> each : ordered.entrySet()) {
        out.append(comma).append(ending).append(inner);
        out.append(PlainValue.quoted(each.getKey())).append(": ");
        print(out, each.getValue(), members == null ? null : members.get(each.getKey()), inner);
        comma = ",";
      }
      out.append(ending).append(indent).append('}');
    }

    private static boolean says(Node node, Object value) {
      Map<String, Node> members = node.members();
      boolean leaf = members == null || members.isEmpty();
      return leaf && Items.plain(node.value()).equals(value);
    }

    private String raw(Node node) {
      return source.substring(node.start(), node.end());
    }
  }
}
