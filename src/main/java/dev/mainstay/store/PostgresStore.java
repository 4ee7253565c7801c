package dev.mainstay.store;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Faults.Meaning;
import dev.mainstay.store.Member.OneFailed;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A store in a PostgreSQL database, shared by any number of Mainstay processes. */
final class PostgresStore extends Store {
  private static final long PAUSE_NANOS_MIN = 2_000_000;
  private static final long PAUSE_NANOS_MAX = 500_000_000;

  /** What reads may ask for anything, and how is best decided when it is known for what. */
  private static final List<String> READS =
      List.of(
          "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
          "SET LOCAL plan_cache_mode = auto",
          "SET LOCAL enable_seqscan = on");

  private final StoreAddress.Server address;
  private final HikariDataSource pool;
  private final LongAdder commits = new LongAdder();
  private final AcknowledgedWrites acknowledged = new AcknowledgedWrites();
  private final Company company = new Company(this, this::writeTogether);
  private final Company beginners = new Company(this, this::writeTogether);

  private PostgresStore(
      StoreAddress.Server address, StoreSettings settings, HikariDataSource pool) {
    super(settings, new PostgresWire(pool, address));
    this.address = address;
    this.pool = pool;
  }

  /** With several hosts it waits until one of them is the primary, as every request does. */
  static PostgresStore open(StoreAddress.Server address, StoreSettings settings) {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    for (int turn = 0; ; turn++) {
      try {
        return openNow(address, settings);
      } catch (Refusal refused) {
        boolean passing =
            refused.getCause() instanceof SQLException fault && isPassing(address, fault);
        if (!address.hasSeveralHosts() || !passing || System.nanoTime() > deadline) throw refused;
      }
      pause(turn);
    }
  }

  private static PostgresStore openNow(StoreAddress.Server address, StoreSettings settings) {
    try {
      var pool = new HikariDataSource(PostgresPool.config(address));
      PostgresStore store = new PostgresStore(address, settings, pool);
      store.migrate();
      return store;
    } catch (HikariPool.PoolInitializationException fault) {
      if (fault.getCause() instanceof SQLException sql) throw Faults.refusal(sql, address.shown());
      throw fault;
    }
  }

  private void migrate() {
    try (Connection connection = pool.getConnection()) {
      new PostgresSchema(address, connection, tx(connection)).bringUpToDate();
    } catch (SQLException fault) {
      close();
      throw refusal(address, fault);
    } catch (SqlFault fault) {
      close();
      throw refusal(address, fault.sql());
    } catch (Refusal refused) {
      close();
      throw refused;
    }
  }

  private Tx tx(Connection connection) {
    return new Tx(
        Statements.passing(connection),
        PostgresDialect.ONLY,
        tx -> settings().now(() -> databaseTime(tx)),
        this::follower,
        settings().isTrusted());
  }

  /** Leases are measured by one clock, the database's, however many machines take part. */
  private static Instant databaseTime(Tx tx) {
    Instant told = tx.told();
    return told != null ? told : tx.sql("SELECT now() AS now").one(row -> row.instant("now"));
  }

  @Override
  <T> Outcome<T> write(Attempt<T> attempt) {
    Doubt<Outcome<T>> doubt = new Doubt<>();
    return persistently(attempt::unknown, connection -> committed(connection, attempt, doubt));
  }

  private <T> Outcome<T> committed(
      Connection connection, Attempt<T> attempt, Doubt<Outcome<T>> doubt) throws SQLException {
    Outcome<T> kept = resolved(connection, doubt);
    if (kept != null) return kept;
    Tx tx = tx(connection);
    Outcome<T> outcome = rollingBack(connection, () -> new Outcome<>(attempt.run(tx), tx));
    if (attempt.isRepeatable() || doubt.raiseEarly(tx, outcome)) {
      commitWithLast(connection, tx);
      return outcome;
    }
    rollingBack(
        connection,
        () -> {
          tx.finish();
          doubt.raise(tx, outcome);
        });
    commit(connection);
    return outcome;
  }

  /**
   * What an earlier turn answered if it was kept. That it can be seen does not mean that standbys
   * have it: a server that was killed while a commit waited for them shows it after its recovery.
   */
  private <T> @Nullable T resolved(Connection connection, Doubt<T> doubt) throws SQLException {
    Tx tx = tx(connection);
    T kept =
        rollingBack(
                connection,
                () -> {
                  Optional<T> found = Optional.ofNullable(doubt.resolve(tx));
                  if (found.isPresent()) tx.dialect().awaitReplicas(tx);
                  return found;
                })
            .orElse(null);
    if (kept != null) commit(connection);
    return kept;
  }

  @Override
  <T> Optional<T> answeredForGood(Once<T> once) {
    Attempt<T> asked =
        new Attempt<>(
            once,
            tx -> {
              throw new IllegalStateException();
            },
            settings());
    return persistently(
        asked::unknown,
        connection -> {
          Tx tx = tx(connection);
          Optional<T> answer = rollingBack(connection, () -> Attempt.answeredForGood(tx, once));
          commit(connection);
          return answer;
        });
  }

  private void commit(Connection connection) throws SQLException {
    try {
      connection.clearWarnings();
      connection.commit();
      Faults.throwIfNotReplicated(connection.getWarnings());
    } catch (SQLException fault) {
      throw new LostCommit(fault);
    }
    commits.increment();
  }

  /**
   * Sends what still waits and the commit on one journey; whether a change or the commit was lost
   * with a connection, nobody can tell. Any other fault means that nothing was kept: the server
   * reads no further than what it refuses.
   */
  private void commitWithLast(Connection connection, Tx tx) throws SQLException {
    try {
      tx.finishAndCommit();
    } catch (SqlFault fault) {
      SqliteWriter.quietly(connection::rollback);
      throw new LostCommit(fault.sql());
    }
    commit(connection); // nothing to send any more, but the pool learns that all is settled
  }

  @Override
  <T> List<Settled<Outcome<T>>> writeAll(List<Attempt<T>> attempts) {
    List<Member<T>> group = attempts.stream().map(each -> new Member<>(null, each)).toList();
    writeTogether(group);
    for (Member<T> each : group) if (!each.isSettled()) each.runAlone(this);
    return group.stream().map(Member::settled).toList();
  }

  @Override
  <T> Outcome<T> writeAbout(TaskId task, Attempt<T> attempt) {
    return company.go(task, attempt);
  }

  @Override
  <T> Outcome<T> writeNew(Attempt<T> attempt) {
    return beginners.go(null, attempt);
  }

  /** How many wait for one who is under way. */
  int waiting() {
    return company.waiting();
  }

  int beginning() {
    return beginners.waiting();
  }

  /**
   * Without savepoints, which cost more than what they would save: when one of them fails after it
   * changed something, which is rare, nothing is kept, nobody is settled, and each goes alone.
   */
  private void writeTogether(List<? extends Member<?>> group) {
    AtomicReference<@Nullable Throwable> lost = new AtomicReference<>();
    Unknown unknown =
        (where, cause) -> {
          lost.set(cause);
          return Refusal.unavailable("lost", cause);
        };
    Doubt<List<Member<?>>> doubt = new Doubt<>();
    try {
      persistently(unknown, connection -> committedTogether(connection, group, doubt));
    } catch (OneFailed oneFailed) {
      for (Member<?> each : group) each.unsettle();
    } catch (RuntimeException fault) {
      Throwable cause = lost.get();
      for (Member<?> each : group) {
        each.refuse(attempt -> cause == null ? fault : attempt.unknown(shown(), cause));
      }
    } catch (Error fault) { // perhaps of the commit itself; nobody may take what was found for kept
      for (Member<?> each : group) each.refuse(attempt -> attempt.unknown(shown(), fault));
      throw fault;
    }
  }

  /** Those who were run. */
  private List<Member<?>> committedTogether(
      Connection connection, List<? extends Member<?>> group, Doubt<List<Member<?>>> doubt)
      throws SQLException {
    List<Member<?>> kept = resolved(connection, doubt);
    if (kept != null) return kept;
    for (Member<?> each : group) each.unsettle();
    Tx all = tx(connection);
    List<Member<?>> run = rollingBack(connection, () -> runTogether(all, group));
    Tx proving = proving(all, run);
    if (doubt.raiseEarly(proving, run)) {
      commitTogether(connection, all);
      return run;
    }
    rollingBack(
        connection,
        () ->
            together(
                () -> {
                  all.finish();
                  doubt.raise(proving, run);
                  return run;
                }));
    commit(connection);
    return run;
  }

  private void commitTogether(Connection connection, Tx all) throws SQLException {
    try {
      commitWithLast(connection, all);
    } catch (LostCommit fault) {
      if (Faults.meaning(fault) == Meaning.LOST) throw fault;
      throw new OneFailed(fault);
    }
  }

  /** The one whose journal entry shows whether all was kept. */
  private static Tx proving(Tx all, List<Member<?>> run) {
    Tx proving = all;
    for (Member<?> each : run) {
      Tx own = each.kept();
      if (own != null && own.written() != null) proving = own;
    }
    return proving;
  }

  /**
   * Only a lost connection is met again together. What collides goes alone: one of the group may
   * have changed what another of it had looked at before, and would do so again.
   */
  private static List<Member<?>> runTogether(Tx all, List<? extends Member<?>> group) {
    return together(() -> Member.runTogether(all, group));
  }

  private static <T> T together(Step<T> step) {
    try {
      return step.run();
    } catch (SqlFault fault) {
      if (Faults.meaning(fault.sql()) == Meaning.LOST) throw fault;
      throw new OneFailed(fault);
    }
  }

  private static boolean isPassing(StoreAddress.Server address, SQLException fault) {
    Meaning meaning = Faults.meaning(fault);
    return meaning == Meaning.COLLISION || meaning == Meaning.LOST || isOfStandby(address, fault);
  }

  /** One of several hosts, not promoted yet; a single host that is read-only stays so. */
  private static boolean isOfStandby(StoreAddress.Server address, SQLException fault) {
    return address.hasSeveralHosts() && Faults.isReadOnly(fault);
  }

  private static RuntimeException refusal(StoreAddress.Server address, SQLException fault) {
    return isOfStandby(address, fault)
        ? Faults.noPrimary(fault, address.shown())
        : Faults.refusal(fault, address.shown());
  }

  /** Marks the one moment after which nobody knows whether a change was kept. */
  private static final class LostCommit extends SQLException {
    private static final long serialVersionUID = 1L;

    LostCommit(SQLException fault) {
      super(fault.getMessage(), fault.getSQLState(), fault.getErrorCode(), fault);
    }
  }

  private interface Turn<T> {
    T with(Connection connection) throws SQLException;
  }

  private interface Unknown {
    Refusal refusal(String where, Throwable cause);
  }

  /** Repeats what collided or was cut off, until it goes through or patience is at its end. */
  private <T> T persistently(Unknown unknown, Turn<T> turn) {
    long deadline = System.nanoTime() + settings().patience().toNanos();
    boolean lost = false; // once an answer is lost, only a later turn's own answer settles it
    Stalls.Stall again = null;
    try {
      for (int turns = 0; ; turns++) {
        try (Connection connection = connection()) {
          return with(connection, turn);
        } catch (SqlFault | SQLException fault) {
          SQLException sql =
              fault instanceof SqlFault wrapped ? wrapped.sql() : (SQLException) fault;
          lost |= sql instanceof LostCommit && Faults.meaning(sql) == Meaning.LOST;
          if (!lost && sql.getCause() instanceof InterruptedException) throw interrupted(sql);
          if (!isPassing(address, sql) || System.nanoTime() > deadline) {
            throw lost ? unknown.refusal(shown(), sql) : refusal(address, sql);
          }
        } catch (Doubt.StillOpen open) {
          if (System.nanoTime() > deadline) throw unknown.refusal(shown(), open);
        }
        if (again == null) again = stalls().begin();
        pause(turns);
      }
    } finally {
      if (again != null) again.end();
    }
  }

  /** Discards a connection to a standby; the next one may reach the primary. */
  private <T> T with(Connection connection, Turn<T> turn) throws SQLException {
    try {
      return turn.with(connection);
    } catch (SqlFault | SQLException fault) {
      SQLException sql = fault instanceof SqlFault wrapped ? wrapped.sql() : (SQLException) fault;
      if (isOfStandby(address, sql)) pool.evictConnection(connection);
      throw fault;
    }
  }

  /** The pool is full, and whoever waited for a connection does not wait any more. */
  private static Refusal interrupted(SQLException fault) {
    return Refusal.unavailable("interrupted before it began; nothing was changed", fault);
  }

  private Connection connection() throws SQLException {
    Stalls.Stall waiting = stalls().begin();
    try {
      return pool.getConnection();
    } finally {
      waiting.end();
    }
  }

  private interface Step<T> {
    T run();
  }

  private static void rollingBack(Connection connection, Runnable step) {
    rollingBack(
        connection,
        () -> {
          step.run();
          return true;
        });
  }

  private static <T> T rollingBack(Connection connection, Step<T> step) {
    try {
      return step.run();
    } catch (RuntimeException | Error fault) {
      SqliteWriter.quietly(connection::rollback);
      throw fault;
    }
  }

  /** Longer with every turn, and never the same for two who collided. */
  private static void pause(int turn) {
    long longest = Math.min(PAUSE_NANOS_MAX, PAUSE_NANOS_MIN << Math.min(turn, 10));
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
  }

  @Override
  public <T> T reading(Work<T> work) {
    return persistently(Refusal::unavailable, connection -> read(connection, work));
  }

  private <T> T read(Connection connection, Work<T> work) throws SQLException {
    Tx tx = tx(connection);
    for (String each : READS) tx.sql(each).later();
    T answer = rollingBack(connection, () -> work.run(tx));
    connection.commit();
    return answer;
  }

  @Override
  void acknowledges(Tx tx) {
    JournalTable.Written entry = tx.written();
    if (entry != null) acknowledged.add(entry);
  }

  @Override
  public List<String> lostWrites() {
    return reading(acknowledged::takeLost);
  }

  @Override
  public long commits() {
    return commits.sum();
  }

  @Override
  public Dialect dialect() {
    return PostgresDialect.ONLY;
  }

  @Override
  public Set<Path> ownFiles() {
    return Set.of();
  }

  @Override
  public String shown() {
    return address.shown();
  }

  @Override
  public Optional<String> scrub() {
    return PostgresScrub.of(pool);
  }

  StoreAddress.Server address() {
    return address;
  }

  @Override
  void closeConnections() {
    pool.close();
  }
}
