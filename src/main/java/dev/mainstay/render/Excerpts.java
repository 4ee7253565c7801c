package dev.mainstay.render;

import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** Parts of a text that fit a size, cut between characters as a reader sees them. */
public final class Excerpts {
  /** Longer runs of combining marks are no writing; they are cut like anything else. */
  private static final int MARKS_MAX = 32;

  private static final int STEP_PERCENT = 95;
  private static final char ZERO_WIDTH_JOINER = '\u200d';

  private Excerpts() {}

  /** What a text is to fit into, and how a text is measured. */
  public record Room(int size, ToIntFunction<String> measure) {}

  /** The whole text if it fits, else its beginning and the mark for what is missing. */
  public static String head(String text, Room room, IntFunction<String> mark) {
    return fit(text, room, kept -> cut(text, kept, 0, mark));
  }

  /** The whole text if it fits, else its beginning, the mark for what is missing, and its end. */
  public static String headAndTail(String text, Room room, IntFunction<String> mark) {
    return fit(text, room, kept -> cut(text, kept - kept / 3, kept / 3, mark));
  }

  /** Where a text may be cut at or before a place without halving a character. */
  public static int floor(String text, int place) {
    int i = Math.min(place, text.length());
    for (int steps = 0; i > 0 && i < text.length() && steps < MARKS_MAX; steps++) {
      if (!joins(text, i)) return i;
      i--;
    }
    boolean halved = i > 0 && i < text.length() && Character.isLowSurrogate(text.charAt(i));
    return halved ? i - 1 : i;
  }

  /**
   * Tries ever shorter excerpts until one fits; each try is shorter by the measured excess and a
   * little more, so a few tries are enough. With no room at all the mark alone remains.
   */
  private static String fit(String text, Room room, IntFunction<String> excerptOf) {
    String excerpt = text;
    int kept = text.length();
    int size = room.measure().applyAsInt(text);
    while (size > room.size() && kept > 0) {
      kept = (int) ((long) kept * room.size() / size * STEP_PERCENT / 100);
      excerpt = excerptOf.apply(kept);
      size = room.measure().applyAsInt(excerpt);
    }
    return excerpt;
  }

  private static String cut(String text, int first, int last, IntFunction<String> mark) {
    String head = text.substring(0, floor(text, first));
    String tail = text.substring(Math.max(head.length(), ceiling(text, text.length() - last)));
    return head + mark.apply(text.length() - head.length() - tail.length()) + tail;
  }

  private static int ceiling(String text, int place) {
    int i = Math.max(0, place);
    for (int steps = 0; i > 0 && i < text.length() && steps < MARKS_MAX; steps++) {
      if (!joins(text, i)) return i;
      i++;
    }
    boolean halved = i > 0 && i < text.length() && Character.isLowSurrogate(text.charAt(i));
    return halved ? i + 1 : i;
  }

  private static boolean joins(String text, int i) {
    char before = text.charAt(i - 1);
    char after = text.charAt(i);
    if (Character.isHighSurrogate(before) && Character.isLowSurrogate(after)) return true;
    return before == ZERO_WIDTH_JOINER || after == ZERO_WIDTH_JOINER || isMark(text, i);
  }

  private static boolean isMark(String text, int i) {
    int type = Character.getType(text.codePointAt(i));
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }
}
