package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoopChangeTest {
  private static JsonObject token(Object... loop) {
    JsonObject fields = JsonObject.EMPTY;
    for (int i = 0; i < loop.length; i += 2) fields = fields.with((String) loop[i], loop[i + 1]);
    return JsonObject.of("node", "n", "loop", fields);
  }

  @Test
  void one_result_more_is_told_by_its_place_alone() {
    JsonObject was = token("items", List.of(1L, 2L), "results", List.of("a", ""), "round", 1L);
    JsonObject is = token("items", List.of(1L, 2L), "results", List.of("a", "b"), "round", 2L);
    JsonObject told = LoopChange.told(was, is);
    assertThat(told.object("loop"))
        .isEqualTo(JsonObject.of("results_at", JsonObject.of("1", "b"), "round", 2L));
    assertThat(LoopChange.applied(was, told)).isEqualTo(is);
  }

  @Test
  void what_cannot_be_told_as_a_change_is_told_whole() {
    JsonObject is = token("items", List.of(1L));
    assertThat(LoopChange.told(null, is)).isEqualTo(is);
    assertThat(LoopChange.told(JsonObject.of("node", "n"), is)).isEqualTo(is);
    assertThat(LoopChange.told(is, JsonObject.of("node", "m")))
        .isEqualTo(JsonObject.of("node", "m"));
    assertThat(LoopChange.told(token("other", 1L), is)).as("a field went").isEqualTo(is);
    assertThat(LoopChange.applied(null, is)).isEqualTo(is);
    JsonObject told = LoopChange.told(is, is);
    assertThatThrownBy(() -> LoopChange.applied(null, told)).hasMessageContaining("not there");
  }

  @Test
  void whoever_knows_how_it_was_knows_how_it_is() {
    Seeds.forAll(
        200,
        random -> {
          JsonObject was = random(random);
          JsonObject is = random(random);
          assertThat(LoopChange.applied(was, LoopChange.told(was, is))).isEqualTo(is);
        });
  }

  private static JsonObject random(Random random) {
    List<Object> results = new ArrayList<>();
    for (int i = 2 + random.nextInt(2); i > 0; i--) results.add((long) random.nextInt(3));
    JsonObject token = token("items", List.of(1L, 2L), "results", results);
    if (random.nextInt(3) == 0) token = token("items", List.of(1L), "round", 1L);
    return random.nextInt(6) == 0 ? JsonObject.of("node", "n") : token;
  }
}
