package dev.mainstay.cli;

import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.List;

/** Stored text on a screen: what it says, never what it does to the terminal. */
final class Printable {
  private Printable() {}

  /** Control characters become visible; line ends and tabs stay. */
  static String text(String stored) {
    if (isPlain(stored)) return stored;
    StringBuilder shown = new StringBuilder(stored.length());
    stored
        .codePoints()
        .forEach(
            c -> {
              boolean harmless =
                  c == '\n' || c == '\t' || !(Character.isISOControl(c) || isDeceptive(c));
              if (harmless) shown.appendCodePoint(c);
              else shown.append(Phrase.of("\\u%04x", c));
            });
    return shown.toString();
  }

  /**
   * Whether each character is a letter, digit or mark of ASCII, or a blank: most text is, and then
   * it is shown as it stands, one column for each. A list of a thousand tasks has no time for more.
   */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') return false;
    }
    return true;
  }

  /**
   * Line separators and marks that change the reading direction can make a line look like another;
   * zero-width spaces and tag characters hide text. Joiners stay: scripts and emoji need them.
   */
  private static boolean isDeceptive(int c) {
    return (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069)
        || c == 0x200b
        || c == 0x2060
        || c == 0xfeff
        || (c >= 0xe0000 && c <= 0xe007f);
  }

  /** On one line. */
  static String line(String stored) {
    if (isPlain(stored)) return stored;
    return text(stored).replace('\n', ' ').replace('\t', ' ');
  }

  /** At most so many columns wide, with an ellipsis for what is left out. */
  static String fit(String text, int columns) {
    if (width(text) <= columns) return text;
    if (isPlain(text)) return text.substring(0, Math.max(0, columns - 1)) + '…';
    StringBuilder cut = new StringBuilder();
    int used = 0;
    for (int c : text.codePoints().toArray()) {
      int w = width(c);
      if (used + w > columns - 1) break;
      cut.appendCodePoint(c);
      used += w;
    }
    return cut.append('…').toString();
  }

  /** Lines of at most so many columns, which together are the text. */
  static List<String> wrap(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int used = 0;
    for (int c : text.codePoints().toArray()) {
      int w = width(c);
      if (used + w > columns && used > 0) {
        lines.add(line.toString());
        line.setLength(0);
        used = 0;
      }
      line.appendCodePoint(c);
      used += w;
    }
    lines.add(line.toString());
    return lines;
  }

  static String pad(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - width(text)));
  }

  static int width(String text) {
    if (isPlain(text)) return text.length();
    return text.codePoints().map(Printable::width).sum();
  }

  private static int width(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || c == 0x200d)
      return 0;
    boolean wide =
        (c >= 0x1100 && c <= 0x115f)
            || (c >= 0x2e80 && c <= 0xa4cf)
            || (c >= 0xac00 && c <= 0xd7a3)
            || (c >= 0xf900 && c <= 0xfaff)
            || (c >= 0xfe30 && c <= 0xfe6f)
            || (c >= 0xff00 && c <= 0xff60)
            || (c >= 0x1f300 && c <= 0x1faff)
            || (c >= 0x20000 && c <= 0x3fffd);
    return wide ? 2 : 1;
  }
}
