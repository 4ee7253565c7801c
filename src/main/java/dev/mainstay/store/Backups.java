package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Copies of whole stores. A backup is a SQLite store in one file, whichever database it was made
 * of, so it can be looked at with any SQLite tool and restored to either.
 */
public final class Backups {
  private Backups() {}

  /**
   * Writes a consistent copy while others go on writing, lets {@code check} refuse it, and only
   * then gives it its name.
   */
  public static void backup(Store store, Path target, Consumer<Store> check) {
    refuseExisting(target);
    Path unfinished = beside(target);
    try {
      OwnFolder.makePrivate(unfinished);
      if (store instanceof SqliteStore sqlite) vacuum(sqlite, unfinished);
      else copy(store, unfinished);
      try (Store made = Store.open(new StoreAddress.File(unfinished), store.settings())) {
        check.accept(made);
      }
      refuseExisting(target);
      Durable.publish(unfinished, target);
    } catch (IOException fault) {
      throw unwritable(target, fault);
    } finally {
      removeAll(unfinished);
    }
  }

  /** SQLite copies one moment of itself without holding writers up. */
  private static void vacuum(SqliteStore store, Path target) {
    try (Connection connection = SqliteConnections.writing(store.file());
        PreparedStatement statement = connection.prepareStatement("VACUUM INTO ?")) {
      statement.setString(1, target.toString());
      statement.execute();
    } catch (SQLException fault) {
      throw Faults.refusal(fault, target.toString());
    }
  }

  private static void copy(Store store, Path target) {
    try (Store made = Store.open(new StoreAddress.File(target), store.settings())) {
      store.reading(from -> copied(from, made));
    }
  }

  private static long copied(Tx from, Store made) {
    return made.inTransaction(Once.unkeyed(), to -> new TableCopy(from, to).all());
  }

  /** Makes a store of a backup; never over one that exists or is in use. */
  public static void restore(
      Path backup, StoreAddress address, StoreSettings settings, Consumer<Store> check) {
    restore(backup, address, settings, check, false);
  }

  /** The same, where a store without any entry is replaced. */
  public static void restoreOverEmpty(
      Path backup, StoreAddress address, StoreSettings settings, Consumer<Store> check) {
    restore(backup, address, settings, check, true);
  }

  private static void restore(
      Path backup,
      StoreAddress address,
      StoreSettings settings,
      Consumer<Store> check,
      boolean overEmpty) {
    if (!Files.isRegularFile(backup)) {
      throw Refusal.notFound(
          "there is no backup file " + backup + "; name one that 'mainstay backup' made");
    }
    refuseForeign(backup);
    if (address instanceof StoreAddress.File file)
      restoreFile(backup, file.path(), settings, check, overEmpty);
    else restoreServer(backup, (StoreAddress.Server) address, settings, check);
  }

  /** Said of the file that was named, not of the copy that is made of it. */
  private static void refuseForeign(Path backup) {
    byte[] magic = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    try (InputStream in = Files.newInputStream(backup)) {
      if (Arrays.equals(in.readNBytes(magic.length), magic)) return;
    } catch (IOException unreadable) {
      throw unwritable(backup, unreadable);
    }
    throw Refusal.invalid(backup + " is no backup; name a file that 'mainstay backup' made");
  }

  private static void restoreFile(
      Path backup, Path target, StoreSettings settings, Consumer<Store> check, boolean overEmpty) {
    Path unfinished = beside(target);
    try {
      SqliteStore.makeFolderOf(target);
      OwnFolder.makePrivate(unfinished);
      Files.copy(backup, unfinished, StandardCopyOption.REPLACE_EXISTING);
      OwnFolder.makePrivate(unfinished);
      place(unfinished, target, settings, check, overEmpty);
    } catch (IOException fault) {
      throw unwritable(target, fault);
    } finally {
      removeAll(unfinished);
    }
  }

  /** Gives a finished store its name, unless there is a store of that name. */
  private static void place(
      Path unfinished,
      Path target,
      StoreSettings settings,
      Consumer<Store> check,
      boolean overEmpty)
      throws IOException {
    Optional<LockFile> alone =
        LockFile.openAlone(target.resolveSibling(target.getFileName() + ".lock"));
    if (alone.isEmpty()) {
      throw Refusal.conflict(
          "the store " + target + " is in use; end the programs that use it first");
    }
    try {
      refuseLeftOvers(target);
      boolean replaces = overEmpty && Files.exists(target) && isEmpty(target, settings);
      if (Files.exists(target) && !replaces) {
        throw Refusal.conflict(
            Phrase.of(
                "there is a store at %s already; move it away (with its -wal file, if there is one) or name another place with --db",
                target));
      }
      try (Store made = Store.open(new StoreAddress.File(unfinished), settings)) {
        check.accept(made);
        begin(made);
      }
      if (replaces) removeLogs(target);
      PageSums.remove(target); // of a store that was there before
      Durable.publish(unfinished, target);
    } finally {
      alone.get().close();
    }
  }

  /** Fills a new SQLite file. */
  public interface Filling {
    void fill(Path file);
  }

  /**
   * Makes a store of rows from outside, in a place where there is none or one without any row: they
   * are put into a file of their own, which {@code check} may change or refuse, and only then
   * enter, all at once. A crash leaves the place as it was, and at most a file that ends in {@code
   * .part}.
   */
  public static void takeIn(
      Path source,
      Filling filling,
      StoreAddress address,
      StoreSettings settings,
      Consumer<Store> check) {
    Path target = address instanceof StoreAddress.File file ? file.path() : null;
    Path staged = beside(target == null ? source : target);
    try {
      if (target != null) SqliteStore.makeFolderOf(target);
      filling.fill(staged);
      if (target != null && !Files.exists(target)) {
        place(staged, target, settings, check, false);
        return;
      }
      try (Store from = Store.open(new StoreAddress.File(staged), settings);
          Store to = Store.open(address, settings)) {
        check.accept(from);
        from.reading(rows -> fill(rows, to));
      }
    } catch (IOException fault) {
      throw unwritable(staged, fault);
    } finally {
      removeAll(staged);
    }
  }

  private static void restoreServer(
      Path backup, StoreAddress.Server address, StoreSettings settings, Consumer<Store> check) {
    Path copy = beside(backup);
    try {
      Files.copy(backup, copy); // opening a store may write beside it, and a backup stays as it is
      try (Store from = Store.open(new StoreAddress.File(copy), settings);
          Store to = Store.open(address, settings)) {
        check.accept(from);
        from.reading(source -> fill(source, to));
      }
    } catch (IOException fault) {
      throw unwritable(copy, fault);
    } finally {
      removeAll(copy);
    }
  }

  private static long fill(Tx source, Store to) {
    return to.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.dependencies().lockEdges();
          if (new TableRows(tx).counts().values().stream().anyMatch(rows -> rows > 0)) {
            throw Refusal.conflict(
                Phrase.of(
                    "the store %s has something in it already; nothing was changed: name an empty one with --db",
                    to.shown()));
          }
          long rows = new TableCopy(source, tx).all();
          tx.meta().newEpoch();
          return rows;
        });
  }

  /** A restored store is another history: positions in the old one are refused. */
  private static void begin(Store made) {
    made.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.meta().newEpoch();
          return "begun";
        });
  }

  /** An old log beside a new file would be applied to it and destroy it. */
  private static void refuseLeftOvers(Path target) {
    for (String suffix : new String[] {"-wal", "-journal"}) {
      Path left = target.resolveSibling(target.getFileName() + suffix);
      if (Files.exists(left) && !Files.exists(target)) {
        throw Refusal.conflict(
            Phrase.of(
                "%s is left over from an earlier store; move it away with that store's file first",
                left));
      }
    }
  }

  /** Takes a file away again that was begun and came to nothing. */
  public static void discardEmpty(StoreAddress address, StoreSettings settings) {
    if (!(address instanceof StoreAddress.File file) || !Files.exists(file.path())) return;
    if (isEmpty(file.path(), settings)) removeAll(file.path());
  }

  private static boolean isEmpty(Path file, StoreSettings settings) {
    try (Store made = Store.open(new StoreAddress.File(file), settings)) {
      return made.<Long>reading(tx -> tx.journal().count()) == 0;
    } catch (RuntimeException unusable) {
      return false;
    }
  }

  private static void refuseExisting(Path target) {
    if (Files.exists(target)) {
      throw Refusal.conflict("the file " + target + " exists already; name one that does not");
    }
  }

  private static Path beside(Path target) {
    String name =
        "." + target.getFileName() + "." + UUID.randomUUID().toString().substring(0, 8) + ".part";
    return target.toAbsolutePath().resolveSibling(name);
  }

  private static void removeLogs(Path target) throws IOException {
    for (String log : new String[] {"-wal", "-shm", "-journal"}) {
      Files.deleteIfExists(target.resolveSibling(target.getFileName() + log));
    }
  }

  private static void removeAll(Path unfinished) {
    for (String suffix : new String[] {"", "-wal", "-shm", "-journal", ".lock", ".sums"}) {
      try {
        Files.deleteIfExists(unfinished.resolveSibling(unfinished.getFileName() + suffix));
      } catch (IOException left) {
        continue; // a leftover with .part in its name harms nobody
      }
    }
  }

  private static Refusal unwritable(Path target, IOException fault) {
    return Refusal.unavailable(
        Phrase.of(
            "the file %s cannot be written (%s); choose a folder with room that you may write to",
            target, fault.getMessage()),
        fault);
  }
}
