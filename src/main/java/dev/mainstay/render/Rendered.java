package dev.mainstay.render;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A prompt and how it came about. Its first {@code stablePrefixBytes} bytes (UTF-8) change only
 * when a stable section changes; the size is in the budget's unit.
 */
public record Rendered(
    String text, int size, int stablePrefixBytes, List<Part> parts, LeftOut leftOut) {
  /** How one section came out; its text is empty when nothing of it is shown. */
  public record Part(String name, String text, int shown, int leftOut, int shortened) {}

  /** What is not shown: whole items, the sections they belong to, and items shown in part. */
  public record LeftOut(int items, int sections, int shortened) {
    static LeftOut of(List<Part> parts) {
      return new LeftOut(
          parts.stream().mapToInt(Part::leftOut).sum(),
          (int) parts.stream().filter(part -> part.leftOut() > 0).count(),
          parts.stream().mapToInt(Part::shortened).sum());
    }

    public boolean isNothing() {
      return items == 0 && shortened == 0;
    }
  }

  public Rendered {
    parts = List.copyOf(parts);
  }

  /** The tokens that each section takes, in the order the sections were declared. */
  public Map<String, Integer> tokens(Tokens tokens) {
    var bySection = new LinkedHashMap<String, Integer>();
    for (Part part : parts) bySection.put(part.name(), tokens.count(part.text()));
    return bySection;
  }
}
