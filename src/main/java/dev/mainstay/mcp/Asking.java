package dev.mainstay.mcp;

import org.jspecify.annotations.Nullable;

/**
 * One request: whose it is, the key under which it is done once, and the way back while it runs.
 */
public record Asking(Guest guest, @Nullable String key, Line line) {

  /** What can be said to the caller, and heard from him, while his request is being answered. */
  public interface Line {
    /** Nobody listens, and nobody calls it off. */
    Line NONE =
        new Line() {
          @Override
          public void progress(double done, @Nullable Double total, String message) {}

          @Override
          public boolean isCancelled() {
            return false;
          }
        };

    /** A notice of progress; nothing where the caller asked for none. */
    void progress(double done, @Nullable Double total, String message);

    /** A line for the caller's log, if he wants those of this level; levels are syslog's. */
    default void log(String level, String text) {}

    /** Whether the caller's client declared that it can do this, such as {@code sampling}. */
    default boolean clientCan(String capability) {
      return false;
    }

    /** Whether the caller no longer wants the answer. */
    boolean isCancelled();
  }
}
