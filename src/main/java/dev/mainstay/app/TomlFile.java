package dev.mainstay.app;

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
      tree.properties()
          .forEach(
              field -> settings.put(field.getKey(), text(field.getKey(), field.getValue(), file)));
      return settings;
    } catch (JacksonException fault) {
      var at = fault.getLocation();
      String place =
          at == null ? "" : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
      throw Refusal.invalid(
          "%s is not valid TOML%s: %s".formatted(file, place, fault.getOriginalMessage()));
    }
  }

  private static String text(String name, JsonNode value, Path file) {
    if (value.isValueNode()) return value.asString();
    throw Refusal.invalid("%s in %s must be a text or a number".formatted(name, file));
  }
}
