package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Reservation;
import dev.mainstay.domain.Reservation.Pattern;
import dev.mainstay.domain.TaskId;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReservationTableTest {
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

    private void reserve(TaskId task, String pattern, long fence) {
      var reservation = new Reservation(new Pattern(pattern), task, fence, "worker-" + task);
      given(tx -> tx.reservations().put(HERE.id(), reservation));
    }

    private List<Reservation> holding() {
      return store.reading(tx -> tx.reservations().holding(HERE.id()));
    }

    @Test
    void a_reservation_holds_while_its_task_is_held_under_its_fence() {
      hold(ONE, 1);
      reserve(ONE, "src/**", 1);
      assertThat(holding())
          .containsExactly(new Reservation(new Pattern("src/**"), ONE, 1, "worker-T-001"));
      release(ONE);
      assertThat(holding()).isEmpty();
      hold(ONE, 3);
      assertThat(holding()).as("another holder did not reserve it").isEmpty();
    }

    @Test
    void sweeping_forgets_only_what_holds_no_more() {
      hold(ONE, 1);
      hold(TWO, 1);
      reserve(ONE, "a", 1);
      reserve(TWO, "b", 1);
      release(ONE);
      given(tx -> assertThat(tx.reservations().sweep(HERE.id())).isEqualTo(1));
      given(tx -> assertThat(tx.reservations().sweep(HERE.id())).isZero());
      assertThat(holding()).extracting(Reservation::task).containsExactly(TWO);
    }

    @Test
    void it_can_be_made_again_and_given_back() {
      hold(ONE, 1);
      reserve(ONE, "a", 0);
      assertThat(holding()).isEmpty();
      reserve(ONE, "a", 1);
      assertThat(holding()).hasSize(1);
      given(
          tx -> {
            assertThat(tx.reservations().remove(HERE.id(), TWO, new Pattern("a"))).isFalse();
            assertThat(tx.reservations().remove(HERE.id(), ONE, new Pattern("a"))).isTrue();
          });
      assertThat(holding()).isEmpty();
    }
  }
}
