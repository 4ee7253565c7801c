package dev.mainstay.setup;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What cannot be seen in a changed file and yet is needed to give it back byte for byte: that it
 * was not there, what blanks it held, or which of its brackets were empty.
 */
record Trace(boolean created, @Nullable String blank, Map<String, String> empties) {
  static final Trace NONE = new Trace(false, null, Map.of());

  Trace {
    empties = Map.copyOf(empties);
  }

  Trace with(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(empties);
    all.putAll(more);
    return new Trace(created, blank, all);
  }

  /** The traces of all files, as text for the notes. */
  static String write(Map<String, Trace> traces) {
    Map<String, Object> files = new TreeMap<>();
    traces.forEach(
        (path, trace) ->
            files.put(
                path,
                JsonObject.of("created", trace.created(), "empties", trace.empties())
                    .with("blank", trace.blank())));
    return JsonText.write(JsonObject.of("files", files)) + "\n";
  }

  static Map<String, Trace> read(String text) {
    JsonObject noted = JsonText.object(text);
    Map<String, Trace> traces = new TreeMap<>();
    if (!noted.has("files")) return traces;
    JsonObject files = noted.object("files");
    for (String path : files.asMap().keySet()) traces.put(path, of(files.object(path)));
    return traces;
  }

  private static Trace of(JsonObject fields) {
    Map<String, String> empties = new TreeMap<>();
    if (fields.has("empties")) {
      JsonObject noted = fields.object("empties");
      for (String at : noted.asMap().keySet()) empties.put(at, noted.text(at));
    }
    boolean created = Boolean.TRUE.equals(fields.get("created"));
    return new Trace(created, fields.textOrNull("blank"), empties);
  }
}
