package dev.mainstay.domain;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Instants as text of a fixed width, so that text order is time order. Written and read by hand,
 * because the JDK's formatters would cost every command a dozen milliseconds.
 */
public final class Times {
  private static final int FULL_CHARS = 27; // 2026-11-15T21:55:32.123456Z
  private static final int MICROS_AT = 20;

  private Times() {}

  public static String write(Instant instant) {
    LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(FULL_CHARS);
    digits(text, time.getYear(), 4).append('-');
    digits(text, time.getMonthValue(), 2).append('-');
    digits(text, time.getDayOfMonth(), 2).append('T');
    digits(text, time.getHour(), 2).append(':');
    digits(text, time.getMinute(), 2).append(':');
    digits(text, time.getSecond(), 2).append('.');
    return digits(text, time.getNano() / 1000, 6).append('Z').toString();
  }

  /** Reads what {@link #write} wrote, and any other ISO-8601 instant as well. */
  public static Instant read(String text) {
    if (text.length() != FULL_CHARS || text.charAt(FULL_CHARS - 1) != 'Z')
      return Instant.parse(text);
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19),
            number(text, MICROS_AT, FULL_CHARS - 1) * 1000)
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  private static StringBuilder digits(StringBuilder text, int number, int width) {
    String plain = Integer.toString(number);
    for (int i = plain.length(); i < width; i++) text.append('0');
    return text.append(plain);
  }
}
