package dev.mainstay.context;

/**
 * Recognises the result of a tool that changed nothing: a JSON object that says {@code "noop":true}
 * itself, not in something it holds.
 */
final class NoOp {
  private static final String KEY = "\"noop\"";
  private static final String YES = "true";

  private final String text;
  private int at;

  private NoOp(String text) {
    this.text = text;
  }

  static boolean isSaidBy(String content) {
    String text = content.strip();
    return text.startsWith("{") && text.endsWith("}") && new NoOp(text).isSaid();
  }

  private boolean isSaid() {
    int depth = 0;
    boolean said = false;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        int start = at;
        skipString();
        boolean key = depth == 1 && at - start == KEY.length() && text.startsWith(KEY, start);
        if (key) said = isYes();
        continue;
      }
      if (c == '{' || c == '[') depth++;
      if (c == '}' || c == ']') depth--;
      at++;
      if (depth == 0) break;
    }
    // Anything behind the object's end, or no end at all: that is no JSON object.
    return said && depth == 0 && at == text.length();
  }

  private void skipString() {
    at++;
    while (at < text.length() && text.charAt(at) != '"') at += text.charAt(at) == '\\' ? 2 : 1;
    at++;
  }

  /** Behind the key; a string that is a value has no colon behind it. */
  private boolean isYes() {
    skipBlanks();
    if (at >= text.length() || text.charAt(at) != ':') return false;
    at++;
    skipBlanks();
    if (!text.startsWith(YES, at)) return false;
    at += YES.length();
    skipBlanks();
    return at < text.length() && (text.charAt(at) == ',' || text.charAt(at) == '}');
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }
}
