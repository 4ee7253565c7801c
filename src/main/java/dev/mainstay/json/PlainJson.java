package dev.mainstay.json;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON that agents and tables are full of: objects and lists of texts, words and whole
 * numbers. Whatever is faulty, too large, or a number of another kind is left to Jackson, so values
 * and errors are the same; but loading that costs a hook more than its own work.
 */
final class PlainJson {
  private static final int DIGITS_MAX = 18;

  /** Jackson has a limit for names, too, far above this. */
  private static final int NAME_CHARS_MAX = 1_000;

  /** What is not to be read here; made once, for it says nothing but that. */
  private static final class NotPlain extends RuntimeException {
    private static final long serialVersionUID = 1;
    static final NotPlain LEFT = new NotPlain();

    private NotPlain() {
      super(null, null, false, false);
    }
  }

  private final String text;
  private int at;

  private PlainJson(String text) {
    this.text = text;
  }

  /** The map or list that the text holds, or null if it is to be read by Jackson. */
  static @Nullable Object read(String text) {
    if (text.length() > JsonText.DOCUMENT_BYTES_MAX) return null;
    PlainJson reader = new PlainJson(text);
    try {
      char first = reader.next();
      Object value = first == '{' || first == '[' ? reader.value(first, 1) : null;
      return reader.isAtEnd() ? value : null;
    } catch (NotPlain left) {
      return null;
    }
  }

  /** The first character that is no blank, behind which reading goes on. */
  private char next() {
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
    }
    throw NotPlain.LEFT;
  }

  private boolean isAtEnd() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) at++;
    return at == text.length();
  }

  private @Nullable Object value(char first, int depth) {
    return switch (first) {
      case '{' -> map(depth);
      case '[' -> items(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> map(int depth) {
    if (depth > JsonObject.DEPTH_MAX) throw NotPlain.LEFT;
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    char c = next();
    while (c != '}') {
      if (c != '"') throw NotPlain.LEFT;
      String name = string();
      if (name.length() > NAME_CHARS_MAX || map.containsKey(name)) throw NotPlain.LEFT;
      if (next() != ':') throw NotPlain.LEFT;
      map.put(name, value(next(), depth + 1));
      c = further('}');
    }
    return map;
  }

  private List<@Nullable Object> items(int depth) {
    if (depth > JsonObject.DEPTH_MAX) throw NotPlain.LEFT;
    List<@Nullable Object> items = new ArrayList<>();
    char c = next();
    while (c != ']') {
      items.add(value(c, depth + 1));
      c = further(']');
    }
    return items;
  }

  /** The bracket that ends it, or the first character of the next entry behind a comma. */
  private char further(char end) {
    char c = next();
    if (c == end) return c;
    if (c != ',') throw NotPlain.LEFT;
    char entry = next();
    if (entry == end) throw NotPlain.LEFT;
    return entry;
  }

  private String string() {
    int from = at;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') return text.substring(from, at - 1);
      if (c == '\\') return escaped(from);
      if (c < ' ') throw NotPlain.LEFT;
    }
    throw NotPlain.LEFT;
  }

  /** The text that begins there and has its first backslash just behind. */
  private String escaped(int from) {
    StringBuilder plain = new StringBuilder().append(text, from, at - 1);
    plain.append(escape());
    int copied = at;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') return plain.append(text, copied, at - 1).toString();
      if (c < ' ') throw NotPlain.LEFT;
      if (c != '\\') continue;
      plain.append(text, copied, at - 1).append(escape());
      copied = at;
    }
    throw NotPlain.LEFT;
  }

  private char escape() {
    if (at >= text.length()) throw NotPlain.LEFT;
    char c = text.charAt(at++);
    int known = "\"\\/bfnrt".indexOf(c);
    if (known >= 0) return "\"\\/\b\f\n\r\t".charAt(known);
    if (c != 'u' || at + 4 > text.length()) throw NotPlain.LEFT;
    int code = 0;
    for (int i = 0; i < 4; i++) code = code * 16 + hex(text.charAt(at++));
    return (char) code;
  }

  private static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    throw NotPlain.LEFT;
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at - 1)) throw NotPlain.LEFT;
    at += word.length() - 1;
    return value;
  }

  private Long number() {
    int from = --at;
    boolean negative = text.charAt(at) == '-';
    if (negative) at++;
    int digits = at;
    long number = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      if (at - digits >= DIGITS_MAX) throw NotPlain.LEFT;
      number = number * 10 + (text.charAt(at++) - '0');
    }
    boolean zero = at > digits && text.charAt(digits) == '0';
    if (at == digits || (zero && (at - digits > 1 || negative)) || !isBehindNumber()) {
      at = from;
      throw NotPlain.LEFT;
    }
    return negative ? -number : number;
  }

  private boolean isBehindNumber() {
    return at < text.length() && " \n\r\t,]}".indexOf(text.charAt(at)) >= 0;
  }
}
