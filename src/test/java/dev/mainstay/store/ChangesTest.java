package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mainstay.Jvm;
import dev.mainstay.Pause;
import dev.mainstay.domain.AttemptEvent;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.Changes.News;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ChangesTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }

    @Test
    void another_process_is_heard() throws Exception {
      given(tx -> ChangesTest.journalOnly(tx, "before"));
      Path file = ((StoreAddress.File) address).path();
      try (Changes.Ear ear = new SqliteWire(file).listen()) {
        Process process =
            new ProcessBuilder(Jvm.words(Jvm.QUIET, NewsProcess.class, file.toString()))
                .inheritIO()
                .start();
        assertThat(heard(ear)).isEqualTo(Changes.ALL);
        assertThat(process.waitFor()).isZero();
      }
    }

    @Test
    void silence_is_no_news() throws Exception {
      given(tx -> ChangesTest.journalOnly(tx, "before"));
      try (Changes.Ear ear = new SqliteWire(((StoreAddress.File) address).path()).listen()) {
        assertThat(ear.next()).isEmpty();
        store.reading(tx -> tx.journal().count());
        assertThat(ear.next()).isEmpty();
      }
    }

    private Set<News> heard(Changes.Ear ear) throws Exception {
      Set<News> news = Set.of();
      while (news.isEmpty()) news = ear.next();
      return news;
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }

    /** After a silence the ear tells of everything, so news of one kind was really sent. */
    @Test
    void a_store_that_is_closed_at_once_has_told_the_others() throws Exception {
      try (HikariDataSource unused = new HikariDataSource();
          Changes.Ear ear = new PostgresWire(unused, (StoreAddress.Server) address).listen()) {
        Store brief = open(address);
        brief.inTransaction(Once.unkeyed(), tx -> journalOnly(tx, "brief"));
        brief.close();
        Set<News> heard = Changes.ALL;
        while (heard.equals(Changes.ALL)) heard = ear.next();
        assertThat(heard).containsExactly(News.JOURNAL);
      }
    }

    @Test
    void who_listens_goes_on_when_his_connection_was_cut() throws Exception {
      try (Store other = open(address)) {
        var waits = inThread(() -> seesTask(other));
        long first = listener(0);
        store.reading(
            tx -> tx.sql("SELECT pg_terminate_backend(:pid::int)").bind("pid", first).list(r -> 0));
        assertThat(listener(first)).isNotEqualTo(first);
        create();
        assertThat(waits.get()).isTrue();
      }
    }

    /** The connection that listens in this database, once there is one and it is another. */
    private long listener(long notThis) {
      while (true) {
        List<Long> found =
            store.reading(
                tx ->
                    tx.sql(
                            """
                            SELECT pid FROM pg_stat_activity WHERE datname = current_database()
                              AND application_name LIKE 'mainstay-news%' AND pid <> :other""")
                        .bind("other", notThis)
                        .list(row -> row.number("pid")));
        if (!found.isEmpty()) return found.get(0);
        Pause.briefly();
      }
    }
  }

  static int journalOnly(Tx tx, String what) {
    tx.journal().append("task/T-999", OnDatabase.BOT, List.of(new AttemptEvent.Failed(what, null)));
    return 0;
  }

  abstract static class Contract extends OnDatabase {
    Contract(Databases database) {
      super(database);
    }

    void create() {
      given(
          tx -> {
            var brief = new Brief("one", "", TaskType.CODE, 0, JsonObject.EMPTY);
            var created = new TaskEvent.Created(brief, null, null, List.of());
            tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
          });
    }

    static <T> FutureTask<T> inThread(Callable<T> work) {
      FutureTask<T> task = new FutureTask<>(work);
      Thread thread = new Thread(task);
      thread.setDaemon(true);
      thread.start();
      return task;
    }

    /** Waits by news alone until there is a ready task; false when a wait came to nothing. */
    static boolean seesTask(Store where) {
      return sees(where, () -> where.reading(tx -> !tx.tasks().ready(null, 1).isEmpty()));
    }

    private static boolean sees(Store where, BooleanSupplier seen) {
      while (true) {
        long since = where.changes().seen(News.READY);
        if (seen.getAsBoolean()) return true;
        if (!where.changes().await(News.READY, since, LONG)) return false;
      }
    }

    @Test
    void a_new_task_is_news_of_both_kinds_and_a_journal_entry_of_one() {
      long journal = store.changes().seen(News.JOURNAL);
      long ready = store.changes().seen(News.READY);
      given(tx -> journalOnly(tx, "state"));
      assertThat(store.changes().seen(News.JOURNAL)).isEqualTo(journal + 1);
      assertThat(store.changes().seen(News.READY)).isEqualTo(ready);
      create();
      assertThat(store.changes().seen(News.JOURNAL)).isEqualTo(journal + 2);
      assertThat(store.changes().seen(News.READY)).isEqualTo(ready + 1);
    }

    @Test
    void what_was_rolled_back_is_no_news() {
      long journal = store.changes().seen(News.JOURNAL);
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        journalOnly(tx, "never");
                        throw Refusal.conflict("no");
                      }))
          .isInstanceOf(Refusal.class);
      assertThat(store.changes().seen(News.JOURNAL)).isEqualTo(journal);
    }

    @Test
    void news_that_came_before_the_wait_ends_it_at_once() {
      long since = store.changes().seen(News.READY);
      create();
      assertThat(store.changes().await(News.READY, since, Duration.ZERO)).isTrue();
    }

    @Test
    void who_waits_is_woken_in_the_same_process_and_in_another() throws Exception {
      try (Store other = open(address)) {
        var here = inThread(() -> seesTask(store));
        var there = inThread(() -> seesTask(other));
        create();
        assertThat(here.get()).isTrue();
        assertThat(there.get()).isTrue();
      }
    }

    @Test
    void who_waits_is_let_go_when_the_store_is_closed() throws Exception {
      Store other = open(address);
      var waits = inThread(() -> awaitsAll(other.changes()));
      other.close();
      assertThat(waits.get()).isFalse();
    }

    /** Takes in all news there is until a wait comes to nothing. */
    private static boolean awaitsAll(Changes changes) {
      while (changes.await(News.READY, changes.seen(News.READY), LONG)) Pause.briefly();
      return false;
    }

    @Test
    void who_is_interrupted_stays_interrupted() {
      Thread.currentThread().interrupt();
      long since = store.changes().seen(News.READY);
      assertThat(store.changes().await(News.READY, since, LONG)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
