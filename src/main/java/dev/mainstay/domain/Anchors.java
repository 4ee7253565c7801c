package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the anchors of many rules stand first. The text is read once for all of them: looking for
 * one after the other was most of what redacting cost, above all in a JVM with its first compiler
 * alone, to which {@code indexOf} is a loop like any other.
 */
final class Anchors {
  private static final int ASCII = 128;
  private static final int[] NONE = {};

  private final List<String> words;
  private final int[][] ofRules;

  /** The words that begin with a pair of characters, by the pair. */
  private final int[][] byPair = new int[ASCII * ASCII][];

  private final List<Integer> single = new ArrayList<>();

  Anchors(List<SecretRule> rules) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    ofRules = new int[rules.size()][];
    for (int rank = 0; rank < ofRules.length; rank++) {
      ofRules[rank] =
          rules.get(rank).anchors().stream()
              .mapToInt(anchor -> numbers.computeIfAbsent(anchor, any -> numbers.size()))
              .toArray();
    }
    words = List.copyOf(numbers.keySet());
    Arrays.fill(byPair, NONE);
    for (int number = 0; number < words.size(); number++) enter(number, words.get(number));
  }

  private void enter(int number, String word) {
    if (word.isEmpty()) throw new IllegalArgumentException("an anchor cannot be empty");
    if (word.length() == 1) {
      single.add(number);
      return;
    }
    int pair = pair(word.charAt(0), word.charAt(1));
    int[] all = Arrays.copyOf(byPair[pair], byPair[pair].length + 1);
    all[all.length - 1] = number;
    byPair[pair] = all;
  }

  /** Where each word stands first, or -1, by its number. */
  int[] firsts(String lower) {
    int[] firsts = new int[words.size()];
    Arrays.fill(firsts, -1);
    for (int number : single) firsts[number] = lower.indexOf(words.get(number));
    int length = lower.length();
    char before = 0;
    for (int i = 0; i < length; i++) {
      char c = lower.charAt(i);
      int[] here = byPair[pair(before, c)];
      if (here != NONE) note(here, lower, i - 1, firsts);
      before = c;
    }
    return firsts;
  }

  /** Characters beyond ASCII share the pairs of those within; the whole word is compared anyway. */
  private static int pair(char first, char second) {
    return (first & (ASCII - 1)) * ASCII + (second & (ASCII - 1));
  }

  private void note(int[] numbers, String lower, int at, int[] firsts) {
    for (int number : numbers) {
      if (firsts[number] < 0 && lower.startsWith(words.get(number), at)) firsts[number] = at;
    }
  }

  /** The numbers of a rule's words, in its order. */
  int[] of(int rank) {
    return ofRules[rank];
  }
}
