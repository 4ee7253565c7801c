package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever else is done to a store, sums of its pages tell no damage where there is none. */
class SqlitePagesTest {
  /** More than fit into a log before it is taken into the file. */
  private static final int MANY_BYTES = 6_000_000;

  @TempDir Path folder;
  private final Deque<Store> stores = new ArrayDeque<>();
  private int places;

  private Path file;

  private Store open() {
    Store made = Store.open(new StoreAddress.File(file), StoreSettings.DEFAULT);
    stores.push(made);
    return made;
  }

  private Store fresh() throws Exception {
    file = Files.createDirectory(folder.resolve("place-" + ++places)).resolve("state.sqlite3");
    return open();
  }

  @AfterEach
  void close() {
    while (!stores.isEmpty()) stores.pop().close();
  }

  private static void write(Store store, String name, int chars) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().set(name, "x".repeat(chars));
          return 0;
        });
  }

  /** Another program, which knows nothing of sums. */
  private void another(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        if (!statement.execute(each)) continue;
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {}
        }
      }
    }
  }

  private static void isWell(Store store) {
    assertThat(store.damagedPages()).isEmpty();
  }

  @Test
  void what_another_program_took_from_the_log_into_the_file_is_no_damage() throws Exception {
    Store store = fresh();
    isWell(store);
    write(store, "one", 20_000);
    another("PRAGMA wal_checkpoint");
    write(store, "two", 20_000);
    isWell(store);
    write(store, "many", MANY_BYTES);
    isWell(store);
  }

  @Test
  void what_another_program_wrote_beside_us_is_no_damage() throws Exception {
    Store store = fresh();
    write(store, "many", MANY_BYTES);
    isWell(store);
    another(
        "INSERT INTO store_meta VALUES ('theirs', hex(zeroblob(9000)))", "PRAGMA wal_checkpoint");
    write(store, "one", 20_000);
    isWell(store);
  }

  @Test
  void a_file_that_is_written_anew_to_erase_something_is_well() throws Exception {
    Store store = fresh();
    for (int i = 0; i < 30; i++) write(store, "value-" + i, 200_000);
    isWell(store);
    Store other = open(); // so that the log stays when the first one is closed
    write(other, "small", 3_900_000);
    for (int i = 0; i < 30; i++) write(store, "value-" + i, 1);
    assertThat(store.scrub()).isEmpty();
    isWell(store);
    write(other, "more", MANY_BYTES);
    isWell(other);
  }

  @Test
  void sums_that_somebody_removed_are_begun_anew_by_all_who_have_the_store_open() throws Exception {
    Store store = fresh();
    Store other = open();
    write(store, "one", 20_000);
    isWell(store);
    Files.delete(PageSums.beside(file));
    write(other, "two", 20_000);
    isWell(other);
    write(store, "many", MANY_BYTES);
    isWell(store);
    isWell(other);
  }

  @Test
  void a_link_in_the_place_of_the_sums_is_not_followed() throws Exception {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Store store = fresh();
    Files.deleteIfExists(PageSums.beside(file));
    Files.createSymbolicLink(PageSums.beside(file), victim);
    write(store, "one", 20_000);
    assertThat(store.damagedPages()).singleElement().asString().contains("is a link");
    assertThat(isShortened(store)).as("a log without sums is shortened, too").isTrue();
    close();
    assertThat(victim).hasContent("precious");
  }

  /** Whether some write finds room in the log that was there before. */
  private boolean isShortened(Store store) throws Exception {
    Path log = LogFrames.beside(file);
    for (int times = 0; times < 40; times++) {
      long before = Files.size(log);
      write(store, "many", MANY_BYTES);
      if (before >= MANY_BYTES && Files.size(log) <= before) return true;
    }
    return false;
  }

  /** The log's head is not summed up: what it says is taken for what it can be. */
  @Test
  void a_log_whose_head_is_damaged_is_no_log() throws Exception {
    Path log = folder.resolve("x-wal");
    for (int bytes : new int[] {0, -4096, 100, 4097, 1 << 30}) {
      ByteBuffer head = ByteBuffer.allocate(100);
      head.putInt(0, 0x377f0682).putInt(8, bytes).putLong(16, 7);
      Files.write(log, head.array());
      assertThat(new LogFrames(log).read()).as("pages of %d bytes", bytes).isFalse();
      try (FileChannel open = FileChannel.open(log)) {
        assertThat(LogFrames.isLong(open, 7, 1_000)).isFalse();
      }
    }
  }

  @Test
  void whatever_is_done_in_whatever_order_a_sound_store_is_well_and_a_flipped_bit_is_told() {
    Seeds.forAll(
        8,
        random -> {
          fresh();
          for (int step = 0; step < 25; step++) happens(random);
          if (stores.isEmpty()) open();
          isWell(stores.peek());
          close();
          isWell(open());
          close();
          flip(random);
          assertThat(open().damagedPages()).isNotEmpty();
          close();
        });
  }

  private void happens(Random random) throws Exception {
    if (stores.isEmpty()) open();
    Store any = random.nextBoolean() ? stores.peekFirst() : stores.peekLast();
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> write(any, "value-" + random.nextInt(5), 1 + random.nextInt(30_000));
      case 3 -> write(any, "large", 4_500_000 + random.nextInt(MANY_BYTES - 4_500_000));
      case 4 ->
          another("PRAGMA wal_checkpoint(" + (random.nextBoolean() ? "FULL" : "TRUNCATE") + ")");
      case 5 ->
          another("INSERT OR REPLACE INTO store_meta VALUES ('theirs', hex(randomblob(9000)))");
      case 6 -> isWell(any);
      case 7 -> {
        if (stores.size() < 3) open();
        else any.scrub();
      }
      default -> {
        if (stores.size() > 1) stores.pollLast().close();
      }
    }
  }

  private void flip(Random random) throws Exception {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long at = random.nextLong(bytes.length());
      bytes.seek(at);
      int was = bytes.read();
      bytes.seek(at);
      bytes.write(was ^ 1 << random.nextInt(8));
    }
  }
}
