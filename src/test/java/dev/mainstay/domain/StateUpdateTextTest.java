package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.StateUpdateText.Update;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StateUpdateTextTest {
  private static List<String> json(String text) {
    return StateUpdateText.find(text).stream().map(Update::json).toList();
  }

  @Test
  void a_text_without_an_update_gives_none() {
    assertThat(json("")).isEmpty();
    assertThat(json("All done. {\"goals\": [\"not an update\"]}")).isEmpty();
  }

  @Test
  void what_stands_between_the_tags_is_the_update() {
    assertThat(json("Done.\n<state_update>{\"goals\": [\"a\"]}</state_update>\nBye."))
        .containsExactly("{\"goals\": [\"a\"]}");
    assertThat(json("<STATE_UPDATE > {} </state_update >")).containsExactly("{}");
  }

  @Test
  void the_place_is_where_the_json_begins() {
    String text = "one\ntwo\n<state_update>\n  {\"goals\": 1}</state_update>";
    Update update = StateUpdateText.find(text).get(0);
    assertThat(update.line()).isEqualTo(4);
    assertThat(text.substring(update.offset())).startsWith("{\"goals\"");
    assertThat(update.malformed("a comma is missing"))
        .hasMessageContaining("invalid_state_update_json")
        .hasMessageContaining("line 4")
        .hasMessageContaining("a comma is missing");
  }

  @Test
  void a_closing_tag_may_be_missing_at_the_end() {
    assertThat(json("<state_update>{\"goals\": [\"a\"]}")).containsExactly("{\"goals\": [\"a\"]}");
    assertThat(json("<state_update>{\"goals\": [\"a\"]}\n```\nThat is all."))
        .containsExactly("{\"goals\": [\"a\"]}");
    assertThat(json("<state_update>{\"goals\": [\"a")).containsExactly("{\"goals\": [\"a");
  }

  @Test
  void code_fences_outside_and_inside_are_no_part_of_it() {
    assertThat(json("```xml\n<state_update>{\"a\": 1}</state_update>\n```"))
        .containsExactly("{\"a\": 1}");
    assertThat(json("<state_update>\n```json\n{\"a\": 1}\n```\n</state_update>"))
        .containsExactly("{\"a\": 1}");
    assertThat(json("<state_update>~~~\n{\"a\": 1}~~~</state_update>"))
        .containsExactly("{\"a\": 1}");
    assertThat(json("<state_update>```json\n{\"a\": 1}\n```")).containsExactly("{\"a\": 1}");
  }

  @Test
  void several_updates_come_in_their_order() {
    assertThat(
            json(
                "<state_update>{\"a\": 1}</state_update> and <state_update>{\"a\": 2}</state_update>"))
        .containsExactly("{\"a\": 1}", "{\"a\": 2}");
    assertThat(json("<state_update>{\"a\": 1} <state_update>{\"a\": 2}"))
        .containsExactly("{\"a\": 1}", "{\"a\": 2}");
  }

  @Test
  void a_tag_within_a_json_string_is_text() {
    String tricky = "{\"goals\": [\"say </state_update> and \\\" <state_update>{\"]}";
    assertThat(json("<state_update>" + tricky + "</state_update> rest")).containsExactly(tricky);
  }

  @Test
  void a_broken_update_does_not_swallow_the_next_one() {
    String text =
        "<state_update>{\"a\": [\"b]}</state_update>\n<state_update>{\"a\": 2}</state_update>";
    assertThat(json(text)).containsExactly("{\"a\": [\"b]}", "{\"a\": 2}");
    // The quote that is missing must not be found in the prose of the next line.
    assertThat(json(text.replace("\n", "\nA \"quote} and then ")))
        .containsExactly("{\"a\": [\"b]}", "{\"a\": 2}");
  }

  @Test
  void what_follows_the_object_before_the_closing_tag_is_not_dropped() {
    assertThat(json("<state_update>{\"a\": 1} and more</state_update>"))
        .containsExactly("{\"a\": 1} and more");
    assertThat(json("<state_update>no object</state_update>")).containsExactly("no object");
  }

  @Test
  void a_mention_of_the_tag_is_no_update() {
    assertThat(
            json("I end with a `<state_update>` block:\n<state_update>{\"a\": 1}</state_update>"))
        .containsExactly("{\"a\": 1}");
    assertThat(json("Use <state_update> when done.")).isEmpty();
  }

  @Tag("long")
  @Test
  void a_flood_of_updates_is_refused() {
    assertThat(StateUpdateText.find("<state_update>{}".repeat(100))).hasSize(100);
    assertThatThrownBy(() -> StateUpdateText.find("<state_update>{".repeat(50_000)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("100");
  }

  @Test
  void any_text_at_all_can_be_searched_and_places_are_true() {
    List<String> pieces =
        List.of(
            "<state_update>", "</state_update>", "{", "}", "\"", "\\", "```", "\n", "json", " ");
    Seeds.forAll(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(30); i > 0; i--)
            text.append(pieces.get(random.nextInt(pieces.size())));
          for (Update update : StateUpdateText.find(text.toString()))
            assertThat(text.substring(update.offset())).startsWith(update.json());
        });
  }
}
