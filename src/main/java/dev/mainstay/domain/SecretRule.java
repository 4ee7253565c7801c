package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table of secrets. The pattern is tried only where one of the anchors (lower case)
 * stands, or everywhere if there are none; the secret is its group {@code s}, or the whole match.
 */
record SecretRule(
    String kind,
    List<String> anchors,
    Pattern pattern,
    boolean grouped,
    Predicate<String> judge,
    @Nullable Inside inside,
    List<SecretRule> rests) {

  // Patterns match this much of a value; the rest of a longer one follows it into the marker.
  private static final int VALUE_CHARS_MAX = 200;
  // token=token=token=... is judged anew at every token, but not forever.
  private static final int REJECTED_OVERLAPS_MAX = 3;

  /**
   * The secrets of a rule that matches a region, such as a header with several cookies: all that
   * the pattern finds there and in so many characters before it.
   */
  record Inside(Pattern pattern, boolean grouped, int charsBefore) {}

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
    return new SecretRule(
        kind, anchors, Pattern.compile(regex), regex.contains("(?<s>"), judge, null, List.of());
  }

  /** The secrets that {@code item} finds in each region and in {@code charsBefore} before it. */
  static SecretRule inside(
      String kind,
      Predicate<String> judge,
      String region,
      int charsBefore,
      String item,
      List<String> anchors) {
    var inside = new Inside(Pattern.compile(item), item.contains("(?<s>"), charsBefore);
    return new SecretRule(
        kind, anchors, Pattern.compile(region), region.contains("(?<s>"), judge, inside, List.of());
  }

  /** A name, and what may follow it: the name is matched once for all of them. */
  static SecretRule named(String name, List<String> anchors, List<SecretRule> rests) {
    return new SecretRule(
        rests.get(0).kind, anchors, Pattern.compile(name), false, any -> true, null, rests);
  }

  static SecretRule custom(String kind, Pattern pattern) {
    if (!kind.matches("[a-z][a-z0-9-]{0,31}")) {
      throw new IllegalArgumentException("a kind is lower case and hyphens: " + kind);
    }
    return new SecretRule(
        kind,
        List.of(),
        pattern,
        pattern.pattern().contains("(?<s>"),
        secret -> true,
        null,
        List.of());
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
    var name = rests.isEmpty() ? null : matcher(text);
    var attempts = new ArrayList<Attempt>();
    if (rests.isEmpty()) attempts.add(new Attempt(this, text));
    for (var rest : rests) attempts.add(new Attempt(rest, text));
    int at = first;
    while (at >= 0) {
      int next = at + 1;
      if (name == null || name.region(at, text.length()).lookingAt()) {
        int from = name == null ? at : name.end();
        for (var attempt : attempts) next = Math.max(next, attempt.at(from, finds));
      }
      at = lower.indexOf(anchor, next);
    }
  }

  private Matcher matcher(String text) {
    return pattern.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
  }

  /** One pass of a rule over a text, which limits how often the same characters are judged. */
  private static final class Attempt {
    private final SecretRule rule;
    private final String text;
    private final Matcher matcher;
    private int rejectedUntil;
    private int rejected;

    Attempt(SecretRule rule, String text) {
      this.rule = rule;
      this.text = text;
      this.matcher = rule.matcher(text);
    }

    /** Where to look on after a secret, or -1 if there is none. */
    int at(int from, Finds finds) {
      if (rejected >= REJECTED_OVERLAPS_MAX && from < rejectedUntil) return -1;
      if (!matcher.region(from, text.length()).lookingAt()) return -1;
      int end = rule.report(text, matcher, finds);
      if (end >= 0) return end;
      rejected = from < rejectedUntil ? rejected + 1 : 0;
      if (rejected == 0) rejectedUntil = matcher.end();
      return -1;
    }
  }

  /** Where to look on after a secret, or -1 if this was none. */
  private int report(String text, Matcher matcher, Finds finds) {
    int start = grouped ? matcher.start("s") : matcher.start();
    int end = grouped ? matcher.end("s") : matcher.end();
    if (inside != null) return reportInside(text, start, end, finds);
    if (start >= end || !judge.test(text.substring(start, end))) return -1;
    if (end - start == VALUE_CHARS_MAX) {
      while (end < text.length() && !isDelimiter(text.charAt(end))) end++;
    }
    finds.at(start, end);
    return Math.max(end, matcher.end());
  }

  private int reportInside(String text, int start, int end, Finds finds) {
    var region = Objects.requireNonNull(inside);
    var items =
        region
            .pattern
            .matcher(text)
            .useTransparentBounds(true)
            .useAnchoringBounds(false)
            .region(Math.max(0, start - region.charsBefore), end);
    while (items.find()) {
      int from = region.grouped ? items.start("s") : items.start();
      int to = region.grouped ? items.end("s") : items.end();
      if (from < to && judge.test(text.substring(from, to))) finds.at(from, to);
    }
    return end; // a region is read once, which keeps the time linear
  }

  private static boolean isDelimiter(char c) {
    return c <= ' ' || "\"'`,;&|(){}[]<>\\".indexOf(c) >= 0;
  }
}
