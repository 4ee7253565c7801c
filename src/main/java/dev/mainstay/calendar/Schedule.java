package dev.mainstay.calendar;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * When something is due: five fields of cron in a time zone. Where the clocks are changed, a
 * schedule of named hours is due once: what falls into the hour that is left out comes at its end,
 * and of an hour that comes twice the first counts. A schedule of all hours ({@code *} or {@code
 * *}{@code /2}) follows the time that really passes.
 */
public final class Schedule {
  private static final Pattern FIELDS = Pattern.compile("[0-9A-Za-z*,/ \\t-]+");
  private static final int HOUR = 1;
  private static final int NEXT_MAX = 100;

  private static final Map<String, String> NAMED =
      new TreeMap<>(
          Map.of(
              "@hourly", "0 * * * *",
              "@daily", "0 0 * * *",
              "@midnight", "0 0 * * *",
              "@weekly", "0 0 * * 0",
              "@monthly", "0 0 1 * *",
              "@yearly", "0 0 1 1 *",
              "@annually", "0 0 1 1 *"));

  /** Apart, so that a command which meets no schedule does not load the library. */
  private static final class Library {
    static final CronParser PARSER =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
  }

  private final ExecutionTime calendar;
  private final ZoneId zone;
  private final boolean namedHours;

  private Schedule(ExecutionTime calendar, ZoneId zone, boolean namedHours) {
    this.calendar = calendar;
    this.zone = zone;
    this.namedHours = namedHours;
  }

  public static Schedule of(Flow.Timing timing) {
    return of(timing.schedule(), zone(timing.zone()));
  }

  /** Reads a schedule; what is none, or can never be due, is refused. */
  public static Schedule of(String typed, ZoneId zone) {
    String text = NAMED.getOrDefault(typed.strip(), typed).strip();
    if (text.startsWith("@")) {
      throw Refusal.invalid(
          Phrase.of(
              "there is no schedule \"%s\"; there are %s and five fields of cron",
              text, String.join(", ", NAMED.keySet())));
    }
    // The library takes several schedules in one, which cron itself does not.
    if (!FIELDS.matcher(text).matches()) throw wrong(typed, "it has other characters than cron's");
    try {
      var calendar = ExecutionTime.forCron(Library.PARSER.parse(text).validate());
      return new Schedule(calendar, zone, !text.split("[ \\t]+")[HOUR].startsWith("*"));
    } catch (IllegalArgumentException fault) {
      throw wrong(typed, reason(fault));
    }
  }

  public static ZoneId zone(String typed) {
    try {
      return ZoneId.of(typed);
    } catch (DateTimeException unknown) {
      throw Refusal.invalid(
          Phrase.of("there is no time zone \"%s\"; name one such as Europe/Berlin or UTC", typed));
    }
  }

  private static Refusal wrong(String typed, String why) {
    return Refusal.invalid(
        Phrase.of(
            "\"%s\" is no schedule (%s); write minute, hour, day, month and weekday, such as \"0 9 * * 1-5\"",
            typed, why));
  }

  private static String reason(IllegalArgumentException fault) {
    return String.valueOf(fault.getMessage())
        .replace("Failed to parse cron expression. ", "")
        .replaceAll("[\\p{Cntrl} ]+", " ")
        .strip();
  }

  /** The first moment after this one; empty if none ever comes. */
  public Optional<Instant> next(Instant after) {
    return namedHours ? nextReading(after) : nextPassed(after);
  }

  /** Goes by what the clock shows: each reading counts once, whether it comes never or twice. */
  private Optional<Instant> nextReading(Instant after) {
    Optional<LocalDateTime> reading = calendar(LocalDateTime.ofInstant(after, zone));
    while (reading.isPresent()) {
      Instant moment = moment(reading.get());
      if (moment.isAfter(after)) return Optional.of(moment);
      reading = calendar(reading.get());
    }
    return Optional.empty();
  }

  private Instant moment(LocalDateTime reading) {
    ZoneOffsetTransition change = zone.getRules().getTransition(reading);
    if (change != null && change.isGap()) return change.getInstant();
    return reading.atZone(zone).toInstant(); // of two it is the earlier
  }

  /** Goes by the time that passes, from one change of the clocks to the next. */
  private Optional<Instant> nextPassed(Instant after) {
    ZoneOffsetTransition change = zone.getRules().nextTransition(after);
    Optional<Instant> next = passed(after, zone.getRules().getOffset(after));
    while (change != null && next.isPresent() && !next.get().isBefore(change.getInstant())) {
      // From just before, as the moment of the change may itself be one.
      next = passed(change.getInstant().minusSeconds(1), change.getOffsetAfter());
      change = zone.getRules().nextTransition(change.getInstant());
    }
    return next;
  }

  private Optional<Instant> passed(Instant after, ZoneOffset offset) {
    return calendar(LocalDateTime.ofInstant(after, offset)).map(each -> each.toInstant(offset));
  }

  /** The library knows days and fields; it is asked where no clock is ever changed. */
  private Optional<LocalDateTime> calendar(LocalDateTime after) {
    return calendar.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }

  /** The next moments after this one, as many as there are. */
  public List<Instant> next(Instant after, int count) {
    List<Instant> moments = new ArrayList<>();
    Optional<Instant> next = next(after);
    while (next.isPresent() && moments.size() < Math.min(count, NEXT_MAX)) {
      moments.add(next.get());
      next = next(next.get());
    }
    return moments;
  }
}
