package dev.mainstay.json;

import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Named values that somebody wrote, in their order. Whatever is wrong with one is told with the
 * file and the line it stands in.
 */
public final class YamlFields {
  /** A name with nothing behind it. */
  static final Object EMPTY = new Object();

  /** A value with its line: a text, a list of entries, fields, or nothing. */
  record Entry(int line, Object value) {}

  private final String where;
  private final int line;
  private final Map<String, Entry> entries;

  YamlFields(String where, int line, Map<String, Entry> entries) {
    this.where = where;
    this.line = line;
    this.entries = new LinkedHashMap<>(entries);
  }

  /** These fields; a name that is not one of the known is refused with the nearest of them. */
  public YamlFields only(String... known) {
    Set<String> names = new TreeSet<>(Arrays.asList(known));
    for (String name : entries.keySet()) {
      if (names.contains(name)) continue;
      throw fault(
          name, Phrase.of("there is no field \"%s\"; %s", name, Nearest.guess(name, names)));
    }
    return this;
  }

  public List<String> names() {
    return List.copyOf(entries.keySet());
  }

  public boolean has(String name) {
    return entries.containsKey(name);
  }

  /** A field's text; null if it is not given. */
  public @Nullable String text(String name) {
    Entry entry = entries.get(name);
    return entry == null ? null : text(name, entry);
  }

  public String required(String name) {
    String text = text(name);
    if (text == null) throw fault(name, Phrase.of("the field \"%s\" is missing; add it", name));
    return text;
  }

  /** A field's list of texts; a single text is a list of one, and an absent field an empty list. */
  public List<String> texts(String name) {
    Entry entry = entries.get(name);
    if (entry == null) return List.of();
    if (!(entry.value() instanceof List<?> items)) return List.of(text(name, entry));
    List<String> texts = new ArrayList<>();
    for (Object item : items) texts.add(text(name, (Entry) item));
    return List.copyOf(texts);
  }

  /** A field's own fields; none if it is not given. */
  public YamlFields fields(String name) {
    Entry entry = entries.get(name);
    if (entry == null) return new YamlFields(where, line, Map.of());
    if (entry.value() instanceof YamlFields fields) return fields;
    throw fault(entry.line(), Phrase.of("the field \"%s\" must have fields of its own", name));
  }

  /** A field's own fields, each a text. */
  public Map<String, String> textsByName(String name) {
    YamlFields inner = fields(name);
    Map<String, String> texts = new LinkedHashMap<>();
    for (String each : inner.names()) texts.put(each, inner.required(each));
    return texts;
  }

  public boolean truth(String name) {
    String text = text(name);
    if (text == null || text.equals("false")) return false;
    if (text.equals("true")) return true;
    throw fault(name, Phrase.of("the field \"%s\" must be true or false", name));
  }

  /** What is made of a field; a refusal on the way is told with the file and the field's line. */
  public <T> T at(String name, Supplier<T> make) {
    try {
      return make.get();
    } catch (Refusal refused) {
      String place = place(lineOf(name));
      boolean placed = refused.sentence().startsWith(where + ":");
      throw placed ? refused : new Refusal(refused.code(), place + refused.sentence(), refused);
    }
  }

  /** A fault of a field, with its place; of an absent one, with that of the fields. */
  public Refusal fault(String name, String sentence) {
    return fault(lineOf(name), sentence);
  }

  private int lineOf(String name) {
    Entry entry = entries.get(name);
    return entry == null ? line : entry.line();
  }

  private Refusal fault(int at, String sentence) {
    return Refusal.invalid(place(at) + sentence);
  }

  private String place(int at) {
    return where + ":" + at + ": ";
  }

  private String text(String name, Entry entry) {
    if (entry.value() instanceof String text) return text;
    throw fault(
        entry.line(),
        entry.value() == EMPTY
            ? Phrase.of("the field \"%s\" is empty; give it a value or leave it out", name)
            : Phrase.of("the field \"%s\" must be a text", name));
  }
}
