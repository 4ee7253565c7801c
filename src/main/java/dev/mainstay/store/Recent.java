package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
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

  /** Of all of them together. */
  private static final int CHARS_MAX = 512 * 1024;

  private record Met<T>(String text, T meaning) {}

  private final Function<JsonObject, T> reader;
  private final Deque<Met<T>> newestFirst = new ArrayDeque<>(TEXTS_MAX + 1);
  private int chars;

  Recent(Function<JsonObject, T> reader) {
    this.reader = reader;
  }

  /** What this text of a JSON object means; no text is an empty one. */
  T of(@Nullable String text) {
    if (text == null) return reader.apply(JsonObject.EMPTY);
    Met<T> known = isKept(text) ? known(text, text.hashCode()) : null;
    if (known != null) return known.meaning();
    T read = reader.apply(JsonText.object(text));
    keep(text, read);
    return read;
  }

  /** Takes in a text that is about to be written, and what reading it would give. */
  void keep(String text, T meaning) {
    if (!isKept(text)) return;
    synchronized (this) {
      add(new Met<>(text, meaning));
      while (newestFirst.size() > TEXTS_MAX || chars > CHARS_MAX) {
        chars -= newestFirst.removeLast().text().length();
      }
    }
  }

  private static boolean isKept(String text) {
    return text.length() >= CHARS_MIN && text.length() <= CHARS_MAX / 4;
  }

  /** Strings know their hash once it was asked for, so only one that is alike is compared. */
  private synchronized @Nullable Met<T> known(String text, int hash) {
    for (Iterator<Met<T>> all = newestFirst.iterator(); all.hasNext(); ) {
      Met<T> each = all.next();
      if (each.text().hashCode() != hash || !each.text().equals(text)) continue;
      all.remove();
      chars -= each.text().length();
      add(each);
      return each;
    }
    return null;
  }

  private void add(Met<T> met) {
    newestFirst.addFirst(met);
    chars += met.text().length();
  }
}
