package dev.mainstay.setup;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.toml.TomlMapper;

/** What a TOML text says; where our lines go is decided by its meaning, never by its looks. */
final class Toml {
  private Toml() {}

  static Map<String, ?> read(String file, String text) {
    try {
      Map<String, Object> settings = new LinkedHashMap<>();
      Map<?, ?> read = new TomlMapper().readValue(text.replace("\ufeff", ""), Map.class);
      read.forEach((key, value) -> settings.put(String.valueOf(key), value));
      return settings;
    } catch (JacksonException fault) {
      var at = fault.getLocation();
      throw Refusal.invalid(
          Phrase.of(
              "%s cannot be read%s: %s; mend it and repeat, nothing was written",
              file,
              at == null
                  ? ""
                  : Phrase.of(" at line %d, column %d", at.getLineNr(), at.getColumnNr()),
              fault.getOriginalMessage()));
    }
  }
}
