package dev.mainstay.domain;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Ids that look as random as a key and say by their own structure that they are public. */
final class PublicIds {
  private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  private static final String BASE62 =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private static final int CHECKSUM_BYTES = 4;
  // One or two bytes of version, 20 of a hash, and the checksum. A private key has 32 of a key.
  private static final int ADDRESS_BYTES_MIN = 25;
  private static final int ADDRESS_BYTES_MAX = 26;

  private static final int KSUID_BYTES = 20;
  private static final int KSUID_TIME_BYTES = 4;
  // Seconds since the epoch of KSUIDs, which is May 2014: until 2040.
  private static final long KSUID_SECONDS_MAX = 810_000_000;

  private PublicIds() {}

  /** Whether this is an address of Bitcoin or of a coin with the same format, by its checksum. */
  static boolean isCoinAddress(String text) {
    byte[] bytes = decode(text, BASE58);
    int zeros = 0;
    while (zeros < text.length() && text.charAt(zeros) == '1') zeros++;
    byte[] whole = new byte[zeros + bytes.length];
    System.arraycopy(bytes, 0, whole, zeros, bytes.length);
    if (whole.length < ADDRESS_BYTES_MIN || whole.length > ADDRESS_BYTES_MAX) return false;
    int payload = whole.length - CHECKSUM_BYTES;
    byte[] hash = sha256(sha256(Arrays.copyOf(whole, payload)));
    return Arrays.equals(whole, payload, whole.length, hash, 0, CHECKSUM_BYTES);
  }

  /** Whether this is a KSUID of our days, which begins with its time. */
  static boolean isKsuid(String text) {
    byte[] bytes = decode(text, BASE62);
    if (bytes.length > KSUID_BYTES) return false;
    int bits = (KSUID_BYTES - KSUID_TIME_BYTES) * Byte.SIZE;
    return new BigInteger(1, bytes).shiftRight(bits).longValue() <= KSUID_SECONDS_MAX;
  }

  /** The number that the digits stand for, without zeros in front. */
  private static byte[] decode(String text, String digits) {
    var number = BigInteger.ZERO;
    var base = BigInteger.valueOf(digits.length());
    for (int i = 0; i < text.length(); i++) {
      number = number.multiply(base).add(BigInteger.valueOf(digits.indexOf(text.charAt(i))));
    }
    byte[] bytes = number.toByteArray();
    boolean sign = bytes[0] == 0;
    return sign ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
