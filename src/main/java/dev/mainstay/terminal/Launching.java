package dev.mainstay.terminal;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Terminal;

/** Starts agents. */
public interface Launching {
  /**
   * Starts an agent in a window of its own; refused with a conflict while as many run as may. The
   * call's agent becomes its caller, to whom replies go.
   */
  Terminal launch(LaunchOrder order, Call call);

  /**
   * Ends an agent that has nothing more to do, so that another can be started in its place; false
   * where that is not done.
   */
  default boolean retire(String terminal, Call call) {
    return false;
  }
}
