package dev.mainstay.context;

import java.util.function.ToIntFunction;

/**
 * A message at its place: as it came, as it is sent now, and the tokens of that, counted once. What
 * is sent differs from what came when an excerpt stands for it.
 */
record Slot(Message original, Message shown, int tokens) {
  /** What a role and its marks cost with every message, and a call with every call. */
  static final int MESSAGE_OVERHEAD_TOKENS = 4;

  static Slot of(Message message, ToIntFunction<String> counter) {
    return new Slot(message, message, tokens(message, counter));
  }

  Slot showing(String excerpt, ToIntFunction<String> counter) {
    Message shorter = original.withContent(excerpt);
    return new Slot(original, shorter, tokens(shorter, counter));
  }

  /** What it costs apart from its content. */
  static int frameTokens(Message message, ToIntFunction<String> counter) {
    int tokens = MESSAGE_OVERHEAD_TOKENS;
    for (var call : message.calls()) {
      tokens += MESSAGE_OVERHEAD_TOKENS;
      tokens += counter.applyAsInt(call.name()) + counter.applyAsInt(call.arguments());
    }
    return tokens;
  }

  private static int tokens(Message message, ToIntFunction<String> counter) {
    return frameTokens(message, counter) + counter.applyAsInt(message.content());
  }
}
