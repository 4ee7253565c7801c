package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what models and people write into JSON fields when they mean a list of texts. */
final class LooseJson {
  private LooseJson() {}

  /** A scalar becomes a list of one, null an empty list, numbers and booleans their text. */
  static List<String> texts(JsonObject json, String key) {
    Object value = json.get(key);
    if (!(value instanceof List<?> items))
      return value == null ? List.of() : List.of(text(key, value));
    List<String> texts = new ArrayList<>(items.size());
    for (Object item : items) if (item != null) texts.add(text(key, item));
    return texts;
  }

  /** The one text of a field; null when the field is absent or null. */
  static @Nullable String textOrNull(JsonObject json, String key) {
    List<String> texts = texts(json, key);
    if (texts.size() > 1) {
      throw Refusal.invalid(Phrase.of("\"%s\" is one text; it was given %d", key, texts.size()));
    }
    return texts.isEmpty() ? null : texts.get(0);
  }

  /** Refuses a field that is not known, with the nearest known one and all of them. */
  static void onlyKnown(String of, JsonObject json, Collection<String> known) {
    for (String key : json.asMap().keySet()) {
      if (!known.contains(key)) {
        throw Refusal.invalid(
            Phrase.of(
                "\"%s\" is not a field of %s; the fields are %s%s",
                key, of, String.join(", ", known), Nearest.hint(key, known)));
      }
    }
  }

  private static String text(String key, Object value) {
    if (value instanceof BigDecimal number) return number.toPlainString();
    if (value instanceof List<?> || value instanceof JsonObject) {
      throw Refusal.invalid("\"" + key + "\" holds plain texts, not lists or objects within");
    }
    return value.toString();
  }
}
