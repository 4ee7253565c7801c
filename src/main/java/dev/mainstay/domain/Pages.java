package dev.mainstay.domain;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What people and agents write into the files of an execution: the variables, the context notes,
 * and for each other file the text in which its values stand, with all that is nobody's value.
 */
public record Pages(JsonObject variables, List<Passage> context, Map<String, String> layouts) {
  public static final int TEXT_CHARS_MAX = 1024 * 1024;
  public static final int PASSAGES_MAX = 10_000;

  public static final Pages EMPTY = new Pages(JsonObject.EMPTY, List.of(), Map.of());

  public Pages {
    JsonObject.shallow("a variable", variables);
    context = List.copyOf(context);
    layouts = Collections.unmodifiableMap(new TreeMap<>(layouts));
    long chars = 0;
    for (Passage passage : context) chars += passage.heading().length() + passage.body().length();
    if (chars > TEXT_CHARS_MAX || context.size() > PASSAGES_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the context notes have %,d characters in %,d passages; at most %,d in %,d are kept",
              chars, context.size(), TEXT_CHARS_MAX, PASSAGES_MAX));
    }
    layouts.forEach((page, text) -> Text.body(page, text, TEXT_CHARS_MAX));
  }

  Pages with(JsonObject newVariables) {
    return new Pages(newVariables, context, layouts);
  }

  Pages with(List<Passage> newContext) {
    return new Pages(variables, newContext, layouts);
  }

  Pages with(String page, String layout) {
    Map<String, String> next = new TreeMap<>(layouts);
    next.put(page, layout);
    return new Pages(variables, context, next);
  }

  public JsonObject toJson() {
    return JsonObject.of("variables", variables, "layouts", layouts)
        .with("context", context.stream().map(Passage::toJson).toList());
  }

  static Pages fromJson(JsonObject json) {
    Map<String, String> layouts = new TreeMap<>();
    json.object("layouts").asMap().forEach((page, text) -> layouts.put(page, "" + text));
    return new Pages(
        json.object("variables"),
        json.objects("context").stream().map(Passage::fromJson).toList(),
        layouts);
  }
}
