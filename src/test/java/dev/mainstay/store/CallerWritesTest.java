package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A caller who is alone writes in his own thread; everybody else is handed over. */
@Timeout(60)
class CallerWritesTest {
  private static final String WRITER = "mainstay-writer";

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("state.sqlite3");
  }

  private Store open() {
    return Store.open(new StoreAddress.File(file()), StoreSettings.DEFAULT);
  }

  /** Sets a value; the name of the thread that did it. */
  private static String set(Store store, String name) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().set(name, "1");
          return Thread.currentThread().getName();
        });
  }

  private static boolean has(Store store, String name) {
    return store.reading(tx -> tx.meta().find(name).isPresent());
  }

  /** A use case that is under way until it is let go on, in a thread of its own. */
  private static Thread busy(Store store, CountDownLatch begun, CountDownLatch goOn) {
    Thread thread =
        new Thread(
            () ->
                store.inTransaction(
                    Once.unkeyed(),
                    tx -> {
                      begun.countDown();
                      Pause.until(goOn);
                      tx.meta().set("busy", "1");
                      return 0;
                    }));
    thread.start();
    return thread;
  }

  @Test
  void one_who_is_alone_writes_himself_and_several_who_come_together_do_not() throws Exception {
    try (Store store = open()) {
      set(store, "first of all"); // opens the connection
      while (!set(store, "alone").equals(Thread.currentThread().getName())) Pause.briefly();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      Thread first = busy(store, begun, goOn);
      begun.await();
      var second = new FutureTask<>(() -> set(store, "second"));
      Thread waiting = new Thread(second);
      waiting.start();
      while (waiting.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
      goOn.countDown();
      first.join();
      assertThat(second.get()).isIn(first.getName(), WRITER);
      assertThat(has(store, "second")).isTrue();
      // Handed over once more, and again while the thread still has the pen: then found to be
      // alone.
      while (!set(store, "third").equals(Thread.currentThread().getName())) Pause.briefly();
    }
  }

  @Test
  void who_was_handed_over_is_not_passed_by_those_who_come_later() throws Exception {
    try (Store store = open()) {
      set(store, "zeroth"); // opens the connection, so that a caller may write
      List<String> order = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      Thread first = busy(store, begun, goOn);
      begun.await();
      Thread second = new Thread(() -> noted(store, "second", order));
      second.start();
      while (second.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
      goOn.countDown();
      noted(store, "third", order);
      second.join();
      first.join();
      assertThat(order).containsExactly("second", "third");
    }
  }

  private static void noted(Store store, String name, List<String> order) {
    store.inTransaction(Once.unkeyed(), tx -> order.add(name));
  }

  @Test
  void a_virtual_thread_is_handed_over() throws Exception {
    try (Store store = open()) {
      set(store, "before");
      var written = new FutureTask<>(() -> set(store, "virtual"));
      startVirtual(written);
      assertThat(written.get()).isEqualTo(WRITER);
    }
  }

  /** A real one where the JDK has them. */
  private static void startVirtual(Runnable work) throws ReflectiveOperationException {
    if (Runtime.version().feature() >= 21) {
      Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
    } else {
      new Thread(new ThreadGroup("VirtualThreads"), work).start();
    }
  }

  @Test
  void one_who_is_interrupted_already_never_writes_himself() {
    try (Store store = open()) {
      set(store, "before");
      for (int i = 0; i < 50; i++) {
        Thread.currentThread().interrupt();
        try {
          assertThat(set(store, "name")).isEqualTo(WRITER);
        } catch (Refusal refused) {
          assertThat(refused).hasMessageContaining("nothing was changed");
        }
        assertThat(Thread.interrupted()).isTrue();
      }
    }
  }

  @Test
  void one_who_was_interrupted_before_is_told_so_and_nothing_is_changed() throws Exception {
    try (Store store = open()) {
      set(store, "first");
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      Thread busy = busy(store, begun, goOn);
      begun.await();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> set(store, "never")).hasMessageContaining("nothing was changed");
      assertThat(Thread.interrupted()).isTrue();
      goOn.countDown();
      busy.join();
      assertThat(has(store, "never")).isFalse();
    }
  }

  /** The JDK closes what an interrupted thread reads or writes: neither lock nor sums may go. */
  @Test
  void one_who_is_interrupted_while_he_writes_has_written_and_learns_of_it_afterwards()
      throws Exception {
    try (Store store = open()) {
      long first = large(store, "first");
      while (large(store, "more") == first) Pause.briefly();
      int[] sums = sums(); // of what was taken into the file
      assertThat(sums[0]).isNotZero();
      String me = Thread.currentThread().getName();
      while (!set(store, "again").equals(me)) Pause.briefly();
      for (int i = 0; i < 3; i++) {
        String name = "interrupted" + i;
        while (!interruptedWhileSetting(store, name).equals(me)) Pause.briefly();
        assertThat(has(store, name)).isTrue();
        assertThat(head().commits()).isEqualTo(store.reading(tx -> tx.meta().commits()));
        assertThat(head().lostTo()).isZero();
        assertThat(sums()).isEqualTo(sums);
        while (!set(store, "after").equals(me)) Pause.briefly(); // the lock is as it was
      }
      assertThat(store.damagedPages()).isEmpty();
    }
  }

  private static String interruptedWhileSetting(Store store, String name) {
    String by =
        store.inTransaction(
            Once.unkeyed(),
            tx -> {
              tx.meta().set(name, "1");
              Thread.currentThread().interrupt();
              return Thread.currentThread().getName();
            });
    boolean mine = by.equals(Thread.currentThread().getName());
    assertThat(Thread.interrupted()).isEqualTo(mine);
    return by;
  }

  private PageSums.Head head() throws IOException {
    try (PageSums sums = PageSums.openToRead(PageSums.beside(file()))) {
      assertThat(sums.isDamaged()).isFalse();
      return sums.head();
    }
  }

  private int[] sums() throws IOException {
    try (PageSums sums = PageSums.openToRead(PageSums.beside(file()))) {
      return sums.of(1, sums.pages());
    }
  }

  @Test
  void one_who_finds_a_program_writing_that_knows_no_lock_file_loses_patience_and_nothing_else()
      throws Exception {
    open().close();
    var impatient = StoreSettings.DEFAULT.withPatience(Duration.ofMillis(200));
    try (Store store = Store.open(new StoreAddress.File(file()), impatient)) {
      set(store, "before");
      try (Connection shell = DriverManager.getConnection("jdbc:sqlite:" + file());
          Statement statement = shell.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
        assertThatThrownBy(() -> set(store, "late"))
            .isInstanceOf(Refusal.class)
            .hasMessageContaining("nothing was changed");
        statement.execute("COMMIT");
      }
      while (!wrote(store)) Pause.briefly();
      assertThat(has(store, "late")).isFalse();
      assertThat(Files.exists(PageSums.beside(file()))).isTrue();
    }
  }

  /** Whether somebody could write; what was given up may still be waited for. */
  private static boolean wrote(Store store) {
    try {
      set(store, "after");
      return true;
    } catch (Refusal notYet) {
      return false;
    }
  }

  @Test
  void a_use_case_inside_another_is_a_mistake_and_undone() {
    try (Store store = open()) {
      assertThatThrownBy(
              () ->
                  store.inTransaction(
                      Once.unkeyed(),
                      tx -> {
                        tx.meta().set("outer", "1");
                        return set(store, "inner");
                      }))
          .isInstanceOf(IllegalStateException.class);
      assertThat(has(store, "outer")).isFalse();
      assertThat(has(store, "inner")).isFalse();
      set(store, "next");
    }
  }

  @Test
  void a_store_that_is_closed_waits_for_a_caller_who_writes() throws Exception {
    Store store = open();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread writing = busy(store, begun, goOn);
    begun.await();
    Thread closing = new Thread(store::close);
    closing.start();
    while (closing.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
    goOn.countDown();
    writing.join();
    closing.join();
    assertThatThrownBy(() -> set(store, "late")).hasMessageContaining("closed");
    try (Store again = open()) {
      assertThat(has(again, "busy")).isTrue();
    }
  }

  /** The log begins anew, with other salts, once all of it was taken into the file. */
  @Test
  void a_log_that_became_long_is_shortened_though_every_caller_is_alone() throws Exception {
    try (Store store = open()) {
      long first = large(store, "first");
      while (large(store, "more") == first) Pause.briefly();
      assertThat(store.damagedPages()).isEmpty();
    }
  }

  @Test
  void a_log_is_shortened_by_those_who_write_once_each_while_somebody_reads() throws Exception {
    try (Store reader = open()) {
      long first = largeByOneWhoComesAndGoes("first");
      while (largeByOneWhoComesAndGoes("more") == first) Pause.briefly();
      assertThat(reader.damagedPages()).isEmpty();
    }
  }

  private long largeByOneWhoComesAndGoes(String name) throws IOException {
    try (Store store = open()) {
      set(store, "opened");
      return large(store, name);
    }
  }

  /** Writes a hundred pages; the salts of the log afterwards. */
  private long large(Store store, String name) throws IOException {
    String value = "x".repeat(400_000);
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().set(name, value);
          return 0;
        });
    try (FileChannel log = FileChannel.open(LogFrames.beside(file()))) {
      return LogFrames.salts(log);
    }
  }
}
