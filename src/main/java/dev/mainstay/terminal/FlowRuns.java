package dev.mainstay.terminal;

import dev.mainstay.calendar.Schedule;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Flow.Missed;
import dev.mainstay.domain.FlowBody;
import dev.mainstay.domain.FlowEvent;
import dev.mainstay.domain.FlowRun;
import dev.mainstay.domain.FlowRun.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.References;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Times;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.FlowScript.Decision;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;

/**
 * Runs flows. A moment belongs to whoever inserts its row; only then, outside of the transaction,
 * is the script asked and the agent started, so a moment is run at most once.
 */
final class FlowRuns {
  /** What is later than this was missed: no server was there when it was due. */
  static final Duration GRACE = Duration.ofMinutes(5);

  /** Script and start of an agent together; who runs longer is taken for dead. */
  static final Duration RUN_MAX = FlowScript.RUN_MAX.plusMinutes(4);

  static final int RUNS_KEPT_MAX = 1_000;
  private static final int AT_ONCE_MAX = 8;
  private static final int GIVEN_UP_AT_ONCE_MAX = 100;
  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "flows");

  /** A moment that is ours to run; the token tells whether it is this very call's. */
  private record Claim(String token, Flow flow, FlowRun run) {
    JsonObject toJson() {
      return JsonObject.of("token", token, "flow", flow.toJson(), "run", run.toJson());
    }

    static Claim fromJson(JsonObject json) {
      return new Claim(
          json.text("token"),
          Flow.fromJson(json.object("flow")),
          FlowRun.fromJson(json.object("run")));
    }
  }

  private final Store store;
  private final Launching launching;
  private final String host;

  FlowRuns(Store store, Launching launching, String host) {
    this.store = store;
    this.launching = launching;
    this.host = host;
  }

  FlowRun byHand(String name, Call call) {
    String token = UUID.randomUUID().toString();
    JsonObject request = JsonObject.of("name", name);
    Claim claim =
        store.inTransaction(
            Once.of(call, "flow.run", request, Claim::toJson, Claim::fromJson),
            tx -> {
              Flow flow = tx.flows().lock(name);
              refuseElsewhere(flow);
              return new Claim(token, flow, begunByHand(tx, name));
            });
    if (claim.token().equals(token)) return carryOut(claim, call);
    // The same request was made before: it is answered, and not run again.
    FlowRun then = claim.run();
    return store.reading(tx -> tx.flowRuns().find(name, then.dueAt()).orElse(then));
  }

  private void refuseElsewhere(Flow flow) {
    if (flow.place().host().equals(host)) return;
    throw Refusal.conflict(
        Phrase.of(
            "the flow %s belongs to the machine %s; run it there, or add it here",
            flow.name(), flow.place().host()));
  }

  /** At a moment that no schedule can name and no other run has. */
  private static FlowRun begunByHand(Tx tx, String name) {
    tx.flowRuns().keepNewest(name, RUNS_KEPT_MAX);
    Instant now = tx.now();
    Instant at = now.equals(now.truncatedTo(ChronoUnit.MINUTES)) ? later(now) : now;
    FlowRun run = FlowRun.begun(name, at, true, now);
    while (!tx.flowRuns().insert(run)) run = FlowRun.begun(name, later(run.dueAt()), true, now);
    return run;
  }

  private static Instant later(Instant moment) {
    return moment.plus(1, ChronoUnit.MICROS);
  }

  int due() {
    // The calendar of a store that came from elsewhere starts nothing.
    if (!store.settings().isTrusted()) return 0;
    boolean work = store.reading(tx -> tx.flows().isWorkFor(host, tx.now().minus(RUN_MAX)));
    if (!work) return 0; // a look costs no commit
    giveUpForsaken();
    int ran = 0;
    List<Claim> claims = claimDue();
    while (!claims.isEmpty()) {
      carryOutAll(claims);
      ran += claims.size();
      claims = Thread.currentThread().isInterrupted() ? List.of() : claimDue();
    }
    return ran;
  }

  private void giveUpForsaken() {
    store.inTransaction(
        Once.<Integer>unkeyed(),
        tx -> {
          Instant before = tx.now().minus(RUN_MAX);
          List<FlowRun> forsaken = tx.flowRuns().lockForsaken(host, before, GIVEN_UP_AT_ONCE_MAX);
          for (FlowRun each : forsaken) {
            end(tx, each.failed("the server ended while it ran", tx.now()), SYSTEM);
          }
          return forsaken.size();
        });
  }

  /** The key makes a claim whose answer was lost ours all the same. */
  private List<Claim> claimDue() {
    String token = UUID.randomUUID().toString();
    return store.inTransaction(
        Once.of(
            SYSTEM.withKey("flows " + token),
            "flow.claim",
            JsonObject.EMPTY,
            claims -> JsonObject.of("claims", claims.stream().map(Claim::toJson).toList()),
            json -> json.objects("claims").stream().map(Claim::fromJson).toList()),
        tx -> {
          List<Claim> claims = new ArrayList<>();
          for (Flow flow : tx.flows().lockDue(host, AT_ONCE_MAX)) {
            claimed(tx, flow).ifPresent(run -> claims.add(new Claim(token, flow, run)));
          }
          if (claims.isEmpty()) tx.leaveUnsettled();
          return claims;
        });
  }

  /** Takes a due moment of a locked flow; however many were missed, the next is after now. */
  private static Optional<FlowRun> claimed(Tx tx, Flow flow) {
    Instant due = Objects.requireNonNull(flow.stamps().nextRun());
    FlowRun run = judged(flow, due, tx.now());
    boolean broken = run.outcome().status() == Status.FAILED;
    Optional<Instant> next = broken ? Optional.empty() : Schedule.of(flow.timing()).next(tx.now());
    tx.flows().put(flow.dueNext(next.orElse(null)));
    tx.flowRuns().keepNewest(flow.name(), RUNS_KEPT_MAX);
    if (!tx.flowRuns().insert(run)) return Optional.empty();
    if (run.outcome().status() == Status.RUNNING) return Optional.of(run);
    Flows.append(tx, flow.name(), SYSTEM, new FlowEvent.Ran(run));
    return Optional.empty();
  }

  private static FlowRun judged(Flow flow, Instant due, Instant now) {
    try {
      Schedule.of(flow.timing());
    } catch (Refusal unreadable) { // by a Java with other time zones than the one that wrote it
      return FlowRun.passed(flow.name(), due, Status.FAILED, unreadable.sentence(), now);
    }
    boolean late = due.plus(GRACE).isBefore(now);
    if (!late || flow.timing().missed() == Missed.RUN) {
      return FlowRun.begun(flow.name(), due, false, now);
    }
    String why = "no server ran when it was due, and missed runs are skipped";
    return FlowRun.passed(flow.name(), due, Status.MISSED, why, now);
  }

  /** All at the same time, so that a slow script holds up nobody else's run. */
  private void carryOutAll(List<Claim> claims) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            claims.size(),
            work -> {
              Thread thread = new Thread(work, "mainstay-flow");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Callable<FlowRun>> all = new ArrayList<>();
      for (Claim each : claims) all.add(() -> carryOut(each, SYSTEM));
      for (Future<FlowRun> each : threads.invokeAll(all)) each.get();
    } catch (ExecutionException fault) {
      throw new IllegalStateException("a flow could not be run", fault.getCause());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdownNow();
    }
  }

  private FlowRun carryOut(Claim claim, Call call) {
    try {
      Decision decision = FlowScript.ask(claim.flow(), FlowScript.RUN_MAX);
      if (!decision.execute()) return ended(claim, call, FlowRun::declined);
      String terminal = launch(claim, decision.output(), call);
      return ended(claim, call, (run, now) -> run.started(terminal, now));
    } catch (CancellationException stopped) {
      return claim.run(); // the store may be gone already; whoever comes next gives it up
    } catch (Refusal refused) {
      return ended(claim, call, (run, now) -> run.failed(refused.sentence(), now));
    } catch (RuntimeException fault) {
      ended(claim, call, (run, now) -> run.failed("a fault of Mainstay: " + fault, now));
      throw fault;
    }
  }

  /** Starts the agent; under one key for each moment, so that no repetition starts another. */
  private String launch(Claim claim, JsonObject output, Call call) {
    Flow flow = claim.flow();
    JsonObject values = flow.work().variables();
    for (String name : output.asMap().keySet()) values = values.withAny(name, output.get(name));
    String text = FlowBody.fill(flow.work().body(), values);
    LaunchOrder order =
        LaunchOrder.of(flow.work().profile(), Path.of(flow.place().workDir()))
            .on(flow.work().provider())
            .told(JsonObject.of("initial_prompt", References.literal(text)));
    String key = Phrase.of("flow %s %s", flow.name(), Times.write(claim.run().dueAt()));
    return launching.launch(order, call.withKey(key)).id();
  }

  /** Notes what became of a run, unless it was given up or its flow removed meanwhile. */
  private FlowRun ended(Claim claim, Call call, BiFunction<FlowRun, Instant, FlowRun> how) {
    FlowRun begun = claim.run();
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Optional<FlowRun> found = tx.flowRuns().lock(begun.flow(), begun.dueAt());
          FlowRun run = found.orElse(begun);
          if (run.outcome().status() != Status.RUNNING) return run;
          FlowRun ended = how.apply(run, tx.now());
          if (found.isPresent()) end(tx, ended, call);
          return ended;
        });
  }

  private static void end(Tx tx, FlowRun run, Call call) {
    tx.flowRuns().ended(run);
    Flows.append(tx, run.flow(), call, new FlowEvent.Ran(run));
  }
}
