package dev.mainstay.setup;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.setup.JsonSpot.Entry;
import dev.mainstay.setup.JsonSpot.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JSON text that is changed entry by entry; everything else in it stays byte for byte. What is
 * added and then removed again leaves the text as it was.
 */
final class JsonFile {
  private final String name;
  private final boolean comments;
  private final Map<String, String> empties = new LinkedHashMap<>();
  private String text;
  private JsonSpot root;

  /** {@code comments}: whether the agent that reads the file takes comments in it. */
  JsonFile(String name, String text, boolean comments) {
    this.name = name;
    this.comments = comments;
    this.text = text;
    this.root = JsonReader.read(name, text, comments);
    if (root.kind() != Kind.OBJECT) {
      throw JsonReader.refused(name, text, root.start(), "it is not an object in braces");
    }
  }

  String text() {
    return text;
  }

  boolean isEmpty() {
    return root.entries().isEmpty() && inner(root).isBlank();
  }

  /** The names of what the file holds at its top. */
  List<@Nullable String> names() {
    return root.entries().stream().map(Entry::name).toList();
  }

  /** What stood between the brackets of those that were empty before something was added. */
  Map<String, String> empties() {
    return Map.copyOf(empties);
  }

  static String pointer(List<?> path) {
    return path.stream().map(key -> "/" + key).collect(Collectors.joining());
  }

  /** The value at the end of the path of names and numbers; null when there is none. */
  @Nullable JsonSpot at(List<?> path) {
    JsonSpot spot = root;
    for (Object key : path) {
      spot = spot.child(key);
      if (spot == null) return null;
    }
    return spot;
  }

  /** The value there, which must be of that kind if it is there at all. */
  @Nullable JsonSpot at(List<?> path, Kind kind) {
    JsonSpot spot = at(path);
    if (spot == null || spot.kind() == kind) return spot;
    throw JsonReader.refused(
        name,
        text,
        spot.start(),
        Phrase.of(
            "%s is not %s",
            path.get(path.size() - 1), kind == Kind.OBJECT ? "an object" : "a list"));
  }

  /** Puts a member at the end of the object there, which is made if it is missing. */
  void put(List<?> path, String member, Object value) {
    JsonSpot object = at(path, Kind.OBJECT);
    if (object != null) insert(path, object, member, value);
    else put(path.subList(0, path.size() - 1), last(path), Map.of(member, value));
  }

  /** Puts an item at the end of the list there, which is made if it is missing. */
  void append(List<?> path, Object value) {
    JsonSpot list = at(path, Kind.LIST);
    if (list != null) insert(path, list, null, value);
    else put(path.subList(0, path.size() - 1), last(path), List.of(value));
  }

  private static String last(List<?> path) {
    return String.valueOf(path.get(path.size() - 1));
  }

  private void insert(List<?> path, JsonSpot into, @Nullable String member, Object value) {
    if (into.entries().isEmpty()) insertFirst(path, into, member, value);
    else insertLast(into, member, value);
  }

  private void insertFirst(List<?> path, JsonSpot into, @Nullable String member, Object value) {
    JsonStyle style = JsonStyle.of(text);
    String base = indentOfLine(into.start());
    String indent = base + style.unit();
    String inner = inner(into);
    if (!inner.isBlank()) {
      int behindComment = into.start() + 1 + inner.stripTrailing().length();
      splice(behindComment, behindComment, style.newline() + indent + entry(member, value, indent));
      return;
    }
    empties.put(pointer(path), inner);
    String written =
        style.oneLine()
            ? entry(member, value, "")
            : style.newline() + indent + entry(member, value, indent) + style.newline() + base;
    splice(into.start() + 1, into.end() - 1, written);
  }

  private void insertLast(JsonSpot into, @Nullable String member, Object value) {
    JsonStyle style = JsonStyle.of(text);
    Entry last = into.entries().get(into.entries().size() - 1);
    int end = last.comma() < 0 ? last.value().end() : last.comma() + 1;
    int behind = behindComments(end);
    String indent = indentOfLine(last.start());
    boolean ownLine = lineStart(last.start()) + indent.length() == last.start();
    // Behind a comment that ends with its line nothing can follow but on the next line.
    String gap = ownLine || behind > end ? style.newline() + indent : " ";
    String added = gap + entry(member, value, indent) + (last.comma() < 0 ? "" : ",");
    String before = text.substring(0, last.value().end());
    String between = text.substring(last.value().end(), behind);
    reread(before + (last.comma() < 0 ? "," : "") + between + added + text.substring(behind));
  }

  private String entry(@Nullable String member, Object value, String indent) {
    JsonStyle style = JsonStyle.of(text);
    if (member != null) return style.member(member, value, indent);
    return style.oneLine() ? JsonStyle.compact(value) : style.write(value, indent);
  }

  /** The end of the comments that stand on the same line; they belong to what is before them. */
  private int behindComments(int from) {
    int behind = from;
    for (int at = from; comments && at < text.length(); ) {
      int end = JsonReader.commentEnd(text, at);
      if (end > 0 && text.substring(at, end).indexOf('\n') < 0) {
        at = end;
        behind = end;
      } else if (text.charAt(at) == ' ' || text.charAt(at) == '\t') {
        at++;
      } else {
        break;
      }
    }
    return behind;
  }

  /** Puts another value in the place of the one there. */
  void replace(List<?> path, Object value) {
    JsonSpot spot = Objects.requireNonNull(at(path));
    JsonStyle style = JsonStyle.of(text);
    String written =
        style.oneLine() ? JsonStyle.compact(value) : style.write(value, indentOfLine(spot.start()));
    splice(spot.start(), spot.end(), written);
  }

  /**
   * Takes an entry out, with the comma it needed. Brackets that hold nothing then get back what
   * {@code empties} remembers, or go as well, if nobody had them empty before.
   */
  void remove(List<?> path, Map<String, String> empties) {
    List<?> outer = path.subList(0, path.size() - 1);
    JsonSpot from = Objects.requireNonNull(at(outer));
    int index = from.entries().indexOf(entryAt(from, path.get(path.size() - 1)));
    Entry entry = from.entries().get(index);
    int end = entry.comma() < 0 ? entry.value().end() : entry.comma() + 1;
    String rest =
        text.substring(from.start() + 1, entry.start()) + text.substring(end, from.end() - 1);
    if (from.entries().size() > 1 || !rest.isBlank()) {
      takeOut(from, index);
      return;
    }
    String remembered = empties.get(pointer(outer));
    if (remembered == null && !outer.isEmpty()) remove(outer, empties);
    else splice(from.start() + 1, from.end() - 1, remembered == null ? "" : remembered);
  }

  private static Entry entryAt(JsonSpot from, Object key) {
    if (key instanceof Integer number) return from.entries().get(number);
    return from.entries().stream()
        .filter(entry -> key.equals(entry.name()))
        .findFirst()
        .orElseThrow();
  }

  private void takeOut(JsonSpot from, int index) {
    Entry entry = from.entries().get(index);
    int start = entry.start();
    while (" \t\r\n".indexOf(text.charAt(start - 1)) >= 0) start--;
    String close = without(from, index, start);
    String safe = without(from, index, entry.start());
    // Moved up behind a comment that ends with its line, what follows would become part of it.
    reread(means(close, safe) ? close : safe);
  }

  /** The text without the entry and the comma it needed, and without what is from start on. */
  private String without(JsonSpot from, int index, int start) {
    Entry entry = from.entries().get(index);
    String before = text.substring(0, start);
    if (entry.comma() >= 0) return before + text.substring(entry.comma() + 1);
    String behind = text.substring(entry.value().end());
    int comma = index == 0 ? -1 : from.entries().get(index - 1).comma();
    if (comma < 0) return before + behind;
    return before.substring(0, comma) + before.substring(comma + 1) + behind;
  }

  private boolean means(String one, String other) {
    try {
      Object meaning = JsonReader.read(name, one, comments).value();
      return Objects.equals(meaning, JsonReader.read(name, other, comments).value());
    } catch (Refusal broken) {
      return false;
    }
  }

  private String inner(JsonSpot spot) {
    return text.substring(spot.start() + 1, spot.end() - 1);
  }

  private int lineStart(int at) {
    return text.lastIndexOf('\n', at - 1) + 1;
  }

  /** The blanks with which the line begins that has this place. */
  private String indentOfLine(int at) {
    int start = lineStart(at);
    int end = start;
    while (end < at && " \t".indexOf(text.charAt(end)) >= 0) end++;
    return text.substring(start, end);
  }

  private void splice(int from, int to, String with) {
    reread(text.substring(0, from) + with + text.substring(to));
  }

  private void reread(String changed) {
    try {
      root = JsonReader.read(name, changed, comments);
      text = changed;
    } catch (Refusal fault) {
      throw new IllegalStateException("a change would have broken " + name, fault);
    }
  }
}
