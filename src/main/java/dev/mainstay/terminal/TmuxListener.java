package dev.mainstay.terminal;

/**
 * Hears what tmux says unasked. Called on the thread that reads from tmux: it must neither wait nor
 * give tmux a command.
 */
public interface TmuxListener {
  /** What a program printed, byte for byte; only panes whose windows are followed are heard. */
  default void output(String pane, byte[] bytes) {}

  /** Any other notice, such as {@code window-close} with {@code @3}. */
  default void notice(String kind, String rest) {}

  /** The connection is back; what was printed meanwhile was not heard. */
  default void reconnected() {}
}
