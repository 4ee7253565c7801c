package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Values by name, as they are typed. */
final class VariableOptions {
  static final String RESULT_MEANS = "what came out, as a JSON object; - reads it";
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?");
  private static final Pattern JSON = Pattern.compile("(?s)\\[.*|\\{.*|\".*\"");

  @Option(
      names = "--var",
      paramLabel = "K=V",
      description =
          "a variable: a number, true or false, a JSON list, object or quoted text, else plain text; can be given several times")
  Map<String, String> typed = new LinkedHashMap<>();

  JsonObject values() {
    JsonObject values = JsonObject.EMPTY;
    for (var each : typed.entrySet()) {
      values = values.with(each.getKey(), value(each.getKey(), each.getValue()));
    }
    return values;
  }

  static Object value(String name, String typed) {
    if (typed.equals("true") || typed.equals("false")) return Boolean.valueOf(typed);
    boolean number = typed.length() <= JsonText.NUMBER_CHARS_MAX && NUMBER.matcher(typed).matches();
    if (!number && !JSON.matcher(typed).matches()) return typed;
    try {
      Object read = JsonText.list("[" + typed + "]").get(0);
      return read == null ? typed : read;
    } catch (Refusal refused) {
      throw Refusal.invalid(
          Phrase.of(
              "the variable %s begins as JSON does: %s; for plain text, write it in JSON's quotes",
              name, refused.sentence()));
    }
  }
}
