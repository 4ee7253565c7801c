package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.store.KeyTable.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KeyTableTest {
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
    private static final JsonObject ANSWER =
        JsonObject.copyOf(Map.of("id", "T-001", "größe", List.of(1, true, "✓ 😀")));

    Contract(Databases database) {
      super(database);
    }

    private Optional<Stored> claim(String key, String asked, Duration life) {
      return store.inTransaction(
          Once.unkeyed(), tx -> tx.keys().claim(key, asked, tx.now().plus(life)));
    }

    private Optional<Stored> claim(String key) {
      return claim(key, "asked", Duration.ofMinutes(1));
    }

    private int forget(int limit) {
      return store.inTransaction(Once.unkeyed(), tx -> tx.keys().forgetExpired(limit));
    }

    private List<String> keys() {
      return store.reading(
          tx ->
              tx.sql("SELECT key FROM idempotency_keys WHERE key LIKE 'k%' ORDER BY key")
                  .list(row -> row.text("key")));
    }

    @Test
    void a_new_key_is_taken_and_a_taken_one_gives_what_was_asked_and_answered() {
      assertThat(claim("k")).isEmpty();
      given(tx -> tx.keys().answer("k", ANSWER));
      assertThat(claim("k", "asked otherwise", Duration.ofDays(9)))
          .contains(new Stored("asked", ANSWER));
      assertThat(claim("k")).contains(new Stored("asked", ANSWER));
    }

    @Test
    void an_answer_belongs_to_its_own_key_alone() {
      claim("k1");
      claim("k2");
      given(tx -> tx.keys().answer("k1", ANSWER));
      assertThat(claim("k2")).contains(new Stored("asked", JsonObject.EMPTY));
      assertThat(claim("K1")).isEmpty();
    }

    @Test
    void a_key_is_free_again_from_the_moment_it_expires_and_its_answer_is_gone() {
      claim("k");
      given(tx -> tx.keys().answer("k", ANSWER));
      clock.advance(Duration.ofMinutes(1).minusNanos(1_000));
      assertThat(claim("k")).isPresent();
      clock.advance(Duration.ofNanos(1_000));
      assertThat(claim("k", "asked anew", Duration.ofMinutes(1))).isEmpty();
      assertThat(claim("k")).contains(new Stored("asked anew", JsonObject.EMPTY));
    }

    @Test
    void a_claim_of_a_transaction_that_fails_is_not_kept() {
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        tx.keys().claim("k", "asked", tx.now().plusSeconds(60));
                        throw new IllegalArgumentException("changed its mind");
                      }))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(claim("k")).isEmpty();
    }

    @Test
    void of_equal_requests_at_once_one_takes_the_key_and_all_others_find_its_answer()
        throws Exception {
      List<Optional<Stored>> found =
          Both.atOnce(
              8,
              () ->
                  store.inTransaction(
                      Once.<Optional<Stored>>unkeyed(),
                      tx -> {
                        var earlier = tx.keys().claim("k", "asked", tx.now().plusSeconds(60));
                        if (earlier.isEmpty()) tx.keys().answer("k", ANSWER);
                        return earlier;
                      }));
      assertThat(found).filteredOn(Optional::isEmpty).hasSize(1);
      assertThat(found)
          .filteredOn(Optional::isPresent)
          .hasSize(7)
          .containsOnly(Optional.of(new Stored("asked", ANSWER)));
    }

    @Test
    void expired_keys_are_forgotten_longest_over_first_and_no_more_than_asked_for() {
      for (int i = 1; i <= 4; i++) claim("k" + i, "asked", Duration.ofSeconds(50 - 10 * i));
      clock.advance(Duration.ofSeconds(30));
      assertThat(forget(2)).isEqualTo(2);
      assertThat(keys()).containsExactly("k1", "k2");
      assertThat(forget(2)).isEqualTo(1);
      assertThat(forget(2)).isZero();
      assertThat(keys()).containsExactly("k1");
    }

    @Test
    void the_table_itself_keeps_a_key_once_and_never_without_its_request_or_its_end() {
      claim("k");
      for (String change :
          List.of(
              "UPDATE idempotency_keys SET fingerprint = NULL",
              "UPDATE idempotency_keys SET expires_at = NULL",
              "UPDATE idempotency_keys SET key = NULL",
              "INSERT INTO idempotency_keys (key, fingerprint, expires_at)"
                  + " SELECT key, fingerprint, expires_at FROM idempotency_keys WHERE key = 'k'")) {
        assertThatThrownBy(() -> given(tx -> tx.sql(change).update()))
            .as(change)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("constraint");
      }
    }
  }
}
