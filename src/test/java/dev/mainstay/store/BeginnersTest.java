package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Those who make something new while somebody else has what they need, on PostgreSQL. */
class BeginnersTest extends OnDatabase {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch free = new CountDownLatch(1);

  BeginnersTest() {
    super(Databases.POSTGRESQL);
  }

  @AfterEach
  void letAllGo() {
    free.countDown();
    threads.shutdownNow();
  }

  private static Once<String> once(Call call) {
    return Once.of(
        call,
        "begin",
        JsonObject.EMPTY,
        answer -> JsonObject.of("answer", answer),
        json -> json.text("answer"));
  }

  @Test
  void one_whose_key_somebody_else_is_using_keeps_no_other_waiting() throws Exception {
    Call keyed = ADA.withKey("once");
    CountDownLatch has = new CountDownLatch(1);
    try (Store other = open(address)) {
      Future<String> before =
          threads.submit(
              () ->
                  other.inTransaction(
                      once(keyed),
                      tx -> {
                        has.countDown();
                        await(free);
                        return "the first";
                      }));
      assertThat(has.await(60, TimeUnit.SECONDS)).isTrue();
      Future<String> again =
          threads.submit(() -> store.makingNew(once(keyed), tx -> "never: it is the same"));
      // It may lead the others, or come after them; nobody knows, so there are several.
      for (int i = 0; i < 3; i++) {
        String name = "other " + i;
        assertThat(
                threads
                    .submit(() -> store.makingNew(once(ADA), tx -> name))
                    .get(60, TimeUnit.SECONDS))
            .isEqualTo(name);
      }
      assertThat(again.isDone()).isFalse();
      free.countDown();
      assertThat(before.get(60, TimeUnit.SECONDS)).isEqualTo("the first");
      assertThat(again.get(60, TimeUnit.SECONDS)).isEqualTo("the first");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }
}
