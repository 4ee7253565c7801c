package dev.mainstay.json;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * YAML in, within limits: what people write by hand, each value with the line it stands in. Plain
 * values stay the text that was typed, so that a version such as 4.10 is not made a number. What
 * can make a small file large (anchors and aliases) is refused.
 */
public final class YamlText {
  public static final int DOCUMENT_CHARS_MAX = 262_144;
  public static final int DEPTH_MAX = 16;
  public static final int VALUES_MAX = 10_000;

  /** Apart, so that a command which meets no YAML does not load its reader. */
  private static final class Jackson {
    static final YAMLFactory FACTORY =
        YAMLFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxDocumentLength(DOCUMENT_CHARS_MAX)
                    .maxStringLength(DOCUMENT_CHARS_MAX)
                    .build())
            .build();
  }

  private final String where;
  private final int linesBefore;
  private int values;

  private YamlText(String where, int linesBefore) {
    this.where = where;
    this.linesBefore = linesBefore;
  }

  /** The fields of a document that is a mapping; an empty document has none. */
  public static YamlFields fields(String where, String text) {
    return fields(where, text, 0);
  }

  /** The same for a part of a file, before which so many lines stand. */
  static YamlFields fields(String where, String text, int linesBefore) {
    if (text.length() > DOCUMENT_CHARS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "%s has %,d characters of YAML; at most %,d are read, so shorten it",
              where, text.length(), DOCUMENT_CHARS_MAX));
    }
    return new YamlText(where, linesBefore).document(text);
  }

  private YamlFields document(String text) {
    try (JsonParser parser = Jackson.FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      if (first == null || first == JsonToken.VALUE_NULL) {
        return new YamlFields(where, linesBefore + 1, Map.of());
      }
      if (first != JsonToken.START_OBJECT) {
        throw fault(line(parser), "fields are needed, such as \"name: developer\"");
      }
      YamlFields fields = mapping(parser);
      if (parser.nextToken() != null) {
        throw fault(line(parser), "there is a second document; keep one");
      }
      return fields;
    } catch (JacksonException broken) {
      var at = broken.getLocation();
      int line = at == null || at.getLineNr() < 1 ? 1 : at.getLineNr();
      throw fault(linesBefore + line, "this is not valid YAML: " + reason(broken));
    }
  }

  private YamlFields mapping(JsonParser parser) {
    int begin = line(parser);
    Map<String, YamlFields.Entry> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      int line = line(parser);
      if (entries.containsKey(name)) {
        throw fault(line, Phrase.of("the field \"%s\" is given twice; keep one", name));
      }
      entries.put(name, new YamlFields.Entry(line, value(parser, parser.nextToken())));
    }
    return new YamlFields(where, begin, entries);
  }

  private Object value(JsonParser parser, JsonToken token) {
    if (++values > VALUES_MAX) {
      throw fault(line(parser), Phrase.of("there are more than %,d values", VALUES_MAX));
    }
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      throw fault(line(parser), "aliases (*name) are not read; write the value out");
    }
    return switch (token) {
      case START_OBJECT -> mapping(parser);
      case START_ARRAY -> items(parser);
      case VALUE_NULL -> YamlFields.EMPTY;
      case VALUE_STRING, VALUE_TRUE, VALUE_FALSE, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          parser.getString();
      default -> throw fault(line(parser), "this kind of value is not read; write plain text");
    };
  }

  private List<YamlFields.Entry> items(JsonParser parser) {
    List<YamlFields.Entry> items = new ArrayList<>();
    JsonToken token = parser.nextToken();
    for (; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      int line = line(parser);
      items.add(new YamlFields.Entry(line, value(parser, token)));
    }
    return items;
  }

  private int line(JsonParser parser) {
    return linesBefore + Math.max(1, parser.currentTokenLocation().getLineNr());
  }

  private Refusal fault(int line, String sentence) {
    return Refusal.invalid(Phrase.of("%s:%d: %s", where, line, sentence));
  }

  /** The first line of what the library says; the others draw the place, which is told already. */
  private static String reason(JacksonException broken) {
    String said = String.valueOf(broken.getOriginalMessage()).strip();
    int end = said.indexOf('\n');
    return (end < 0 ? said : said.substring(0, end)).strip();
  }
}
