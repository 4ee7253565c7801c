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
}
