package dev.mainstay.rest;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread for each who listens: virtual where the JDK has them, which the floor of 17 has not. */
final class Threads {
  private static final int VIRTUAL_SINCE = 21;

  private Threads() {}

  static boolean areVirtual() {
    return Runtime.version().feature() >= VIRTUAL_SINCE;
  }

  static ExecutorService perReader() {
    if (!areVirtual()) {
      return Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "mainstay-events");
            thread.setDaemon(true);
            return thread;
          });
    }
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
