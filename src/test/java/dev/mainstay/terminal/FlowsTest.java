package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Flow;
import dev.mainstay.domain.FlowRun;
import dev.mainstay.domain.FlowRun.Status;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Once;
import dev.mainstay.upkeep.Verification;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FlowsTest {
  private static final String YES = "echo '{\"execute\": true, \"output\": {\"n\": 3}}'";

  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }

    @Test
    void a_look_at_what_is_due_costs_no_commit() {
      add(DAILY, "Report.");
      long before = store.commits();
      assertThat(flows.due()).isZero();
      assertThat(store.commits()).isEqualTo(before);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  /** The clock begins at 2026-01-02T03:04:05Z. */
  abstract static class Contract extends OnFlows {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void a_flow_starts_its_agent_when_it_is_due_and_once() {
      Flow flow = add(DAILY + "provider: shell\nvariables:\n  who: Ada\n", "Report to [[who]].");
      assertThat(flow.stamps().nextRun()).isEqualTo(Instant.parse("2026-01-02T09:00:00Z"));
      at("2026-01-02T08:59:59Z");
      assertThat(flows.due()).isZero();
      at("2026-01-02T09:00:00Z");
      assertThat(flows.due()).isEqualTo(1);
      assertThat(flows.due()).isZero();
      assertThat(launched.prompts()).containsExactly("Report to Ada.");
      LaunchOrder order = launched.launches.get(0).order();
      assertThat(order.profile()).isEqualTo("developer");
      assertThat(order.provider()).isEqualTo("shell");
      assertThat(order.where().folder()).isEqualTo(folder);
      FlowRun run = last("report");
      assertThat(run.outcome().status()).isEqualTo(Status.STARTED);
      assertThat(run.outcome().terminal()).isEqualTo("developer-1");
      assertThat(run.dueAt()).isEqualTo(Instant.parse("2026-01-02T09:00:00Z"));
      assertThat(flows.show("report").next())
          .hasSize(Flows.NEXT_RUNS)
          .startsWith(Instant.parse("2026-01-03T09:00:00Z"));
      assertThat(kinds("report")).containsExactly("flow.added", "flow.run_started");
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void what_a_script_prints_is_filled_in_as_it_is() {
      scripted(
          "echo noise >&2; pwd > where.txt; echo '{\"execute\": true, \"output\": {\"t\": \"{{x}} [[y]]\", \"n\": [1]}}'",
          "About [[t]], [[n]], \\[[z]]");
      FlowRun run = flows.run("report", ADA);
      assertThat(run.outcome().status()).isEqualTo(Status.STARTED);
      assertThat(run.byHand()).isTrue();
      // Doubled for the terminal, which would look for variables in braces.
      assertThat(launched.prompts()).containsExactly("About \\{{x}} [[y]], [1], [[z]]");
      assertThat(folder.resolve("where.txt")).exists();
    }

    @Test
    void a_script_that_says_no_declines_the_run() {
      scripted("echo '{\"execute\": false}'", "Report.");
      assertThat(flows.run("report", ADA).outcome().status()).isEqualTo(Status.DECLINED);
      assertThat(launched.launches).isEmpty();
      assertThat(kinds("report")).containsExactly("flow.added", "flow.run_declined");
    }

    @Test
    void a_run_that_cannot_be_fails_with_the_reason() {
      fails("echo 'no network' >&2; exit 7", "Report.", "exit code 7: no network");
      fails("echo yes", "Report.", "one object");
      fails("echo '{\"execute\": \"yes\"}'", "Report.", "true or false");
      fails("echo '{\"execute\": true, \"output\": []}'", "Report.", "output");
      fails(YES, "[[n]] [[m]]", "\"m\"");
      fails("echo '{\"execute\": true, \"output\": {\"n\": null}}'", "[[n]]", "\"n\"");
      launched.isFull = true;
      fails(YES, "[[n]]", "as many terminals run as may");
      assertThat(launched.launches).isEmpty();
      assertThat(statuses("report")).containsOnly(Status.FAILED);
    }

    private void fails(String shell, String body, String why) {
      scripted(shell, body);
      FlowRun run = flows.run("report", ADA);
      assertThat(run.outcome().status()).isEqualTo(Status.FAILED);
      assertThat(run.outcome().reason()).contains(why);
    }

    @Test
    void a_script_that_is_gone_fails_the_run() throws Exception {
      scripted(YES, "[[n]]");
      Files.delete(folder.resolve("decide.sh"));
      FlowRun run = flows.run("report", ADA);
      assertThat(run.outcome().reason()).contains("cannot be run", "decide.sh");
    }

    @Test
    void missed_runs_are_made_up_for_by_one() {
      add(DAILY, "Report.");
      at("2026-01-05T12:00:00Z");
      assertThat(flows.due()).isEqualTo(1);
      assertThat(launched.launches).hasSize(1);
      assertThat(statuses("report")).containsExactly(Status.STARTED);
      assertThat(flows.show("report").flow().stamps().nextRun())
          .isEqualTo(Instant.parse("2026-01-06T09:00:00Z"));
    }

    @Test
    void missed_runs_are_skipped_by_choice_and_noted_once() {
      add(DAILY + "missed: skip\n", "Report.");
      at("2026-01-05T12:00:00Z");
      assertThat(flows.due()).isZero();
      assertThat(launched.launches).isEmpty();
      assertThat(statuses("report")).containsExactly(Status.MISSED);
      assertThat(kinds("report")).containsExactly("flow.added", "flow.run_missed");
      at("2026-01-06T09:04:59Z"); // late, but within the grace
      assertThat(flows.due()).isEqualTo(1);
      assertThat(statuses("report")).containsExactly(Status.STARTED, Status.MISSED);
    }

    @Test
    void a_run_whose_server_died_fails_after_its_time() {
      add(DAILY, "Report.");
      Instant begun = clock.instant();
      given(tx -> tx.flowRuns().insert(FlowRun.begun("report", begun, false, begun)));
      clock.advance(FlowRuns.RUN_MAX.minusMillis(1));
      flows(store, "elsewhere").due();
      flows.due();
      assertThat(statuses("report")).containsExactly(Status.RUNNING);
      clock.advance(Duration.ofMillis(1));
      flows(store, "elsewhere").due();
      assertThat(statuses("report")).containsExactly(Status.RUNNING);
      flows.due();
      assertThat(last("report").outcome().reason()).isEqualTo("the server ended while it ran");
      assertThat(kinds("report")).containsExactly("flow.added", "flow.run_failed");
    }

    @Test
    void a_flow_of_another_machine_is_left_to_it() {
      add(DAILY, "Report.");
      Flows other = flows(store, "elsewhere");
      at("2026-01-02T09:00:00Z");
      assertThat(other.due()).isZero();
      refused(Code.CONFLICT, () -> other.run("report", ADA), "machine here");
      assertThat(other.list(null, 10)).hasSize(1);
    }

    @Test
    void a_replaced_flow_has_another_version_and_keeps_what_it_can() {
      Flow first = add(DAILY, "Report.");
      assertThat(add(DAILY, "Report.")).isEqualTo(first);
      Flow second = add(DAILY, "Report more.");
      assertThat(second.stamps().version()).isEqualTo(2);
      assertThat(second.stamps().nextRun()).isEqualTo(first.stamps().nextRun());
      flows.disable("report", ADA);
      Flow third = add(DAILY.replace("0 9", "0 10"), "Report more.");
      assertThat(third.stamps().enabled()).isFalse();
      assertThat(third.stamps().nextRun()).isNull();
      assertThat(kinds("report"))
          .containsExactly("flow.added", "flow.changed", "flow.disabled", "flow.changed");
    }

    @Test
    void a_disabled_flow_rests_until_it_is_enabled_and_misses_nothing() {
      add(DAILY, "Report.");
      flows.disable("report", ADA);
      assertThat(flows.disable("report", ADA).stamps().version()).isEqualTo(2);
      at("2026-01-02T12:00:00Z");
      assertThat(flows.due()).isZero();
      assertThat(flows.show("report").next()).isEmpty();
      assertThat(flows.run("report", ADA).outcome().status()).isEqualTo(Status.STARTED);
      assertThat(flows.enable("report", ADA).stamps().nextRun())
          .isEqualTo(Instant.parse("2026-01-03T09:00:00Z"));
      assertThat(flows.due()).isZero();
    }

    @Test
    void a_run_by_hand_that_is_asked_for_twice_under_one_key_is_run_once() {
      add(DAILY, "Report.");
      FlowRun first = flows.run("report", ADA.withKey("k"));
      assertThat(flows.run("report", ADA.withKey("k"))).isEqualTo(first);
      assertThat(launched.launches).hasSize(1);
      assertThat(flows.run("report", ADA)).isNotEqualTo(first); // at the same moment
      assertThat(launched.launches).hasSize(2);
    }

    @Test
    void a_removed_flow_is_gone_with_its_runs_and_can_come_back() {
      add(DAILY, "Report.");
      flows.run("report", ADA);
      flows.remove("report", ADA);
      refused(Code.NOT_FOUND, () -> flows.show("report"), "mainstay flow list");
      refused(Code.NOT_FOUND, () -> flows.run("report", ADA), "report");
      add(DAILY, "Report.");
      assertThat(statuses("report")).isEmpty();
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void only_the_newest_runs_are_kept() {
      add("name: often\nschedule: \"* * * * *\"\nprofile: developer\n", "Look.");
      Instant begin = clock.instant().minus(Duration.ofDays(2));
      int more = FlowRuns.RUNS_KEPT_MAX + 5;
      store.inTransaction(
          Once.<Integer>unkeyed(),
          tx -> {
            for (int i = 0; i < more; i++) {
              Instant due = begin.plusSeconds(i);
              tx.flowRuns()
                  .insert(FlowRun.passed("often", due, Status.DECLINED, "no", clock.instant()));
            }
            return more;
          });
      clock.advance(Duration.ofMinutes(1));
      assertThat(flows.due()).isEqualTo(1);
      List<FlowRun> kept = store.reading(tx -> tx.flowRuns().newest("often", 2 * more));
      assertThat(kept).hasSize(FlowRuns.RUNS_KEPT_MAX + 1);
      assertThat(kept.get(0).outcome().status()).isEqualTo(Status.STARTED);
    }

    @Test
    void several_that_are_due_at_once_are_all_run() {
      for (int i = 0; i < 11; i++) {
        add(DAILY.replace("report", "flow-" + i), "Report " + i);
      }
      at("2026-01-02T09:00:00Z");
      assertThat(flows.due()).isEqualTo(11);
      assertThat(launched.prompts()).hasSize(11).doesNotHaveDuplicates();
    }
  }
}
