package dev.mainstay.setup;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.Optional;

/**
 * Lines of ours in a text file of somebody else, between two marks. Put in and taken out again they
 * leave the file as it was.
 */
record MarkedBlock(String begin, String end) {
  static final MarkedBlock MARKDOWN =
      new MarkedBlock(
          "<!-- mainstay: begin ('mainstay init --undo' takes this out) -->",
          "<!-- mainstay: end -->");
  static final MarkedBlock TOML =
      new MarkedBlock(
          "# mainstay: begin ('mainstay init --undo' takes this out)", "# mainstay: end");

  /** How the marks begin, whatever is said behind that. */
  private String opening() {
    return begin.substring(0, begin.indexOf(" ("));
  }

  private record Span(int start, int end) {}

  private Optional<Span> find(String file, String text) {
    int start = lineOf(text, opening(), 0);
    if (start < 0) return Optional.empty();
    int close = lineOf(text, end, start);
    if (close < 0 || lineOf(text, opening(), start + 1) >= 0) {
      throw Refusal.invalid(
          Phrase.of(
              "%s has the mark \"%s\" without \"%s\" behind it, or more than once; take what is left of Mainstay's lines out yourself and repeat",
              file, opening(), end));
    }
    int lineEnd = text.indexOf('\n', close);
    return Optional.of(new Span(start, lineEnd < 0 ? text.length() : lineEnd + 1));
  }

  private static int lineOf(String text, String words, int from) {
    int at = text.indexOf(words, from);
    while (at > 0 && text.charAt(at - 1) != '\n' && text.charAt(at - 1) != '\ufeff') {
      at = text.indexOf(words, at + 1);
    }
    return at;
  }

  boolean isIn(String file, String text) {
    return find(file, text).isPresent();
  }

  /** The text with these lines: at their place if they are there already, else at the end. */
  String put(String file, String text, String lines) {
    String newline = JsonStyle.newline(text);
    String block = (begin + "\n" + lines.strip() + "\n" + end + "\n").replace("\n", newline);
    Optional<Span> there = find(file, text);
    if (there.isPresent()) {
      boolean cut = there.get().end() == text.length() && !text.endsWith("\n");
      return text.substring(0, there.get().start())
          + (cut ? block.stripTrailing() : block)
          + text.substring(there.get().end());
    }
    return text.isEmpty() || text.equals("\ufeff") ? text + block : text + newline + block;
  }

  /** The text without these lines and the line break that was put before them. */
  String remove(String file, String text) {
    Optional<Span> there = find(file, text);
    if (there.isEmpty()) return text;
    String before = text.substring(0, there.get().start());
    String behind = text.substring(there.get().end());
    String without = before.replaceFirst("\\r?\\n\\z", "");
    // What was written behind the block since must not be joined to the line before it.
    boolean joins = !behind.isEmpty() && !without.isEmpty() && !without.endsWith("\n");
    return (joins ? before : without) + behind;
  }
}
