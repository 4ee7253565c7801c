package dev.mainstay.json;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON text in and out, within limits. Written text is canonical: sorted keys, no blanks. What is
 * not plain is read by Jackson's streaming core alone, because its data binding costs every command
 * 30 ms.
 */
public final class JsonText {
  public static final int DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;
  public static final int NUMBER_CHARS_MAX = 100;
  private static final int DECIMAL_SCALE_MAX = 1_000;

  /** Characters that a text holds by a letter behind a backslash, and these letters. */
  private static final String NAMED = "\"\\\b\f\n\r\t";

  private static final String NAMES = "\"\\bfnrt";
  private static final String HEX = "0123456789ABCDEF";

  /** Apart, so that a command which meets only plain JSON does not load Jackson. */
  private static final class Jackson {
    static final JsonFactory FACTORY =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(JsonObject.DEPTH_MAX)
                    .maxDocumentLength(DOCUMENT_BYTES_MAX)
                    .maxStringLength(DOCUMENT_BYTES_MAX)
                    .maxNumberLength(NUMBER_CHARS_MAX)
                    .build())
            .build();
  }

  private JsonText() {}

  public static String write(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    write(text, value);
    return text.toString();
  }

  private static void write(StringBuilder out, @Nullable Object value) {
    if (value instanceof JsonObject object) write(out, object.asMap());
    else if (value instanceof Map<?, ?> map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        string(out.append(before), String.valueOf(entry.getKey()));
        write(out.append(':'), entry.getValue());
        before = ',';
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof Iterable<?> items) {
      char before = '[';
      for (Object item : items) {
        write(out.append(before), item);
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    } else if (value instanceof Long || value instanceof Integer || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof BigDecimal number) out.append(number.toPlainString());
    else if (value == null) out.append("null");
    else string(out, value.toString());
  }

  private static void string(StringBuilder out, String text) {
    out.append('"');
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') continue;
      out.append(text, copied, i).append('\\');
      int named = NAMED.indexOf(c);
      if (named >= 0) out.append(NAMES.charAt(named));
      else out.append("u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      copied = i + 1;
    }
    out.append(text, copied, text.length()).append('"');
  }

  /** The object that a text holds; anything else is refused with the place of the mistake. */
  public static JsonObject object(String text) {
    if (text.equals("{}")) return JsonObject.EMPTY;
    Object value = value(text);
    if (value instanceof Map<?, ?> map) return JsonObject.copyOf(map);
    throw Refusal.invalid("a JSON object in braces is needed, such as {\"key\": \"value\"}");
  }

  public static List<?> list(String text) {
    if (text.equals("[]")) return List.of();
    Object value = value(text);
    if (value instanceof List<?> list) return list;
    throw Refusal.invalid("a JSON list in brackets is needed, such as [\"one\", \"two\"]");
  }

  private static @Nullable Object value(String text) {
    Object plain = PlainJson.read(text);
    return plain == null ? thorough(text) : plain;
  }

  /** Whatever JSON there is, read by Jackson. */
  static @Nullable Object thorough(String text) {
    try (JsonParser parser = Jackson.FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      if (first == null) throw Refusal.invalid("the JSON text is empty");
      Object value = value(parser, first);
      if (parser.nextToken() != null) {
        throw Refusal.invalid("the JSON goes on after its end" + place(parser));
      }
      return value;
    } catch (StreamConstraintsException limit) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the JSON is nested deeper than %d levels or holds a text or number that is too long; make it smaller",
              JsonObject.DEPTH_MAX));
    } catch (JacksonException fault) {
      throw Refusal.invalid("the JSON is not valid: " + reason(fault) + place(fault));
    }
  }

  private static @Nullable Object value(JsonParser parser, JsonToken token) {
    return switch (token) {
      case START_OBJECT -> map(parser);
      case START_ARRAY -> items(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
      default -> throw Refusal.invalid("the JSON is not valid" + place(parser));
    };
  }

  private static Map<String, @Nullable Object> map(JsonParser parser) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      map.put(name, value(parser, parser.nextToken()));
    }
    return map;
  }

  private static List<@Nullable Object> items(JsonParser parser) {
    List<@Nullable Object> items = new ArrayList<>();
    JsonToken token = parser.nextToken();
    for (; token != JsonToken.END_ARRAY; token = parser.nextToken())
      items.add(value(parser, token));
    return items;
  }

  private static Object number(JsonParser parser) {
    BigDecimal number;
    try {
      number = new BigDecimal(parser.getString());
    } catch (NumberFormatException exponent) { // one that has more digits than Java counts with
      throw outOfProportion(parser);
    }
    if (Math.abs((long) number.scale()) > DECIMAL_SCALE_MAX) throw outOfProportion(parser);
    if (number.toPlainString().length() > NUMBER_CHARS_MAX) throw outOfProportion(parser);
    boolean whole = number.scale() == 0 && number.precision() <= 18;
    return whole ? (Object) number.longValueExact() : number;
  }

  private static Refusal outOfProportion(JsonParser parser) {
    return Refusal.invalid("the JSON holds a number out of all proportion" + place(parser));
  }

  private static String place(JsonParser parser) {
    var at = parser.currentLocation();
    return Phrase.of(" (line %d, column %d)", at.getLineNr(), at.getColumnNr());
  }

  /** The library's words without what it says about its own settings. */
  private static String reason(JacksonException fault) {
    return String.valueOf(fault.getOriginalMessage())
        .replaceAll("\\s*\\(start marker at \\[Source:.*?\\]\\)", "")
        .replaceAll("\\s*\\[Source:.*?\\]", "");
  }

  private static String place(JacksonException fault) {
    var at = fault.getLocation();
    if (at == null || at.getLineNr() < 1) return "";
    return Phrase.of(" (line %d, column %d)", at.getLineNr(), at.getColumnNr());
  }
}
