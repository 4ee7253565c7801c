package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/** What text may enter the state: bounded, storable on both databases, and what it says. */
public final class Text {
  private Text() {}

  /** A single line with something in it; surrounding blanks are dropped. */
  public static String line(String what, @Nullable String text, int charsMax) {
    return wholeLine(what, body(what, text, charsMax).strip(), charsMax);
  }

  /** A single line with something in it, kept as it is. */
  static String wholeLine(String what, @Nullable String text, int charsMax) {
    String line = body(what, text, charsMax);
    if (line.isBlank()) throw Refusal.invalid(what + " is needed and may not be blank");
    for (int i = 0; i < line.length(); i++) {
      if (Character.isISOControl(line.charAt(i))) {
        throw Refusal.invalid(
            what
                + " must be one line without control characters; there is one at place "
                + (i + 1));
      }
    }
    return line;
  }

  /** Any text, perhaps empty; NUL and lone surrogates are refused, as no database keeps them. */
  public static String body(String what, @Nullable String text, int charsMax) {
    if (text == null) throw Refusal.invalid(what + " is needed");
    if (text.length() > charsMax) {
      throw Refusal.tooLarge(
          Phrase.of(
              "%s has %,d characters; at most %,d are kept, so shorten it",
              what, text.length(), charsMax));
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) throw Refusal.invalid(what + " holds a NUL character; remove it");
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw Refusal.invalid(what + " holds half a character (a lone surrogate); remove it");
      }
    }
    return text;
  }
}
