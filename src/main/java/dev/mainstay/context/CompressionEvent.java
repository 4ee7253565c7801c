package dev.mainstay.context;

import dev.mainstay.domain.Phrase;
import java.util.List;
import java.util.Locale;

/** A step of compression was taken: what was there before, what after, and what can be recalled. */
public record CompressionEvent(Tier action, Extent before, Extent after, List<String> refs) {
  /** How large a conversation is. */
  public record Extent(int tokens, int messages) {}

  public CompressionEvent {
    refs = List.copyOf(refs);
  }

  /** The name it is logged under. */
  public String name() {
    return action.name().toLowerCase(Locale.ROOT);
  }

  /** For the compression log of the task state. */
  public String summary() {
    return Phrase.of(
        "%d to %d tokens, %d to %d messages, %d references",
        before.tokens(), after.tokens(), before.messages(), after.messages(), refs.size());
  }
}
