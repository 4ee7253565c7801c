package dev.mainstay.setup;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.setup.JsonSpot.Entry;
import dev.mainstay.setup.JsonSpot.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON and keeps the place of every value, so that a text can be changed at one place and
 * stay as it was at all others. With comments it also takes a comma behind the last entry, as the
 * agents do that allow comments.
 */
final class JsonReader {
  static final int DEPTH_MAX = 100;
  private static final int NUMBER_CHARS_MAX = 100;
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?");

  private final String file;
  private final String text;
  private final boolean comments;
  private int at;

  private JsonReader(String file, String text, boolean comments) {
    this.file = file;
    this.text = text;
    this.comments = comments;
  }

  /** The one value of the text; what is not JSON is refused with its line. */
  static JsonSpot read(String file, String text, boolean comments) {
    JsonReader reader = new JsonReader(file, text, comments);
    if (text.startsWith("\ufeff")) reader.at = 1;
    reader.skip();
    JsonSpot root = reader.value(0);
    reader.skip();
    if (reader.at < text.length()) throw reader.fault("something follows after its end");
    return root;
  }

  private JsonSpot value(int depth) {
    if (depth > DEPTH_MAX) throw fault(Phrase.of("it is nested deeper than %d", DEPTH_MAX));
    int start = at;
    char c = peek();
    if (c == '{') return container(Kind.OBJECT, '}', depth);
    if (c == '[') return container(Kind.LIST, ']', depth);
    if (c == '"') {
      String plain = string();
      return new JsonSpot(Kind.SCALAR, start, at, plain, List.of());
    }
    if (word("true")) return new JsonSpot(Kind.SCALAR, start, at, true, List.of());
    if (word("false")) return new JsonSpot(Kind.SCALAR, start, at, false, List.of());
    if (word("null")) return new JsonSpot(Kind.SCALAR, start, at, null, List.of());
    Object number = number();
    return new JsonSpot(Kind.SCALAR, start, at, number, List.of());
  }

  private JsonSpot container(Kind kind, char close, int depth) {
    int start = at++;
    List<Entry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    boolean more = true;
    while (true) {
      skip();
      if (peek() == close) {
        if (more && !entries.isEmpty() && !comments) throw fault("a comma is too many here");
        at++;
        return new JsonSpot(kind, start, at, null, entries);
      }
      if (!more) throw fault("a comma or " + close + " is missing here");
      Entry entry = entry(kind, names, depth);
      entries.add(entry);
      more = entry.comma() >= 0;
    }
  }

  private Entry entry(Kind kind, Set<String> names, int depth) {
    int start = at;
    String name = null;
    if (kind == Kind.OBJECT) {
      if (peek() != '"') throw fault("a name in double quotes is missing here");
      name = string();
      if (!names.add(name)) throw fault("\"" + name + "\" is there twice");
      skip();
      if (peek() != ':') throw fault("a colon is missing here");
      at++;
      skip();
    }
    JsonSpot value = value(depth + 1);
    skip();
    int comma = peek() == ',' ? at++ : -1;
    return new Entry(name, start, value, comma);
  }

  private String string() {
    StringBuilder plain = new StringBuilder();
    for (at++; ; at++) {
      if (at >= text.length()) throw fault("a text has no end");
      char c = text.charAt(at);
      if (c == '"') break;
      if (c < ' ') throw fault("a text holds a line break or a control character");
      plain.append(c == '\\' ? escaped() : c);
    }
    at++;
    return plain.toString();
  }

  private char escaped() {
    at++;
    char c = peek();
    int known = "\"\\/bfnrt".indexOf(c);
    if (known >= 0) return "\"\\/\b\f\n\r\t".charAt(known);
    if (c == 'u' && at + 4 < text.length()) {
      String digits = text.substring(at + 1, at + 5);
      if (digits.matches("[0-9a-fA-F]{4}")) {
        at += 4;
        return (char) Integer.parseInt(digits, 16);
      }
    }
    throw fault("a text holds a backslash that means nothing");
  }

  private Object number() {
    Matcher matcher =
        NUMBER.matcher(text).region(at, Math.min(text.length(), at + NUMBER_CHARS_MAX));
    if (!matcher.lookingAt())
      throw fault(at < text.length() ? "no value begins so" : "it ends too early");
    at = matcher.end();
    String digits = matcher.group();
    if (digits.matches("-?[0-9]{1,18}")) return Long.valueOf(digits);
    try {
      return new BigDecimal(digits);
    } catch (NumberFormatException exponent) { // one that has more digits than Java counts with
      throw fault("a number is out of all proportion");
    }
  }

  private boolean word(String word) {
    if (!text.startsWith(word, at)) return false;
    at += word.length();
    return true;
  }

  /** The next character, or the one that stands for the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void skip() {
    while (at < text.length()) {
      int comment = comments ? commentEnd(text, at) : -1;
      if (comment > 0) at = comment;
      else if (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
      else return;
    }
  }

  /** Where a comment that begins here ends, the line break behind it not included; else -1. */
  static int commentEnd(String text, int from) {
    if (text.startsWith("//", from)) {
      int end = from;
      while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') end++;
      return end;
    }
    if (!text.startsWith("/*", from)) return -1;
    int close = text.indexOf("*/", from + 2);
    return close < 0 ? -1 : close + 2;
  }

  private Refusal fault(String what) {
    boolean isComment = text.startsWith("//", at) || text.startsWith("/*", at);
    boolean isForeign = isComment && !comments;
    return refused(file, text, at, isForeign ? "comments are not allowed in this file" : what);
  }

  /** The sentence about a file that cannot be changed because it cannot be read. */
  static Refusal refused(String file, String text, int at, @Nullable String what) {
    String before = text.substring(0, Math.min(at, text.length()));
    long line = before.chars().filter(c -> c == '\n').count() + 1;
    int column = before.length() - before.lastIndexOf('\n');
    return Refusal.invalid(
        Phrase.of(
            "%s cannot be read at line %d, column %d: %s; mend it and repeat, nothing was written",
            file, line, column, what));
  }
}
