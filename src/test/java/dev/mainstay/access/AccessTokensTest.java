package dev.mainstay.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.access.AccessTokens.Issued;
import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AccessTokensTest {
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
    private AccessTokens tokens;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      tokens = new AccessTokens(store);
    }

    private Issued issue(Role role, String name) {
      String terminal = role == Role.AGENT ? "term-" + name : null;
      return tokens.issue(new Wanted(role, name, terminal, null), ADA);
    }

    @Test
    void a_secret_says_who_its_bearer_is() {
      Issued person = issue(Role.PERSON, "ada");
      Issued agent = issue(Role.AGENT, "coder");
      Issued viewer = issue(Role.VIEWER, "wall");
      assertThat(tokens.who(person.secret()).orElseThrow().actor()).isEqualTo(Actor.person("ada"));
      assertThat(tokens.who(agent.secret()).orElseThrow().actor())
          .isEqualTo(Actor.agent("term-coder"));
      assertThat(tokens.who(viewer.secret()).orElseThrow().role()).isEqualTo(Role.VIEWER);
      assertThat(tokens.who(viewer.secret() + "x")).isEmpty();
      assertThat(tokens.who("")).isEmpty();
      assertThat(tokens.who("x".repeat(10_000))).isEmpty();
    }

    @Test
    void secrets_are_long_and_never_the_same() {
      String one = issue(Role.VIEWER, "a").secret();
      assertThat(one).startsWith("mst_").hasSize(4 + 43);
      assertThat(issue(Role.VIEWER, "a").secret()).isNotEqualTo(one);
    }

    @Test
    void a_token_ends_by_the_clock_of_the_database() {
      var wanted = new Wanted(Role.VIEWER, "wall", null, Duration.ofMinutes(5));
      String secret = tokens.issue(wanted, ADA).secret();
      clock.advance(Duration.ofMinutes(5).minusNanos(1_000));
      Caller caller = tokens.who(secret).orElseThrow();
      assertThat(tokens.isAlive(caller.credential())).isTrue();
      clock.advance(Duration.ofNanos(1_000));
      assertThat(tokens.who(secret)).isEmpty();
      assertThat(tokens.isAlive(caller.credential())).isFalse();
    }

    @Test
    void a_revoked_token_lets_nobody_in() {
      Issued issued = issue(Role.PERSON, "ada");
      tokens.revoke(issued.token().id(), ADA);
      assertThat(tokens.who(issued.secret())).isEmpty();
      assertThat(tokens.list()).isEmpty();
      assertThatThrownBy(() -> tokens.revoke(issued.token().id(), ADA))
          .hasMessageContaining("mainstay token list");
    }

    @Test
    void the_journal_tells_of_tokens_without_secret_or_hash_and_verifies() {
      Issued issued = issue(Role.AGENT, "coder");
      tokens.revoke(issued.token().id(), ADA);
      var entries = store.reading(tx -> tx.journal().stream("store/access"));
      assertThat(entries)
          .extracting(entry -> entry.content().kind())
          .containsExactly("access.issued", "access.revoked");
      for (var entry : entries) {
        assertThat(entry.content().payload())
            .doesNotContain(issued.secret())
            .doesNotContain(Secret.hash(issued.secret()));
      }
      store.seal();
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void only_persons_give_and_take_tokens() {
      Issued issued = issue(Role.VIEWER, "wall");
      assertThatThrownBy(() -> tokens.issue(new Wanted(Role.VIEWER, "x", null, null), BOT))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("persons alone");
      assertThatThrownBy(() -> tokens.revoke(issued.token().id(), BOT)).isInstanceOf(Refusal.class);
      assertThat(tokens.list()).extracting(AccessToken::name).containsExactly("wall");
    }

    @Test
    void an_agent_needs_a_terminal_and_others_have_none() {
      assertThatThrownBy(() -> tokens.issue(new Wanted(Role.AGENT, "x", null, null), ADA))
          .hasMessageContaining("name it");
      assertThatThrownBy(() -> tokens.issue(new Wanted(Role.PERSON, "x", "t-1", null), ADA))
          .hasMessageContaining("leave it out");
      assertThatThrownBy(() -> new Wanted(Role.VIEWER, "x", null, Duration.ZERO))
          .hasMessageContaining("between");
    }

    @Test
    void many_who_issue_at_once_all_get_theirs() throws Exception {
      var issued =
          Both.atOnce(6, () -> tokens.issue(new Wanted(Role.AGENT, "same", "term-1", null), ADA));
      for (Issued each : issued) assertThat(tokens.who(each.secret())).isPresent();
      assertThat(tokens.list()).hasSize(6);
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }
}
