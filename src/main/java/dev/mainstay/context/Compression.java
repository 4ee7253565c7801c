package dev.mainstay.context;

import java.util.List;

/** What a compression came to: the conversation to go on with, and every step that was taken. */
public record Compression(
    Conversation conversation, List<CompressionEvent> events, Outcome outcome) {
  /** Whether the target was reached, and if not, why. */
  public enum Outcome {
    NOT_NEEDED("the pressure is below every tier"),
    REACHED("the pressure is at the target"),
    TIER_SPENT("the tiers this pressure allows can do no more; a higher one will, if it rises"),
    HELD("what remains is fixed, preserved, or still open and may not be compressed");

    private final String sentence;

    Outcome(String sentence) {
      this.sentence = sentence;
    }

    public String sentence() {
      return sentence;
    }
  }

  public Compression {
    events = List.copyOf(events);
  }
}
