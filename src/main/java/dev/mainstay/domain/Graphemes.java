package dev.mainstay.domain;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts text where a reader sees the end of a character, never inside one. */
public final class Graphemes {
  // The JDK's BreakIterator splits emoji sequences before Java 20; the regex does not.
  private static final Pattern CLUSTER = Pattern.compile("\\X");

  private Graphemes() {}

  /**
   * The longest beginning of at most {@code charsMax} characters that ends between two visible
   * characters. Only a first character that is by itself too long is cut, between its code points.
   */
  public static String cut(String text, int charsMax) {
    if (text.length() <= charsMax) return text;
    if (charsMax > 0 && isPlain(text.charAt(charsMax - 1)) && isPlain(text.charAt(charsMax))) {
      return text.substring(0, charsMax); // between two of these is always an end
    }
    int end = 0;
    Matcher cluster = CLUSTER.matcher(text);
    while (cluster.find() && cluster.end() <= charsMax) end = cluster.end();
    if (end == 0) end = wholeCodePoints(text, charsMax);
    return text.substring(0, end);
  }

  /** The same with dots behind what was cut, so that whoever finds it knows that it was. */
  public static String excerpt(String text, int charsMax) {
    String cut = cut(text, charsMax);
    return cut.length() < text.length() ? cut + "..." : cut;
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c <= '~';
  }

  private static int wholeCodePoints(String text, int charsMax) {
    boolean splits = charsMax > 0 && Character.isHighSurrogate(text.charAt(charsMax - 1));
    return splits ? charsMax - 1 : charsMax;
  }
}
