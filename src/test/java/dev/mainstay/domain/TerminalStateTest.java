package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.TerminalState.Told;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TerminalStateTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final TerminalState NONE = TerminalState.none("t-1", NOON);
  private static final Told TOLD =
      new Told(JsonObject.of("c", 1L), JsonObject.of("who", "Ada"), "Hello {{who}}");

  @Test
  void the_first_change_is_version_one_and_begins_its_life() {
    TerminalState first = NONE.told(TOLD, LATER);
    assertThat(first.stamps()).isEqualTo(new TerminalState.Stamps(1, LATER, LATER));
    TerminalState second = first.checkpointed(JsonObject.of("at", "half"), LATER.plusSeconds(1));
    assertThat(second.stamps()).isEqualTo(new TerminalState.Stamps(2, LATER, LATER.plusSeconds(1)));
    assertThat(second.told()).isEqualTo(TOLD);
    assertThat(second.lastCheckpoint())
        .isEqualTo(JsonObject.of("at", "half", "timestamp", Times.write(LATER.plusSeconds(1))));
  }

  @Test
  void it_comes_back_from_its_json_with_and_without_what_may_be_missing() {
    TerminalState full = NONE.told(TOLD, NOON).checkpointed(JsonObject.of("a", 1L), LATER);
    assertThat(TerminalState.fromJson(full.toJson())).isEqualTo(full);
    assertThat(TerminalState.fromJson(NONE.toJson())).isEqualTo(NONE);
  }

  @Test
  void each_field_that_is_given_takes_the_place_of_what_was_there() {
    assertThat(TOLD.with(JsonObject.EMPTY)).isEqualTo(TOLD);
    assertThat(TOLD.with(JsonObject.of("context_data", JsonObject.of("d", 2L))))
        .isEqualTo(new Told(JsonObject.of("d", 2L), TOLD.variables(), TOLD.initialPrompt()));
    assertThat(TOLD.with(JsonObject.of("variables", JsonObject.of("e", 3L))))
        .isEqualTo(new Told(TOLD.context(), JsonObject.of("e", 3L), TOLD.initialPrompt()));
    assertThat(TOLD.with(JsonObject.of("initial_prompt", "Go")).initialPrompt()).isEqualTo("Go");
    assertThat(TOLD.with(JsonObject.EMPTY.withAny("initial_prompt", null)).initialPrompt())
        .isNull();
    assertThatThrownBy(() -> TOLD.with(JsonObject.of("initial_prompt", 3L)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("must be a text");
    assertThatThrownBy(() -> TOLD.with(JsonObject.of("variable", JsonObject.EMPTY)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("did you mean \"variables\"?");
  }

  @Test
  void what_is_too_large_is_refused() {
    JsonObject large = JsonObject.of("a", "x".repeat(TerminalState.CONTEXT_CHARS_MAX));
    assertThatThrownBy(() -> new Told(large, JsonObject.EMPTY, null)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Told(JsonObject.EMPTY, large, null)).isInstanceOf(Refusal.class);
    assertThatThrownBy(
            () ->
                new Told(
                    JsonObject.EMPTY,
                    JsonObject.EMPTY,
                    "x".repeat(TerminalState.INITIAL_PROMPT_CHARS_MAX + 1)))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> NONE.checkpointed(large, NOON)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new TerminalState("t", TOLD, large, NONE.stamps()))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void the_prompt_is_its_own_or_the_profiles_with_its_variables_filled_in() {
    TerminalState told = NONE.told(TOLD, NOON);
    assertThat(told.prompt("Profile")).isEqualTo("Hello Ada");
    assertThat(NONE.prompt("Profile")).isEqualTo("Profile");
    assertThat(NONE.prompt(null)).isNull();
    Told list = new Told(JsonObject.EMPTY, JsonObject.of("n", 3L), "{{n}}");
    assertThat(NONE.told(list, NOON).prompt(null)).isEqualTo("3");
  }

  @Test
  void a_task_that_ends_leaves_a_checkpoint_of_bounded_size() {
    var id = new TaskId("T-001");
    JsonObject ended = TerminalState.ended(id, TaskStatus.FAILED, "x".repeat(9_000));
    assertThat(ended.text("last_output")).hasSizeLessThanOrEqualTo(TerminalState.OUTPUT_CHARS_MAX);
    assertThat(ended.text("status")).isEqualTo("IDLE");
    assertThat(ended.text("last_task_id")).isEqualTo("T-001");
    assertThat(TerminalState.ended(id, TaskStatus.FAILED, null).has("last_output")).isFalse();
  }

  @Test
  void another_version_than_the_one_that_was_seen_is_refused() {
    NONE.expectVersion(null);
    NONE.expectVersion(0L);
    assertThatThrownBy(() -> NONE.expectVersion(1L))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("is at version 0, not 1");
  }

  @Test
  void an_agent_changes_its_own_terminal_and_those_it_registered_but_never_its_own_prompt() {
    Actor self = Actor.agent("t-1");
    Actor other = Actor.agent("t-2");
    NONE.refuseUnlessMayChange(Actor.person("ada"), null, true);
    NONE.refuseUnlessMayChange(self, null, false);
    NONE.refuseUnlessMayChange(other, other, true);
    assertThatThrownBy(() -> NONE.refuseUnlessMayChange(self, self, true))
        .hasMessageContaining("its own initial prompt");
    assertThatThrownBy(() -> NONE.refuseUnlessMayChange(other, self, false))
        .hasMessageContaining("cannot change the state of t-1");
  }
}
