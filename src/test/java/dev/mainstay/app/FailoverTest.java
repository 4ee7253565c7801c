package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.faults.ClassPath;
import dev.mainstay.faults.KillablePostgres;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers and eight writers on a PostgreSQL whose primary is killed and whose standby is
 * promoted, again and again. {@code -Dsync=N} says how often with a synchronous standby, {@code
 * -Dasync=N} how often with one that lacks the newest entries, {@code -Dseed=N} makes the same
 * choices again. Each build plays the first once; {@code ReplicationTest} plays the second there.
 */
@Order(1)
class FailoverTest {
  private static final int SYNC = Integer.getInteger("sync", ClassPath.isPlanted() ? 0 : 1);
  private static final int ASYNC = Integer.getInteger("async", ClassPath.isPlanted() ? 1 : 0);
  private static final int WRITERS = 8;
  private static final long BACK_SECONDS_MAX = 10;
  private static final long PAUSE_NANOS_MAX = 300_000_000;
  private static final int ENTRIES_MAX = 10_000_000;
  private static final Pattern LOST = Pattern.compile("\\{\"lost\":\"(\\d+)\"}");

  @TempDir Path temp;
  private KillablePostgres primary;
  private KillablePostgres standby;
  private String address = "";
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<FailoverWriter> writers = new ArrayList<>();
  private final List<FailoverReader> readers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private long backNanosMax;

  /** Two hosts, two servers, a reader at each, and eight writers. */
  private void begin() throws Exception {
    System.out.printf("failover: -Dseed=%d%n", seed);
    primary = new KillablePostgres(temp.resolve("one"));
    standby = primary.standby(temp.resolve("two"), "standby");
    address =
        "postgresql://postgres@localhost:"
            + primary.port()
            + ",localhost:"
            + standby.port()
            + "/postgres?sslmode=disable";
    for (int i = 0; i < 2; i++)
      servers.add(ServerProcess.start(temp.resolve("server-" + i), StoreAddress.parse(address)));
    servers.forEach(ServerProcess::listening);
    JsonObject who = JsonObject.of("role", "person", "name", "lead");
    Rest person = new Rest(servers.get(0).token()).issue(servers.get(0), who);
    for (ServerProcess each : servers) readers.add(new FailoverReader(person, each));
    for (int i = 0; i < WRITERS; i++) {
      String kind = i < WRITERS / 2 ? "keyed-" : "bare-";
      var writer = new FailoverWriter(kind + i, person, servers.get(i % 2), i < WRITERS / 2);
      writers.add(writer);
      Thread thread = new Thread(writer, kind + i);
      threads.add(thread);
      thread.start();
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    end();
    readers.forEach(FailoverReader::close);
    servers.forEach(ServerProcess::kill);
    if (primary != null) primary.close();
    if (standby != null) standby.close();
  }

  private void end() throws InterruptedException {
    writers.forEach(FailoverWriter::stop);
    for (Thread each : threads) each.join();
  }

  private int acknowledged() {
    return writers.stream().mapToInt(each -> each.acknowledged().size()).sum();
  }

  private boolean isWrong() {
    return writers.stream().anyMatch(each -> !each.wrongs().isEmpty());
  }

  private void awaitMore(int count) {
    int wanted = acknowledged() + count;
    KillablePostgres.await("writers go on", () -> isWrong() || acknowledged() >= wanted);
    for (FailoverWriter each : writers) assertThat(each.wrongs()).isEmpty();
  }

  /** From now on the standby is the primary, and the host that was killed follows it. */
  private void failOver() {
    awaitMore(1 + random.nextInt(20));
    LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
    long killed = System.nanoTime();
    primary.kill();
    takeOver(killed);
  }

  private void takeOver(long killed) {
    standby.promote();
    for (ServerProcess server : servers) {
      KillablePostgres.await("writes at both servers", () -> isWrong() || lastAt(server) > killed);
      backNanosMax = Math.max(backNanosMax, System.nanoTime() - killed);
    }
    KillablePostgres before = primary;
    primary = standby;
    standby = before;
    standby.follow(primary, "standby");
  }

  /** When the newest of its requests began that was acknowledged. */
  private long lastAt(ServerProcess server) {
    return writers.stream()
        .filter(each -> each.server() == server)
        .mapToLong(FailoverWriter::begunAt)
        .max()
        .orElseThrow();
  }

  /** Returns when each commit waits for the standby, and it has all that was committed before. */
  private void beSynchronous() {
    primary.set("synchronous_standby_names", "standby");
    awaitOne("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'");
    primary.run("SELECT pg_current_xact_id(), pg_logical_emit_message(true, 'test', '')");
  }

  private void awaitOne(String sql) {
    KillablePostgres.await(sql, () -> primary.number(sql) == 1);
  }

  @Test
  void a_synchronous_standby_has_everything_that_was_acknowledged() throws Exception {
    assumeTrue(SYNC > 0);
    begin();
    for (int i = 0; i < SYNC; i++) {
      beSynchronous();
      failOver();
    }
    awaitMore(WRITERS);
    end();
    System.out.printf(
        "failover: %d promotions of a synchronous standby, %d writes acknowledged, %d unknown,"
            + " back within %.1f s%n",
        SYNC, acknowledged(), unknown(), backNanosMax / 1e9);
    try (Store store = open()) {
      Map<String, Integer> made = made(store);
      for (FailoverWriter each : writers) {
        for (String title : each.acknowledged())
          assertThat(made.get(title)).as("how often there is %s", title).isEqualTo(1);
        for (String title : each.unknown())
          assertThat(made.getOrDefault(title, 0)).as("of %s", title).isLessThan(2);
      }
      assertThat(made).hasSizeLessThanOrEqualTo(acknowledged() + unknown());
      readersHaveAll(store);
      assertThat(readers).allMatch(each -> each.told() == 0);
      assertThat(reported()).isZero();
      assertThat(Verification.of(store).findings()).isEmpty();
    }
    assertThat(TimeUnit.NANOSECONDS.toSeconds(backNanosMax)).isLessThan(BACK_SECONDS_MAX);
  }

  @Test
  void what_an_asynchronous_standby_lacked_is_reported_and_no_reader_skips() throws Exception {
    assumeTrue(ASYNC > 0);
    begin();
    for (int i = 0; i < ASYNC; i++) {
      awaitOne("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'");
      awaitMore(5);
      standby.kill();
      awaitMore(5 + random.nextInt(20));
      LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
      long killed = System.nanoTime();
      primary.kill();
      standby.start(Map.of());
      takeOver(killed);
    }
    awaitMore(WRITERS);
    end();
    try (Store store = open()) {
      Map<String, Integer> made = made(store);
      assertThat(made.values()).allMatch(times -> times == 1);
      long lost =
          writers.stream()
              .flatMap(each -> each.acknowledged().stream())
              .filter(title -> !made.containsKey(title))
              .count();
      readersHaveAll(store);
      awaitReports(lost);
      System.out.printf(
          "failover: %d promotions of a standby that lacked entries, %d writes acknowledged, %d of"
              + " them lost, %d reported by the servers, readers told %d times%n",
          ASYNC,
          acknowledged(),
          lost,
          reported(),
          readers.stream().mapToInt(FailoverReader::told).sum());
      assertThat(lost).as("the fault really happened").isPositive();
      assertThat(readers).allMatch(each -> each.told() >= 1);
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }

  private Store open() {
    return Store.open(StoreAddress.parse(address), StoreSettings.DEFAULT);
  }

  private int unknown() {
    return writers.stream().mapToInt(each -> each.unknown().size()).sum();
  }

  private static Map<String, Integer> made(Store store) {
    Map<String, Integer> made = new HashMap<>();
    String cursor = null;
    do {
      Tasks.Page page =
          new Tasks(store).list(new TaskFilter(null, null, null, null), cursor, Tasks.PAGE_MAX);
      for (Task task : page.tasks()) made.merge(task.brief().title(), 1, Integer::sum);
      cursor = page.next();
    } while (cursor != null);
    return made;
  }

  /** In the order of the journal, each entry once. */
  private void readersHaveAll(Store store) {
    KillablePostgres.await(
        "the journal is settled",
        () -> journal(store).size() == store.<Long>reading(tx -> tx.journal().count()));
    List<String> journal = journal(store);
    for (FailoverReader each : readers) {
      try {
        KillablePostgres.await(
            "every reader has all", () -> each.hashes().size() >= journal.size());
      } catch (AssertionError late) {
        assertThat(each.hashes()).as("each reader has the journal as it is").isEqualTo(journal);
      }
      assertThat(each.hashes()).as("each reader has the journal as it is").isEqualTo(journal);
    }
  }

  private static List<String> journal(Store store) {
    return store.reading(
        tx ->
            tx.journal().after(Position.BEGINNING, null, ENTRIES_MAX).stream()
                .map(Placed::entry)
                .map(entry -> entry.seal().hash())
                .toList());
  }

  private void awaitReports(long lost) {
    try {
      KillablePostgres.await("losses are reported", () -> reported() >= lost);
    } catch (AssertionError late) {
      String logs = servers.stream().map(ServerProcess::log).collect(Collectors.joining("\n"));
      throw new AssertionError(reported() + " of " + lost + " are reported: " + logs, late);
    }
  }

  /** How many lost writes the servers told of in their logs. */
  private long reported() {
    long all = 0;
    for (ServerProcess each : servers) {
      for (String line : each.errors()) {
        Matcher told = LOST.matcher(line);
        if (told.find()) all += Long.parseLong(told.group(1));
      }
    }
    return all;
  }
}
