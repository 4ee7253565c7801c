package dev.mainstay.terminal;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Terminal;
import org.jspecify.annotations.Nullable;

/** Starts agents. */
public interface Launching {
  /**
   * Starts an agent in a window of its own; refused with a conflict while as many run as may. The
   * call's agent becomes its caller, to whom replies go.
   */
  Terminal launch(LaunchOrder order, Call call);

  /**
   * Refuses a profile or a provider that does not exist, and names the nearest.
   *
   * @param provider null for the profile's own
   */
  default void mustKnow(String profile, @Nullable String provider) {}

  /**
   * Ends an agent that has nothing more to do, so that another can be started in its place; false
   * where that is not done.
   */
  default boolean retire(String terminal, Call call) {
    return false;
  }
}
