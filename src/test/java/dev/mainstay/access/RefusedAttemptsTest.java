package dev.mainstay.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RefusedAttemptsTest {
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

    private RefusedAttempts attempts() {
      return new RefusedAttempts(store);
    }

    private List<JournalEntry> noted() {
      return store.reading(tx -> tx.journal().stream(RefusedAttempts.STREAM));
    }

    @Test
    void what_an_agent_was_refused_is_noted_under_its_name_without_secrets() {
      String key = String.join("", "ghp_aB3dE5", "fG7hJ9kL1mN3", "pQ5rS7tU9v", "W1xY3zA5");
      attempts().note(BOT, Refusal.conflict("only a person does this, not " + key).reserved());
      assertThat(noted()).hasSize(1);
      assertThat(noted().get(0).origin().actor()).isEqualTo(BOT.actor());
      assertThat(noted().get(0).content().payload())
          .contains("only a person does this")
          .doesNotContain(key);
    }

    @Test
    void a_mistake_and_what_a_person_is_refused_are_not_noted() {
      attempts().note(BOT, Refusal.invalid("a task needs a title"));
      attempts().note(ADA, Refusal.conflict("the goal does not change").reserved());
      assertThat(noted()).isEmpty();
    }

    @Test
    void the_same_again_is_noted_once_a_minute() {
      for (int i = 0; i < 5; i++) attempts().note(BOT, "no");
      assertThat(noted()).hasSize(1);
      clock.advance(Duration.ofMinutes(2));
      attempts().note(BOT, "no");
      assertThat(noted()).hasSize(2);
    }

    private static Call agent(String name, String door) {
      return Call.by(Actor.agent(name), door);
    }

    private void hammer(Call call, int times) {
      for (int i = 0; i < times; i++) attempts().note(call, "no " + i);
    }

    private List<String> kinds() {
      return noted().stream().map(entry -> entry.content().kind()).toList();
    }

    private List<String> notedOf(Call call) {
      return noted().stream()
          .filter(entry -> entry.origin().actor().equals(call.actor()))
          .map(entry -> entry.content().kind())
          .toList();
    }

    @Test
    void nobody_fills_the_journal_by_asking_and_what_is_not_noted_is_counted() {
      hammer(BOT, RefusedAttempts.ATTEMPTS_OF_A_CALLER_MAX + 20);
      assertThat(kinds())
          .hasSize(RefusedAttempts.ATTEMPTS_OF_A_CALLER_MAX + 1)
          .endsWith(RefusedAttempts.KIND, RefusedAttempts.MORE);
      clock.advance(Duration.ofHours(2));
      attempts().note(BOT, "no again");
      assertThat(kinds()).endsWith(RefusedAttempts.UNNOTED, RefusedAttempts.KIND);
      JournalEntry told = noted().get(RefusedAttempts.ATTEMPTS_OF_A_CALLER_MAX + 1);
      assertThat(told.content().payload()).isEqualTo("{\"attempts\":20}");
      attempts().note(BOT, "and again");
      assertThat(kinds()).as("told once").endsWith(RefusedAttempts.KIND, RefusedAttempts.KIND);
    }

    @Test
    void one_who_asks_all_the_time_hides_nobody_else() {
      hammer(BOT, RefusedAttempts.ATTEMPTS_OF_A_CALLER_MAX + 60);
      Call other = agent("other", BOT.source());
      attempts().note(other, "only a person does this");
      assertThat(notedOf(other)).containsExactly(RefusedAttempts.KIND);
    }

    @Test
    void many_names_at_one_door_are_a_bounded_number_of_entries_and_leave_other_doors_alone() {
      int callers =
          RefusedAttempts.CALLERS_OF_A_DOOR_MAX + RefusedAttempts.ATTEMPTS_OF_A_CALLER_MAX + 5;
      for (int i = 0; i < callers; i++) attempts().note(agent("name-" + i, "mcp"), "no");
      int shares = RefusedAttempts.CALLERS_OF_A_DOOR_MAX;
      assertThat(kinds()).hasSize(shares + RefusedAttempts.ATTEMPTS_OF_A_CALLER_MAX + 1);
      Call first = agent("name-0", "mcp");
      attempts().note(first, "no, too");
      assertThat(notedOf(first)).hasSize(2);
      Call elsewhere = agent("worker", "rest");
      attempts().note(elsewhere, "no");
      assertThat(notedOf(elsewhere)).containsExactly(RefusedAttempts.KIND);
    }
  }
}
