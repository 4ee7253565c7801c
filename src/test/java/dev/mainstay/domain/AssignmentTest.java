package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Assignment.Moments;
import dev.mainstay.domain.Assignment.Outcome;
import dev.mainstay.domain.Assignment.Standing;
import dev.mainstay.domain.Assignment.Status;
import dev.mainstay.domain.Task.Brief;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignmentTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final TaskId ID = new TaskId("T-001");
  private static final Outcome DONE = new Outcome(JsonObject.of("ok", true), null);

  private static Instant at(int seconds) {
    return NOON.plusSeconds(seconds);
  }

  private static Assignment ended() {
    var moments = new Moments(at(1), at(2), at(3), at(4));
    return new Assignment(9, ID, "t-1", new Standing(Status.COMPLETED, 2, 5, moments), DONE);
  }

  private static Task answeredAt(Instant moment) {
    var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
    return new TaskEvent.Created(brief, null, null, List.of()).first(ID, moment);
  }

  @Test
  void whoever_asks_again_is_told_how_it_stood_then() {
    assertThat(ended().asOf(answeredAt(at(1))).standing())
        .isEqualTo(new Standing(Status.ASSIGNED, 2, 5, new Moments(at(1), null, null, null)));
    assertThat(ended().asOf(answeredAt(at(2))).standing())
        .isEqualTo(new Standing(Status.ACCEPTED, 2, 5, new Moments(at(1), at(2), null, null)));
    assertThat(ended().asOf(answeredAt(at(3))).standing())
        .isEqualTo(new Standing(Status.IN_PROGRESS, 2, 5, new Moments(at(1), at(2), at(3), null)));
    assertThat(ended().asOf(answeredAt(at(3))).outcome()).isEqualTo(new Outcome(null, null));
    assertThat(ended().asOf(answeredAt(at(4)))).isEqualTo(ended());
  }

  @Test
  void of_an_attempt_that_another_one_followed_only_that_one_is_known() {
    assertThat(ended().asOf(answeredAt(at(0)))).isEqualTo(ended());
  }

  @Test
  void one_that_ended_may_be_given_again_and_an_open_one_goes_on() {
    assertThat(Status.COMPLETED.mayBecome(Status.ASSIGNED)).isTrue();
    assertThat(Status.COMPLETED.mayBecome(Status.FAILED)).isFalse();
    assertThat(Status.IN_PROGRESS.mayBecome(Status.ACCEPTED)).isFalse();
    assertThat(Status.FAILED.isOpen()).isFalse();
    assertThat(Status.COMPLETED.isOpen()).isFalse();
    assertThat(Status.ACCEPTED.isOpen()).isTrue();
  }

  @Test
  void it_is_shown_with_every_moment_that_it_had() {
    JsonObject json = ended().toJson();
    assertThat(json.text("accepted_at")).isEqualTo(Times.write(at(2)));
    assertThat(json.text("started_at")).isEqualTo(Times.write(at(3)));
    assertThat(json.text("completed_at")).isEqualTo(Times.write(at(4)));
    assertThat(json.number("fence")).isEqualTo(5);
    assertThat(json.object("result")).isEqualTo(DONE.result());
    assertThat(ended().asOf(answeredAt(at(1))).toJson().has("accepted_at")).isFalse();
  }
}
