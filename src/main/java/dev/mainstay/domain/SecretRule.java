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
      while (matcher.find()) report(matcher, finds);
      return;
    }
    for (var anchor : anchors) {
      int at = lower.indexOf(anchor);
      if (at < 0) continue;
      var matcher = pattern.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
      while (at >= 0) {
        boolean found = matcher.region(at, text.length()).lookingAt() && report(matcher, finds);
        at = lower.indexOf(anchor, found ? Math.max(matcher.end(), at + 1) : at + 1);
      }
    }
  }

  private boolean report(Matcher matcher, Finds finds) {
    int start = grouped ? matcher.start("s") : matcher.start();
    int end = grouped ? matcher.end("s") : matcher.end();
    if (start >= end || !judge.test(grouped ? matcher.group("s") : matcher.group())) return false;
    finds.at(start, end);
    return true;
  }
}
