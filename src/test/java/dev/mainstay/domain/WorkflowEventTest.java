package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.WorkflowEvent.Moved;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkflowEventTest {
  private static JsonObject data(Random random) {
    List<JsonObject> tokens = new ArrayList<>();
    for (int i = 1; i <= 12; i++) {
      if (random.nextBoolean()) continue;
      JsonObject token = JsonObject.of("id", "token-" + i, "position", "n" + random.nextInt(3));
      tokens.add(random.nextBoolean() ? token : token.with("loop", loop(random)));
    }
    var variables = new TreeMap<String, Object>();
    for (int i = 0; i < 5; i++) {
      if (random.nextBoolean()) variables.put("v" + i, random.nextInt(3) == 0 ? null : i % 2);
    }
    return JsonObject.of("tokens", tokens)
        .with("variables", JsonObject.copyOf(variables))
        .with("numbered", 12L + random.nextInt(3));
  }

  /** How far a token is that goes through a list, of one of two lengths. */
  private static JsonObject loop(Random random) {
    int length = 1 + random.nextInt(2);
    List<Object> items = new ArrayList<>();
    List<Object> results = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      items.add("item " + i);
      results.add(random.nextBoolean() ? null : JsonObject.of("n", random.nextInt(2)));
    }
    JsonObject loop = JsonObject.of("items", items, "next", random.nextInt(3));
    return random.nextInt(3) == 0 ? loop : loop.with("results", results);
  }

  @Test
  void a_round_of_a_loop_does_not_tell_all_its_items_again() {
    List<Object> items = Collections.nCopies(100, "x".repeat(1_000));
    List<Object> none = Collections.nCopies(100, null);
    List<Object> one = new ArrayList<>(none);
    one.set(7, JsonObject.of("made", "seven"));
    JsonObject before = looping(items, none, 0);
    JsonObject after = looping(items, one, 1);
    Moved moved = Moved.between(before, after, JsonObject.EMPTY, List.of());
    String told = JsonText.write(moved.payload());
    assertThat(told).contains("seven").hasSizeLessThan(300);
    assertThat(moved.applyTo(before)).isEqualTo(after);
  }

  private static JsonObject looping(List<Object> items, List<Object> results, int done) {
    JsonObject loop = JsonObject.of("items", items, "done", done).with("results", results);
    JsonObject token = JsonObject.of("id", "token-1", "position", "n").with("loop", loop);
    return JsonObject.of("tokens", List.of(token), "numbered", 1)
        .with("variables", JsonObject.EMPTY);
  }

  @Test
  void what_changed_makes_the_one_of_the_other_also_after_it_was_written_down() {
    Seeds.forAll(
        200,
        random -> {
          JsonObject before = data(random);
          JsonObject after = data(random);
          Moved moved = Moved.between(before, after, JsonObject.of("what", "due"), List.of());
          assertThat(moved.applyTo(before)).isEqualTo(after);
          String kept = JsonText.write(moved.ending(JsonObject.of("well", true)).payload());
          WorkflowEvent read = WorkflowEvent.read(Moved.KIND, JsonText.object(kept));
          assertThat(read).isNotNull();
          assertThat(read.applyTo(before)).isEqualTo(after);
        });
  }

  @Test
  void what_moves_nothing_leaves_all_as_it_is() {
    assertThat(WorkflowEvent.read("workflow.paused", JsonObject.EMPTY)).isNull();
    JsonObject data = JsonObject.of("numbered", 1);
    assertThat(new WorkflowEvent.Migrated("WF-001", "WF-002").applyTo(data)).isEqualTo(data);
  }
}
