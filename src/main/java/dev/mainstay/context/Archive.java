package dev.mainstay.context;

import dev.mainstay.domain.Refusal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What compression took out of a conversation, byte for byte, by reference. A reference is the
 * beginning of the hash of what it stands for, so the same messages always have the same one.
 */
public final class Archive {
  public static final Archive EMPTY = new Archive(Map.of());

  static final int REF_DIGITS_MIN = 12;
  private static final int REF_DIGITS_STEP = 4;
  private static final String REF_MARK = "m-";

  private final Map<String, List<Message>> byRef;

  private Archive(Map<String, List<Message>> byRef) {
    this.byRef = byRef;
  }

  /** The original messages, in order. */
  public List<Message> recall(String ref) {
    List<Message> messages = byRef.get(ref);
    if (messages == null) {
      throw Refusal.notFound(
          "nothing is archived as \"" + ref + "\"; references look like m-0123456789ab");
    }
    return messages;
  }

  /** All references, oldest first. */
  public Set<String> refs() {
    return Collections.unmodifiableSet(byRef.keySet());
  }

  public boolean isEmpty() {
    return byRef.isEmpty();
  }

  Archive with(Map<String, List<Message>> more) {
    if (more.isEmpty()) return this;
    var all = new LinkedHashMap<>(byRef);
    all.putAll(more);
    return new Archive(all);
  }

  /** The reference some messages have, or get if they are archived next to those in hand. */
  String refOf(List<Message> messages, Map<String, List<Message>> inHand) {
    return refOf(Message.hash(messages), messages, inHand);
  }

  /** Longer by a few digits when another content has the short form already. */
  String refOf(String hash, List<Message> messages, Map<String, List<Message>> inHand) {
    for (int digits = REF_DIGITS_MIN; ; digits += REF_DIGITS_STEP) {
      String ref = REF_MARK + hash.substring(0, digits);
      var same = byRef.getOrDefault(ref, inHand.getOrDefault(ref, messages));
      if (same.equals(messages) || digits == hash.length()) return ref;
    }
  }
}
