package dev.mainstay.domain;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One row of a table of secrets. The pattern is tried only where one of the anchors (lower case)
 * stands, or everywhere if there are none; the secret is its group {@code s}, or the whole match.
 */
record SecretRule(
    String kind, List<String> anchors, Pattern pattern, boolean grouped, Predicate<String> judge) {

  // Patterns match this much of a value; the rest of a longer one follows it into the marker.
  private static final int VALUE_CHARS_MAX = 200;
  // token=token=token=... is judged anew at every token, but not forever.
  private static final int REJECTED_OVERLAPS_MAX = 3;

  /** Receives where a secret begins and ends. */
  interface Finds {
    void at(int start, int end);
  }

  /** A format so distinctive that only a filler such as {@code xxxxxxxx} is not a secret. */
  static SecretRule of(String kind, String regex, String... anchors) {
    return judged(kind, SecretValue::isNoFiller, regex, List.of(anchors));
  }

  static SecretRule judged(
      String kind, Predicate<String> judge, String regex, List<String> anchors) {
    return new SecretRule(kind, anchors, Pattern.compile(regex), regex.contains("(?<s>"), judge);
  }

  static SecretRule custom(String kind, Pattern pattern) {
    if (!kind.matches("[a-z][a-z0-9-]{0,31}")) {
      throw new IllegalArgumentException("a kind is lower case and hyphens: " + kind);
    }
    return new SecretRule(
        kind, List.of(), pattern, pattern.pattern().contains("(?<s>"), secret -> true);
  }

  /** Reports every secret of this kind; {@code lower} is the text in lower case. */
  void scan(String text, String lower, Finds finds) {
    if (anchors.isEmpty()) {
      var matcher = pattern.matcher(text);
      while (matcher.find()) report(text, matcher, finds);
    }
    for (var anchor : anchors) {
      int first = lower.indexOf(anchor);
      if (first >= 0) scan(text, lower, anchor, first, finds);
    }
  }

  /** Reports every secret at an anchor that stands first at {@code first}. */
  void scan(String text, String lower, String anchor, int first, Finds finds) {
    var matcher = pattern.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
    int rejectedUntil = 0;
    int rejected = 0;
    int at = first;
    while (at >= 0) {
      int next = at + 1;
      if (matcher.region(at, text.length()).lookingAt()) {
        int end = report(text, matcher, finds);
        if (end >= 0) {
          next = Math.max(end, next);
        } else {
          rejected = at < rejectedUntil ? rejected + 1 : 0;
          if (rejected == 0) rejectedUntil = matcher.end();
          if (rejected == REJECTED_OVERLAPS_MAX) next = Math.max(rejectedUntil, next);
        }
      }
      at = lower.indexOf(anchor, next);
    }
  }

  /** Where to look on after a secret, or -1 if this was none. */
  private int report(String text, Matcher matcher, Finds finds) {
    int start = grouped ? matcher.start("s") : matcher.start();
    int end = grouped ? matcher.end("s") : matcher.end();
    if (start >= end || !judge.test(text.substring(start, end))) return -1;
    if (end - start == VALUE_CHARS_MAX) {
      while (end < text.length() && !isDelimiter(text.charAt(end))) end++;
    }
    finds.at(start, end);
    return Math.max(end, matcher.end());
  }

  private static boolean isDelimiter(char c) {
    return c <= ' ' || "\"'`,;&|(){}[]<>\\".indexOf(c) >= 0;
  }
}
