package dev.mainstay.rest;

import java.time.Duration;

/**
 * How long a request may take to arrive, and how many connections there may be.
 *
 * @param head how long the head of a request may take from its first byte, and the first head of a
 *     connection from the beginning of that connection
 * @param body how long a body may take in addition to what {@code bodyBytesPerSecondMin} grants
 * @param bodyBytesPerSecondMin the rate below which a body is given up after {@code body}
 * @param connections how many connections there may be
 * @param connectionsByAddress how many of them may come from one address
 */
public record ServerLimits(
    Duration head,
    Duration body,
    int bodyBytesPerSecondMin,
    int connections,
    int connectionsByAddress) {
  public static final Duration HEAD_MAX = Duration.ofSeconds(10);
  public static final Duration BODY_MAX = Duration.ofSeconds(10);
  public static final int BODY_BYTES_PER_SECOND_MIN = 64 * 1024;
  public static final int CONNECTIONS_MAX = 8_192;

  /** Of the files that the process may open, a quarter is left to the store and to terminals. */
  private static final int OTHER_FILES_PART = 4;

  private static final int ADDRESSES_MIN = 4;

  /** The limits where the process may open so many files: fewer connections than files. */
  public static ServerLimits within(long filesMax) {
    long free = filesMax - filesMax / OTHER_FILES_PART;
    int connections = (int) Math.max(ADDRESSES_MIN, Math.min(CONNECTIONS_MAX, free));
    return new ServerLimits(
        HEAD_MAX, BODY_MAX, BODY_BYTES_PER_SECOND_MIN, connections, connections / ADDRESSES_MIN);
  }

  /** How long the first {@code bytes} of a body and the next one may take. */
  Duration allowed(long bytes) {
    return body.plusMillis(bytes * 1_000 / bodyBytesPerSecondMin);
  }
}
