package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StepExpiryTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "For the next 2 steps, prioritize tools with lower latency | 2",
        "for the next step use the cheap model | 1",
        "During the next three steps write nothing | 3",
        "for next 10 steps: be brief | 10",
        "- For the next twelve steps, ask first | 12",
        "be brief for the next 2 steps | 2",
        "Be brief for the next 1000 steps. | 1000",
        "ask before each write during the next step | 1",
        "For the next  1  step, be careful | 1",
      })
  void a_directive_may_say_for_how_many_steps_it_is_meant(String directive, int steps) {
    assertThat(StepExpiry.of(directive)).isEqualTo(steps);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Do not generate any new components unless explicitly approved",
        "For the next 0 steps, be brief",
        "For the next 1001 steps, be brief",
        "For the next 99999 steps, be brief",
        "For the next few steps, be brief",
        "For the next thirteen steps, be brief",
        "For the next steps, be brief",
        "For the next 2 stepsisters, be kind",
        "Leave notes for the next step",
        "Say what is next in 2 steps",
        "What you keep for the next 2 steps must be small",
        "Before the next 2 steps, ask"
      })
  void any_other_holds_until_it_is_lifted(String directive) {
    assertThat(StepExpiry.of(directive)).isNull();
  }
}
