package dev.mainstay.store;

import dev.mainstay.domain.TaskId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where state is kept. A change is on disk before it is acknowledged, and a change that was asked
 * for twice under one key is made once.
 */
public abstract class Store implements AutoCloseable {
  private final StoreSettings settings;
  private final Changes changes;
  private final Stalls stalls = new Stalls();
  private final Later later = new Later(this::makeTogether);
  private volatile Follower follower = Follower.NONE;

  Store(StoreSettings settings, Changes.Wire wire) {
    this.settings = settings;
    this.changes = new Changes(wire);
  }

  /** Opens the store there, makes it if there is none, and brings its tables up to date. */
  public static Store open(StoreAddress address, StoreSettings settings) {
    if (address instanceof StoreAddress.File file) return SqliteStore.open(file, settings);
    return PostgresStore.open((StoreAddress.Server) address, settings);
  }

  /** From now on this one is told of ended tasks, in place of whoever was told before. */
  public final void follow(Follower next) {
    follower = next;
  }

  final Follower follower() {
    return follower;
  }

  /** Runs one use case in one transaction; when this returns, its change is durable. */
  public final <T> T inTransaction(Once<T> once, Work<T> work) {
    Outcome<T> outcome = write(new Attempt<>(once, work, settings));
    afterwards(outcome.tx());
    return outcome.answer();
  }

  /**
   * The same for a use case about one task, which begins by {@link TaskTable#lockAndLook}; perhaps
   * in one transaction with others, about other tasks, that were asked for at the same time.
   */
  public final <T> T aboutTask(TaskId task, Once<T> once, Work<T> work) {
    Outcome<T> outcome = writeAbout(task, new Attempt<>(once, work, settings));
    afterwards(outcome.tx());
    return outcome.answer();
  }

  /**
   * The same for a use case that makes something new and waits for nobody; perhaps in one
   * transaction with others of this kind.
   */
  public final <T> T makingNew(Once<T> once, Work<T> work) {
    Outcome<T> outcome = writeNew(new Attempt<>(once, work, settings));
    afterwards(outcome.tx());
    return outcome.answer();
  }

  /** One of several use cases that are asked for at once. */
  public record Asked<T>(Once<T> once, Work<T> work) {}

  /** How one of several went: its answer, or why there is none. */
  public record Settled<T>(@Nullable T answer, @Nullable RuntimeException fault) {
    public T get() {
      if (fault != null) throw fault;
      if (answer == null) throw new IllegalStateException("neither an answer nor a fault");
      return answer;
    }

    /** The same with another answer made of this one. */
    public <U> Settled<U> map(Function<T, U> change) {
      return fault == null ? new Settled<>(change.apply(get()), null) : new Settled<>(null, fault);
    }

    /** Runs it and keeps what came out, answer or fault. */
    static <T> Settled<T> of(Supplier<T> work) {
      try {
        return new Settled<>(work.get(), null);
      } catch (RuntimeException fault) {
        return new Settled<>(null, fault);
      }
    }
  }

  /**
   * Runs several use cases with one commit if possible, in their order, each under its own key.
   * What becomes of one is none of the others' business.
   */
  public final <T> List<Settled<T>> together(List<Asked<T>> asked) {
    if (asked.size() == 1) {
      Asked<T> only = asked.get(0);
      return List.of(Settled.of(() -> inTransaction(only.once(), only.work())));
    }
    List<Attempt<T>> attempts = new ArrayList<>();
    for (Asked<T> each : asked) attempts.add(new Attempt<>(each.once(), each.work(), settings));
    List<Settled<T>> settled = new ArrayList<>();
    for (Settled<Outcome<T>> each : writeAll(attempts)) {
      if (each.fault() == null) afterwards(each.get().tx());
      settled.add(Settled.of(() -> each.get().answer()));
    }
    return settled;
  }

  /**
   * Wake-ups and seals come when the change is durable: whatever becomes of them, the caller must
   * not be told that the change was not made. The next thousand entries seal what this one missed.
   */
  private void afterwards(Tx tx) {
    try {
      acknowledges(tx);
      changes.committed(tx.news());
      tx.committed();
      if (!tx.sealDue()) return;
      var sealed = write(new Attempt<>(Once.<Integer>unkeyed(), Seals::seal, settings));
      changes.committed(sealed.tx().news());
    } catch (RuntimeException notOfThisChange) {
      return;
    }
  }

  /**
   * Makes a change that nobody waits for and nobody misses: soon, with others of its kind. It is
   * lost where the process is killed or nothing can be written.
   */
  public final void eventually(Work<?> change) {
    later.add(change);
  }

  private void makeTogether(List<Work<?>> all) {
    inTransaction(
        Once.unkeyed(),
        tx -> {
          all.forEach(each -> each.run(tx));
          return all.size();
        });
  }

  /** What an equal request under the same key was answered before; nothing is done. */
  public final <T> Optional<T> answered(Once<T> once) {
    if (once.key() == null) return Optional.empty();
    Optional<T> answer = reading(tx -> Attempt.answered(tx, once));
    return answer.isPresent() ? answeredForGood(once) : answer;
  }

  /** The same, when it is known to be there; returns once it is as durable as any commit. */
  <T> Optional<T> answeredForGood(Once<T> once) {
    return reading(tx -> Attempt.answered(tx, once));
  }

  /** For how long others keep somebody of this process from using the store; zero if nobody. */
  public final Duration stalledFor() {
    return stalls.longest();
  }

  final Stalls stalls() {
    return stalls;
  }

  /** Looks at one consistent moment of the store. */
  public abstract <T> T reading(Work<T> work);

  /**
   * Pages of its file that are not as they were written, in words; PostgreSQL looks after its own.
   */
  public List<String> damagedPages() {
    return List.of();
  }

  /** Records the heads of all streams now. */
  public final int seal() {
    return inTransaction(Once.unkeyed(), Seals::seal);
  }

  /**
   * Makes what was deleted or rewritten earlier vanish from the files of the database, as far as
   * the database itself can; what stands in its way if it could not.
   */
  public abstract Optional<String> scrub();

  /** Called after a transaction is durable, before it is acknowledged. */
  void acknowledges(Tx tx) {}

  /** Acknowledged entries that are gone since; each is returned once. */
  public List<String> lostWrites() {
    return List.of();
  }

  /** Whether its files are gone since it was opened, so that it must be opened again. */
  public boolean isLost() {
    return false;
  }

  /** How many transactions were committed since it was opened; on SQLite each is one fsync. */
  public abstract long commits();

  public abstract Dialect dialect();

  /** The files it keeps its data in; nobody else may open them, or its locks are gone. */
  public abstract Set<Path> ownFiles();

  /** How people are told where this store is. */
  public abstract String shown();

  /** What those wait at who want to know of changes, whoever made them. */
  public final Changes changes() {
    return changes;
  }

  public final StoreSettings settings() {
    return settings;
  }

  @Override
  public final void close() {
    later.close();
    changes.close();
    closeConnections();
  }

  abstract void closeConnections();

  /** What a transaction gave, and the transaction itself for what comes after its commit. */
  record Outcome<T>(T answer, Tx tx) {}

  abstract <T> Outcome<T> write(Attempt<T> attempt);

  /** The same in company, where that is quicker. */
  <T> Outcome<T> writeAbout(TaskId task, Attempt<T> attempt) {
    return write(attempt);
  }

  /** The same for one that is about no task. */
  <T> Outcome<T> writeNew(Attempt<T> attempt) {
    return write(attempt);
  }

  /** Several, with one commit if possible; how each went, in their order. */
  abstract <T> List<Settled<Outcome<T>>> writeAll(List<Attempt<T>> attempts);
}
