package dev.mainstay.app;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/** A flat TOML file of names and values. Loaded only where there is one, as its reader is large. */
final class TomlFile {
  private TomlFile() {}

  static Map<String, String> read(Path file) {
    try {
      JsonNode tree = new TomlMapper().readTree(file.toFile());
      Map<String, String> settings = new LinkedHashMap<>();
      take(tree, "", settings, file);
      return settings;
    } catch (JacksonException fault) {
      var at = fault.getLocation();
      String place =
          at == null ? "" : Phrase.of(" (line %d, column %d)", at.getLineNr(), at.getColumnNr());
      throw Refusal.invalid(
          Phrase.of("%s is not valid TOML%s: %s", file, place, fault.getOriginalMessage()));
    }
  }

  /** What stands in a table is named {@code table.key}. */
  private static void take(JsonNode tree, String table, Map<String, String> settings, Path file) {
    for (var field : tree.properties()) {
      String name = table + field.getKey();
      if (field.getValue().isObject()) take(field.getValue(), name + ".", settings, file);
      else settings.put(name, text(name, field.getValue(), file));
    }
  }

  private static String text(String name, JsonNode value, Path file) {
    if (value.isValueNode()) return value.asString();
    throw Refusal.invalid(Phrase.of("%s in %s must be a text or a number", name, file));
  }
}
