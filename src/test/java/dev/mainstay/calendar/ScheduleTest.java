package dev.mainstay.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static List<String> next(String schedule, String after, int count) {
    return Schedule.of(schedule, BERLIN).next(Instant.parse(after), count).stream()
        .map(each -> each.atZone(BERLIN).toOffsetDateTime().toString())
        .toList();
  }

  @Test
  void runs_come_in_their_order_by_the_clock_of_the_zone() {
    assertThat(next("0 9 * * 1-5", "2026-01-02T07:59:59.999999Z", 3))
        .containsExactly(
            "2026-01-02T09:00+01:00", "2026-01-05T09:00+01:00", "2026-01-06T09:00+01:00");
    assertThat(next("0 0 29 2 *", "2026-01-01T00:00:00Z", 2))
        .containsExactly("2028-02-29T00:00+01:00", "2032-02-29T00:00+01:00");
    assertThat(next("0 0 13 * 5", "2026-02-01T00:00:00Z", 3)) // cron's either-or of the two days
        .containsExactly(
            "2026-02-06T00:00+01:00", "2026-02-13T00:00+01:00", "2026-02-20T00:00+01:00");
    assertThat(next("@monthly", "2026-02-01T00:00:00Z", 1))
        .containsExactly("2026-03-01T00:00+01:00");
  }

  @Test
  void a_run_in_the_hour_that_is_left_out_comes_once_at_its_end() {
    assertThat(next("30 2 * * *", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00");
    assertThat(next("*/20 2 * * *", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T03:00+02:00", "2026-03-30T02:00+02:00");
    assertThat(next("0 2,3 * * *", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T03:00+02:00", "2026-03-30T02:00+02:00");
    assertThat(next("30 2 29 3 *", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T03:00+02:00", "2027-03-29T02:30+02:00");
  }

  @Test
  void a_run_in_the_hour_that_comes_twice_comes_once() {
    assertThat(next("30 2 * * *", "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00");
    assertThat(next("30 2 * * *", "2026-10-25T00:40:00Z", 1)) // between the two
        .containsExactly("2026-10-26T02:30+01:00");
    assertThat(next("*/30 2 * * *", "2026-10-24T12:00:00Z", 3))
        .containsExactly(
            "2026-10-25T02:00+02:00", "2026-10-25T02:30+02:00", "2026-10-26T02:00+01:00");
  }

  @Test
  void a_schedule_of_all_hours_follows_the_time_that_passes() {
    assertThat(next("30 * * * *", "2026-03-29T00:00:00Z", 2))
        .containsExactly("2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00");
    assertThat(next("30 * * * *", "2026-10-25T00:00:00Z", 3))
        .containsExactly(
            "2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00", "2026-10-25T03:30+01:00");
  }

  @Test
  void what_is_no_schedule_is_refused_with_the_reason_and_an_example() {
    refused("* * * *", "4 parts", "0 9 * * 1-5");
    refused("* * * * * *", "6 parts", "0 9 * * 1-5");
    refused("60 * * * *", "60 not in range", "0 9 * * 1-5");
    refused("*/0 * * * *", "not in range", "0 9 * * 1-5");
    refused("0 0 1 * * || 0 0 2 * *", "other characters", "0 9 * * 1-5");
    refused("0 0 L * *", "L", "0 9 * * 1-5");
    refused("", "characters", "0 9 * * 1-5");
    refused("@reboot", "@daily");
  }

  @Test
  void a_flows_timing_is_read_in_its_own_time_zone() {
    var timing = new Flow.Timing("0 9 * * *", "Europe/Berlin", Flow.Missed.RUN);
    assertThat(Schedule.of(timing).next(Instant.parse("2026-01-02T00:00:00Z")))
        .contains(Instant.parse("2026-01-02T08:00:00Z"));
    assertThatThrownBy(() -> Schedule.zone("Europe/Atlantis"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Europe/Atlantis");
  }

  private static void refused(String schedule, String... words) {
    assertThatThrownBy(() -> Schedule.of(schedule, BERLIN))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.sentence()).contains(words));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 30 2 *", "0 0 31 4,6 *"})
  void a_schedule_that_never_comes_has_no_next_run(String schedule) {
    assertThat(Schedule.of(schedule, BERLIN).next(Instant.parse("2026-01-01T00:00:00Z"))).isEmpty();
  }

  @Test
  void every_run_is_one_that_a_walk_through_all_minutes_finds() {
    List<String> zones =
        List.of(
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "America/Asuncion",
            "Asia/Kathmandu",
            "UTC");
    Seeds.forAll(
        400,
        random -> {
          ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
          List<Integer> minutes = some(random, 60, 3);
          List<Integer> hours = random.nextBoolean() ? List.of() : some(random, 24, 4);
          List<Integer> days = random.nextBoolean() ? List.of() : some(random, 7, 3);
          String text = written(minutes) + " " + written(hours) + " * * " + written(days);
          Instant after = nearChange(random, zone);
          List<Instant> walked = walked(zone, minutes, hours, days, after);
          if (walked.size() > 50) walked = walked.subList(0, 50);
          List<Instant> found = Schedule.of(text, zone).next(after, walked.size());
          assertThat(found).as(text + " in " + zone + " after " + after).isEqualTo(walked);
        });
  }

  private static List<Integer> some(Random random, int below, int most) {
    TreeSet<Integer> values = new TreeSet<>();
    for (int i = 1 + random.nextInt(most); i > 0; i--) values.add(random.nextInt(below));
    return List.copyOf(values);
  }

  private static String written(List<Integer> values) {
    if (values.isEmpty()) return "*";
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static Instant nearChange(Random random, ZoneId zone) {
    Instant from =
        Instant.parse("2022-01-01T00:00:00Z").plus(random.nextInt(2_000), ChronoUnit.DAYS);
    ZoneOffsetTransition change = zone.getRules().nextTransition(from);
    Instant near = change == null ? from : change.getInstant();
    return near.minusSeconds(random.nextInt(100_000)).plusNanos(random.nextInt(1_000_000) * 1_000L);
  }

  /** What cron's words say, minute by minute through three days. */
  private static List<Instant> walked(
      ZoneId zone, List<Integer> minutes, List<Integer> hours, List<Integer> days, Instant after) {
    List<Instant> found = new ArrayList<>();
    Instant last = after.plus(Duration.ofDays(3));
    Instant at = after.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
    for (; at.isBefore(last); at = at.plus(1, ChronoUnit.MINUTES)) {
      ZonedDateTime local = at.atZone(zone);
      boolean second = !local.withEarlierOffsetAtOverlap().equals(local);
      boolean due = isDue(local.toLocalDateTime(), minutes, hours, days);
      if (due && (hours.isEmpty() || !second)) found.add(at);
      else if (!hours.isEmpty() && isDueInGap(zone, at, minutes, hours, days)) found.add(at);
    }
    return found;
  }

  private static boolean isDueInGap(
      ZoneId zone, Instant at, List<Integer> minutes, List<Integer> hours, List<Integer> days) {
    ZoneOffsetTransition change = zone.getRules().nextTransition(at.minusNanos(1));
    if (change == null || !change.isGap() || !change.getInstant().equals(at)) return false;
    LocalDateTime reading = change.getDateTimeBefore();
    for (; reading.isBefore(change.getDateTimeAfter()); reading = reading.plusMinutes(1)) {
      if (isDue(reading, minutes, hours, days)) return true;
    }
    return false;
  }

  private static boolean isDue(
      LocalDateTime reading, List<Integer> minutes, List<Integer> hours, List<Integer> days) {
    return minutes.contains(reading.getMinute())
        && (hours.isEmpty() || hours.contains(reading.getHour()))
        && (days.isEmpty() || days.contains(reading.getDayOfWeek().getValue() % 7));
  }
}
