package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told to one who is interrupted while he waits for a connection to PostgreSQL. */
@Timeout(60)
class InterruptedWaitTest {
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final List<Thread> readers = new ArrayList<>();

  /** Readers who have so many of the connections until they are let go on. */
  private void take(Store store, int connections) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(connections);
    for (int i = 0; i < connections; i++) {
      Thread reader =
          new Thread(
              () ->
                  store.reading(
                      tx -> {
                        tx.meta().find("any");
                        begun.countDown();
                        Pause.until(goOn);
                        return 0;
                      }));
      reader.start();
      readers.add(reader);
    }
    begun.await();
  }

  private void letGo() throws InterruptedException {
    goOn.countDown();
    for (Thread each : readers) each.join();
  }

  private static int set(Store store) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().set("name", "1");
          return 0;
        });
  }

  @Test
  void one_whose_change_was_not_begun_learns_that_nothing_was_changed() throws Exception {
    String url = PostgresLossTest.url(Databases.postgresPort());
    try (Store store = Store.open(StoreAddress.parse(url), StoreSettings.DEFAULT)) {
      take(store, PostgresPool.CONNECTIONS_MAX);
      var waiting = new FutureTask<>(() -> set(store));
      Thread waiter = new Thread(waiting);
      waiter.start();
      while (waiter.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
      waiter.interrupt();
      assertThatThrownBy(waiting::get)
          .cause()
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("nothing was changed");
      letGo();
      assertThat(store.<Boolean>reading(tx -> tx.meta().find("name").isPresent())).isFalse();
    }
  }
}
