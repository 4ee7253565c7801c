package dev.mainstay.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several threads that begin at the same moment. */
public final class Both {
  private Both() {}

  /** Runs all at once and gives what each gave; a failure of one is thrown. */
  public static <T> List<T> atOnce(int threads, Callable<T> each) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        futures.add(
            pool.submit(
                () -> {
                  start.await();
                  return each.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) results.add(future.get());
      return results;
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Exception cause) throw cause;
      throw failed;
    } finally {
      pool.shutdownNow();
    }
  }
}
