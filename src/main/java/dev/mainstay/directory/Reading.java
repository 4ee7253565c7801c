package dev.mainstay.directory;

import java.util.Map;

/** What a file says, and on which line (from 1) each item stands. */
public record Reading(Items items, Map<String, Integer> lines) {
  public Reading {
    lines = Map.copyOf(lines);
  }

  /** Collects the items of one file with their lines. */
  static final class Notes {
    private final Items.Builder items = Items.builder();
    private final Map<String, Integer> lines = new java.util.HashMap<>();

    void put(String key, Object value, int line) {
      items.put(key, value);
      lines.putIfAbsent(key, line);
    }

    Reading reading() {
      return new Reading(items.build(), lines);
    }
  }
}
