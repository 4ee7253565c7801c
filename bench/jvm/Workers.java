import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Threads that do the same turn after turn until they are told to end or nothing is left. */
final class Workers {
  interface Turn {
    /** One claim and one completion; false when nothing waits any more. */
    boolean once(int worker) throws Exception;
  }

  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder done = new LongAdder();
  private final AtomicReference<Throwable> fault = new AtomicReference<>();
  private volatile boolean ended;

  Workers(int count, Turn turn) {
    for (int i = 0; i < count; i++) {
      int worker = i;
      threads.add(
          new Thread(
              () -> {
                try {
                  while (!ended && turn.once(worker)) done.increment();
                } catch (Throwable wrong) {
                  fault.compareAndSet(null, wrong);
                }
              },
              "worker-" + worker));
    }
  }

  void begin() {
    threads.forEach(Thread::start);
  }

  long done() {
    if (fault.get() != null) throw new IllegalStateException(fault.get());
    return done.sum();
  }

  void end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) thread.join();
    done();
  }
}
