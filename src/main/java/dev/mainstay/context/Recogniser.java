package dev.mainstay.context;

import dev.mainstay.render.Excerpts;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the lines of a message that a summary quotes, by fixed rules: {@link Category} for what is
 * said, and for artifacts the path in the arguments of a call whose tool writes. A quote is a
 * verbatim part of the message, never a paraphrase.
 */
final class Recogniser {
  static final int QUOTE_CHARS_MAX = 160;
  static final int LINES_PER_MESSAGE_MAX = 2_000;

  private static final Pattern WRITES =
      Pattern.compile("write|edit|create|patch|save|replace", Pattern.CASE_INSENSITIVE);
  private static final Pattern PATH =
      Pattern.compile("\"(?:file_?path|path|file_?name|file)\"\\s*:\\s*\"([^\"\\\\]{1,160})\"");

  private Recogniser() {}

  static List<Summary.Line> lines(List<Message> messages, String ref) {
    var lines = new ArrayList<Summary.Line>();
    for (Message message : messages) {
      said(message, ref, lines);
      written(message, ref, lines);
    }
    return lines;
  }

  private static void said(Message message, String ref, List<Summary.Line> lines) {
    for (String line : message.content().lines().limit(LINES_PER_MESSAGE_MAX).toList()) {
      String quote = quote(line);
      Category.of(message.role(), quote)
          .ifPresent(category -> lines.add(new Summary.Line(category, quote, ref)));
    }
  }

  private static void written(Message message, String ref, List<Summary.Line> lines) {
    for (var call : message.calls()) {
      if (!WRITES.matcher(call.name()).find()) continue;
      var path = PATH.matcher(call.arguments());
      if (path.find()) lines.add(new Summary.Line(Category.ARTIFACTS, path.group(1), ref));
    }
  }

  /** The rules look at no more than is quoted, so a quote always shows why it was taken. */
  private static String quote(String line) {
    String stripped = line.strip();
    return stripped.substring(0, Excerpts.floor(stripped, QUOTE_CHARS_MAX)).strip();
  }
}
