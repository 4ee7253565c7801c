package dev.mainstay.store;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where state is kept. A change is on disk before it is acknowledged, and a change that was asked
 * for twice under one key is made once.
 */
public abstract class Store implements AutoCloseable {
  private final StoreSettings settings;

  Store(StoreSettings settings) {
    this.settings = settings;
  }

  /** Opens the store there, makes it if there is none, and brings its tables up to date. */
  public static Store open(StoreAddress address, StoreSettings settings) {
    if (address instanceof StoreAddress.File file) return SqliteStore.open(file, settings);
    return PostgresStore.open((StoreAddress.Server) address, settings);
  }

  /** Runs one use case in one transaction; when this returns, its change is durable. */
  public final <T> T inTransaction(Once<T> once, Work<T> work) {
    Outcome<T> outcome = write(new Attempt<>(once, work, settings));
    afterwards(outcome.tx());
    return outcome.answer();
  }

  /**
   * Wake-ups and seals come when the change is durable: whatever becomes of them, the caller must
   * not be told that the change was not made. The next thousand entries seal what this one missed.
   */
  private void afterwards(Tx tx) {
    try {
      tx.committed();
      if (tx.sealDue()) write(new Attempt<>(Once.<Integer>unkeyed(), Seals::seal, settings));
    } catch (RuntimeException notOfThisChange) {
      return;
    }
  }

  /** What an equal request under the same key was answered before; nothing is done. */
  public final <T> Optional<T> answered(Once<T> once) {
    if (once.key() == null) return Optional.empty();
    return reading(tx -> Attempt.answered(tx, once));
  }

  /** Looks at one consistent moment of the store. */
  public abstract <T> T reading(Work<T> work);

  /** Records the heads of all streams now. */
  public final int seal() {
    return inTransaction(Once.unkeyed(), Seals::seal);
  }

  /** How many transactions were committed since it was opened; on SQLite each is one fsync. */
  public abstract long commits();

  public abstract Dialect dialect();

  /** The files it keeps its data in; nobody else may open them, or its locks are gone. */
  public abstract Set<Path> ownFiles();

  /** How people are told where this store is. */
  public abstract String shown();

  public final StoreSettings settings() {
    return settings;
  }

  @Override
  public abstract void close();

  /** What a transaction gave, and the transaction itself for what comes after its commit. */
  record Outcome<T>(T answer, Tx tx) {}

  abstract <T> Outcome<T> write(Attempt<T> attempt);
}
