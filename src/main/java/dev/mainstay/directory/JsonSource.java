package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Strict JSON read with the place of every value, so that what a person wrote can be written again
 * as it was spelled. The store's JSON reader forgets spelling and the order of keys.
 */
final class JsonSource {
  static final int NUMBER_CHARS_MAX = 100;
  static final int DECIMAL_SCALE_MAX = 1_000;

  /** The length of such an escape as {@code \\ud800}. */
  private static final int ESCAPE_CHARS = 6;

  /** A value and where it stands; an object has members, in their order. */
  record Node(int start, int end, @Nullable Object value, @Nullable Map<String, Node> members) {}

  /** Not JSON, from this offset on. */
  static final class Fault extends Exception {
    private static final long serialVersionUID = 1L;

    final int offset;
    final String sentence;

    Fault(int offset, String sentence) {
      super(sentence, null, false, false);
      this.offset = offset;
      this.sentence = sentence;
    }
  }

  private final String text;
  private final boolean storable;
  private int at;

  private JsonSource(String text, int at, boolean storable) {
    this.text = text;
    this.at = at;
    this.storable = storable;
  }

  /**
   * The one value that the text holds, with blanks around it at most. Texts in it that no database
   * can keep are faults.
   */
  static Node parse(String text) throws Fault {
    return parse(new JsonSource(text, 0, true));
  }

  private static Node parse(JsonSource source) throws Fault {
    Node node = source.value(0);
    source.blanks();
    if (source.at < source.text.length())
      throw source.fault("the JSON goes on after its end; remove this");
    return node;
  }

  /** The value of a text that is JSON from end to end; null if it is anything else. */
  static @Nullable Node parseOrNull(String text) {
    if (text.isEmpty() || "{[\"-0123456789tfn".indexOf(text.charAt(0)) < 0) return null;
    try {
      // What a line of Markdown says is judged, and refused, where it is known what it is.
      return parse(new JsonSource(text, 0, false));
    } catch (Fault notJson) {
      return null;
    }
  }

  /** The string that begins at this offset; null if none does. */
  static @Nullable Node string(String text, int offset) {
    JsonSource source = new JsonSource(text, offset, false);
    try {
      String value = source.string();
      return new Node(offset, source.at, value, null);
    } catch (Fault notJson) {
      return null;
    }
  }

  private Fault fault(String sentence) {
    return new Fault(Math.min(at, text.length()), sentence);
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private Node value(int depth) throws Fault {
    if (depth > JsonObject.DEPTH_MAX - 2) throw fault("the JSON is nested too deeply; flatten it");
    blanks();
    if (at >= text.length()) throw fault("the JSON ends too early; a value is missing here");
    int start = at;
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> list(depth);
      case '"' -> scalar(start, string());
      case 't' -> word(start, "true", true);
      case 'f' -> word(start, "false", false);
      case 'n' -> word(start, "null", null);
      default -> scalar(start, number());
    };
  }

  private Node scalar(int start, Object value) {
    return new Node(start, at, value, null);
  }

  private Node word(int start, String word, @Nullable Object value) throws Fault {
    if (!text.startsWith(word, at)) throw fault("this is no JSON value; put texts into quotes");
    at += word.length();
    return new Node(start, at, value, null);
  }

  private Node object(int depth) throws Fault {
    int start = at++;
    Map<String, Node> members = new LinkedHashMap<>();
    blanks();
    if (peek() != '}') {
      do {
        blanks();
        int nameAt = at;
        if (peek() != '"') throw fault("a name in double quotes is needed here");
        String name = string();
        blanks();
        if (peek() != ':') throw fault("a colon is missing after the name \"" + name + "\"");
        at++;
        if (members.containsKey(name)) {
          throw new Fault(nameAt, "the name \"" + name + "\" is there twice; remove one");
        }
        members.put(name, value(depth + 1));
        blanks();
      } while (more('}'));
    }
    at++;
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    members.forEach((name, node) -> values.put(name, node.value()));
    return new Node(start, at, JsonObject.copyOf(values), members);
  }

  private Node list(int depth) throws Fault {
    int start = at++;
    List<@Nullable Object> values = new ArrayList<>();
    blanks();
    if (peek() != ']') {
      do {
        values.add(value(depth + 1).value());
        blanks();
      } while (more(']'));
    }
    at++;
    return new Node(start, at, values, null);
  }

  /** Steps over a comma; false at the end, which is left standing. */
  private boolean more(char end) throws Fault {
    if (peek() == end) return false;
    if (at >= text.length()) throw fault("the JSON ends too early; \"" + end + "\" is missing");
    if (peek() != ',') throw fault("a comma or \"" + end + "\" is missing here");
    at++;
    return true;
  }

  private String string() throws Fault {
    if (peek() != '"') throw fault("a text in double quotes is needed here");
    at++;
    StringBuilder out = new StringBuilder();
    while (true) {
      if (at >= text.length()) throw fault("the text has no closing quote");
      char c = text.charAt(at);
      if (c == '"') break;
      if (c < ' ') throw fault("write line ends and tabs in a text as \\n and \\t");
      int start = at++;
      char said = c == '\\' ? escaped() : c;
      if (storable) judge(said, start, out);
      out.append(said);
    }
    if (storable) judge('"', at, out);
    at++;
    return out.toString();
  }

  /** Refuses what no database can keep: NUL, and halves of characters by themselves. */
  private void judge(char said, int start, StringBuilder before) throws Fault {
    boolean half =
        before.length() > 0 && Character.isHighSurrogate(before.charAt(before.length() - 1));
    if (said == 0) {
      throw new Fault(start, "a text cannot hold the character \\u0000; remove it");
    }
    if (half == Character.isLowSurrogate(said)) return;
    boolean spelled = half && !Character.isSurrogate(text.charAt(start - 1));
    throw new Fault(
        half ? start - (spelled ? ESCAPE_CHARS : 1) : start,
        "this escape is half a character; write both halves, such as \\ud83d\\ude00, or remove it");
  }

  private char escaped() throws Fault {
    char c = peek();
    int known = "\"\\/bfnrt".indexOf(c);
    if (known >= 0 && at < text.length()) {
      at++;
      return "\"\\/\b\f\n\r\t".charAt(known);
    }
    if (c != 'u' || at + 5 > text.length()) throw fault("this escape is not known to JSON");
    int code = 0;
    for (int i = 1; i <= 4; i++) {
      int digit = Character.digit(text.charAt(at + i), 16);
      if (digit < 0 || text.charAt(at + i) > 'f') throw fault("four hexadecimal digits are needed");
      code = code * 16 + digit;
    }
    at += 5;
    return (char) code;
  }

  private Object number() throws Fault {
    int start = at;
    if (peek() == '-') at++;
    int whole = at;
    if (digits() == 0 || (text.charAt(whole) == '0' && at > whole + 1)) {
      at = start;
      throw fault("this is no JSON value; put texts into quotes");
    }
    if (peek() == '.') {
      at++;
      if (digits() == 0) throw fault("a digit is missing after the point");
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') at++;
      if (digits() == 0) throw fault("a digit is missing in the exponent");
    }
    String digits = text.substring(start, at);
    Fault wild = new Fault(start, "this number is out of all proportion; write it as a text");
    if (digits.length() > NUMBER_CHARS_MAX) throw wild;
    try {
      BigDecimal number = new BigDecimal(digits);
      if (Math.abs((long) number.scale()) > DECIMAL_SCALE_MAX) throw wild;
      if (number.toPlainString().length() > NUMBER_CHARS_MAX) throw wild;
      return Items.number(number);
    } catch (NumberFormatException exponentTooLarge) {
      throw wild;
    }
  }

  private int digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') at++;
    return at - start;
  }
}
