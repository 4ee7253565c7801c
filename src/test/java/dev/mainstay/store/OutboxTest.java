package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
    private static final Actor ADA = Actor.person("ada");

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
                        tx.sql("UPDATE tasks SET nothing of this kind").later();
                      }))
          .isInstanceOf(IllegalStateException.class);
      assertThat(store.<String>reading(Contract::marks)).isEqualTo("before");
    }

    /** Changes of rows a, b, c, d: two that append, one that makes the row if it is not there. */
    private static void change(Tx tx, Random random, Map<String, String> expected) {
      String name = "row_" + random.nextInt(4);
      String mark = String.valueOf((char) ('a' + random.nextInt(26)));
      int kind = random.nextInt(4);
      if (kind == 0) {
        tx.sql(
                """
                INSERT INTO store_meta (name, value) VALUES (:name, :mark)
                ON CONFLICT (name) DO UPDATE SET value = store_meta.value || excluded.value""")
            .bind("name", name)
            .bind("mark", mark)
            .about(name)
            .later();
        expected.merge(name, mark, String::concat);
        return;
      }
      Sql append =
          tx.sql(
                  kind == 1
                      ? "UPDATE store_meta SET value = value || :mark WHERE name = :name"
                      : "UPDATE store_meta SET value = :mark || value WHERE name = :name")
              .bind("name", name)
              .bind("mark", mark);
      if (kind < 3) append.about(name);
      append.later();
      expected.computeIfPresent(name, (n, was) -> kind == 1 ? was + mark : mark + was);
    }

    @Test
    void changes_that_pass_each_other_leave_what_they_would_have_left_in_their_order() {
      Seeds.forAll(
          60,
          random -> {
            Map<String, String> expected = new TreeMap<>();
            given(
                tx -> {
                  tx.sql("DELETE FROM store_meta WHERE name LIKE 'row_%'").update();
                  for (int i = random.nextInt(60); i > 0; i--) change(tx, random, expected);
                });
            Map<String, String> found = new TreeMap<>();
            store.reading(
                tx -> {
                  tx.sql("SELECT name, value FROM store_meta WHERE name LIKE 'row_%'")
                      .each(row -> found.put(row.text("name"), row.text("value")));
                  return found;
                });
            assertThat(found).isEqualTo(expected);
          });
    }

    @Test
    void many_changed_rows_that_are_one_statement_become_each_what_it_was_to_become() {
      List<Task> tasks = new ArrayList<>();
      for (int i = 0; i < 13; i++) {
        tasks.add(new Tasks(store).create(NewTask.titled("task " + i), Call.by(ADA, "test")));
      }
      Instant later = Instant.parse("2030-01-01T00:00:00Z");
      given(
          tx -> {
            for (Task each : tasks) {
              boolean even = each.id().number() % 2 == 0;
              tx.sql(
                      """
                      UPDATE tasks SET reason = :reason, delayed_until = :delayed, metadata = :data,
                        completed_at = :never, attempt = :attempt, version = :version
                      WHERE id = :id AND status IN ('PENDING')""")
                  .bind("reason", even ? "for " + each.id() : null)
                  .bind("delayed", even ? null : later.plusSeconds(each.id().number()))
                  .bind("data", JsonObject.of("number", each.id().number()))
                  .bind("never", null)
                  .bind("attempt", Math.toIntExact(each.id().number()))
                  .bind("version", 100 + each.id().number())
                  .bind("id", each.id())
                  .about(each.id().value())
                  .later();
            }
          });
      for (Task each : tasks) {
        Task now = store.reading(tx -> tx.tasks().get(each.id()));
        long number = each.id().number();
        boolean even = number % 2 == 0;
        assertThat(now.progress().reason()).isEqualTo(even ? "for " + each.id() : null);
        assertThat(now.links().waiting().delayedUntil())
            .isEqualTo(even ? null : later.plusSeconds(number));
        assertThat(now.brief().metadata()).isEqualTo(JsonObject.of("number", number));
        assertThat(now.progress().attempt()).isEqualTo(number);
        assertThat(now.stamps().version()).isEqualTo(100 + number);
      }
    }

    @Test
    void many_new_rows_that_are_one_statement_return_each_its_own() {
      given(
          tx -> {
            for (int i = 0; i < 13; i++) {
              String name = "new " + i;
              tx.sql("INSERT INTO store_meta (name, value) VALUES (:name, 'x') RETURNING name")
                  .bind("name", name)
                  .about(name)
                  .later(row -> assertThat(row.text("name")).isEqualTo(name));
            }
          });
      assertThat(Raw.texts(store, "SELECT name FROM store_meta WHERE value = 'x'", "name"))
          .hasSize(13);
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
