package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Flow.Missed;
import dev.mainstay.domain.Flow.Place;
import dev.mainstay.domain.Flow.Stamps;
import dev.mainstay.domain.Flow.Timing;
import dev.mainstay.domain.Flow.Work;
import dev.mainstay.domain.FlowRun;
import dev.mainstay.domain.FlowRun.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FlowTableTest {
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

  abstract static class Contract extends OnDatabase {
    Contract(Databases database) {
      super(database);
    }

    private Flow flow(String name, String host, @Nullable Instant next) {
      Instant now = clock.instant();
      return new Flow(
          name,
          new Timing("0 3 * * *", "Europe/Berlin", Missed.SKIP),
          new Work("reviewer", "codex", "./x", JsonObject.of("a", "b"), "Text"),
          new Place(host, "/srv"),
          new Stamps(next != null, next, 2, now, now));
    }

    private FlowRun begun(String flow, Instant due) {
      return FlowRun.begun(flow, due, false, clock.instant());
    }

    private boolean insert(FlowRun run) {
      return store.inTransaction(Once.unkeyed(), tx -> tx.flowRuns().insert(run));
    }

    private List<String> due(String host) {
      return store.inTransaction(
          Once.unkeyed(), tx -> tx.flows().lockDue(host, 10).stream().map(Flow::name).toList());
    }

    private List<FlowRun> newest() {
      return store.reading(tx -> tx.flowRuns().newest("a", 9));
    }

    private boolean isWork(String host, Instant before) {
      return store.reading(tx -> tx.flows().isWorkFor(host, before));
    }

    @Test
    void a_flow_is_read_as_it_was_kept_and_replaced() {
      Flow first = flow("a", "here", clock.instant());
      Flow bare =
          new Flow(
              "a",
              new Timing("@daily", "UTC", Missed.RUN),
              new Work("developer", null, null, JsonObject.EMPTY, "Other"),
              new Place("there", "/"),
              new Stamps(false, null, 3, clock.instant(), clock.instant()));
      for (Flow each : List.of(first, bare)) {
        given(tx -> tx.flows().put(each));
        Flow found = store.reading(tx -> tx.flows().get("a"));
        assertThat(found).isEqualTo(each);
      }
      List<Flow> all = store.reading(tx -> tx.flows().list("", 10));
      assertThat(all).containsExactly(bare);
    }

    @Test
    void flows_are_due_by_their_time_on_their_host_while_they_are_enabled() {
      Instant now = clock.instant();
      given(
          tx -> {
            tx.flows().put(flow("later", "here", now.plusMillis(1)));
            tx.flows().put(flow("now", "here", now));
            tx.flows().put(flow("before", "here", now.minusSeconds(60)));
            tx.flows().put(flow("elsewhere", "there", now));
            tx.flows().put(flow("rests", "here", null));
          });
      assertThat(due("here")).containsExactly("before", "now");
      assertThat(due("there")).containsExactly("elsewhere");
      assertThat(due("nowhere")).isEmpty();
      for (String host : List.of("here", "there", "nowhere")) {
        assertThat(isWork(host, now.minusSeconds(9))).isEqualTo(!host.equals("nowhere"));
      }
    }

    @Test
    void a_moment_of_a_flow_is_taken_once() {
      Instant now = clock.instant();
      given(tx -> tx.flows().put(flow("a", "here", null)));
      assertThat(insert(begun("a", now))).isTrue();
      assertThat(insert(begun("a", now))).isFalse();
      assertThat(insert(begun("a", now.plusNanos(1_000)))).isTrue();
      assertThatThrownBy(() -> insert(begun("none", now)))
          .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void runs_are_read_as_they_ended_and_go_with_their_flow() {
      Instant now = clock.instant();
      given(tx -> tx.flows().put(flow("a", "here", null)));
      List<FlowRun> ended =
          List.of(
              begun("a", now).failed("no", now),
              begun("a", now.minusSeconds(1)).declined(now),
              FlowRun.begun("a", now.minusSeconds(2), true, now).started("t-1", now),
              FlowRun.passed("a", now.minusSeconds(3), Status.MISSED, "late", now));
      given(
          tx -> {
            for (FlowRun each : ended) tx.flowRuns().insert(begun("a", each.dueAt()));
            for (FlowRun each : ended) tx.flowRuns().ended(each);
          });
      assertThat(newest())
          .extracting(FlowRun::outcome)
          .isEqualTo(ended.stream().map(FlowRun::outcome).toList());
      given(tx -> tx.flowRuns().keepNewest("a", 2));
      assertThat(newest()).hasSize(2);
      given(tx -> tx.flows().delete("a"));
      assertThat(newest()).isEmpty();
      assertThatThrownBy(() -> given(tx -> tx.flows().get("a")))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("mainstay flow list");
    }

    @Test
    void runs_that_nobody_ended_are_found_by_their_host_and_age() {
      Instant now = clock.instant();
      given(
          tx -> {
            tx.flows().put(flow("a", "here", null));
            tx.flows().put(flow("b", "there", null));
            tx.flowRuns().insert(FlowRun.begun("a", now, false, now.minusSeconds(10)));
            tx.flowRuns().insert(begun("a", now.minusSeconds(1)));
            tx.flowRuns().insert(FlowRun.begun("b", now, false, now.minusSeconds(10)));
          });
      List<FlowRun> forsaken =
          store.inTransaction(
              Once.unkeyed(), tx -> tx.flowRuns().lockForsaken("here", now.minusSeconds(5), 9));
      assertThat(forsaken).extracting(FlowRun::dueAt).containsExactly(now);
      assertThat(isWork("here", now.minusSeconds(5))).isTrue();
      assertThat(isWork("here", now.minusSeconds(11))).isFalse();
    }
  }
}
