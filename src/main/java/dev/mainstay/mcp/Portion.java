package dev.mainstay.mcp;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of a model's window a reply takes, and how a long text is parted. What is counted is the
 * text together with the structured content as compact JSON.
 */
final class Portion {
  /** What every reply stays within unless its caller asks for another budget. */
  static final int REPLY_TOKENS_MAX = 1_000;

  /** What a page's text may take, so that there is room for what is said about it. */
  static final int PAGE_TOKENS_MAX = 800;

  /** So few bytes are taken for as many tokens. */
  private static final int SHORT_BYTES_MAX = 100;

  private Portion() {}

  static int tokens(String text) {
    return Tokens.O200K.count(text);
  }

  /** All that a reply costs its reader. */
  static int of(Reply reply) {
    return tokens(words(reply)) + tokens(data(reply.structured()));
  }

  static boolean fits(Reply reply, int budget) {
    return isShort(words(reply) + data(reply.structured()), budget) || of(reply) <= budget;
  }

  /**
   * Whether a text fits without being counted. A token is at least one byte, so the vocabulary,
   * which takes its time to load, is not needed for what is short.
   */
  static boolean isShort(String text, int budget) {
    return text.getBytes(StandardCharsets.UTF_8).length <= budget;
  }

  /** What a short text may cost at most; what it costs where it is longer. */
  static int atMost(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return bytes <= SHORT_BYTES_MAX ? bytes : tokens(text);
  }

  static String words(Reply reply) {
    StringBuilder all = new StringBuilder();
    for (JsonObject part : reply.content()) all.append(part.text("text")).append('\n');
    return all.toString();
  }

  private static String data(@Nullable JsonObject structured) {
    return structured == null ? "" : JsonText.write(structured);
  }

  /**
   * The text in pages of at most so many tokens, which put together are the text again. A page ends
   * with a line where one line alone is not already too long.
   */
  static List<String> pages(String text, int budget) {
    if (isShort(text, budget)) return List.of(text);
    List<String> pages = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int to = pageEnd(text, from, budget);
      pages.add(text.substring(from, to));
      from = to;
    }
    return List.copyOf(pages);
  }

  private static int pageEnd(String text, int from, int budget) {
    List<Integer> ends = new ArrayList<>();
    int size = 0;
    int at = from;
    while (at < text.length()) {
      int end = lineEnd(text, at);
      size += tokens(text.substring(at, end));
      if (size > budget) break;
      ends.add(end);
      at = end;
    }
    // The sizes of lines add up to that of the page, but for what nobody foresaw.
    while (!ends.isEmpty()) {
      int end = ends.remove(ends.size() - 1);
      if (tokens(text.substring(from, end)) <= budget) return end;
    }
    return from + partOfLine(text.substring(from, lineEnd(text, from)), budget);
  }

  private static int lineEnd(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end + 1;
  }

  /** How much of a line that is too long for a page goes onto one; never nothing. */
  private static int partOfLine(String line, int budget) {
    // A character has at most three bytes here, and a token has at least one.
    int chars = Math.min(line.length(), budget * 8);
    while (true) {
      String part = Graphemes.cut(line, chars);
      if (tokens(part) <= budget || part.length() <= 2) return part.length();
      chars = Math.max(2, part.length() * 3 / 4);
    }
  }
}
