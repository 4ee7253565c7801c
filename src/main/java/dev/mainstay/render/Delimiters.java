package dev.mainstay.render;

import java.util.regex.Pattern;

/**
 * The marks around stored text, and what keeps stored text from making such marks itself: inside a
 * block there is no {@code <}, no line that begins at the margin except the block's own, and no
 * character that is invisible, turns the reading direction or controls a terminal.
 */
public final class Delimiters {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");
  private static final char UNREADABLE = '\ufffd';

  private Delimiters() {}

  /** The line that opens a block. */
  public static String open(String name) {
    return "<" + checked(name) + ">\n";
  }

  /** The line that closes a block. */
  public static String close(String name) {
    return "</" + checked(name) + ">\n";
  }

  /** A whole block around text that is made neutral here; lines keep the margin they have. */
  public static String block(String name, String text) {
    String inside = neutral(text);
    return open(name) + inside + (inside.endsWith("\n") ? "" : "\n") + close(name);
  }

  /**
   * One stored text as one entry: further lines are indented, so that none of them can pass for
   * another entry or a heading.
   */
  public static String entry(String text) {
    return neutral(text).strip().replace("\n", "\n  ");
  }

  /** The same text as data: it cannot open or close a block, whoever wrote it. */
  public static String neutral(String text) {
    StringBuilder neutral = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == '\r' && i < text.length() && text.charAt(i) == '\n') continue;
      if (isLessThan(c)) neutral.append("&lt;");
      else if (isLineBreak(c)) neutral.append('\n');
      else if (isUnreadable(c)) neutral.append(UNREADABLE);
      else neutral.appendCodePoint(c);
    }
    return neutral.toString();
  }

  /** Also its wide and small forms, which some readers take for the same. */
  private static boolean isLessThan(int c) {
    return c == '<' || c == 0xff1c || c == 0xfe64;
  }

  private static boolean isLineBreak(int c) {
    return c == '\n'
        || c == '\r'
        || c == 0x0b
        || c == '\f'
        || c == 0x85
        || c == 0x2028
        || c == 0x2029;
  }

  private static boolean isUnreadable(int c) {
    if (c == '\t') return false;
    boolean turnsDirection = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    boolean invisibleLetter = c >= 0xe0000 && c <= 0xe007f;
    boolean halfCharacter = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return Character.isISOControl(c) || turnsDirection || invisibleLetter || halfCharacter;
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) throw new IllegalArgumentException("no block name: " + name);
    return name;
  }
}
