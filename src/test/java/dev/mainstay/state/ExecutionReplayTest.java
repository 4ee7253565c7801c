package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionSamples;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PageEvent;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ExecutionReplayTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnExecution {
    Contract(Databases database) {
      super(database);
    }

    private void act(Random random) {
      Call call = random.nextBoolean() ? ADA : BOT;
      int number = 1 + random.nextInt(3);
      switch (random.nextInt(16)) {
        case 0 -> begin(ExecutionSamples.one(random, List.of(ExecutionMode.values())), null, call);
        case 1, 2, 3 -> work.start(ONE, null, call);
        case 4, 5 -> work.finish(ONE, using("0.05", "21"), call);
        case 6 -> work.finish(ONE, failed("error " + number), call);
        case 7 ->
            executions.set(
                ONE,
                ExecutionSamples.one(
                    random, List.of(Setting.MAX_WEB_REQUESTS, Setting.MAX_EXECUTION_TIME)),
                "" + random.nextInt(900),
                call);
        case 8 -> executions.settle(ONE, number, random.nextBoolean(), call);
        case 9 -> executions.feedback(ONE, "well done", random.nextBoolean(), call);
        case 10 -> executions.pause(ONE, "lunch", call);
        case 11 -> executions.resume(ONE, call);
        case 12 -> executions.finish(ONE, random.nextInt(3) == 0, "so", call);
        case 13 ->
            states.moveStep(ONE, number - 1, StepStatus.values()[random.nextInt(5)], null, call);
        case 14 -> states.setPlan(ONE, List.of("a", "b", "c" + random.nextInt(3)), call);
        default -> edit(random);
      }
    }

    private void edit(Random random) {
      decide(
          new PageEvent.VariablesSet(ExecutionSamples.anyObject(random, 2)),
          new PageEvent.ContextSet(List.of(new Passage("## x", "y\n"))),
          new PageEvent.LayoutSet("plan.md", "# mine"),
          new PageEvent.HistoryEdited(List.of(1), "history.md.edited"),
          new ConstraintEvent.RulesSet(List.of("If failures > 0 -> set priority to quality")),
          new ConstraintEvent.BehavioursSet(List.of()),
          new ExecutionEvent.ToolsSeen(
              new Spent(BigDecimal.ZERO, BigDecimal.ZERO, 1, random.nextInt(2)), "Read"));
    }

    @Test
    void whatever_is_done_the_journal_replays_to_the_same_dossier() {
      Set<String> kinds = new HashSet<>();
      Seeds.forAll(
          6,
          random -> {
            begunOnce();
            for (int i = 0; i < 40; i++) {
              clock.advance(Duration.ofMillis(random.nextInt(20_000)));
              try {
                act(random);
              } catch (Refusal refused) {
                assertThat(refused.sentence()).isNotBlank();
              }
            }
            kinds.addAll(kinds());
            assertThat(replayed()).isEqualTo(notebooks.known(ONE).dossier());
          });
      if (Long.getLong("seed") == null) {
        assertThat(kinds).containsAll(ExecutionEvent.READERS.keySet());
      }
      assertThat(Verification.of(store).findings()).isEmpty();
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      try (Store rebuilt = open(target)) {
        assertThat(Verification.of(rebuilt).findings()).isEmpty();
        assertThat(new Notebooks(rebuilt).known(ONE)).isEqualTo(notebooks.known(ONE));
        assertThat(new Executions(rebuilt).view(ONE)).isEqualTo(executions.view(ONE));
      }
    }

    private void begunOnce() {
      try {
        begun("a", "b", "c0");
      } catch (Refusal live) {
        assertThat(live.code()).isEqualTo(Refusal.Code.CONFLICT);
      }
    }

    private Dossier replayed() {
      Dossier dossier = Dossier.EMPTY;
      for (var entry : store.reading(tx -> tx.journal().stream(ONE.stream()))) {
        String kind = entry.content().kind();
        if (!Dossier.isAbout(kind)) continue;
        JsonObject payload = JsonText.object(entry.content().payload());
        dossier = dossier.after(Dossier.read(kind, payload), entry.origin());
      }
      return dossier;
    }
  }
}
