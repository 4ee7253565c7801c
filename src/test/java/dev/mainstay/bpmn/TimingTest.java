package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.domain.Refusal;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimingTest {
  private static final Instant NOW = Instant.parse("2026-01-31T08:00:00Z");

  private static Timing timing(TimerKind kind, String text) {
    return Timing.of(kind, text);
  }

  private static Instant first(TimerKind kind, String text) {
    return timing(kind, text).first(NOW).orElseThrow();
  }

  @Test
  void a_duration_counts_from_now() {
    assertThat(first(TimerKind.DURATION, "PT10M")).isEqualTo(NOW.plusSeconds(600));
    assertThat(first(TimerKind.DURATION, "P1DT2H")).isEqualTo("2026-02-01T10:00:00Z");
    assertThat(first(TimerKind.DURATION, "P1M")).isEqualTo("2026-02-28T08:00:00Z");
    assertThat(first(TimerKind.DURATION, "P2W")).isEqualTo("2026-02-14T08:00:00Z");
  }

  @Test
  void a_date_is_itself_and_comes_once() {
    assertThat(first(TimerKind.DATE, "2026-12-31T18:00:00+01:00"))
        .isEqualTo("2026-12-31T17:00:00Z");
    assertThat(timing(TimerKind.DATE, "2026-12-31T18:00:00Z").next(NOW, 1, NOW)).isEmpty();
  }

  @Test
  void a_cycle_comes_round_as_often_as_it_says() {
    Timing thrice = timing(TimerKind.CYCLE, "R3/PT10M");
    Instant due = thrice.first(NOW).orElseThrow();
    assertThat(thrice.next(due, 1, due)).contains(NOW.plusSeconds(1_200));
    assertThat(thrice.next(due, 2, due)).isPresent();
    assertThat(thrice.next(due, 3, due)).isEmpty();
    assertThat(timing(TimerKind.CYCLE, "R0/PT10M").first(NOW)).isEmpty();
  }

  @Test
  void a_cycle_with_a_beginning_keeps_to_it_and_leaves_out_what_was_missed() {
    Timing daily = timing(TimerKind.CYCLE, "R/2026-01-01T02:00:00Z/P1D");
    Instant due = daily.first(NOW).orElseThrow();
    assertThat(due).isEqualTo("2026-01-01T02:00:00Z");
    assertThat(daily.next(due, 1, NOW)).contains(Instant.parse("2026-02-01T02:00:00Z"));
    Timing often = timing(TimerKind.CYCLE, "R/2020-01-01T00:00:00Z/PT1S");
    assertThat(often.next(Instant.parse("2020-01-01T00:00:00Z"), 1, NOW)).contains(NOW);
  }

  @Test
  void five_fields_of_cron_are_a_cycle_too() {
    Timing nightly = timing(TimerKind.CYCLE, "0 2 * * *");
    Optional<Instant> first = nightly.first(NOW);
    assertThat(first).contains(Instant.parse("2026-02-01T02:00:00Z"));
    assertThat(nightly.next(first.orElseThrow(), 1, first.orElseThrow()))
        .contains(Instant.parse("2026-02-02T02:00:00Z"));
  }

  @Test
  void what_is_none_is_refused_with_an_example() {
    refused(TimerKind.DURATION, "soon", "PT10M");
    refused(TimerKind.DURATION, "P", "PT10M");
    refused(TimerKind.DURATION, "PT", "PT10M");
    refused(TimerKind.DURATION, "P99999999999D", "PT10M");
    refused(TimerKind.DATE, "2026-12-31T18:00:00", "with its offset");
    refused(TimerKind.DATE, "tomorrow", "2026-12-31T18:00:00Z");
    refused(TimerKind.CYCLE, "R/PT0S", "once a second");
    refused(TimerKind.CYCLE, "whenever", "is no schedule");
  }

  private static void refused(TimerKind kind, String text, String advice) {
    assertThatThrownBy(() -> timing(kind, text))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(advice);
  }
}
