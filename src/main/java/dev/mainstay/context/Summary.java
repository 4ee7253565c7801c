package dev.mainstay.context;

import dev.mainstay.domain.Phrase;
import dev.mainstay.render.Delimiters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * What stands for archived messages: quotes from them, each with the reference that recalls its
 * source. The newest {@link #LINES_MAX} of a category are kept and the others counted; the same
 * messages always give the same summary.
 */
public record Summary(List<Line> lines, int messages, int unquoted) {
  public static final int LINES_MAX = 6;
  public static final Summary EMPTY = new Summary(List.of(), 0, 0);

  /** A verbatim part of a message that the reference recalls. */
  public record Line(Category category, String quote, String ref) {}

  public Summary {
    lines = List.copyOf(lines);
  }

  static Summary of(List<Message> messages, String ref) {
    return EMPTY.plus(new Summary(Recogniser.lines(messages, ref), messages.size(), 0));
  }

  /** This and what was archived after it. */
  Summary plus(Summary later) {
    // Removed before it is put: a repeated quote moves to its newest place and reference.
    var byQuote = new LinkedHashMap<String, Line>();
    var both = new ArrayList<>(lines);
    both.addAll(later.lines);
    for (Line line : both) {
      String key = line.category() + line.quote();
      byQuote.remove(key);
      byQuote.put(key, line);
    }
    var kept = newest(new ArrayList<>(byQuote.values()), LINES_MAX);
    int dropped = byQuote.size() - kept.size();
    return new Summary(kept, messages + later.messages, unquoted + later.unquoted + dropped);
  }

  /** As text of at most so many tokens: with as many lines of each category as that allows. */
  String text(int tokensMax, ToIntFunction<String> counter) {
    for (int each = LINES_MAX; each > 0; each--) {
      String text = text(newest(lines, each));
      if (counter.applyAsInt(text) <= tokensMax) return text;
    }
    return text(List.of());
  }

  private String text(List<Line> shown) {
    var text = new StringBuilder();
    text.append(Phrase.of("%d earlier messages are archived.", messages));
    text.append(" These are quotes from them; recall a reference for its source.\n");
    for (Category category : Category.values()) {
      var here = shown.stream().filter(line -> line.category() == category).toList();
      if (!here.isEmpty()) text.append(category.heading()).append(":\n");
      for (Line line : here) {
        text.append("- ").append(Delimiters.entry(line.quote()));
        text.append(" [").append(line.ref()).append("]\n");
      }
    }
    int missing = unquoted + lines.size() - shown.size();
    if (missing > 0) text.append(Phrase.of("Not shown: %d more such lines.\n", missing));
    return text.toString();
  }

  /** The newest of each category, in the order they have. */
  private static List<Line> newest(List<Line> lines, int each) {
    var kept = new ArrayList<Line>();
    var counts = new int[Category.values().length];
    for (int i = lines.size() - 1; i >= 0; i--) {
      Line line = lines.get(i);
      if (counts[line.category().ordinal()]++ < each) kept.add(0, line);
    }
    return kept;
  }
}
