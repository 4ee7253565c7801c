package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.anyActor;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskUpdate.Change;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskStatePropertyTest {
  private record Entry(Origin origin, String kind, JsonObject payload) {}

  private static List<TaskStateEvent> anyDecision(Random random, TaskState state, Actor actor) {
    int step = random.nextInt(4);
    String word = "word " + random.nextInt(9);
    return switch (random.nextInt(16)) {
      case 0, 1 -> state.start("goal " + random.nextInt(2), List.of(word), actor);
      case 2 -> state.apply(anyUpdate(random));
      case 3 -> state.moveStep(step, StepStatus.values()[random.nextInt(5)], word);
      case 4 -> state.recordDirective(word, random.nextBoolean(), actor);
      case 5 -> state.liftDirective(word, actor);
      case 6 -> state.noteActions(random.nextInt(5) == 0 ? " " : word.repeat(60));
      case 7 -> state.logCompression("snip", word.repeat(200), 100 + step, step);
      case 8 -> state.renew(word);
      case 9 -> state.suspend(new Waiting(Waiting.On.values()[random.nextInt(3)], word));
      case 10 -> state.resume(word);
      case 11 ->
          state.end(
              List.of(RunPhase.FINISHED, RunPhase.NO_PROGRESS, RunPhase.ABANDONED)
                  .get(random.nextInt(3)),
              word);
      case 12 -> state.meetCriterion(step, random.nextBoolean() ? word : null, actor);
      case 13 -> state.reopenCriterion(step);
      case 14 -> state.addCriterion(word, "make " + step, actor);
      default -> state.addCriterion(word, null, actor);
    };
  }

  private static TaskUpdate anyUpdate(Random random) {
    List<Wish> wishes = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) wishes.add(Wish.of("step " + random.nextInt(4)));
    return new TaskUpdate(
        random.nextBoolean() ? wishes : null,
        random.nextInt(4) == 0 ? random.nextInt(4) : null,
        new Change(
            random.nextBoolean() ? "progress " + random.nextInt(3) : null,
            random.nextBoolean() ? "scratch\n" + random.nextInt(3) : null,
            random.nextBoolean() ? List.of("reason " + random.nextInt(3)) : null,
            random.nextBoolean() ? List.of("ref " + random.nextInt(3)) : null));
  }

  @Test
  void replaying_the_journal_gives_the_same_state_and_every_payload_comes_back() {
    Set<String> kinds = new HashSet<>();
    Seeds.forAll(
        400,
        random -> {
          List<Entry> journal = new ArrayList<>();
          TaskState direct = TaskState.NONE;
          for (int turn = 0; turn < 40; turn++) {
            Origin origin = by(anyActor(random), turn);
            for (TaskStateEvent event : decided(random, direct, origin.actor())) {
              direct = event.applyTo(direct, origin);
              assertThat(TaskStateEvent.read(event.kind(), event.payload())).isEqualTo(event);
              journal.add(new Entry(origin, event.kind(), event.payload()));
              kinds.add(event.kind());
            }
            assertThat(direct.plan().steps().stream().filter(s -> s.status() == StepStatus.ACTIVE))
                .hasSizeLessThanOrEqualTo(1);
          }
          TaskState replayed = TaskState.NONE;
          for (Entry entry : journal)
            replayed =
                TaskStateEvent.read(entry.kind(), entry.payload())
                    .applyTo(replayed, entry.origin());
          assertThat(replayed).isEqualTo(direct);
          assertThat(TaskStateJson.read(TaskStateJson.write(direct))).isEqualTo(direct);
        });
    if (Seeds.areAll()) {
      assertThat(kinds).isEqualTo(TaskStateEvent.READERS.keySet());
    }
  }

  /** What was refused changed nothing: then there are no events. */
  private static List<TaskStateEvent> decided(Random random, TaskState state, Actor actor) {
    try {
      return anyDecision(random, state, actor);
    } catch (Refusal refused) {
      assertThat(refused.sentence()).isNotBlank();
      return List.of();
    }
  }

  @Test
  void the_json_has_the_eleven_fields_of_the_document() {
    var working = TaskState.NONE.with(new Plan(List.of(new Step("a", StepStatus.ACTIVE, null))));
    assertThat(TaskStateJson.write(working).number("current_step")).isZero();
    assertThat(TaskStateJson.write(working).asMap())
        .containsKeys(
            "goal",
            "criteria",
            "plan",
            "current_step",
            "progress",
            "scratchpad",
            "blocked_on",
            "directives",
            "preserved_refs",
            "recent_actions",
            "compression_log");
  }
}
