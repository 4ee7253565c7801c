package dev.mainstay.access;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void nobody_fills_the_journal_by_asking() {
      int many = RefusedAttempts.ATTEMPTS_AN_HOUR_MAX + 20;
      for (int i = 0; i < many; i++) attempts().note(BOT, "no " + i);
      assertThat(noted()).hasSize(RefusedAttempts.ATTEMPTS_AN_HOUR_MAX + 1);
      assertThat(noted().get(RefusedAttempts.ATTEMPTS_AN_HOUR_MAX).content().kind())
          .isEqualTo(RefusedAttempts.MORE);
      clock.advance(Duration.ofHours(2));
      attempts().note(BOT, "no again");
      assertThat(noted()).hasSize(RefusedAttempts.ATTEMPTS_AN_HOUR_MAX + 2);
    }
  }
}
