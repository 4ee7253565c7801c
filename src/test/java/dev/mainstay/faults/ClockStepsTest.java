package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.queue.Wanted;
import dev.mainstay.state.Notebooks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.store.TestClock;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.NewMessage;
import dev.mainstay.terminal.NewTerminal;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.upkeep.Verification;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clock of one of two processes steps by an hour or a day, either way, while both work on one
 * file. Never do two write; nothing changes its order. {@code -Dsteps=N} says how often.
 */
@Order(2)
class ClockStepsTest {
  private static final int STEPS = Integer.getInteger("steps", 60);
  private static final int TASKS = 6;
  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final List<Duration> JUMPS =
      List.of(Duration.ofHours(1), Duration.ofHours(-1), Duration.ofDays(1), Duration.ofDays(-1));

  @TempDir Path folder;
  private final TestClock stepping = new TestClock();
  private Store one;
  private Store other;

  /** Of each task the newest fence that was given; whoever has an older one must not write. */
  private final Map<TaskId, Long> newest = new HashMap<>();

  private record Held(Store store, String worker, TaskId task, long fence) {}

  @BeforeEach
  void open() {
    var file = new StoreAddress.File(folder.resolve("state.sqlite3"));
    one = Store.open(file, StoreSettings.DEFAULT.withClock(stepping));
    other = Store.open(file, StoreSettings.DEFAULT.withClock(new TestClock()));
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
  }

  private static Call call(String worker) {
    return Call.by(Actor.agent(worker), "test");
  }

  @Test
  void never_do_two_write_and_no_order_changes() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.printf("clock steps: -Dseed=%d%n", seed);
    Random random = new Random(seed);
    for (int i = 0; i < TASKS; i++) make(one, "task " + i);
    TaskId talkedOf = make(one, "talk of it");
    List<Held> claims = new ArrayList<>();
    int early = 0;
    int refused = 0;
    for (int step = 0; step < STEPS; step++) {
      if (step % 3 == 0) stepping.advance(JUMPS.get(random.nextInt(JUMPS.size())));
      Store store = random.nextBoolean() ? one : other;
      note(store, talkedOf, "step " + step); // so that each step has an entry, whoever holds what
      claims.addAll(claim(store, "worker-" + step));
      if (claims.isEmpty()) continue;
      Held who = claims.get(random.nextInt(claims.size()));
      boolean current = newest.get(who.task()) == who.fence();
      boolean taken = renews(who);
      if (!current)
        assertThat(taken).as("seed %d: %s wrote beside the holder", seed, who).isFalse();
      if (!taken) refused++;
      if (current && !taken) early++;
    }
    System.out.printf("clock steps: %d writes refused, %d leases ended early%n", refused, early);
    assertThat(refused).as("the steps took leases away").isPositive();
    inOrder();
    assertThat(Verification.of(other).findings()).isEmpty();
  }

  private List<Held> claim(Store store, String worker) {
    List<Held> got = new ArrayList<>();
    for (Task task :
        new Leases(store).claim(new Wanted(worker, List.of(), 1, LEASE), call(worker))) {
      Long before = newest.put(task.id(), task.fence());
      if (before != null) assertThat(task.fence()).as("fences only grow").isGreaterThan(before);
      got.add(new Held(store, worker, task.id(), task.fence()));
    }
    return got;
  }

  private static boolean renews(Held who) {
    try {
      new Leases(who.store()).renew(who.task(), LEASE, call(who.worker()).withFence(who.fence()));
      return true;
    } catch (Refusal no) {
      assertThat(no.code()).as(no.sentence()).isEqualTo(Refusal.Code.LEASE_LOST);
      assertThat(no.sentence()).isNotBlank();
      return false;
    }
  }

  private static TaskId make(Store store, String title) {
    return new Tasks(store).create(NewTask.titled(title), call("lead")).id();
  }

  private static void note(Store store, TaskId task, String text) {
    var delta = NotebookDelta.fromJson(JsonObject.of("history", List.of(text)));
    new Notebooks(store).merge(task, delta, Call.by(Actor.person("ada"), "test"));
  }

  /** Numbers of each stream follow each other as they were given, whatever their times say. */
  private void inOrder() {
    Map<String, Long> last = new HashMap<>();
    boolean back = false;
    JournalEntry before = null;
    for (var placed : one.reading(tx -> tx.journal().after(Position.BEGINNING, null, 100_000))) {
      JournalEntry entry = placed.entry();
      long number = last.merge(entry.place().stream(), 1L, Long::sum);
      assertThat(entry.place().number()).isEqualTo(number);
      if (before != null && entry.origin().at().isBefore(before.origin().at())) back = true;
      before = entry;
    }
    assertThat(back).as("a later entry has an earlier time, so the fault happened").isTrue();
  }

  @Test
  void work_and_messages_keep_their_order_through_every_step() {
    new Terminals(one).register(NewTerminal.external("dev"), call("lead"));
    List<TaskId> made = new ArrayList<>();
    for (int i = 0; i < JUMPS.size() * 3; i++) {
      stepping.advance(JUMPS.get((i * 3) % JUMPS.size()));
      Store store = i % 2 == 0 ? one : other;
      made.add(make(store, "task " + i));
      new Inbox(store).send(NewMessage.to("dev", "message " + i), call("lead"));
    }
    List<TaskId> claimed = new ArrayList<>();
    for (int i = 0; i < made.size(); i++) {
      stepping.advance(JUMPS.get(i % JUMPS.size()));
      Leases leases = new Leases(i % 2 == 0 ? other : one);
      Task task = leases.claim(new Wanted("w", List.of(), 1, LEASE), call("w")).get(0);
      claimed.add(task.id());
      leases.complete(task.id(), JsonObject.EMPTY, call("w").withFence(task.fence()));
    }
    assertThat(claimed).isEqualTo(made);
    List<String> heard =
        new Inbox(other)
            .pull("dev", made.size(), Inbox.LEASE, call("dev")).stream()
                .map(each -> each.text())
                .toList();
    assertThat(heard).hasSize(made.size());
    for (int i = 0; i < heard.size(); i++) assertThat(heard.get(i)).endsWith("message " + i);
  }

  /** Early or late, as the clock says; and who lost it is told so. */
  @Test
  void a_lease_ends_early_after_a_step_forward_and_late_after_one_back() {
    for (Duration jump : JUMPS) {
      TaskId id = make(one, "jump " + jump);
      Task held = new Leases(one).hold(id, "first", LEASE, call("first"));
      stepping.advance(jump);
      new Leases(one).expire();
      Held first = new Held(one, "first", id, held.fence());
      newest.put(id, held.fence());
      assertThat(renews(first)).as("after %s", jump).isEqualTo(jump.isNegative());
      stepping.advance(jump.negated());
      new Tasks(one).cancel(id, "enough", Call.by(Actor.person("ada"), "test"));
    }
  }
}
