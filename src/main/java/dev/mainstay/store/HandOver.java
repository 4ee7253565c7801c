package dev.mainstay.store;

/**
 * When work is left to a thread of its own although its caller is alone and could do it sooner.
 * Work that has begun goes on to its end, which not every thread allows.
 */
public final class HandOver {
  /** How the JDK names the group of all virtual threads. */
  private static final String VIRTUAL = "VirtualThreads";

  private HandOver() {}

  /**
   * One that was interrupted is to be told so before anything begins. A virtual one would keep
   * others from running, and its connections to a server are cut when it is interrupted.
   */
  public static boolean isDueFrom(Thread caller) {
    ThreadGroup group = caller.getThreadGroup();
    return caller.isInterrupted() || group == null || group.getName().equals(VIRTUAL);
  }
}
