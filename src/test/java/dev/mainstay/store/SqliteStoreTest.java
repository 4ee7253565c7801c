package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mainstay.Pause;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("state.sqlite3");
  }

  private Store open() {
    return Store.open(new StoreAddress.File(file()), StoreSettings.DEFAULT);
  }

  private static void set(Store store, String name, String value) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().set(name, value);
          return 0;
        });
  }

  private static String get(Store store, String name) {
    return store.reading(tx -> tx.meta().find(name).orElse("none"));
  }

  private static void refused(Code code, Runnable call, String word) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.code()).isEqualTo(code))
        .hasMessageContaining(word);
  }

  @Test
  void a_file_that_is_reached_through_links_has_one_name_and_one_lock() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real")).toRealPath();
    Path linked = Files.createSymbolicLink(folder.resolve("linked"), real);
    Path file = real.resolve("state.sqlite3");
    assertThat(new StoreAddress.File(linked.resolve("state.sqlite3")).path()).isEqualTo(file);
    Files.createFile(file);
    Path other = Files.createSymbolicLink(folder.resolve("other.sqlite3"), file);
    try (Store store = Store.open(new StoreAddress.File(other), StoreSettings.DEFAULT)) {
      assertThat(store.ownFiles()).contains(file, real.resolve("state.sqlite3-shm"));
    }
  }

  /** To open another costs more than most questions: each reads the whole schema first. */
  @Test
  void who_is_told_no_leaves_a_connection_that_serves_the_next() {
    try (Store store = open()) {
      store.reading(tx -> tx.sql("PRAGMA cache_size = 77").update());
      for (int i = 0; i < 3; i++) {
        refused(
            Code.NOT_FOUND,
            () ->
                store.reading(
                    tx -> {
                      tx.meta().find("nothing");
                      throw Refusal.notFound("no such thing");
                    }),
            "no such thing");
      }
      assertThat(
              (long)
                  store.reading(
                      tx -> tx.sql("PRAGMA cache_size").one(row -> row.number("cache_size"))))
          .isEqualTo(77);
      set(store, "then", "written");
      assertThat(get(store, "then")).isEqualTo("written");
    }
  }

  @Test
  void a_folder_that_was_open_to_others_is_closed_when_its_store_is_opened() throws IOException {
    Path own = folder.resolve(".mainstay");
    Path file = own.resolve("state.sqlite3");
    try (Store store = Store.open(new StoreAddress.File(file), StoreSettings.DEFAULT)) {
      set(store, "one", "1");
      assertThat(mode(own)).isEqualTo("rwx------");
      for (String name : List.of(".gitignore", "state.sqlite3", "state.sqlite3.lock")) {
        assertThat(mode(own.resolve(name))).as(name).isEqualTo("rw-------");
      }
    }
    List<String> names = List.of("state.sqlite3", "state.sqlite3.lock", "state.sqlite3.sums");
    for (String name : names) chmod(own.resolve(name), "rw-r--r--");
    chmod(own, "rwxr-xr-x"); // as an archive leaves it
    Store.open(new StoreAddress.File(file), StoreSettings.DEFAULT).close();
    assertThat(mode(own)).isEqualTo("rwx------");
    for (String name : names) assertThat(mode(own.resolve(name))).as(name).isEqualTo("rw-------");
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static void chmod(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void sums_that_are_a_link_are_told() throws IOException {
    open().close();
    Path sums = folder.resolve("state.sqlite3.sums");
    Files.deleteIfExists(sums);
    Files.createSymbolicLink(sums, folder.resolve("elsewhere"));
    try (Store store = open()) {
      set(store, "one", "1");
      assertThat(store.damagedPages()).hasSize(1).allMatch(each -> each.contains("is a link"));
    }
    assertThat(folder.resolve("elsewhere")).doesNotExist();
  }

  @Test
  void a_dump_without_its_application_id_is_told_how_to_get_it_back() throws SQLException {
    try (Store store = open()) {
      set(store, "one", "1");
    }
    pragma("application_id = 0");
    refused(Code.STORE_UNAVAILABLE, () -> open().close(), "run 'pragma application_id=1297306713'");
    pragma("application_id = 1297306713");
    try (Store store = open()) {
      assertThat(get(store, "one")).isEqualTo("1");
    }
  }

  private void pragma(String set) throws SQLException {
    try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = raw.createStatement()) {
      statement.execute("PRAGMA " + set);
    }
  }

  @Test
  void what_the_schema_calls_is_not_trusted() {
    try (Store store = open()) {
      assertThat(trusted(store.reading(SqliteStoreTest::trustsSchema))).isFalse();
      assertThat(trusted(store.inTransaction(Once.unkeyed(), SqliteStoreTest::trustsSchema)))
          .isFalse();
    }
  }

  private static Long trustsSchema(Tx tx) {
    return tx.sql("PRAGMA trusted_schema").one(row -> row.number("trusted_schema"));
  }

  private static boolean trusted(long pragma) {
    return pragma != 0;
  }

  @Test
  void what_is_written_is_written_for_good() {
    try (Store store = open()) {
      List<String> pragmas =
          store.inTransaction(
              Once.unkeyed(),
              tx ->
                  List.of("synchronous", "journal_mode", "foreign_keys").stream()
                      .map(name -> tx.sql("PRAGMA " + name).one(row -> row.text(name)))
                      .toList());
      assertThat(pragmas)
          .as("FULL, write-ahead log, foreign keys on")
          .containsExactly("2", "wal", "1");
    }
  }

  @Test
  void a_damaged_description_of_a_table_is_a_finding() throws SQLException {
    open().close();
    try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = raw.createStatement()) {
      statement.execute("PRAGMA writable_schema = ON");
      statement.execute(
          """
          UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES tasks (id)', 'REFERENCES tasks (it)')
          WHERE name = 'task_dependencies'""");
    }
    try (Store store = open()) {
      assertThat(store.reading(Tx::integrityProblems))
          .anyMatch(each -> each.contains("foreign key mismatch"));
    }
  }

  @Test
  void the_folder_is_private_and_keeps_itself_out_of_version_control() throws IOException {
    Path project = folder.resolve("project/.mainstay");
    Store.open(new StoreAddress.File(project.resolve("state.sqlite3")), StoreSettings.DEFAULT)
        .close();
    assertThat(Files.getPosixFilePermissions(project)).hasSize(3);
    assertThat(project.resolve(".gitignore")).hasContent("*");
  }

  @Test
  void many_waiting_use_cases_are_committed_together() throws Exception {
    try (Store store = open()) {
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      List<Thread> waiting = new ArrayList<>();
      AtomicInteger done = new AtomicInteger();
      Thread slow =
          new Thread(
              () ->
                  store.inTransaction(
                      Once.unkeyed(),
                      tx -> {
                        first.countDown();
                        Pause.until(goOn);
                        return 0;
                      }));
      slow.start();
      first.await();
      for (int i = 0; i < 50; i++) {
        String name = "n" + i;
        Thread each =
            new Thread(
                () -> {
                  set(store, name, "v");
                  done.incrementAndGet();
                });
        each.start();
        waiting.add(each);
      }
      for (Thread each : waiting)
        while (each.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
      assertThat(done).hasValue(0);
      goOn.countDown();
      for (Thread each : waiting) each.join();
      slow.join();
      assertThat(((SqliteStore) store).commits()).as("not one each").isLessThan(20);
    }
  }

  /**
   * A full disk undoes the whole transaction behind the savepoints: nobody may be told otherwise.
   */
  @Test
  void a_full_disk_inside_a_batch_loses_nothing_of_those_that_fit() throws Exception {
    try (Store store = open()) {
      set(store, "before", "1");
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      List<Throwable> faults = new ArrayList<>();
      Thread limiter =
          new Thread(
              () ->
                  store.inTransaction(
                      Once.unkeyed(),
                      tx -> {
                        if (first.getCount() > 0) limitPages(tx); // not again when run alone
                        tx.meta().set("small", "1");
                        first.countDown();
                        Pause.until(goOn);
                        return 0;
                      }));
      Thread large =
          new Thread(
              () -> {
                try {
                  set(store, "large", "x".repeat(1_000_000));
                } catch (Refusal refusal) {
                  faults.add(refusal);
                }
              });
      limiter.start();
      first.await();
      large.start();
      while (large.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
      goOn.countDown();
      limiter.join();
      large.join();
      assertThat(get(store, "before")).isEqualTo("1");
      assertThat(get(store, "small")).as("acknowledged, so it is there").isEqualTo("1");
      // Run again alone on a new connection, which has no page limit, the large one fits.
      assertThat(faults).isEmpty();
      assertThat(get(store, "large")).hasSize(1_000_000);
    }
  }

  @Test
  void a_full_disk_is_a_clear_refusal_and_the_store_goes_on() {
    try (Store store = open()) {
      set(store, "before", "1");
      refused(
          Code.STORE_FULL,
          () ->
              store.inTransaction(
                  Once.unkeyed(),
                  tx -> {
                    tx.meta().set("half", "1");
                    tx.sql("PRAGMA max_page_count = 1").list(row -> 0);
                    tx.meta().set("large", "x".repeat(1_000_000));
                    return 0;
                  }),
          "full");
      assertThat(get(store, "half")).isEqualTo("none");
      set(store, "after", "1");
      assertThat(get(store, "after")).isEqualTo("1");
    }
  }

  /** For this connection the disk is as good as full. */
  private static void limitPages(Tx tx) {
    long pages = tx.sql("PRAGMA page_count").one(row -> row.number("page_count"));
    tx.sql("PRAGMA max_page_count = " + (pages + 4)).list(row -> 0);
  }

  @Test
  void a_store_locked_by_another_program_is_said_to_be() throws Exception {
    open().close();
    var impatient = StoreSettings.DEFAULT.withPatience(Duration.ofMillis(200));
    LockFile lock = LockFile.open(folder.resolve("state.sqlite3.lock"));
    try (Store store = Store.open(new StoreAddress.File(file()), impatient)) {
      lock.lock();
      refused(Code.STORE_UNAVAILABLE, () -> set(store, "late", "1"), "nothing was changed");
      lock.unlock();
      set(store, "next", "1");
      assertThat(get(store, "late")).as("given up means it never happens").isEqualTo("none");
      assertThat(get(store, "next")).isEqualTo("1");
    } finally {
      lock.close();
    }
  }

  @Test
  void closing_twice_harms_no_other_store_of_the_process() {
    Store first = open();
    try (Store second = open()) {
      set(first, "a", "1");
      set(second, "b", "1");
      first.close();
      first.close();
      first.close();
      set(second, "c", "1");
      assertThat(get(second, "c")).isEqualTo("1");
    }
  }

  @Test
  void however_a_file_is_spelt_it_is_the_same_store() {
    Path roundabout = folder.resolve("x").resolve("..").resolve("state.sqlite3");
    assertThat(new StoreAddress.File(roundabout)).isEqualTo(new StoreAddress.File(file()));
    assertThat(new StoreAddress.File(Path.of("state.sqlite3")).path()).isAbsolute();
  }

  @Test
  void the_store_is_nobody_elses_to_read() throws IOException {
    open().close();
    assertThat(Files.getPosixFilePermissions(file())).hasSize(2);
  }

  @Test
  void an_old_log_beside_a_restored_file_is_refused() throws IOException {
    Path backup = folder.resolve("backup.sqlite3");
    try (Store store = open()) {
      set(store, "a", "1");
      Backups.backup(store, backup, copy -> {});
    }
    Path target = folder.resolve("target.sqlite3");
    Files.writeString(folder.resolve("target.sqlite3-wal"), "an old log");
    refused(
        Code.CONFLICT,
        () ->
            Backups.restore(
                backup, new StoreAddress.File(target), StoreSettings.DEFAULT, copy -> {}),
        "left over");
    Files.delete(folder.resolve("target.sqlite3-wal"));
    Backups.restore(backup, new StoreAddress.File(target), StoreSettings.DEFAULT, copy -> {});
    assertThat(Files.getPosixFilePermissions(target)).hasSize(2);
  }

  @Test
  void a_folder_where_the_store_should_be_is_refused() throws IOException {
    Files.createDirectory(file());
    refused(Code.STORE_UNAVAILABLE, () -> open().close(), "is a folder");
  }

  @Test
  void a_file_that_is_no_database_is_refused_and_left_alone() throws IOException {
    Files.writeString(file(), "this is a shopping list, not a database; " + "x".repeat(5_000));
    refused(Code.STORE_UNAVAILABLE, () -> open().close(), "damaged or not a Mainstay store");
    assertThat(Files.readString(file())).startsWith("this is a shopping list");
  }

  @Test
  void the_database_of_another_program_is_refused_and_left_alone() throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = other.createStatement()) {
      statement.execute("CREATE TABLE bookmarks (url TEXT)");
    }
    refused(Code.STORE_UNAVAILABLE, () -> open().close(), "another program");
  }

  @Test
  void an_empty_file_becomes_a_store() throws IOException {
    Files.createFile(file());
    try (Store store = open()) {
      set(store, "a", "1");
      assertThat(get(store, "a")).isEqualTo("1");
    }
  }

  /** SQLite writes only the pages that change, so every byte must. */
  private static char[] other(int i) {
    char[] text = new char[1_000_000];
    Arrays.fill(text, (char) ('a' + i % 26));
    return text;
  }

  @Test
  void a_log_that_grew_behind_a_long_reader_shrinks_afterwards() throws Exception {
    try (Store store = open()) {
      store.reading(
          tx -> {
            tx.meta().find("a");
            for (int i = 0; i < 80; i++) set(store, "large" + i % 3, new String(other(i)));
            return 0;
          });
      Path log = folder.resolve("state.sqlite3-wal");
      long grown = Files.size(log);
      assertThat(grown).isGreaterThan(SqliteCommits.WAL_BYTES_MAX);
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> {
            while (Files.size(log) > grown / 10) set(store, "a", "1");
          });
    }
  }
}
