package dev.mainstay.domain;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Text that may be typed into a terminal: it can be read, and it does nothing. A newline and a tab
 * stay; what a terminal or a program would take for a key or for an order is not in it.
 *
 * <p>Line and paragraph separators (U+2028, U+2029) become newlines, since some programs break
 * lines there and others show nothing. Marks that turn the reading direction of what follows
 * (U+202A to U+202E, U+2066 to U+2069) go, since they make a line look like another. All other
 * format characters stay: joiners, variation selectors and tags are part of scripts and of emoji.
 *
 * @param removed what is missing from the text as it was given, and how often
 */
public record Typed(String text, Map<Removed, Integer> removed) {
  public static final int TYPED_CHARS_MAX = 102_400;

  /** What is never typed. */
  public enum Removed {
    /** C0 (without newline and tab), DEL and C1: keys, and beginnings of escape sequences. */
    CONTROLS,
    /** Marks that turn the reading direction. */
    DIRECTION_MARKS,
    /** Halves of characters, which no encoding has. */
    LONE_SURROGATES,
    /** Line and paragraph separators; a newline stands for each. */
    SEPARATORS;

    private String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  public Typed {
    refuseTooLong(text);
    text.codePoints()
        .forEach(
            c -> {
              if (isHarmful(c)) throw new IllegalArgumentException("typed text holds " + c);
            });
    removed = Map.copyOf(removed);
  }

  /** Text without what must not be typed. */
  public static Typed of(String given) {
    refuseTooLong(given);
    StringBuilder kept = new StringBuilder(given.length());
    Map<Removed, Integer> removed = new EnumMap<>(Removed.class);
    given
        .codePoints()
        .forEach(
            c -> {
              if (isHarmful(c)) removed.merge(kind(c), 1, Integer::sum);
              else kept.appendCodePoint(c);
              if (isSeparator(c)) kept.append('\n');
            });
    return new Typed(kept.toString(), removed);
  }

  /** The same for bytes; those that are not UTF-8 are refused, for nobody knows what they say. */
  public static Typed of(byte[] given) {
    try {
      return of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(given)).toString());
    } catch (CharacterCodingException notText) {
      throw Refusal.invalid("what is to be typed is not UTF-8; give it as text");
    }
  }

  private static void refuseTooLong(String text) {
    if (text.length() <= TYPED_CHARS_MAX) return;
    throw Refusal.tooLarge(
        Phrase.of(
            "what is to be typed has %,d characters; at most %,d are typed at once, so put it into a"
                + " file and name that",
            text.length(), TYPED_CHARS_MAX));
  }

  private static boolean isHarmful(int c) {
    return isControl(c) || isDirection(c) || isSurrogate(c) || isSeparator(c);
  }

  private static Removed kind(int c) {
    if (isControl(c)) return Removed.CONTROLS;
    if (isDirection(c)) return Removed.DIRECTION_MARKS;
    return isSurrogate(c) ? Removed.LONE_SURROGATES : Removed.SEPARATORS;
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c) && c != '\n' && c != '\t';
  }

  private static boolean isDirection(int c) {
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  }

  private static boolean isSurrogate(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  private static boolean isSeparator(int c) {
    return c == 0x2028 || c == 0x2029;
  }

  public boolean isOneLine() {
    return text.indexOf('\n') < 0;
  }

  /** For people: "3 controls, 1 separators"; empty when nothing is missing. */
  public String removedWords() {
    return Arrays.stream(Removed.values())
        .filter(removed::containsKey)
        .map(kind -> removed.get(kind) + " " + kind.words())
        .collect(Collectors.joining(", "));
  }
}
