package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Trigger.Timer;
import dev.mainstay.calendar.Schedule;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When a timer is due: after a duration, at a date, or again and again by {@code R3/PT10M}, {@code
 * R/2026-01-01T02:00:00Z/P1D} or five fields of cron, which go by UTC.
 */
public final class Timing {
  private static final Pattern CYCLE =
      Pattern.compile("R(?<times>[0-9]{0,9})/(?:(?<start>[^/]+)/)?(?<length>P[^/]+)");
  private static final Pattern AMOUNT =
      Pattern.compile("P(?<days>(?:[0-9]+[YMWD])*)(?<time>T(?:[0-9.]+[HMS])+)?");

  /** No cycle comes round faster: a server must be able to follow. */
  static final Duration CYCLE_MIN = Duration.ofSeconds(1);

  private final @Nullable Schedule cron;
  private final @Nullable Instant start;
  private final Span span;
  private final long times;

  private record Span(Period days, Duration time) {
    static final Span NONE = new Span(Period.ZERO, Duration.ZERO);

    Instant after(Instant moment) {
      return moment.atOffset(ZoneOffset.UTC).plus(days).plus(time).toInstant();
    }
  }

  private Timing(@Nullable Schedule cron, @Nullable Instant start, Span span, long times) {
    this.cron = cron;
    this.start = start;
    this.span = span;
    this.times = times;
  }

  /** Reads a timer whose text is no expression; what is none is refused. */
  public static Timing of(Timer timer) {
    return of(timer.kind(), timer.text());
  }

  static Timing of(TimerKind kind, String typed) {
    String text = typed.strip();
    return switch (kind) {
      case DURATION -> new Timing(null, null, span(text), 1);
      case DATE -> new Timing(null, date(text), Span.NONE, 1);
      case CYCLE -> cycle(text);
    };
  }

  private static Timing cycle(String text) {
    Matcher found = CYCLE.matcher(text);
    if (!found.matches()) {
      Schedule cron = Schedule.of(text, ZoneOffset.UTC);
      return new Timing(cron, null, Span.NONE, Long.MAX_VALUE);
    }
    String start = found.group("start");
    String times = found.group("times");
    Span span = span(found.group("length"));
    if (span.after(Instant.EPOCH).isBefore(Instant.EPOCH.plus(CYCLE_MIN))) {
      throw Refusal.invalid(
          Phrase.of("\"%s\" comes round faster than once a second; write a longer one", text));
    }
    return new Timing(
        null,
        start == null ? null : date(start),
        span,
        times.isEmpty() ? Long.MAX_VALUE : Long.parseLong(times));
  }

  private static Span span(String text) {
    Matcher found = AMOUNT.matcher(text);
    boolean something = found.matches() && text.length() > 1;
    if (!something) throw wrong(text, "a duration such as PT10M or P1DT2H");
    try {
      String days = found.group("days");
      String time = found.group("time");
      Period parts = days.isEmpty() ? Period.ZERO : Period.parse("P" + days);
      Duration rest = time == null ? Duration.ZERO : Duration.parse("P" + time);
      Span span = new Span(parts, rest);
      span.after(Instant.EPOCH);
      return span;
    } catch (DateTimeException | ArithmeticException fault) {
      throw wrong(text, "a duration such as PT10M or P1DT2H");
    }
  }

  private static Instant date(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException fault) {
      throw wrong(text, "a date with its offset, such as 2026-12-31T18:00:00Z");
    }
  }

  private static Refusal wrong(String text, String wanted) {
    return Refusal.invalid(Phrase.of("\"%s\" is not %s", text, wanted));
  }

  /** The first moment, seen from now; one that has passed is due at once. Empty if none comes. */
  public Optional<Instant> first(Instant now) {
    if (times < 1) return Optional.empty();
    if (cron != null) return cron.next(now);
    if (start != null) return Optional.of(start);
    return later(now);
  }

  /**
   * The moment after one that was due, when it has come round so often; what was missed meanwhile
   * is left out.
   */
  public Optional<Instant> next(Instant due, long comeRound, Instant now) {
    if (comeRound >= times || span.equals(Span.NONE) && cron == null) return Optional.empty();
    if (cron != null) return cron.next(due.isAfter(now) ? due : now);
    Optional<Instant> next = later(due);
    if (next.isEmpty() || !next.get().isBefore(now)) return next;
    long behind = Duration.between(due, now).toMillis();
    long one = Math.max(1, Duration.between(due, next.get()).toMillis());
    // In one leap for short ones; months and years are of different lengths and are counted.
    Instant near = due.plusMillis(span.days().isZero() ? (behind - 1) / one * one : 0);
    Optional<Instant> found = later(near);
    while (found.isPresent() && found.get().isBefore(now)) found = later(found.get());
    return found;
  }

  private Optional<Instant> later(Instant from) {
    try {
      return Optional.of(span.after(from));
    } catch (DateTimeException | ArithmeticException beyond) {
      return Optional.empty();
    }
  }
}
