package dev.mainstay.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What stands in the prompt, and what was submitted and waits for its turn. */
final class Drafts {
  static final int DRAFT_CHARS_MAX = Keyboard.PASTE_BYTES_MAX;
  static final int WAITING_MAX = 100;
  private static final int WAITING_CHARS_MAX = 4 * DRAFT_CHARS_MAX;

  /** Sooner after a paste Enter is taken for a part of it, and lost. */
  private static final long PASTE_REST_MILLIS = 80;

  private final StringBuilder draft = new StringBuilder();
  private final Deque<String> waiting = new ArrayDeque<>();
  private int waitingChars;
  private @Nullable Long pastedAtNanos;

  String draft() {
    return draft.toString();
  }

  List<String> waiting() {
    return List.copyOf(waiting);
  }

  /** Whether all of it found room. */
  boolean add(String text) {
    int room = DRAFT_CHARS_MAX - draft.length();
    draft.append(text, 0, Math.min(room, text.length()));
    return text.length() <= room;
  }

  boolean paste(String text, long atNanos) {
    pastedAtNanos = atNanos;
    return add(text);
  }

  void backspace() {
    if (draft.length() == 0) return;
    draft.setLength(draft.offsetByCodePoints(draft.length(), -1));
  }

  void clear() {
    draft.setLength(0);
  }

  /** Submits what is in the prompt, unless Enter came too soon or nothing is there. */
  void enter(long atNanos) {
    if (pastedAtNanos != null
        && atNanos - pastedAtNanos < TimeUnit.MILLISECONDS.toNanos(PASTE_REST_MILLIS)) return;
    if (draft.toString().isBlank() || waiting.size() == WAITING_MAX) return;
    if (waitingChars + draft.length() > WAITING_CHARS_MAX) return;
    waiting.add(draft.toString());
    waitingChars += draft.length();
    clear();
  }

  /** The oldest of those that wait, which then waits no longer; null if none does. */
  @Nullable String next() {
    String text = waiting.poll();
    if (text != null) waitingChars -= text.length();
    return text;
  }
}
