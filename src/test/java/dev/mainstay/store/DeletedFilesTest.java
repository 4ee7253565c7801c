package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is acknowledged into a store that lost a file while it was open. */
@Timeout(60)
class DeletedFilesTest {
  @TempDir static Path prepared;
  @TempDir Path folder;

  @BeforeAll
  static void prepare() {
    Store.open(new StoreAddress.File(prepared.resolve("state.sqlite3")), StoreSettings.DEFAULT)
        .close();
  }

  /** The migrations are in the database and not only in its log. */
  @BeforeEach
  void copy() throws IOException {
    Files.copy(prepared.resolve("state.sqlite3"), file());
  }

  private Path file() {
    return folder.resolve("state.sqlite3");
  }

  private Path beside(String suffix) {
    return folder.resolve("state.sqlite3" + suffix);
  }

  private Store open() {
    return Store.open(new StoreAddress.File(file()), StoreSettings.DEFAULT);
  }

  private static String set(Store store, String name) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().set(name, "1");
          return name;
        });
  }

  private static boolean has(Store store, String name) {
    return store.reading(tx -> tx.meta().find(name).isPresent());
  }

  private interface Damage {
    void to(DeletedFilesTest store) throws IOException;
  }

  /** What happens to the files, and the words by which the refusal names it. */
  enum Loss {
    ALL_DELETED("state.sqlite3 was deleted", DeletedFilesTest::deleteAll),
    DATABASE_DELETED("state.sqlite3 was deleted", test -> Files.delete(test.file())),
    LOG_DELETED("state.sqlite3-wal was deleted", test -> Files.delete(test.beside("-wal"))),
    INDEX_DELETED("state.sqlite3-shm was deleted", test -> Files.delete(test.beside("-shm"))),
    LOCK_DELETED("state.sqlite3.lock was deleted", test -> Files.delete(test.beside(".lock"))),
    DATABASE_REPLACED("state.sqlite3 was replaced", test -> test.replace("")),
    LOG_REPLACED("state.sqlite3-wal was replaced", test -> test.replace("-wal")),
    LOCK_REPLACED("state.sqlite3.lock was replaced", test -> test.replace(".lock")),
    TRUNCATED("state.sqlite3 was truncated", test -> test.truncate(100_000)),
    EMPTIED("state.sqlite3 was truncated", test -> test.truncate(0));

    private final String words;
    private final Damage damage;

    Loss(String words, Damage damage) {
      this.words = words;
      this.damage = damage;
    }
  }

  private void deleteAll() throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path each : all) Files.delete(each);
    }
  }

  private void replace(String suffix) throws IOException {
    Path copy = Files.copy(beside(suffix), folder.resolve("copy"));
    Files.move(copy, beside(suffix), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private void truncate(long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  private static void refused(Runnable call, String words) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(Code.STORE_UNAVAILABLE))
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void the_next_write_is_refused_and_so_are_all_others(Loss loss) throws IOException {
    try (Store store = open()) {
      set(store, "by the writing thread");
      set(store, "by the caller");
      loss.damage.to(this);
      for (int i = 0; i < 3; i++) refused(() -> set(store, "lost"), loss.words);
      refused(() -> has(store, "by the caller"), loss.words);
    }
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void a_process_that_has_only_read_refuses_its_first_write(Loss loss) throws IOException {
    try (Store other = open()) {
      set(other, "so that there is a log");
      try (Store store = open()) {
        assertThat(has(store, "so that there is a log")).isTrue();
        store.inTransaction(Once.unkeyed(), tx -> "the lock is open");
        loss.damage.to(this);
        refused(() -> set(store, "lost"), loss.words);
      }
    }
  }

  /** In the transaction, so that only what comes after it can notice. */
  @ParameterizedTest
  @EnumSource(Loss.class)
  void a_transaction_that_is_under_way_is_not_acknowledged(Loss loss) throws IOException {
    for (boolean byCaller : List.of(false, true)) {
      try (Store store = open()) {
        while (byCaller && !thread(store).equals(Thread.currentThread().getName())) {
          Pause.briefly();
        }
        refused(
            () ->
                store.inTransaction(
                    Once.unkeyed(),
                    tx -> {
                      boolean here = !Thread.currentThread().getName().equals("mainstay-writer");
                      assertThat(here).isEqualTo(byCaller);
                      tx.meta().set("lost", "1");
                      try {
                        loss.damage.to(this);
                      } catch (IOException fault) {
                        throw new UncheckedIOException(fault);
                      }
                      return 0;
                    }),
            "whether the change was kept is unknown");
        refused(() -> set(store, "later"), loss.words);
      }
      deleteAll();
      copy();
    }
  }

  private static String thread(Store store) {
    return store.inTransaction(Once.unkeyed(), tx -> Thread.currentThread().getName());
  }

  /** SQLite itself would copy its old log into whatever has the name of the database now. */
  @Test
  void closing_does_not_write_a_lost_log_into_the_database() throws IOException {
    Store old = open();
    set(old, "old");
    Files.delete(beside("-wal"));
    Files.delete(beside("-shm"));
    refused(() -> set(old, "lost"), "-wal was deleted");
    byte[] before = Files.readAllBytes(file());
    old.close();
    assertThat(Arrays.equals(Files.readAllBytes(file()), before)).isTrue();
  }

  @Test
  void a_refused_write_makes_no_file() throws IOException {
    try (Store store = open()) {
      set(store, "first");
      deleteAll();
      refused(() -> set(store, "lost"), "was deleted");
      refused(() -> has(store, "first"), "was deleted");
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void what_was_vacuumed_by_another_process_is_not_truncated() {
    try (Store store = open();
        Store other = open()) {
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            for (int i = 0; i < 300; i++) tx.meta().set("large " + i, "x".repeat(2_000));
            return 0;
          });
      assertThat(other.scrub()).isEmpty();
      set(store, "sees the large file");
      store.inTransaction(
          Once.unkeyed(), tx -> tx.sql("DELETE FROM store_meta WHERE name LIKE 'large%'").update());
      assertThat(other.scrub()).isEmpty();
      set(store, "after");
      assertThat(has(store, "after")).isTrue();
    }
  }

  /** Several open it and the last one to close removes the log; the next makes another. */
  @Test
  void a_log_that_was_removed_by_closing_is_no_loss() {
    try (Store store = open()) {
      set(store, "first");
      try (Store other = open()) {
        set(other, "second");
      }
      set(store, "third");
      assertThat(has(store, "second")).isTrue();
    }
    try (Store store = open()) {
      set(store, "fourth");
    }
  }
}
