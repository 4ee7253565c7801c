package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Observation;
import dev.mainstay.domain.TaskId;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ObservationTableTest {
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

  abstract static class Contract extends OnWorkspaceTables {

    Contract(Databases database) {
      super(database);
    }

    private void queue(TaskId task, String what) {
      var meaning = JsonObject.of("what", what);
      given(
          tx ->
              tx.observations().queue(HERE.id(), new Observation(0, task, BOT, meaning, tx.now())));
    }

    private List<Observation> waiting(int limit) {
      return store.reading(tx -> tx.observations().waiting(HERE.id(), limit));
    }

    @Test
    void what_was_seen_waits_in_its_order() {
      queue(ONE, "first");
      queue(null, "second");
      queue(TWO, "third");
      assertThat(waiting(2))
          .extracting(seen -> seen.meaning().text("what"))
          .containsExactly("first", "second");
      assertThat(waiting(9)).extracting(Observation::task).containsExactly(ONE, null, TWO);
      assertThat(waiting(9)).allSatisfy(seen -> assertThat(seen.by()).isEqualTo(BOT));
      assertThat(waiting(1).get(0).seenAt()).isEqualTo(clock.instant());
    }

    @Test
    void it_is_taken_once() {
      queue(ONE, "first");
      Observation seen = waiting(1).get(0);
      given(tx -> assertThat(tx.observations().take(seen)).isTrue());
      given(tx -> assertThat(tx.observations().take(seen)).isFalse());
      assertThat(waiting(9)).isEmpty();
    }
  }
}
