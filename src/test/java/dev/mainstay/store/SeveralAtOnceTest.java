package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Store.Asked;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Several use cases with one commit. */
class SeveralAtOnceTest {
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

    private static Once<String> once(String key) {
      return Once.of(
          BOT.withKey(key),
          "set",
          JsonObject.of("key", key),
          answer -> JsonObject.of("answer", answer),
          json -> json.text("answer"));
    }

    /** Counts how often it was done, so that a second time shows. */
    private static Asked<String> asked(String key) {
      return new Asked<>(once(key), tx -> count(tx, key));
    }

    private static String count(Tx tx, String name) {
      int times = 1 + tx.meta().find(name).map(Integer::parseInt).orElse(0);
      tx.meta().set(name, Integer.toString(times));
      return name + " " + times;
    }

    private List<String> answers(List<Asked<String>> asked) {
      return store.together(asked).stream().map(Store.Settled::get).toList();
    }

    private String kept(String name) {
      return store.reading(tx -> tx.meta().find(name).orElse("never"));
    }

    @Test
    void they_share_one_commit_and_are_answered_in_their_order() {
      given(tx -> tx.meta().set("any", "1"));
      long before = store.commits();
      assertThat(answers(List.of(asked("a"), asked("b"), asked("c"))))
          .containsExactly("a 1", "b 1", "c 1");
      assertThat(store.commits()).isEqualTo(before + 1);
    }

    @Test
    void each_is_known_again_by_its_own_key() {
      answers(List.of(asked("a"), asked("b")));
      assertThat(answers(List.of(asked("b"), asked("c"), asked("c"), asked("a"))))
          .containsExactly("b 1", "c 1", "c 1", "a 1");
      assertThat(kept("c")).isEqualTo("1");
    }

    @Test
    void one_that_is_refused_leaves_nothing_and_harms_nobody() {
      Asked<String> bad =
          new Asked<>(
              once("bad"),
              tx -> {
                count(tx, "bad");
                throw Refusal.conflict("not this one");
              });
      var settled = store.together(List.of(asked("a"), bad, asked("b")));
      assertThat(settled.get(0).get()).isEqualTo("a 1");
      assertThatThrownBy(() -> settled.get(1).get()).hasMessage("not this one");
      assertThat(settled.get(2).get()).isEqualTo("b 1");
      assertThat(List.of(kept("a"), kept("bad"), kept("b"))).containsExactly("1", "never", "1");
    }

    @Test
    void a_statement_that_fails_harms_nobody_either() {
      Asked<String> bad =
          new Asked<>(once("bad"), tx -> tx.sql("SELECT * FROM nowhere").one(r -> r.text("a")));
      var settled = store.together(List.of(asked("a"), bad, asked("b")));
      assertThat(settled.get(1).fault()).isNotNull();
      assertThat(List.of(kept("a"), kept("b"))).containsExactly("1", "1");
    }

    @Test
    void an_answer_that_settles_nothing_is_not_kept_under_its_key() {
      Asked<String> nothingYet =
          new Asked<>(
              once("later"),
              tx -> {
                tx.leaveUnsettled();
                return "nothing";
              });
      assertThat(answers(List.of(nothingYet, asked("a")))).containsExactly("nothing", "a 1");
      assertThat(store.answered(once("later"))).isEmpty();
      assertThat(answers(List.of(asked("later"), asked("a")))).containsExactly("later 1", "a 1");
    }

    @Test
    void each_brings_its_own_news_and_one_that_fails_brings_none() {
      long journal = store.changes().seen(Changes.News.JOURNAL);
      Asked<String> bad =
          new Asked<>(
              once("bad"),
              tx -> {
                ChangesTest.journalOnly(tx, "never");
                throw Refusal.conflict("not this one");
              });
      store.together(List.of(asked("a"), bad));
      assertThat(store.changes().seen(Changes.News.JOURNAL)).isEqualTo(journal);
      store.together(
          List.of(
              asked("b"),
              new Asked<>(once("entry"), tx -> "" + ChangesTest.journalOnly(tx, "kept"))));
      assertThat(store.changes().seen(Changes.News.JOURNAL)).isEqualTo(journal + 1);
    }
  }
}
