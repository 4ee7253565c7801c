package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool answers: content as the protocol writes it, and the same as data where it has any.
 */
public record Reply(List<JsonObject> content, @Nullable JsonObject structured, boolean isError) {
  public Reply {
    content = List.copyOf(content);
  }

  public static Reply text(String text) {
    return new Reply(List.of(textContent(text)), null, false);
  }

  public static Reply of(String text, JsonObject structured) {
    return new Reply(List.of(textContent(text)), structured, false);
  }

  /**
   * Few words and the data behind them. Of the two some hosts show a model only the text, and
   * others only the data, so the data has the words as well.
   */
  static Reply told(String text, JsonObject data) {
    return of(text, data.with("message", text));
  }

  /** A no that a model can act on. */
  public static Reply error(String sentence) {
    return new Reply(List.of(textContent(sentence)), null, true);
  }

  static JsonObject textContent(String text) {
    return JsonObject.of("type", "text", "text", text);
  }
}
