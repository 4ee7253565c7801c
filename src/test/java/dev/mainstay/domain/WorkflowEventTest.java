package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.WorkflowEvent.Moved;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkflowEventTest {
  private static JsonObject data(Random random) {
    List<JsonObject> tokens = new ArrayList<>();
    for (int i = 1; i <= 12; i++) {
      if (random.nextBoolean()) continue;
      tokens.add(JsonObject.of("id", "token-" + i, "position", "n" + random.nextInt(3)));
    }
    var variables = new TreeMap<String, Object>();
    for (int i = 0; i < 5; i++) {
      if (random.nextBoolean()) variables.put("v" + i, random.nextInt(3) == 0 ? null : i % 2);
    }
    return JsonObject.of("tokens", tokens)
        .with("variables", JsonObject.copyOf(variables))
        .with("numbered", 12L + random.nextInt(3));
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
