package dev.mainstay.domain;

/**
 * What a terminal's output says, without what it does to the terminal: no escape sequence and no
 * control character but newline and tab is left. Output may be given in pieces; a sequence that is
 * cut in two is still one.
 *
 * <p>A carriage return starts a line of its own, since text that was painted over was shown, too. A
 * string (a title, a link) that is never closed ends with its line, so that it cannot hide the
 * rest.
 */
public final class ScreenText {
  private static final char ESC = 0x1b;

  /** Where in a sequence the last character was. */
  private enum Place {
    TEXT,
    ESCAPE,
    SEQUENCE,
    STRING,
    STRING_ESCAPE
  }

  private Place place = Place.TEXT;
  private boolean afterReturn;

  /** All of some output at once. */
  public static String of(String output) {
    return new ScreenText().add(output);
  }

  /** What the next piece of the output says. */
  public String add(String piece) {
    StringBuilder said = new StringBuilder(piece.length());
    for (int i = 0; i < piece.length(); i++) take(piece.charAt(i), said);
    return said.toString();
  }

  private void take(char c, StringBuilder said) {
    switch (place) {
      case TEXT -> takeText(c, said);
      case ESCAPE -> takeEscape(c, said);
      case SEQUENCE -> takeSequence(c, said);
      case STRING -> takeString(c, said);
      case STRING_ESCAPE -> {
        // Whatever follows, the string is over; only a backslash belongs to its end.
        place = Place.TEXT;
        if (c != '\\') takeEscape(c, said);
      }
    }
  }

  private void takeText(char c, StringBuilder said) {
    place = Place.TEXT;
    boolean secondHalf = afterReturn && (c == '\n' || c == '\r');
    afterReturn = c == '\r' || (afterReturn && c != '\n' && c != '\t' && Character.isISOControl(c));
    if (c == ESC) place = Place.ESCAPE;
    else if (c == 0x9b) place = Place.SEQUENCE;
    else if (opensString(c)) place = Place.STRING;
    else if (secondHalf) return;
    else if (c == '\r') said.append('\n');
    else if (c == '\n' || c == '\t' || !Character.isISOControl(c)) said.append(c);
  }

  private static boolean opensString(char c) {
    return c == 0x90 || c == 0x98 || c == 0x9d || c == 0x9e || c == 0x9f;
  }

  private void takeEscape(char c, StringBuilder said) {
    if (c == '[') place = Place.SEQUENCE;
    else if ("]PX^_".indexOf(c) >= 0) place = Place.STRING;
    else if (c >= 0x20 && c <= 0x2f) place = Place.ESCAPE;
    else if (c >= 0x30 && c <= 0x7e) place = Place.TEXT;
    else takeText(c, said);
  }

  private void takeSequence(char c, StringBuilder said) {
    if (c >= 0x40 && c <= 0x7e) place = Place.TEXT;
    else if (c < 0x20 || c > 0x3f) takeText(c, said);
  }

  private void takeString(char c, StringBuilder said) {
    if (c == ESC) place = Place.STRING_ESCAPE;
    else if (c == 0x07 || c == 0x9c) place = Place.TEXT;
    else if (c == '\n' || c == '\r') takeText(c, said);
  }
}
