package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Seat.Begin;
import dev.mainstay.domain.Seat.Standing;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Seat.Window;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeatTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Seat SEAT =
      new Seat(
          new Window("host", "sock", "main", "w1"),
          new Begin("/repo", "person:ada", "c-1", List.of("vim", "x")),
          new Standing(Status.CRASHED, " it\u0007broke ", 3, NOON, List.of("last", "words")));

  private static Terminal terminal(Seat seat) {
    return new Terminal("t-1", "claude", "coder", seat, NOON);
  }

  @Test
  void a_terminal_comes_back_from_its_json_with_and_without_a_window() {
    Seat bare =
        new Seat(SEAT.window(), new Begin("/repo", null, null, List.of()), Standing.starting(NOON));
    for (Seat seat : new Seat[] {SEAT, bare, null}) {
      Terminal terminal = terminal(seat);
      assertThat(Terminal.fromJson(terminal.toJson())).isEqualTo(terminal);
    }
    Terminal external = new Terminal("t-2", Terminal.EXTERNAL, null, null, NOON);
    assertThat(Terminal.fromJson(external.toJson())).isEqualTo(external);
    assertThat(Terminal.stream("t-1")).isEqualTo("terminal/t-1");
  }

  @Test
  void it_lives_while_its_program_does() {
    EnumSet<Status> over = EnumSet.of(Status.ENDED, Status.CRASHED, Status.GONE, Status.STOPPED);
    for (Status status : Status.values()) {
      Seat seat = SEAT.with(new Standing(status, null, null, NOON, List.of()));
      assertThat(seat.isLive()).as("%s", status).isEqualTo(!over.contains(status));
      assertThat(terminal(seat).isLive()).isEqualTo(!over.contains(status));
      boolean welcome = status == Status.READY || status == Status.DONE;
      assertThat(status.takesInput()).isEqualTo(welcome);
      assertThat(seat.status()).isEqualTo(status);
      assertThat(seat.window()).isEqualTo(SEAT.window());
    }
    assertThat(terminal(null).isLive()).isFalse();
  }

  @Test
  void every_state_of_a_screen_is_a_status() {
    for (var state : ScreenStatus.State.values()) {
      assertThat(Status.of(state).name()).isEqualTo(state.name());
    }
  }

  @Test
  void the_reason_is_one_line_of_bounded_length() {
    assertThat(SEAT.standing().why()).isEqualTo("it broke");
    var wordy = new Standing(Status.GONE, "x".repeat(900), null, NOON, List.of());
    assertThat(wordy.why()).hasSizeLessThanOrEqualTo(Seat.REASON_CHARS_MAX);
  }

  @Test
  void a_worker_that_was_not_started_here_has_no_window_to_look_at() {
    assertThat(terminal(SEAT).seated()).isEqualTo(SEAT);
    assertThatThrownBy(() -> terminal(null).seated())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("mainstay inbox send t-1");
  }
}
