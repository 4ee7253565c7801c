package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
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
      private Position at;

      Reader(Position at, String stream) {
        this.at = at;
        this.stream = stream;
      }

      void take() throws InterruptedException {
        var part = feed.after(at, stream, WAIT).orElseThrow();
        part.entries().forEach(each -> seen.add(each.position()));
        at = part.at();
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
    void what_was_forgotten_is_not_given_from_memory() throws Exception {
      Position begin = feed.begin("");
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
      Position begin = feed.begin("");
      Reader front = new Reader(begin, "");
      Reader behind = new Reader(begin, "");
      int count = 0;
      for (int more : new int[] {3, 2 * REACH, 1, REACH, 5 * REACH, REACH + 1, 300, 2}) {
        write(more);
        count += more;
        front.takeAll(count); // so the memory has gone past those before
        behind.take();
      }
      assertThat(front.seen).isEqualTo(written(begin, ""));
      assertThat(behind.takeAll(count)).isEqualTo(front.seen);
    }

    @Test
    void those_who_resume_while_entries_are_written_get_each_once() throws Exception {
      int count = 240;
      Position begin = feed.begin("");
      write(40);
      List<FutureTask<List<Position>>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(new FutureTask<>(() -> new Reader(begin, "").takeAll(count)));
      }
      for (var reader : readers) {
        new Thread(reader).start();
        write(50);
      }
      List<Position> all = written(begin, "");
      assertThat(all).hasSize(count);
      for (var reader : readers) assertThat(reader.get()).isEqualTo(all);
    }

    @Test
    void one_who_listens_to_one_stream_goes_on_past_the_others() throws Exception {
      Position begin = feed.begin("");
      TaskId mine = new Tasks(store).create(NewTask.titled("mine"), ADA).id();
      Reader reader = new Reader(begin, mine.stream());
      reader.takeAll(1);
      for (int priority = 1; priority <= 5; priority++) {
        write(2 * REACH);
        new Tasks(store).update(mine, JsonObject.of("priority", priority), null, ADA);
      }
      assertThat(reader.takeAll(6)).isEqualTo(written(begin, mine.stream()));
    }
  }
}
