package dev.mainstay.domain;

import dev.mainstay.domain.RepoState.OpenTask.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a model's text: how far it is indented, by which marker it is an item of a list, and
 * what it says behind the marker and the status. Each line is read from left to right, once.
 */
record ListLine(int indent, Kind kind, int number, String text, @Nullable Status status) {
  private static final int TAB_COLUMNS = 4;
  private static final int NUMBER_DIGITS_MAX = 9;
  private static final int STATUS_CHARS_MAX = 24;

  private static final String BULLETS = "-*+•";
  private static final String RULES = "-*_=";

  /** The marks of check boxes; words are known to {@link OpenTasks}. */
  private static final Map<String, Status> MARKS =
      Map.of(
          "", Status.PENDING,
          "x", Status.COMPLETED,
          "X", Status.COMPLETED,
          "✓", Status.COMPLETED,
          "~", Status.IN_PROGRESS,
          ">", Status.IN_PROGRESS,
          "/", Status.IN_PROGRESS);

  /** The ends that Markdown may put around a text, the longer ones first. */
  private static final List<String> EMPHASIS = List.of("**", "__", "*", "_", "`");

  enum Kind {
    BLANK,
    /** A line of dashes and the like: it ends a list and says nothing. */
    RULE,
    TEXT,
    NUMBERED,
    BULLET,
    /** A status in brackets without any marker before it. */
    CHECK;

    boolean isItem() {
      return this == NUMBERED || this == BULLET || this == CHECK;
    }
  }

  static ListLine read(String line) {
    int at = 0;
    int indent = 0;
    for (; at < line.length() && Character.isWhitespace(line.charAt(at)); at++) {
      indent += line.charAt(at) == '\t' ? TAB_COLUMNS : 1;
    }
    String rest = line.substring(at).strip();
    if (rest.isEmpty()) return new ListLine(indent, Kind.BLANK, 0, "", null);
    if (isRule(rest)) return new ListLine(indent, Kind.RULE, 0, "", null);
    boolean bullet = BULLETS.indexOf(rest.charAt(0)) >= 0;
    if (bullet && (isGap(rest, 1) || rest.charAt(0) == '•')) {
      return item(indent, Kind.BULLET, 0, rest.substring(1));
    }
    boolean opened = rest.charAt(0) == '(';
    int begin = opened ? 1 : 0;
    int end = begin;
    while (end < rest.length() && isDigit(rest.charAt(end))) end++;
    boolean number = end > begin && end - begin <= NUMBER_DIGITS_MAX && end < rest.length();
    if (number && isGap(rest, end + 1) && (opened ? ")" : ".)").indexOf(rest.charAt(end)) >= 0) {
      int value = Integer.parseInt(rest.substring(begin, end));
      return item(indent, Kind.NUMBERED, value, rest.substring(end + 1));
    }
    ListLine check = item(indent, Kind.CHECK, 0, rest);
    return check.status() != null ? check : new ListLine(indent, Kind.TEXT, 0, rest, null);
  }

  private static ListLine item(int indent, Kind kind, int number, String behind) {
    String text = behind.strip();
    int close = text.startsWith("[") ? text.indexOf(']') : -1;
    if (close > 0 && close <= STATUS_CHARS_MAX && isGap(text, close + 1)) {
      String inside = text.substring(1, close).strip();
      Status status = MARKS.getOrDefault(inside, OpenTasks.status(inside));
      if (status != null) {
        String description = plain(text.substring(close + 1).strip());
        return new ListLine(indent, kind, number, description, status);
      }
    }
    return new ListLine(indent, kind, number, plain(text), null);
  }

  /** A text without the emphasis that goes around the whole of it. */
  static String plain(String text) {
    String inner = text;
    for (String mark : EMPHASIS) {
      int width = mark.length();
      boolean around = inner.length() > 2 * width && inner.startsWith(mark) && inner.endsWith(mark);
      if (!around) continue;
      String within = inner.substring(width, inner.length() - width);
      if (!within.contains(mark)) inner = within.strip();
    }
    return inner;
  }

  /** Three or more of the same sign and nothing else but blanks. */
  private static boolean isRule(String rest) {
    char sign = rest.charAt(0);
    if (RULES.indexOf(sign) < 0) return false;
    int signs = 0;
    for (int i = 0; i < rest.length(); i++) {
      if (rest.charAt(i) == sign) signs++;
      else if (!Character.isWhitespace(rest.charAt(i))) return false;
    }
    return signs >= 3;
  }

  private static boolean isGap(String text, int at) {
    return at >= text.length() || Character.isWhitespace(text.charAt(at));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
