package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Flow.Missed;
import dev.mainstay.domain.Flow.Stamps;
import dev.mainstay.domain.Flow.Work;
import dev.mainstay.domain.FlowRun.Outcome;
import dev.mainstay.domain.FlowRun.Status;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FlowTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final Work WORK =
      new Work("coder", "claude", "check.sh", JsonObject.of("n", "1"), "Look at [[n]]");
  private static final Flow FLOW =
      new Flow(
          "nightly",
          new Flow.Timing("0 9 * * *", "UTC", Missed.RUN),
          WORK,
          new Flow.Place("host", "/repo"),
          new Stamps(true, LATER, 1, NOON, NOON));

  @Test
  void to_enable_and_to_disable_are_changes_and_the_next_moment_is_none() {
    Flow disabled = FLOW.disabled(LATER);
    assertThat(disabled.stamps()).isEqualTo(new Stamps(false, null, 2, NOON, LATER));
    assertThat(disabled.enabled(LATER, LATER).stamps())
        .isEqualTo(new Stamps(true, LATER, 3, NOON, LATER));
    assertThat(FLOW.dueNext(null).stamps()).isEqualTo(new Stamps(true, null, 1, NOON, NOON));
    assertThatThrownBy(() -> new Stamps(false, LATER, 1, NOON, NOON))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void two_flows_are_alike_if_time_work_and_place_are() {
    assertThat(FLOW.isLike(FLOW.disabled(LATER))).isTrue();
    var skips = new Flow.Timing("0 9 * * *", "UTC", Missed.SKIP);
    var there = new Flow.Place("other", "/repo");
    var bare = new Work("coder", null, null, JsonObject.EMPTY, "Look");
    assertThat(FLOW.isLike(new Flow("n", skips, WORK, FLOW.place(), FLOW.stamps()))).isFalse();
    assertThat(FLOW.isLike(new Flow("n", FLOW.timing(), bare, FLOW.place(), FLOW.stamps())))
        .isFalse();
    assertThat(FLOW.isLike(new Flow("n", FLOW.timing(), WORK, there, FLOW.stamps()))).isFalse();
  }

  @Test
  void flows_and_their_runs_come_back_from_their_json() {
    var bare = new Work("coder", null, null, JsonObject.EMPTY, "Look");
    Flow plain = new Flow("n", FLOW.timing(), bare, FLOW.place(), FLOW.disabled(LATER).stamps());
    assertThat(Flow.fromJson(FLOW.toJson())).isEqualTo(FLOW);
    assertThat(Flow.fromJson(plain.toJson())).isEqualTo(plain);
    FlowRun begun = FlowRun.begun("n", NOON, true, LATER);
    for (FlowRun each :
        new FlowRun[] {
          begun,
          begun.started("t-1", LATER),
          begun.declined(LATER),
          begun.failed("no", LATER),
          FlowRun.passed("n", NOON, Status.MISSED, "away", LATER)
        }) {
      assertThat(FlowRun.fromJson(each.toJson())).isEqualTo(each);
    }
    assertThat(Flow.stream("n")).isEqualTo("flow/n");
  }

  @Test
  void work_is_kept_without_secrets_and_within_its_limits() {
    String key = "AKIA" + "IOSFODNN7" + "QWERTYU";
    Work secret = new Work("coder", null, "run " + key, JsonObject.of("n", key), "Use " + key);
    Work redacted = secret.redacted();
    assertThat(redacted.script() + redacted.variables() + redacted.body()).doesNotContain(key);
    assertThat(WORK.redacted()).isEqualTo(WORK);
    assertThat(new Work("coder", null, null, JsonObject.EMPTY, "x").redacted().script()).isNull();
    assertThatThrownBy(() -> new Work("coder", null, null, JsonObject.EMPTY, " "))
        .isInstanceOf(Refusal.class);
    Map<String, Object> many = new TreeMap<>();
    for (int i = 0; i < Flow.VARIABLES_MAX; i++) many.put("v" + i, i);
    assertThat(new Work("c", null, null, JsonObject.copyOf(many), "x").variables().asMap())
        .hasSize(Flow.VARIABLES_MAX);
    many.put("more", 1);
    assertThatThrownBy(() -> new Work("c", null, null, JsonObject.copyOf(many), "x"))
        .isInstanceOf(Refusal.class);
    JsonObject large = JsonObject.of("a", "x".repeat(Flow.VARIABLE_CHARS_MAX + 1));
    assertThatThrownBy(() -> new Work("c", null, null, large, "x")).isInstanceOf(Refusal.class);
    JsonObject odd = JsonObject.of("a b", "x");
    assertThatThrownBy(() -> new Work("c", null, null, odd, "x")).isInstanceOf(Refusal.class);
  }

  @Test
  void what_is_missed_is_made_up_for_or_not() {
    assertThat(Missed.parse("skip")).isEqualTo(Missed.SKIP);
    assertThatThrownBy(() -> Missed.parse("maybe")).isInstanceOf(Refusal.class);
  }

  @Test
  void a_run_ends_once() {
    FlowRun begun = FlowRun.begun("n", NOON, false, NOON);
    FlowRun started = begun.started("t-1", LATER);
    assertThat(started.outcome()).isEqualTo(new Outcome(Status.STARTED, null, "t-1", NOON, LATER));
    assertThatThrownBy(() -> started.declined(LATER))
        .hasMessageContaining("n is STARTED, not to be DECLINED");
    assertThatThrownBy(() -> begun.declined(LATER).failed("no", LATER))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_outcome_has_what_belongs_to_its_status() {
    assertThat(new Outcome(Status.FAILED, "a\n b", null, NOON, NOON).reason()).isEqualTo("a b");
    assertThatThrownBy(() -> new Outcome(Status.RUNNING, null, null, NOON, NOON))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Outcome(Status.DECLINED, null, null, NOON, null))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Outcome(Status.STARTED, null, null, NOON, NOON))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Outcome(Status.DECLINED, null, "t-1", NOON, NOON))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Outcome(Status.FAILED, null, null, NOON, NOON))
        .isInstanceOf(IllegalStateException.class);
  }
}
