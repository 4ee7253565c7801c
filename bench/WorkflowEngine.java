import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Something that runs "start, split in 3, 3 external tasks, join, end". */
interface WorkflowEngine extends AutoCloseable {
  int TASKS_EACH = 3;

  /** Starts one instance. */
  void start(int number) throws Exception;

  /** Takes up to so many tasks of any instance and does them; how many there were. */
  int work(String worker, int limit) throws Exception;

  /** How many instances have ended, by the engine's own word. */
  long ended() throws Exception;

  /** Complains unless every instance has ended and each of its tasks was done exactly once. */
  void check(int instances) throws Exception;

  /**
   * Instances per second, from the first start to the last end: each worker starts one and then
   * does as many tasks as it has, its own or others', until all have ended.
   */
  static double perSecond(WorkflowEngine engine, int instances, int workers) throws Exception {
    AtomicInteger begun = new AtomicInteger();
    AtomicReference<Throwable> fault = new AtomicReference<>();
    Thread[] threads = new Thread[workers];
    long start = System.nanoTime();
    for (int w = 0; w < workers; w++) {
      String name = "worker-" + w;
      threads[w] =
          new Thread(
              () -> {
                try {
                  takePart(engine, name, begun, instances);
                } catch (Throwable wrong) {
                  fault.compareAndSet(null, wrong);
                  begun.set(instances);
                }
              });
      threads[w].start();
    }
    for (Thread thread : threads) thread.join();
    if (fault.get() != null) throw new IllegalStateException(fault.get());
    // An engine that finishes in the background is given the time to; it counts.
    while (engine.ended() < instances) Thread.sleep(1);
    double seconds = (System.nanoTime() - start) / 1e9;
    engine.check(instances);
    return instances / seconds;
  }

  private static void takePart(
      WorkflowEngine engine, String worker, AtomicInteger begun, int instances) throws Exception {
    for (int number = begun.getAndIncrement();
        number < instances;
        number = begun.getAndIncrement()) {
      engine.start(number);
      for (int open = TASKS_EACH; open > 0; ) {
        int done = engine.work(worker, open);
        open -= done;
        if (done == 0) Thread.sleep(1);
      }
    }
  }
}
