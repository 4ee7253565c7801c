package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.store.JournalTable;
import dev.mainstay.store.JournalTable.Head;
import java.nio.charset.StandardCharsets;

/** Follows one stream from its first entry and knows whether every link of it holds. */
final class Chain implements JournalTable.Reader {
  private final String stream;
  private Head head = new Head(0, JournalEntry.BEGINNING);
  private long bytes;
  private boolean sound = true;

  Chain(String stream) {
    this.stream = stream;
  }

  @Override
  public void entry(JournalEntry entry) {
    var place = entry.place();
    var right = JournalEntry.seal(place, entry.origin(), entry.content(), head.hash());
    sound &=
        place.stream().equals(stream)
            && place.number() == head.number() + 1
            && right.equals(entry.seal());
    head = new Head(place.number(), entry.seal().hash());
    bytes += entry.content().payload().getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public void unreadable(String ofStream, long number) {
    sound = false;
  }

  boolean isSound() {
    return sound;
  }

  Head head() {
    return head;
  }

  /** How long the payloads are together. */
  long bytes() {
    return bytes;
  }
}
