package dev.mainstay.domain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * One line of the journal. Its hash covers all but its place in the store, and the hash of the
 * entry before it in the same stream, so a changed, missing or inserted entry is noticed.
 */
public record JournalEntry(long seq, Place place, Origin origin, Content content, Seal seal) {
  /** What the first entry of a stream has before it. */
  public static final String BEGINNING = "0".repeat(64);

  /** Where it stands: numbers within a stream begin at 1 and have no gaps. */
  public record Place(String stream, long number) {}

  /** Who did it, through which door, when. */
  public record Origin(Actor actor, String source, Instant at) {}

  /** What happened; the payload is canonical JSON text. */
  public record Content(String kind, String payload) {}

  /** The links of the chain. */
  public record Seal(String payloadHash, String previousHash, String hash) {}

  /** The seal that belongs to these contents. */
  public static Seal seal(Place place, Origin origin, Content content, String previousHash) {
    String payloadHash = sha256(content.payload());
    return new Seal(
        payloadHash, previousHash, hash(place, origin, content.kind(), payloadHash, previousHash));
  }

  /** The chain runs over the payload's hash, so that an erased payload does not break it. */
  public static String hash(
      Place place, Origin origin, String kind, String payloadHash, String previousHash) {
    // Lengths before the texts: no two different entries can be written as the same line.
    StringBuilder line = new StringBuilder(400);
    for (String field :
        new String[] {
          place.stream(),
          Long.toString(place.number()),
          origin.actor().toString(),
          origin.source(),
          origin.at().toString(),
          kind,
          payloadHash,
          previousHash
        }) {
      line.append(field.length()).append(':').append(field).append(',');
    }
    return sha256(line.toString());
  }

  public static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every JDK has it
    }
  }
}
