package dev.mainstay.terminal;

import dev.mainstay.calendar.Schedule;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Flow.Place;
import dev.mainstay.domain.Flow.Stamps;
import dev.mainstay.domain.FlowEvent;
import dev.mainstay.domain.FlowRun;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Times;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.FlowText.Source;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Work that comes back by the calendar: add it, look at it, let it run or rest. A flow belongs to
 * the machine on which it was added, and only a server there runs it.
 */
public final class Flows {
  public static final int PAGE_MAX = 1_000;
  public static final int NEXT_RUNS = 5;
  public static final int LAST_RUNS = 10;

  /** The machine, and the folder whose flows callers from elsewhere may make. */
  public record Home(String host, Path root) {}

  /** A flow, when it will run, and what became of it, the newest first. */
  public record Shown(Flow flow, List<Instant> next, List<FlowRun> runs) {
    public JsonObject toJson() {
      return flow.toJson()
          .with("next_runs", next.stream().map(Times::write).toList())
          .with("runs", runs.stream().map(FlowRun::toJson).toList());
    }
  }

  private final Store store;
  private final Home home;
  private final FlowRuns runs;

  public Flows(Store store, Launching launching, Home home) {
    this.store = store;
    this.home = home;
    this.runs = new FlowRuns(store, launching, home.host());
  }

  /** Reads a flow that comes without a file; its script must be one of the project's own files. */
  public NewFlow read(String text) {
    Path root = home.root().toAbsolutePath().normalize();
    NewFlow wanted = FlowText.read(new Source("content", text, root, root, ZoneId.systemDefault()));
    String script = wanted.work().script();
    if (script == null || FlowText.program(script).startsWith(root)) return wanted;
    throw Refusal.invalid(
        Phrase.of("the script must be a file in %s; put it there, or add the flow there", root));
  }

  /** Adds a flow, or replaces the one of its name, which stays disabled if it was. */
  public Flow add(NewFlow wanted, Call call) {
    return store.inTransaction(
        once(call, "flow.add", wanted.toJson().with("host", home.host())),
        tx -> {
          Optional<Flow> before = tx.flows().lockIfThere(wanted.name());
          Flow flow = made(wanted, before.orElse(null), tx.now());
          if (before.isPresent() && before.get().isLike(flow)) return before.get();
          tx.flows().put(flow);
          append(tx, flow.name(), call, new FlowEvent.Added(flow, before.isEmpty()));
          return flow;
        });
  }

  private Flow made(NewFlow wanted, @Nullable Flow before, Instant now) {
    Place place = new Place(home.host(), wanted.workDir().toString());
    Stamps known = before == null ? new Stamps(true, null, 0, now, now) : before.stamps();
    boolean kept = before != null && before.timing().equals(wanted.timing());
    Instant next = null;
    if (known.enabled()) {
      boolean waits = kept && known.nextRun() != null;
      next = waits ? known.nextRun() : next(wanted.timing(), now);
    }
    Stamps stamps = new Stamps(known.enabled(), next, known.version() + 1, known.createdAt(), now);
    return new Flow(wanted.name(), wanted.timing(), wanted.work(), place, stamps);
  }

  private static Instant next(Flow.Timing timing, Instant now) {
    return Schedule.of(timing)
        .next(now)
        .orElseThrow(
            () ->
                Refusal.invalid(
                    Phrase.of(
                        "the schedule \"%s\" names a day that never comes; name another",
                        timing.schedule())));
  }

  /** In the order of their names; those after one, or from the first. */
  public List<Flow> list(@Nullable String after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", PAGE_MAX));
    }
    return store.reading(tx -> tx.flows().list(after == null ? "" : after, limit));
  }

  public Shown show(String name) {
    return store.reading(
        tx -> {
          Flow flow = tx.flows().get(name);
          List<Instant> next = List.of();
          if (flow.stamps().enabled()) next = Schedule.of(flow.timing()).next(tx.now(), NEXT_RUNS);
          return new Shown(flow, next, tx.flowRuns().newest(name, LAST_RUNS));
        });
  }

  /** Lets a flow run by its schedule, from now on. */
  public Flow enable(String name, Call call) {
    return store.inTransaction(
        once(call, "flow.enable", JsonObject.of("name", name)),
        tx -> {
          Flow flow = tx.flows().lock(name);
          if (flow.stamps().enabled()) return flow;
          Instant next = next(flow.timing(), tx.now());
          Flow enabled = flow.enabled(next, tx.now());
          tx.flows().put(enabled);
          append(tx, name, call, new FlowEvent.Enabled(next));
          return enabled;
        });
  }

  /** Lets a flow rest; it can still be run by hand. */
  public Flow disable(String name, Call call) {
    return store.inTransaction(
        once(call, "flow.disable", JsonObject.of("name", name)),
        tx -> {
          Flow flow = tx.flows().lock(name);
          if (!flow.stamps().enabled()) return flow;
          Flow disabled = flow.disabled(tx.now());
          tx.flows().put(disabled);
          append(tx, name, call, new FlowEvent.Disabled());
          return disabled;
        });
  }

  /** Takes a flow away with what is known of its runs; its agents go on. */
  public Flow remove(String name, Call call) {
    return store.inTransaction(
        once(call, "flow.remove", JsonObject.of("name", name)),
        tx -> {
          Flow flow = tx.flows().lock(name);
          tx.flows().delete(name);
          append(tx, name, call, new FlowEvent.Removed());
          return flow;
        });
  }

  /** Runs a flow now, whatever its schedule says, and tells what became of it. */
  public FlowRun run(String name, Call call) {
    return runs.byHand(name, call);
  }

  /**
   * Runs what is due on this machine, each moment once however many servers ask, and gives up runs
   * whose server died; how many were run. A look costs no commit.
   */
  public int due() {
    return runs.due();
  }

  static void append(Tx tx, String name, Call call, FlowEvent event) {
    tx.journal().append(Flow.stream(name), call, List.of(event));
  }

  private static Once<Flow> once(Call call, String useCase, JsonObject request) {
    return Once.of(call, useCase, request, Flow::toJson, Flow::fromJson);
  }
}
