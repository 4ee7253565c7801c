package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteCommitListener;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteUpdateListener;

/** Errors where no use case is at fault; SQLite itself calls what throws them, once. */
@Timeout(60)
class WriterErrorTest {
  @TempDir Path folder;

  private Store open() {
    return Store.open(
        new StoreAddress.File(folder.resolve("state.sqlite3")), StoreSettings.DEFAULT);
  }

  /** Whoever is alone writes himself once the connection is open; a virtual thread never does. */
  private static int setByThread(
      Store store, String name, BiConsumer<SQLiteConnection, Runnable> hook) throws Exception {
    var set = new FutureTask<>(() -> set(store, name, hook));
    new Thread(new ThreadGroup("VirtualThreads"), set).start();
    try {
      return set.get();
    } catch (ExecutionException failed) {
      throw (RuntimeException) failed.getCause();
    }
  }

  private static int set(Store store, String name, BiConsumer<SQLiteConnection, Runnable> hook) {
    AtomicBoolean thrown = new AtomicBoolean();
    Runnable exhausted =
        () -> {
          if (!thrown.getAndSet(true)) throw new OutOfMemoryError("as a test wants it");
        };
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().set(name, "1");
          hook.accept((SQLiteConnection) connection(tx), exhausted);
          return 7;
        });
  }

  private static Connection connection(Tx tx) {
    return tx.statements().connection();
  }

  private static String get(Store store, String name) {
    return store.reading(tx -> tx.meta().find(name).orElse("none"));
  }

  private static void beforeTheCommit(SQLiteConnection connection, Runnable fault) {
    connection.addUpdateListener((SQLiteUpdateListener) (type, base, table, row) -> fault.run());
  }

  private static void inTheCommit(SQLiteConnection connection, Runnable fault) {
    connection.addCommitListener(
        new SQLiteCommitListener() {
          @Override
          public void onCommit() {
            fault.run();
          }

          @Override
          public void onRollback() {
            // Nothing was asked of it.
          }
        });
  }

  @Test
  void an_error_of_the_thread_acknowledges_nobody_and_the_next_is_served() throws Exception {
    try (Store store = open();
        Store other = open()) {
      assertThatThrownBy(() -> setByThread(store, "lost", WriterErrorTest::beforeTheCommit))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("unknown");
      assertThat(setByThread(store, "kept", WriterErrorTest::inTheCommit)).isEqualTo(7);
      assertThat(set(other, "others", (connection, fault) -> {})).isEqualTo(7);
      assertThat(get(store, "lost")).isEqualTo("none");
      assertThat(get(store, "kept")).isEqualTo("1");
    }
  }

  @Test
  void an_error_before_the_commit_acknowledges_nobody_and_the_next_is_served() {
    try (Store store = open()) {
      set(store, "before", (connection, fault) -> {});
      assertThatThrownBy(() -> set(store, "lost", WriterErrorTest::beforeTheCommit))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("unknown");
      assertThat(set(store, "next", (connection, fault) -> {})).isEqualTo(7);
      assertThat(get(store, "lost")).isEqualTo("none");
      assertThat(get(store, "next")).isEqualTo("1");
    }
  }

  @Test
  void an_error_out_of_a_commit_that_was_carried_out_does_not_look_like_a_failure() {
    try (Store store = open()) {
      set(store, "before", (connection, fault) -> {});
      assertThat(set(store, "kept", WriterErrorTest::inTheCommit)).isEqualTo(7);
      assertThat(get(store, "kept")).isEqualTo("1");
      assertThat(set(store, "next", (connection, fault) -> {})).isEqualTo(7);
    }
  }

  /** Several stores of one process, and other processes, wait at the same file. */
  @Test
  void after_an_error_the_lock_is_free_for_others() {
    try (Store store = open();
        Store other = open()) {
      set(store, "before", (connection, fault) -> {});
      assertThatThrownBy(() -> set(store, "lost", WriterErrorTest::beforeTheCommit))
          .isInstanceOf(Refusal.class);
      assertThat(set(other, "others", (connection, fault) -> {})).isEqualTo(7);
    }
  }
}
