package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes that nobody waits for. */
class LaterTest {
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
    Contract(Databases database) {
      super(database);
    }

    private static Work<String> counting(CountDownLatch made) {
      return tx -> {
        made.countDown();
        return count(tx);
      };
    }

    private static String count(Tx tx) {
      String times = Integer.toString(1 + counted(tx));
      tx.meta().set("times", times);
      return times;
    }

    private static int counted(Tx tx) {
      return tx.meta().find("times").map(Integer::parseInt).orElse(0);
    }

    private int countedAfterwards() {
      store.close();
      store = open(address);
      return store.reading(Contract::counted);
    }

    @Test
    void those_that_come_together_share_commits() throws InterruptedException {
      long before = store.commits();
      CountDownLatch made = new CountDownLatch(500);
      for (int i = 0; i < 500; i++) store.eventually(counting(made));
      made.await();
      assertThat(store.commits() - before).isLessThan(100);
      assertThat(countedAfterwards()).isEqualTo(500);
    }

    @Test
    void they_are_made_without_anybody_closing_the_store() throws InterruptedException {
      for (int round = 0; round < 3; round++) {
        CountDownLatch made = new CountDownLatch(1);
        store.eventually(counting(made));
        made.await();
      }
      assertThat(countedAfterwards()).isEqualTo(3);
    }

    @Test
    void one_that_fails_takes_nothing_else_along() throws InterruptedException {
      for (Throwable fault : List.of(new IllegalStateException("x"), new AssertionError("y"))) {
        CountDownLatch failed = new CountDownLatch(1);
        store.eventually(
            tx -> {
              failed.countDown();
              if (fault instanceof Error error) throw error;
              throw (RuntimeException) fault;
            });
        failed.await();
      }
      store.eventually(Contract::count);
      assertThat(countedAfterwards()).isEqualTo(1);
    }

    @Test
    void a_store_that_is_closed_takes_no_more() {
      store.close();
      store.eventually(Contract::count);
      assertThat(countedAfterwards()).isZero();
    }
  }

  @Test
  void where_no_thread_is_to_be_had_a_figure_is_lost_and_the_next_tries_again() throws Exception {
    CountDownLatch made = new CountDownLatch(1);
    AtomicInteger tries = new AtomicInteger();
    Later later =
        new Later(
            works -> made.countDown(),
            work ->
                tries.incrementAndGet() == 1 ? new Unstartable() : new Thread(work, "later-test"));
    later.add(tx -> "lost");
    later.add(tx -> "made");
    made.await();
    later.close();
    assertThat(tries).hasValue(2);
  }

  private static final class Unstartable extends Thread {
    @Override
    public synchronized void start() {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }
}
