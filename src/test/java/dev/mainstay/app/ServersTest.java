package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers on one PostgreSQL and 32 workers, while servers are killed at random moments.
 * {@code -Dminutes=N} goes on for so long, {@code -Dseed=N} makes the same choices again.
 */
@Order(1)
class ServersTest {
  private static final int SERVERS = 3;
  private static final int WORKERS = 32;
  private static final int KILLS_MIN = 5;
  private static final int OPEN_TASKS_MAX = 60;
  private static final int PROGRESS_MAX = 60;
  private static final long PAUSE_NANOS_MAX = 300_000_000;
  private static final int ENTRIES_MAX = 10_000_000;

  @TempDir Path home;
  private Store store;
  private Fleet fleet;
  private final Deeds deeds = new Deeds();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final List<EventReader> readers = new ArrayList<>();

  @BeforeEach
  void start() {
    var address = (StoreAddress.Server) Databases.POSTGRESQL.fresh();
    fleet = new Fleet(home, address, SERVERS); // they make the tables, all at once
    Fleet.await("all servers listen", fleet::isWhole);
    store = Store.open(address, StoreSettings.DEFAULT);
  }

  @AfterEach
  void stop() throws InterruptedException {
    over.set(true);
    for (Thread each : threads) each.join(Rest.PATIENCE.toMillis());
    readers.forEach(EventReader::close);
    fleet.close();
    if (store != null) store.close();
  }

  @Test
  void servers_that_are_killed_lose_nothing_and_do_nothing_twice() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Integer.getInteger("minutes", 0));
    System.out.printf("killed servers: -Dseed=%d%n", seed);
    Random random = new Random(seed);
    Rest person = new Rest(fleet.at(0).token()).issue(fleet.at(0), who("person", "lead", null));
    for (int i = 0; i < SERVERS; i++) {
      Random own = new Random(random.nextLong());
      readers.add(new EventReader(person, () -> fleet.any(own)));
    }
    for (int i = 1; i <= WORKERS; i++) work("worker-" + i, person);
    Lead lead = new Lead(person, fleet, deeds, new Random(random.nextLong()));
    AtomicBoolean enough = new AtomicBoolean();
    Thread making = thread("lead", () -> makeUntil(enough, lead));
    int kills = 0;
    try {
      while (kills < KILLS_MIN || System.nanoTime() - end < 0) {
        killOne(random);
        kills++;
      }
    } finally {
      enough.set(true);
    }
    making.join();
    int asked = lead.asked();
    awaitAllCompleted(asked);
    over.set(true);
    for (Thread each : threads) each.join();
    System.out.printf(
        "killed servers: %d kills, %d tasks, %d holders, %d requests cut off, %d told too late%n",
        kills, asked, deeds.held.size(), deeds.cutOff.get(), deeds.refused.get());
    assertThat(deeds.cutOff.get()).as("requests that a kill cut off").isPositive();
    check(asked);
  }

  private static JsonObject who(String role, String name, String terminal) {
    return JsonObject.of("role", role, "name", name, "terminal", terminal);
  }

  private void work(String name, Rest person) throws IOException {
    Rest agent = person.issue(fleet.at(1), who("agent", name, name));
    Random own = new Random(name.hashCode());
    Reports reports =
        takesReports(person) ? new RestReports(agent, fleet, deeds, own) : Reports.to(store);
    var worker = new ClaimingWorker(name, agent, fleet, deeds, reports);
    thread(name, () -> worker.workUntil(over::get));
  }

  /** Where servers do not take what a worker has to tell, the store does. */
  private boolean takesReports(Rest person) throws IOException {
    JsonObject paths = person.get(fleet.at(0), "/openapi.json").json().object("paths");
    return paths.has("/assignments/{assignment}/complete");
  }

  private Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Not much more than the workers can do, so that they wait for it now and then. */
  private void makeUntil(AtomicBoolean enough, Lead lead) {
    try {
      while (!enough.get()) {
        if (lead.asked() - deeds.completed.size() < OPEN_TASKS_MAX) lead.makeOne();
        else LockSupport.parkNanos(PAUSE_NANOS_MAX / 100);
      }
    } catch (RuntimeException fault) {
      deeds.wrong("the lead: " + fault);
    }
  }

  /** After some progress, at a random moment; the one that dies is never the last. */
  private void killOne(Random random) {
    int wanted = deeds.completed.size() + 1 + random.nextInt(PROGRESS_MAX);
    Fleet.await("work goes on", () -> isWrong() || deeds.completed.size() >= wanted);
    Fleet.await("a second server", () -> isWrong() || fleet.alive() > 1);
    assertThat(deeds.wrongs()).isEmpty();
    assertThat(fleet.faults()).isEmpty();
    LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
    fleet.killAny(random);
  }

  private boolean isWrong() {
    return !deeds.wrongs().isEmpty() || !fleet.faults().isEmpty();
  }

  private int count() {
    assertThat(deeds.wrongs()).isEmpty();
    return tasks(new TaskFilter(TaskStatus.COMPLETED, null, null, null)).size();
  }

  /** However long all take together, the next one must not take for ever. */
  private void awaitAllCompleted(int asked) {
    try {
      for (int done = count(); done < asked; done = count()) {
        int before = done;
        Fleet.await("another task is completed", () -> count() > before);
      }
    } catch (AssertionError stuck) {
      throw new AssertionError(open() + " of " + asked + "; " + fleet.logs(), stuck);
    }
  }

  /** Whatever is not over, with what is known of it. */
  private String open() {
    return tasks(new TaskFilter(null, null, null, null)).stream()
        .filter(task -> task.status() != TaskStatus.COMPLETED)
        .map(task -> task.id() + " " + task.status() + " " + task.progress() + task.links())
        .collect(Collectors.joining("\n"));
  }

  private List<Task> tasks(TaskFilter filter) {
    List<Task> all = new ArrayList<>();
    String cursor = null;
    do {
      Tasks.Page page = new Tasks(store).list(filter, cursor, 1_000);
      all.addAll(page.tasks());
      cursor = page.next();
    } while (cursor != null);
    return all;
  }

  private void check(int asked) {
    assertThat(deeds.wrongs()).isEmpty();
    assertThat(fleet.faults()).isEmpty();
    Map<String, String> titles = new TreeMap<>();
    for (Task task : tasks(new TaskFilter(null, null, null, null))) {
      assertThat(titles.put(task.brief().title(), task.id().value())).isNull();
      assertThat(task.status()).isEqualTo(TaskStatus.COMPLETED);
    }
    assertThat(titles).hasSize(asked).isEqualTo(new TreeMap<>(deeds.made));
    List<Placed> journal = settledJournal();
    checkStreams(journal);
    checkReaders(journal);
    assertThat(Verification.of(store).findings()).isEmpty();
    Fleet.await("every server is back", fleet::isWhole);
    for (int i = 0; i < SERVERS; i++) {
      assertThat(fleet.at(i).errors()).as("bugs in the log").isEmpty();
    }
  }

  /** Each task was completed once, under the newest fence, and fences never repeat. */
  private void checkStreams(List<Placed> journal) {
    Map<String, Long> fences = new HashMap<>();
    Map<String, String> completed = new HashMap<>();
    Map<String, String> holders = new HashMap<>();
    for (Placed placed : journal) {
      JournalEntry entry = placed.entry();
      String id = entry.place().stream().replace("task/", "");
      JsonObject payload = JsonText.object(entry.content().payload());
      if (entry.content().kind().equals("task.held")) {
        Long before = fences.put(id, payload.number("fence"));
        assertThat(before == null ? 0 : before).isLessThan(payload.number("fence"));
        holders.put(id + "#" + payload.number("fence"), payload.text("holder"));
      }
      if (entry.content().kind().equals("task.completed")) {
        String name = id + "#" + fences.get(id);
        assertThat(completed.put(id, name)).as("completed twice").isNull();
        assertThat(payload.object("result").text("by")).isEqualTo(holders.get(name));
      }
    }
    assertThat(completed.keySet()).hasSameSizeAs(deeds.made.values());
    assertThat(completed.values()).as("acknowledged").containsAll(deeds.completed);
    assertThat(holders).as("what workers were given").containsAllEntriesOf(deeds.held);
  }

  /** The whole journal, once every entry can be seen by those who follow it. */
  private List<Placed> settledJournal() {
    Fleet.await("the journal is settled", () -> journal().size() == entries());
    return journal();
  }

  private List<Placed> journal() {
    return store.reading(tx -> tx.journal().after(Position.BEGINNING, null, ENTRIES_MAX));
  }

  private long entries() {
    return store.reading(tx -> tx.journal().count());
  }

  private void checkReaders(List<Placed> journal) {
    List<String> all = new ArrayList<>();
    for (Placed each : journal) all.add(each.position().toString());
    for (EventReader reader : readers) {
      Fleet.await("a reader has seen all", () -> reader.count() >= all.size());
      assertThat(reader.seen())
          .as("each event once")
          .extracting(EventReader.Seen::id)
          .isEqualTo(all);
    }
    assertThat(readers.stream().mapToInt(EventReader::begun).sum()).isGreaterThan(SERVERS);
  }
}
