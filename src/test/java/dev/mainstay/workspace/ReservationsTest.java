package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Reservation;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReservationsTest {
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

  abstract static class Contract extends OnWorkspace {
    Contract(Databases database) {
      super(database);
    }

    private Reservations reservations;

    @BeforeEach
    void room() {
      reservations = new Reservations(store, root);
    }

    private List<String> kept() {
      return reservations.list().stream().map(r -> r.task() + " " + r.pattern()).toList();
    }

    @Test
    void what_is_reserved_is_listed_until_it_is_given_back() {
      Call one = held(ONE);
      reservations.reserve(ONE, List.of("src/**", "a.txt"), one);
      assertThat(kept()).containsExactly("T-001 a.txt", "T-001 src/**");
      assertThat(reservations.list().get(0).holder()).isEqualTo("bot-T-001");
      reservations.release(ONE, "a.txt", one);
      assertThat(kept()).containsExactly("T-001 src/**");
      refused(Code.NOT_FOUND, () -> reservations.release(ONE, "a.txt", one), "a.txt");
    }

    @Test
    void one_that_meets_another_tasks_is_refused_with_all_the_others() {
      Call one = held(ONE);
      Call two = held(TWO);
      reservations.reserve(ONE, List.of("src/**"), one);
      refused(
          Code.CONFLICT,
          () -> reservations.reserve(TWO, List.of("b.txt", "src/a.txt"), two),
          "src/a.txt",
          "T-001",
          "bot-T-001");
      assertThat(kept()).containsExactly("T-001 src/**");
    }

    @Test
    void a_reservation_ends_with_the_lease_however_that_ended() {
      Call one = held(ONE);
      reservations.reserve(ONE, List.of("a.txt"), one);
      leases.release(ONE, "later", one);
      assertThat(kept()).isEmpty();
      Call again = held(ONE);
      assertThat(kept()).as("the next holder starts with none").isEmpty();
      reservations.reserve(ONE, List.of("a.txt"), again);
      clock.advance(Duration.ofMinutes(6));
      assertThat(leases.expire()).isEqualTo(1);
      assertThat(kept()).isEmpty();
      Call third = held(ONE);
      reservations.reserve(ONE, List.of("a.txt"), third);
      leases.start(ONE, third);
      leases.complete(ONE, JsonObject.EMPTY, third);
      assertThat(kept()).isEmpty();
      reservations.reserve(TWO, List.of("a.txt"), held(TWO));
      assertThat(kept()).containsExactly("T-002 a.txt");
    }

    @Test
    void only_the_holder_reserves() {
      refused(Code.LEASE_LOST, () -> reservations.reserve(ONE, List.of("a"), ADA), "claim it");
      held(ONE);
      refused(Code.NOT_HOLDER, () -> reservations.reserve(ONE, List.of("a"), BOT), "held by");
      assertThat(kept()).isEmpty();
    }

    @Test
    void there_are_so_many_and_no_more() {
      Call one = held(ONE);
      List<String> most =
          IntStream.range(0, Reservation.OF_A_TASK_MAX).mapToObj(i -> "f" + i).toList();
      reservations.reserve(ONE, most, one);
      reservations.reserve(ONE, most, one);
      refused(Code.TOO_LARGE, () -> reservations.reserve(ONE, List.of("more"), one), "folder");
      assertThat(kept()).hasSize(Reservation.OF_A_TASK_MAX);
    }

    @Test
    void the_same_request_under_one_key_gives_the_same_answer() {
      Call keyed = held(ONE).withKey("k");
      List<Reservation> first = reservations.reserve(ONE, List.of("a"), keyed);
      reservations.release(ONE, "a", keyed.withKey(null));
      assertThat(reservations.reserve(ONE, List.of("a"), keyed)).isEqualTo(first);
      assertThat(kept()).isEmpty();
      refused(Code.CONFLICT, () -> reservations.reserve(ONE, List.of("b"), keyed), "key");
    }

    @Test
    void of_two_who_reserve_the_same_at_once_one_gets_it() throws Exception {
      Map<TaskId, Call> calls = Map.of(ONE, held(ONE), TWO, held(TWO));
      for (int round = 0; round < 5; round++) {
        String path = "f" + round;
        AtomicInteger number = new AtomicInteger();
        List<Boolean> won =
            Both.atOnce(
                2,
                () -> {
                  TaskId me = TaskId.of(number.incrementAndGet());
                  try {
                    reservations.reserve(me, List.of(path), calls.get(me));
                    return true;
                  } catch (Refusal late) {
                    assertThat(late.code()).isEqualTo(Code.CONFLICT);
                    return false;
                  }
                });
        assertThat(won).containsExactlyInAnyOrder(true, false);
      }
      assertThat(kept()).hasSize(5);
    }
  }
}
