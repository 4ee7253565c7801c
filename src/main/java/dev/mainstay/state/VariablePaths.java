package dev.mainstay.state;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Variables;
import dev.mainstay.json.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Variables by their dotted paths. */
public final class VariablePaths {
  private VariablePaths() {}

  /** The variables with other values at these dotted paths; objects on the way are made. */
  static JsonObject set(JsonObject variables, JsonObject byPath) {
    for (var entry : byPath.asMap().entrySet()) {
      List<String> path = List.of(entry.getKey().split("\\.", -1));
      if (path.stream().anyMatch(String::isBlank)) {
        throw Refusal.invalid(
            Phrase.of(
                "\"%s\" is no path of a variable; write one such as extracted_data.total",
                entry.getKey()));
      }
      if (path.size() > JsonObject.DEPTH_INSIDE_MAX) {
        throw Refusal.tooLarge(
            Phrase.of(
                "the path of a variable is at most %d levels deep", JsonObject.DEPTH_INSIDE_MAX));
      }
      if (Variables.OWN.contains(path.get(0))) {
        throw Refusal.conflict(
            Phrase.of("\"%s\" is filled by Mainstay itself; choose another name", path.get(0)));
      }
      variables = set(variables, path, entry.getValue());
    }
    return checked(variables);
  }

  private static JsonObject set(JsonObject in, List<String> path, @Nullable Object value) {
    String name = path.get(0);
    if (path.size() == 1) return in.withAny(name, value);
    Object there = in.get(name);
    if (there != null && !(there instanceof JsonObject)) {
      throw Refusal.conflict(
          Phrase.of(
              "\"%s\" is no object in which \"%s\" could be set; set it as a whole",
              name, String.join(".", path.subList(1, path.size()))));
    }
    JsonObject child = there instanceof JsonObject object ? object : JsonObject.EMPTY;
    return in.with(name, set(child, path.subList(1, path.size()), value));
  }

  /** Refuses more than is kept. */
  public static JsonObject checked(JsonObject variables) {
    int chars = JsonText.write(variables).length();
    if (chars > Variables.CHARS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the variables have %,d characters; at most %,d are kept, so put large data into a file and its path here",
              chars, Variables.CHARS_MAX));
    }
    return variables;
  }
}
