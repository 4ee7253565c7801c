package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.JournalFilter;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EventFeedTest {
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
    private static final int REACH = 8;
    private static final Duration WAIT = Duration.ofMillis(100);

    private Journal journal;
    private EventFeed feed;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aFeedThatReachesBackAFewEntries() {
      journal = new Journal(store);
      feed = new EventFeed(journal, Wakeups.polling(), REACH);
    }

    @AfterEach
    void closeFeed() {
      feed.close();
    }

    /** One who follows the feed from somewhere. */
    private final class Reader {
      private final String stream;
      private final List<Position> seen = new ArrayList<>();
      private EventFeed.Place at;

      Reader(EventFeed.Place at, String stream) {
        this.at = at;
        this.stream = stream;
      }

      void take() throws InterruptedException {
        var part = feed.after(at, stream, WAIT).orElseThrow();
        part.entries().forEach(each -> seen.add(each.position()));
        at = part.place();
      }

      List<Position> takeAll(int count) throws InterruptedException {
        while (seen.size() < count) take();
        return seen;
      }
    }

    private void write(int count) {
      for (int i = 0; i < count; i++) new Tasks(store).create(NewTask.titled("t" + i), ADA);
    }

    private List<Position> written(Position from, String streamOrAll) {
      settle();
      String stream = streamOrAll.isEmpty() ? null : streamOrAll;
      return journal.after(from, stream, 10_000).stream().map(Placed::position).toList();
    }

    @Test
    void a_reader_is_told_that_entries_it_was_sent_are_gone() throws Exception {
      EventFeed.Place begin = feed.begin("");
      write(5);
      Reader front = new Reader(begin, "");
      List<Position> seen = List.copyOf(front.takeAll(5));
      lose(seen.get(2));
      EventFeed.Part part = feed.after(front.at, "", WAIT).orElseThrow();
      while (part.notice() == null) part = feed.after(part.place(), "", WAIT).orElseThrow();
      assertThat(new String(part.notice()))
          .contains("id: " + seen.get(2) + "\nevent: journal.went_back", "\"lost\":2");
      assertThat(part.at()).isEqualTo(seen.get(2));
      write(1);
      front.at = part.place();
      assertThat(front.takeAll(6).get(5)).isEqualTo(written(seen.get(2), "").get(0));
      Reader early = new Reader(begin, "");
      assertThat(early.takeAll(4).subList(0, 3)).isEqualTo(seen.subList(0, 3));
    }

    @Test
    void one_who_comes_back_to_an_entry_that_is_gone_is_refused() throws Exception {
      write(3);
      List<Position> all = written(Position.BEGINNING, "");
      lose(all.get(1));
      write(1);
      Position gone = all.get(2);
      var unmarked = new Position(gone.epoch(), gone.xid(), gone.seq());
      for (Position each : List.of(gone, unmarked)) {
        assertThat(Position.parse(each.toString())).isEqualTo(each);
        assertThatThrownBy(() -> feed.begin(each.toString())).hasMessageContaining("went back");
        assertThatThrownBy(() -> journal.after(each, null, 1)).hasMessageContaining("went back");
        assertThatThrownBy(() -> journal.search(JournalFilter.ALL, each, true, 1))
            .hasMessageContaining("went back");
      }
      Position there = all.get(1);
      var other = new Position(there.epoch(), there.xid(), there.seq(), "00000000", 0);
      assertThatThrownBy(() -> journal.after(other, null, 1)).hasMessageContaining("went back");
      assertThat(journal.after(there, null, 10)).hasSize(1);
    }

    @Test
    void one_who_follows_is_told_where_to_go_on_when_entries_are_gone() {
      write(3);
      List<Position> all = written(Position.BEGINNING, "");
      assertThatThrownBy(
              () ->
                  journal.follow(
                      Position.BEGINNING,
                      null,
                      placed -> {
                        if (placed.position().equals(all.get(2))) lose(all.get(0));
                        return true;
                      }))
          .isInstanceOfSatisfying(
              Refusal.class, refused -> assertThat(refused.code()).isEqualTo(Refusal.Code.CONFLICT))
          .hasMessageContaining("2 of the entries shown are gone")
          .hasMessageContaining("--since " + all.get(0));
    }

    @Test
    void what_was_forgotten_is_not_given_from_memory() throws Exception {
      EventFeed.Place begin = feed.begin("");
      new Tasks(store).create(NewTask.titled("the plum tree"), ADA);
      new Reader(begin, "").takeAll(1);
      Erasure erasure = Erasure.of("plum tree", List.of(), "0a1b");
      given(tx -> tx.erasures().erase(erasure, Set.of(), ADA));
      Reader late = new Reader(begin, "");
      late.takeAll(2); // by then the feed knows
      String first = new String(feed.after(begin, "", WAIT).orElseThrow().entries().get(0).frame());
      assertThat(first).contains(erasure.mark()).doesNotContain("plum tree");
    }

    @Test
    void one_who_falls_behind_the_memory_again_and_again_gets_each_entry_once() throws Exception {
      EventFeed.Place begin = feed.begin("");
      Reader front = new Reader(begin, "");
      Reader behind = new Reader(begin, "");
      int count = 0;
      for (int more : new int[] {3, 2 * REACH, 1, REACH, 5 * REACH, REACH + 1, 300, 2}) {
        write(more);
        count += more;
        front.takeAll(count); // so the memory has gone past those before
        behind.take();
      }
      assertThat(front.seen).isEqualTo(written(begin.at(), ""));
      assertThat(behind.takeAll(count)).isEqualTo(front.seen);
    }

    @Test
    void those_who_resume_while_entries_are_written_get_each_once() throws Exception {
      int count = 240;
      EventFeed.Place begin = feed.begin("");
      write(40);
      List<FutureTask<List<Position>>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(new FutureTask<>(() -> new Reader(begin, "").takeAll(count)));
      }
      for (var reader : readers) {
        new Thread(reader).start();
        write(50);
      }
      List<Position> all = written(begin.at(), "");
      assertThat(all).hasSize(count);
      for (var reader : readers) assertThat(reader.get()).isEqualTo(all);
    }

    @Test
    void one_who_listens_to_one_stream_goes_on_past_the_others() throws Exception {
      EventFeed.Place begin = feed.begin("");
      TaskId mine = new Tasks(store).create(NewTask.titled("mine"), ADA).id();
      Reader reader = new Reader(begin, mine.stream());
      reader.takeAll(1);
      for (int priority = 1; priority <= 5; priority++) {
        write(2 * REACH);
        new Tasks(store).update(mine, JsonObject.of("priority", priority), null, ADA);
      }
      assertThat(reader.takeAll(6)).isEqualTo(written(begin.at(), mine.stream()));
    }
  }
}
