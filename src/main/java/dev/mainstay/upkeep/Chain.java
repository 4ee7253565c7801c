package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.store.JournalTable;
import dev.mainstay.store.JournalTable.Head;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Follows one stream from its first entry and knows whether every link of it holds. */
final class Chain implements JournalTable.Reader {
  private final String stream;
  private final Map<Long, String> erased;
  private Head head = new Head(0, JournalEntry.BEGINNING);
  private long bytes;
  private boolean sound = true;

  /**
   * @param erased the hashes of payloads that are other ones since something was forgotten, by the
   *     numbers of their entries
   */
  Chain(String stream, Map<Long, String> erased) {
    this.stream = stream;
    this.erased = erased;
  }

  @Override
  public void entry(JournalEntry entry) {
    var place = entry.place();
    var seal = entry.seal();
    String right =
        JournalEntry.hash(
            place, entry.origin(), entry.content().kind(), seal.payloadHash(), head.hash());
    sound &=
        place.stream().equals(stream)
            && place.number() == head.number() + 1
            && seal.previousHash().equals(head.hash())
            && seal.hash().equals(right)
            && payloadFits(entry, erased.get(place.number()));
    head = new Head(place.number(), entry.seal().hash());
    bytes += entry.content().payload().getBytes(StandardCharsets.UTF_8).length;
  }

  /** Whether the payload is the one that was written, or the one that was left of it. */
  static boolean payloadFits(JournalEntry entry, @Nullable String erased) {
    String is = JournalEntry.sha256(entry.content().payload());
    return is.equals(erased == null ? entry.seal().payloadHash() : erased);
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
