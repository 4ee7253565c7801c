package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Event;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JournalTableTest {
  record Happened(String what) implements Event {
    @Override
    public String kind() {
      return "test.happened";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("what", what);
    }
  }

  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }

    @Test
    void an_entry_cannot_be_replaced_either() {
      append("a", "one");
      String replace =
          """
          INSERT OR REPLACE INTO journal (seq, stream, number, actor, source, at, kind, payload,
            payload_hash, previous_hash, hash)
          SELECT seq, stream, number, 'person:mallory', source, at, kind, payload, payload_hash,
            previous_hash, hash FROM journal""";
      assertThatThrownBy(() -> given(tx -> tx.sql(replace).update()))
          .hasStackTraceContaining("append-only");
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }

    /**
     * A number is handed out before commit: a reader that asks by number alone loses the later one.
     */
    @Test
    void an_entry_that_commits_late_is_not_skipped() throws Exception {
      append("warm", "up");
      settle();
      Position start = store.reading(tx -> tx.journal().end());
      CountDownLatch written = new CountDownLatch(1);
      CountDownLatch mayCommit = new CountDownLatch(1);
      Thread late =
          new Thread(
              () ->
                  given(
                      tx -> {
                        tx.journal().append("late", ADA, List.of(new Happened("late")));
                        tx.finish();
                        written.countDown();
                        uninterrupted(mayCommit);
                      }));
      late.start();
      written.await();
      append("early", "early");
      assertThat(whats(read(start))).as("the late one may still come before").isEmpty();
      mayCommit.countDown();
      late.join();
      settle();
      assertThat(whats(read(start))).containsExactlyInAnyOrder("early", "late");
    }

    private static void uninterrupted(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException stop) {
        throw new IllegalStateException(stop);
      }
    }
  }

  abstract static class Contract extends OnDatabase {
    Contract(Databases database) {
      super(database);
    }

    void append(String stream, String what) {
      given(tx -> tx.journal().append(stream, ADA, List.of(new Happened(what))));
    }

    List<Placed> read(Position after) {
      return store.reading(tx -> tx.journal().after(after, null, 10_000));
    }

    static List<String> whats(List<Placed> entries) {
      return entries.stream()
          .map(p -> p.entry().content().payload().replaceAll(".*:\"|\"}", ""))
          .toList();
    }

    @Test
    void entries_are_numbered_and_chained_within_their_stream() {
      append("a", "one");
      append("b", "other");
      append("a", "two");
      List<JournalEntry> entries = store.reading(tx -> tx.journal().stream("a"));
      assertThat(entries).extracting(e -> e.place().number()).containsExactly(1L, 2L);
      assertThat(entries.get(0).seal().previousHash()).isEqualTo(JournalEntry.BEGINNING);
      assertThat(entries.get(1).seal().previousHash()).isEqualTo(entries.get(0).seal().hash());
      for (JournalEntry e : entries) {
        assertThat(JournalEntry.seal(e.place(), e.origin(), e.content(), e.seal().previousHash()))
            .as("what comes back from the database has the hash that was kept")
            .isEqualTo(e.seal());
      }
    }

    @Test
    void the_database_itself_refuses_to_change_or_remove_an_entry() {
      append("a", "one");
      for (String change :
          List.of(
              "UPDATE journal SET payload = '{}'",
              "UPDATE journal SET hash = ''",
              "DELETE FROM journal")) {
        assertThatThrownBy(() -> given(tx -> tx.sql(change).update()))
            .as(change)
            .hasStackTraceContaining("append-only");
      }
      settle();
      assertThat(whats(read(Position.BEGINNING))).containsExactly("one");
    }

    @Test
    void a_seal_of_very_many_streams_is_several_entries_that_can_be_read() {
      given(
          tx -> {
            for (int i = 0; i < 4_500; i++) {
              tx.journal().append("s" + i, ADA, List.of(new Happened("x")));
            }
          });
      settle();
      store.seal();
      long sealed =
          store.reading(tx -> tx.journal().stream(Seals.STREAM)).stream()
              .mapToLong(e -> JsonText.object(e.content().payload()).object("heads").asMap().size())
              .sum();
      assertThat(sealed).isGreaterThanOrEqualTo(4_500);
      assertThat(store.seal()).isZero();
    }

    @Test
    void eight_writers_of_one_stream_leave_no_gap() throws Exception {
      Both.atOnce(
          8,
          () -> {
            for (int i = 0; i < 20; i++) append("shared", "x");
            return 0;
          });
      List<JournalEntry> entries = store.reading(tx -> tx.journal().stream("shared"));
      assertThat(entries).hasSize(160);
      for (int i = 0; i < 160; i++) assertThat(entries.get(i).place().number()).isEqualTo(i + 1L);
    }

    @Test
    void a_follower_beside_many_writers_misses_nothing_and_repeats_nothing() throws Exception {
      AtomicBoolean writing = new AtomicBoolean(true);
      AtomicInteger next = new AtomicInteger();
      List<String> seen = new ArrayList<>();
      Thread follower =
          new Thread(
              () -> {
                Position position = Position.BEGINNING;
                boolean last;
                do {
                  last = !writing.get();
                  List<Placed> page;
                  do {
                    Position from = position;
                    page = store.reading(tx -> tx.journal().after(from, null, 7));
                    seen.addAll(whats(page));
                    if (!page.isEmpty()) position = page.get(page.size() - 1).position();
                  } while (!page.isEmpty());
                } while (!last);
              });
      follower.start();
      Both.atOnce(
          6,
          () -> {
            for (int i = 0; i < 40; i++) {
              int n = next.incrementAndGet();
              append("s" + n % 5, "e" + n);
            }
            return 0;
          });
      settle();
      writing.set(false);
      follower.join();
      Set<String> distinct = new HashSet<>(seen);
      assertThat(seen).hasSize(240);
      assertThat(distinct).hasSize(240);
    }

    @Test
    void a_position_of_another_history_is_refused() {
      append("a", "one");
      Position here = store.reading(tx -> tx.journal().end());
      assertThat(Position.parse(here.toString())).isEqualTo(here);
      given(tx -> tx.meta().newEpoch());
      assertThatThrownBy(() -> read(here))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("restored");
    }

    @Test
    void a_seal_is_made_by_itself_every_thousand_entries() {
      for (int half = 0; half < 2; half++) {
        append("other", "x");
        settle(); // a seal covers what is settled when it is made
        given(
            tx -> {
              List<Happened> many = new ArrayList<>();
              for (int i = 1; i < Seals.ENTRIES_BETWEEN / 2; i++) many.add(new Happened("x"));
              tx.journal().append("many", ADA, many);
            });
      }
      List<JournalEntry> seals = store.reading(tx -> tx.journal().stream(Seals.STREAM));
      assertThat(seals).hasSize(1);
      assertThat(seals.get(0).content().payload()).contains("\"other\":[2,");
    }

    @Test
    void a_seal_covers_each_moved_stream_once() {
      append("a", "one");
      append("b", "one");
      settle();
      assertThat(store.seal()).isEqualTo(2);
      append("b", "two");
      settle();
      assertThat(store.seal()).as("only b moved").isEqualTo(1);
      assertThat(store.seal()).isZero();
    }
  }
}
