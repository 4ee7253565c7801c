package dev.mainstay.domain;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds the item that somebody names by its text or by its number, counted from 1. */
final class Choice {
  private static final int EXCERPT_CHARS_MAX = 80;

  private Choice() {}

  static int of(String what, String typed, List<String> texts) {
    int place = texts.indexOf(typed.strip());
    if (place < 0 && typed.strip().matches("#?\\d{1,6}")) {
      place = Integer.parseInt(typed.strip().replace("#", "")) - 1;
    }
    if (place < 0 || place >= texts.size()) {
      throw Refusal.notFound(
          Phrase.of(
              "there is no %s \"%s\"; %s",
              what,
              excerpt(typed),
              texts.isEmpty() ? "there are none" : "there are " + numbered(texts)));
    }
    return place;
  }

  /** The texts as a person would point at them: {@code 1. "first", 2. "second"}. */
  static String numbered(List<String> texts) {
    return IntStream.range(0, texts.size())
        .mapToObj(i -> (i + 1) + ". \"" + excerpt(texts.get(i)) + "\"")
        .collect(Collectors.joining(", "));
  }

  private static String excerpt(String text) {
    return Graphemes.excerpt(text, EXCERPT_CHARS_MAX);
  }
}
