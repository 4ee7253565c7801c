package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A directive on its line, with what Mainstay knows about it in a comment at the end. */
final class DirectiveLine {
  private static final String COMMENT = "<!--";
  private static final Pattern MARK =
      Pattern.compile("<!--\\s*(binding)?\\s*,?\\s*(?:(\\d{1,9}) steps? left)?\\s*-->");

  private DirectiveLine() {}

  /** What a list item says; null if it has no words. */
  static ConstraintsPage.@Nullable Entry read(String raw) {
    String trimmed = PlainValue.trim(raw);
    int comment = trimmed.lastIndexOf(COMMENT);
    JsonObject marks = JsonObject.EMPTY;
    if (comment >= 0) {
      Matcher mark = MARK.matcher(trimmed.substring(comment));
      if (mark.matches() && (mark.group(1) != null || mark.group(2) != null)) {
        if (mark.group(1) != null) marks = marks.with("binding", true);
        String left = mark.group(2);
        if (left != null) marks = marks.with("steps_left", Long.valueOf(left));
        trimmed = trimmed.substring(0, comment);
      }
    }
    String text = PlainValue.text(trimmed);
    return text.isEmpty() ? null : new ConstraintsPage.Entry(text, marks);
  }

  static String write(String text, JsonObject marks) {
    List<String> words = new ArrayList<>();
    if (Boolean.TRUE.equals(marks.get("binding"))) words.add("binding");
    if (marks.get("steps_left") instanceof Long left) {
      words.add(left + (left == 1 ? " step left" : " steps left"));
    }
    String line = line(text);
    return words.isEmpty() ? line : line + " <!-- " + String.join(", ", words) + " -->";
  }

  /** A text as the whole of a list item. */
  static String line(String text) {
    // Comments are marks, and a row of dashes is a rule across the page.
    boolean taken = text.contains(COMMENT) || text.matches("[-*_ \\t]*");
    return taken ? PlainValue.quoted(text) : PlainValue.line(text);
  }
}
