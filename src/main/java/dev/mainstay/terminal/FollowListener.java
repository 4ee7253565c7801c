package dev.mainstay.terminal;

/** Hears one pane, on a thread of its own; it may take its time. */
public interface FollowListener {
  /** What the program printed, byte for byte; a character may be cut in two. */
  void output(byte[] bytes);

  /** So many bytes were dropped before the next output, since they were not taken in time. */
  default void missed(long bytes) {}

  /** The connection was lost for a moment; nobody knows what was printed meanwhile. */
  default void interrupted() {}

  /** The program has ended or its window is gone; nothing follows. */
  default void ended() {}
}
