package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the texts that were met last mean, so that a long one which nobody has changed is not read
 * again with each look at it. A text means the same whoever wrote it and wherever it stands: what
 * is known here can be forgotten, and never be out of date.
 */
final class Recent<T> {
  private static final int TEXTS_MAX = 16;

  /** A shorter one is read as quickly as it is looked for. */
  private static final int CHARS_MIN = 500;

  private static final int CHARS_MAX = 128 * 1024;

  private record Met<T>(String text, T meaning) {}

  private final Function<JsonObject, T> reader;
  private final Deque<Met<T>> newestFirst = new ArrayDeque<>(TEXTS_MAX + 1);

  Recent(Function<JsonObject, T> reader) {
    this.reader = reader;
  }

  /** What this text of a JSON object means; no text is an empty one. */
  T of(@Nullable String text) {
    if (text == null) return reader.apply(JsonObject.EMPTY);
    Met<T> known = isKept(text) ? known(text) : null;
    if (known != null) return known.meaning();
    T read = reader.apply(JsonText.object(text));
    keep(text, read);
    return read;
  }

  /** The text of something that is about to be written, whose meaning need not be read then. */
  JsonRaw written(JsonObject json, T meaning) {
    String text = JsonText.write(json);
    keep(text, meaning);
    return new JsonRaw(text);
  }

  private static boolean isKept(String text) {
    return text.length() >= CHARS_MIN && text.length() <= CHARS_MAX;
  }

  /** One after the other: a hash would take as long as the comparison that comes after it. */
  private synchronized @Nullable Met<T> known(String text) {
    for (Met<T> each : newestFirst) if (each.text().equals(text)) return each;
    return null;
  }

  private synchronized void keep(String text, T meaning) {
    if (!isKept(text)) return;
    newestFirst.addFirst(new Met<>(text, meaning));
    if (newestFirst.size() > TEXTS_MAX) newestFirst.removeLast();
  }
}
