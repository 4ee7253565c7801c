package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Terms.Retry;
import dev.mainstay.queue.QueueModel.Kind;
import dev.mainstay.queue.QueueModel.Step;
import dev.mainstay.store.Store;
import dev.mainstay.store.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One random history of a queue: workers that claim, work, stall, die, wake late and repeat
 * themselves, a lead that makes, cancels and retries tasks, and a sweeper, on a clock that moves
 * only between steps. Every step is held against {@link QueueModel}; in the end everything must be
 * finished. The same seed gives the same trace.
 */
final class QueueSimulation {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final int STEPS = 15;
  private static final int TASKS_MAX = 8;
  private static final int ROUNDS_MAX = 60;
  private static final List<String> WORKERS = List.of("ann", "ben", "cid");
  private static final Call LEAD = Call.by(Actor.person("lead"), "test");

  /** A store that many histories share, each with a type of task of its own. */
  static final class Ground {
    final Store store;
    final TestClock clock;
    private int histories;

    Ground(Store store, TestClock clock) {
      this.store = store;
      this.clock = clock;
    }
  }

  /** What a worker remembers of a task it was given, however long ago. */
  private record Claim(String worker, TaskId task, long fence) {}

  /** A step whose answer was lost on the way; its worker will ask again. */
  private record Unsure(String what, Supplier<Object> again, Object answer) {}

  private final Ground ground;
  private final Random random;
  private final Tasks tasks;
  private final Leases leases;
  private final String label;
  private final TaskType type;
  private final QueueModel model = new QueueModel(LEASE);
  private final StringBuilder trace = new StringBuilder();
  private final List<TaskId> ids = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private final List<Unsure> unsure = new ArrayList<>();

  /** How often which step of whom was acknowledged, as the journal must show it. */
  private final Map<String, Integer> acknowledged = new TreeMap<>();

  private Map<TaskId, Task> known = new LinkedHashMap<>();
  private int keys;

  private QueueSimulation(Ground ground, long seed) {
    this.ground = ground;
    this.random = new Random(new SplittableRandom(seed).nextLong());
    this.tasks = new Tasks(ground.store);
    this.leases = new Leases(ground.store);
    this.label = "H" + ground.histories++;
    this.type = new TaskType(label);
  }

  /** Plays the history of a seed and gives its trace; a failure names the seed and shows it. */
  static String play(Ground ground, long seed) {
    QueueSimulation history = new QueueSimulation(ground, seed);
    try {
      for (int i = 0; i < 3; i++) history.create();
      for (int i = 0; i < STEPS; i++) history.step();
      history.finish();
      QueueJournal.check(ground.store, history.ids, history.acknowledged);
      return history.trace.toString();
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError(
          "seed " + seed + " (replay with -Dseed=" + seed + "): " + failure + "\n" + history.trace,
          failure);
    }
  }

  private void step() {
    switch (random.nextInt(20)) {
      case 0 -> create();
      case 1 -> depend();
      case 2 -> cancel();
      case 3, 4 -> retry();
      case 5 -> sleep(LEASE.plusSeconds(random.nextInt(3) - 1));
      case 6 -> sleep(Duration.ofSeconds(1 + random.nextInt(20)));
      case 7 -> expire();
      case 8 -> forget();
      case 9 -> askAgain();
      case 10, 11, 12, 13 -> claim(WORKERS.get(random.nextInt(WORKERS.size())));
      default -> work();
    }
  }

  private void create() {
    if (ids.size() == TASKS_MAX) return;
    TaskId parent = random.nextInt(3) == 0 ? any() : null;
    List<Dependency> edges = new ArrayList<>();
    while (random.nextInt(3) == 0 && any() != null) {
      TaskId other = ids.get(random.nextInt(ids.size()));
      if (edges.stream().noneMatch(edge -> edge.on().equals(other))) {
        edges.add(new Dependency(other, Dependency.Kind.values()[random.nextInt(3)]));
      }
    }
    var brief = new Task.Brief("t", "", type, random.nextInt(3), JsonObject.EMPTY);
    var wanted = new NewTask(brief, null, parent, edges, terms());
    TaskId id =
        attempt(Kind.CREATE, null, null, LEAD, "below " + name(parent), () -> createdBy(wanted));
    if (id != null) count(id, "task.created", LEAD);
  }

  /** The lead thinks of one more thing to wait for; a circle, through parts too, is refused. */
  private void depend() {
    TaskId id = ids.get(random.nextInt(ids.size()));
    TaskId other = ids.get(random.nextInt(ids.size()));
    if (known.get(id).links().dependsOn(other)) return;
    var edge = new Dependency(other, Dependency.Kind.values()[random.nextInt(3)]);
    String on = name(id) + " on " + name(other) + " " + edge.kind();
    if (attempt(Kind.DEPEND, id, null, LEAD, on, () -> tasks.depend(id, edge, LEAD)) != null) {
      count(id, "task.dependency_added", LEAD);
    }
  }

  private TaskId createdBy(NewTask wanted) {
    TaskId id = tasks.create(wanted, LEAD).id();
    ids.add(id);
    return id;
  }

  private Terms terms() {
    if (random.nextBoolean()) return Terms.NONE;
    Retry retry =
        new Retry(
            random.nextBoolean() ? null : 1 + random.nextInt(3),
            Duration.ofSeconds(random.nextInt(3) * 10L));
    Duration timeout = random.nextInt(4) == 0 ? Duration.ofSeconds(20) : null;
    Amounts budget = new Amounts(random.nextInt(3) == 0 ? 10L : null, null, null);
    Amounts estimate =
        new Amounts(random.nextBoolean() ? null : 3L + random.nextInt(5), null, null);
    return new Terms(retry, timeout, budget, estimate);
  }

  private @Nullable TaskId any() {
    return ids.isEmpty() ? null : ids.get(random.nextInt(ids.size()));
  }

  private void cancel() {
    TaskId id = ids.get(random.nextInt(ids.size()));
    if (attempt(Kind.CANCEL, id, null, LEAD, "", () -> tasks.cancel(id, "no", LEAD)) != null) {
      count(id, "task.cancelled", LEAD);
    }
  }

  /** Most often of one that can be: others are refused and nothing more. */
  private void retry() {
    List<TaskId> ended =
        known.values().stream().filter(t -> t.status().isEnded()).map(Task::id).toList();
    TaskId id =
        ended.isEmpty()
            ? ids.get(random.nextInt(ids.size()))
            : ended.get(random.nextInt(ended.size()));
    if (attempt(Kind.RETRY, id, null, LEAD, "", () -> tasks.retry(id, "again", LEAD)) != null) {
      count(id, "task.reopened", LEAD);
    }
  }

  private void sleep(Duration time) {
    ground.clock.advance(time);
    trace.append("sleep ").append(time.toSeconds()).append('\n');
  }

  private void expire() {
    attempt(Kind.EXPIRE, null, null, LEAD, "", leases::expire);
  }

  /** A worker dies: nobody will ever write with what it knew. */
  private void forget() {
    String worker = WORKERS.get(random.nextInt(WORKERS.size()));
    claims.removeIf(claim -> claim.worker().equals(worker));
    trace.append(worker).append(" dies\n");
  }

  private int claim(String worker) {
    Call call = worker(worker, null);
    var wanted = new Wanted(worker, type == null ? List.of() : List.of(type), 1, LEASE);
    List<Task> got = attempt(Kind.CLAIM, null, null, call, "", () -> leases.claim(wanted, call));
    if (got == null) throw new AssertionError("a claim was refused");
    if (got.isEmpty()) {
      assertThat(known.values()).as("nothing was claimed").noneMatch(Task::isReady);
    }
    for (Task task : got) {
      claims.add(new Claim(worker, task.id(), task.fence()));
      count(task.id(), "task.held", call);
      trace.append("  gives ").append(name(task.id())).append(" f").append(task.fence());
      trace.append('\n');
    }
    return got.size();
  }

  /** Somebody writes with a fence it has, be it current or long lost. */
  private void work() {
    if (claims.isEmpty()) return;
    work(claims.get(random.nextInt(claims.size())), random.nextInt(7));
  }

  private void work(Claim claim, int way) {
    TaskId id = claim.task();
    Call call = worker(claim.worker(), claim.fence());
    switch (way) {
      case 0 -> write(Kind.RENEW, claim, null, call, () -> leases.renew(id, LEASE, call));
      case 1 -> write(Kind.ACCEPT, claim, "task.accepted", call, () -> leases.accept(id, call));
      case 2 -> write(Kind.START, claim, "task.started", call, () -> leases.start(id, call));
      case 3 ->
          write(Kind.RELEASE, claim, "task.released", call, () -> leases.release(id, "no", call));
      case 4 -> {
        Supplier<Task> fail = () -> leases.fail(id, "broke", call);
        Task after = write(Kind.FAIL, claim, null, call, fail);
        if (after == null) return;
        boolean over = after.status() == TaskStatus.FAILED;
        count(id, over ? "task.failed" : "task.retried", call);
      }
      default ->
          write(
              Kind.COMPLETE,
              claim,
              "task.completed",
              call,
              () -> leases.complete(id, JsonObject.of("fence", claim.fence()), call));
    }
  }

  private @Nullable Task write(
      Kind kind, Claim claim, @Nullable String event, Call call, Supplier<Task> step) {
    Task answer = attempt(kind, claim.task(), claim.fence(), call, "f" + claim.fence(), step);
    if (answer == null) return null;
    if (event != null) count(claim.task(), event, call);
    // A heartbeat is not kept: repeating it is another heartbeat.
    if (kind != Kind.RENEW && random.nextInt(3) == 0) {
      String what = call.actor().name() + " " + kind + " " + name(claim.task());
      unsure.add(new Unsure(what, step::get, TaskJson.write(answer)));
    }
    return answer;
  }

  /** The same step under the same key once more: the same answer, and nothing happens. */
  private void askAgain() {
    if (unsure.isEmpty()) return;
    Unsure step = unsure.get(random.nextInt(unsure.size()));
    Object answer = attempt(Kind.REPEAT, null, null, LEAD, step.what(), step.again());
    assertThat(answer).isNotNull();
    assertThat(TaskJson.write((Task) answer)).isEqualTo(step.answer());
  }

  private Call worker(String name, @Nullable Long fence) {
    return Call.by(Actor.agent(name), "test").withFence(fence).withKey(label + "-" + keys++);
  }

  private <T> @Nullable T attempt(
      Kind kind,
      @Nullable TaskId id,
      @Nullable Long fence,
      Call call,
      String more,
      Supplier<T> op) {
    Map<TaskId, Task> before = known;
    T answer = null;
    Refusal refusal = null;
    try {
      answer = op.get();
    } catch (Refusal no) {
      refusal = no;
    }
    String actor = call.actor().name();
    trace.append(actor).append(' ').append(kind).append(' ').append(name(id)).append(' ');
    trace.append(more).append(refusal == null ? "" : " " + refusal.code()).append('\n');
    look();
    model.check(new Step(kind, actor, id, fence, refusal), before, known, ground.clock.instant());
    return answer;
  }

  private void look() {
    known = new LinkedHashMap<>();
    if (ids.isEmpty()) return;
    var filter = new TaskFilter(null, type, null, null);
    long after = ids.get(0).number() - 1;
    for (Task task : ground.store.reading(tx -> tx.tasks().list(filter, after, 100))) {
      known.put(task.id(), task);
      trace.append("  ").append(name(task.id())).append(' ').append(task.status());
      trace.append(" f").append(task.fence()).append('\n');
    }
  }

  private String name(@Nullable TaskId id) {
    return id == null ? "-" : "#" + ids.indexOf(id);
  }

  private void count(TaskId id, String event, Call call) {
    acknowledged.merge(id + " " + event + " " + call.actor().name(), 1, Integer::sum);
  }

  /** All others stop; whoever comes now can finish everything, or something was stuck. */
  private void finish() {
    claims.clear();
    sleep(Duration.ofDays(2));
    expire();
    for (int round = 0; round < ROUNDS_MAX && isOpen(); round++) {
      if (claim("last") == 0) sleep(Duration.ofMinutes(5));
      else work(claims.remove(0), 6);
    }
    assertThat(isOpen()).as("stuck: " + known).isFalse();
    for (TaskId id : ids) {
      tasks
          .budget(id)
          .ifPresent(budget -> assertThat(budget.reserved().isNothing()).as("" + budget).isTrue());
    }
  }

  private boolean isOpen() {
    return known.values().stream().anyMatch(task -> !task.status().isEnded());
  }
}
