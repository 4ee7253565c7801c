package dev.mainstay.terminal;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Writes down which agents were wanted and starts none. */
public final class RecordedLaunches implements Launching {
  /** One order, and who gave it. */
  public record Launch(LaunchOrder order, Call call) {
    public String prompt() {
      return order.told().text("initial_prompt");
    }
  }

  /** The one profile that does not exist here. */
  public static final String UNKNOWN = "wizard";

  public final List<Launch> launches = new CopyOnWriteArrayList<>();
  public volatile boolean isFull;

  @Override
  public void mustKnow(String profile, @Nullable String provider) {
    if (profile.equals(UNKNOWN)) throw Refusal.notFound("there is no profile \"" + profile + "\"");
  }

  @Override
  public Terminal launch(LaunchOrder order, Call call) {
    if (isFull) throw Refusal.conflict("as many terminals run as may");
    launches.add(new Launch(order, call));
    String id = order.profile() + "-" + launches.size();
    return new Terminal(id, "shell", order.profile(), null, Instant.EPOCH);
  }

  public List<String> prompts() {
    return launches.stream().map(Launch::prompt).toList();
  }
}
