package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Whether a change is made at once or with others, nobody can tell from what comes after it. */
class OutboxTest {
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

    private static void append(Tx tx, String mark) {
      tx.sql("UPDATE store_meta SET value = value || :mark WHERE name = 'marks'")
          .bind("mark", mark)
          .later();
    }

    private static String marks(Tx tx) {
      return tx.meta().find("marks").orElse("none");
    }

    @Test
    void the_next_question_sees_what_was_changed_before_it() {
      String seen =
          store.inTransaction(
              Once.unkeyed(),
              tx -> {
                tx.meta().set("marks", "");
                append(tx, "a");
                String first = marks(tx);
                append(tx, "b");
                return first + marks(tx);
              });
      assertThat(seen).isEqualTo("aab");
    }

    @Test
    void changes_keep_their_order_however_many_they_are() {
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 200; i++) expected.append(i).append(' ');
      given(
          tx -> {
            tx.meta().set("marks", "");
            for (int i = 0; i < 200; i++) append(tx, i + " ");
          });
      assertThat(store.<String>reading(Contract::marks)).isEqualTo(expected.toString());
    }

    @Test
    void what_changes_return_is_handed_to_the_one_who_asked() {
      List<String> read = new ArrayList<>();
      given(
          tx -> {
            tx.meta().set("a", "1");
            tx.meta().set("b", "2");
            for (String name : List.of("a", "b")) {
              append(tx, name);
              tx.sql(
                      "UPDATE store_meta SET value = value || '!' WHERE name = :name RETURNING value")
                  .bind("name", name)
                  .later(row -> read.add(row.text("value")));
            }
          });
      assertThat(read).containsExactly("1!", "2!");
    }

    /** It comes to light later than it was asked for, but before anything is kept. */
    @Test
    void a_change_that_cannot_be_made_undoes_the_transaction() {
      given(tx -> tx.meta().set("marks", "before"));
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        tx.meta().set("marks", "after");
                        tx.sql("UPDATE tasks SET nothing_of_this_name = 1").later();
                      }))
          .isInstanceOf(IllegalStateException.class);
      assertThat(store.<String>reading(Contract::marks)).isEqualTo("before");
    }

    @Test
    void a_list_may_have_any_length() {
      given(tx -> List.of("a", "b", "c", "d", "e").forEach(name -> tx.meta().set(name, name)));
      for (int length = 0; length <= 5; length++) {
        List<String> wanted = List.of("a", "b", "c", "d", "e").subList(0, length);
        List<String> found =
            store.reading(
                tx ->
                    tx.sql("SELECT name FROM store_meta WHERE name IN (:names) ORDER BY name")
                        .bind("names", wanted)
                        .list(row -> row.text("name")));
        assertThat(found).isEqualTo(wanted);
      }
    }
  }
}
