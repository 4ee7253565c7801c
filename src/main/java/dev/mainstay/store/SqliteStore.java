package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store in one SQLite file: one writer that commits for many, readers beside it. */
final class SqliteStore extends Store {
  private static final int READERS_KEPT_MAX = 8;
  private static final Set<String> NETWORK_FILE_SYSTEMS =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb3",
          "smbfs",
          "afpfs",
          "9p",
          "fuse.sshfs",
          "afs",
          "ceph",
          "glusterfs");

  private final Path file;
  private final OpenedFiles files;
  private final ConcurrentLinkedDeque<Statements> readers = new ConcurrentLinkedDeque<>();
  private final AtomicReference<@Nullable SqliteWriter> writer = new AtomicReference<>();
  private volatile boolean closed;

  private SqliteStore(Path file, StoreSettings settings) {
    super(settings, new SqliteWire(file));
    this.file = file;
    this.files = new OpenedFiles(file);
    PageFiles.use(file);
  }

  static SqliteStore open(StoreAddress.File address, StoreSettings settings) {
    Path file = address.path();
    refuseUnusable(file);
    SqliteStore store = new SqliteStore(file, settings);
    try {
      boolean exists = Files.exists(file);
      if (exists) store.remember();
      int version = exists ? store.version() : 0;
      if (Migrations.needed(version, store.shown())) store.migrate();
      if (!exists) store.remember();
      return store;
    } catch (RuntimeException | Error fault) {
      store.close();
      throw fault;
    }
  }

  private static void refuseUnusable(Path file) {
    if (Files.isDirectory(file)) {
      throw Refusal.unavailable(
          file
              + " is a folder; name the store's file, for example "
              + file.resolve("state.sqlite3"),
          null);
    }
    try {
      Path folder = file.getParent();
      makeFolderOf(file);
      if (folder != null && folder.endsWith(".mainstay")) OwnFolder.closeToOthers(folder, file);
      String type = Files.getFileStore(folder == null ? file : folder).type();
      if (NETWORK_FILE_SYSTEMS.contains(type)) {
        throw Refusal.unavailable(
            Phrase.of(
                "%s lies on a network file system (%s), where SQLite's locks do not hold; name a local file or a PostgreSQL database with --db",
                file, type),
            null);
      }
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of(
              "the folder of %s cannot be made (%s); make it yourself or name another file with --db",
              file, fault.getMessage()),
          fault);
    }
  }

  private void remember() {
    try {
      files.openDatabase();
    } catch (IOException fault) {
      throw Refusal.unavailable(
          Phrase.of(
              "the store at %s cannot be looked at (%s); check that you may read its folder",
              file, fault.getMessage()),
          fault);
    }
  }

  static void makeFolderOf(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || Files.isDirectory(folder)) return;
    if (folder.endsWith(".mainstay")) OwnFolder.make(folder);
    else OwnFolder.makeBare(folder);
  }

  /** 0 for an empty file; a file that is no Mainstay store is refused. */
  private int version() {
    return reading(
        tx -> {
          long application = pragma(tx, "application_id");
          if (application == SqliteConnections.APPLICATION_ID) {
            return tx.sql("SELECT version FROM schema_version").one(row -> row.integer("version"));
          }
          if (application == 0 && pragma(tx, "page_count") == 0) return 0;
          if (application == 0 && pragma(tx, "schema_version") == 0) return 0;
          if (application == 0 && hasTables(tx)) {
            throw Refusal.unavailable(
                Phrase.of(
                    "%s looks like a Mainstay store that lost its application id, as by '.dump' of sqlite3; if it is one, run 'pragma application_id=%s' on it and repeat",
                    file, Integer.toString(SqliteConnections.APPLICATION_ID)),
                null);
          }
          throw Refusal.unavailable(
              file + " is a SQLite file of another program; name another file with --db", null);
        });
  }

  private static boolean hasTables(Tx tx) {
    return tx.sql(
                """
                SELECT count(*) AS n FROM sqlite_schema
                WHERE name IN ('schema_version', 'journal', 'store_meta')""")
            .one(row -> row.integer("n"))
        == 3;
  }

  private static long pragma(Tx tx, String name) {
    return tx.sql("PRAGMA " + name).one(row -> row.number(name));
  }

  private void migrate() {
    try {
      LockFile lock = LockFile.open(lockFile());
      lock.lock();
      if (!Files.exists(file)) OwnFolder.makePrivate(file);
      try (Connection connection = SqliteConnections.writing(file);
          SqlitePages pages = new SqlitePages(file)) {
        pages.begun();
        migrate(connection);
        pages.committed(0);
      } finally {
        lock.unlock();
        lock.close();
      }
    } catch (SQLException fault) {
      throw Faults.refusal(fault, shown());
    } catch (SqlFault fault) {
      throw Faults.refusal(fault.sql(), shown());
    } catch (IOException fault) {
      throw unlockable(fault);
    }
  }

  private void migrate(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      SqliteConnections.useLog(connection);
      int version = hasVersion(statement) ? storedVersion(statement) : 0;
      if (!Migrations.needed(version, shown())) return; // another process was faster
      statement.execute("BEGIN IMMEDIATE");
      try {
        bringUpToDate(connection, statement, version);
        statement.execute("COMMIT");
      } catch (RuntimeException | SQLException fault) {
        statement.execute("ROLLBACK");
        throw fault;
      }
    }
  }

  private void bringUpToDate(Connection connection, Statement statement, int version)
      throws SQLException {
    for (int number = version + 1; number <= Migrations.NEWEST; number++) {
      Migrations.apply(connection, SqliteDialect.ONLY, number);
    }
    if (version > 0) return;
    statement.executeUpdate("PRAGMA application_id = " + SqliteConnections.APPLICATION_ID);
    tx(Statements.passing(connection)).meta().newEpoch();
  }

  private static boolean hasVersion(Statement statement) throws SQLException {
    try (ResultSet result =
        statement.executeQuery("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'")) {
      return result.next();
    }
  }

  private static int storedVersion(Statement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery("SELECT version FROM schema_version")) {
      return result.next() ? result.getInt(1) : 0;
    }
  }

  Path lockFile() {
    return file.resolveSibling(file.getFileName() + ".lock");
  }

  Tx tx(Statements statements) {
    return new Tx(
        statements,
        SqliteDialect.ONLY,
        tx -> settings().now(Instant::now),
        this::follower,
        settings().isTrusted());
  }

  Refusal unlockable(IOException fault) {
    return Refusal.readOnly(
        Phrase.of(
            "the store at %s is read-only here (%s); make its folder writable or name another with --db",
            file, fault.getMessage()),
        fault);
  }

  @Override
  public boolean isLost() {
    return files.areLost();
  }

  @Override
  public Optional<String> scrub() {
    files.checkForReader();
    return SqliteScrub.of(this, file);
  }

  @Override
  <T> Outcome<T> write(Attempt<T> attempt) {
    if (files.areLost()) files.checkForWriter();
    return writer().write(attempt);
  }

  @Override
  <T> List<Settled<Outcome<T>>> writeAll(List<Attempt<T>> attempts) {
    try {
      return write(
              new Attempt<>(
                  Once.<List<Settled<Outcome<T>>>>unkeyed(),
                  tx -> attempts.stream().map(each -> inSavepoint(tx.beside(), each)).toList(),
                  settings()))
          .answer();
    } catch (RuntimeException fault) {
      return attempts.stream().map(each -> new Settled<Outcome<T>>(null, fault)).toList();
    }
  }

  /** One of several that share a turn of the writer; a savepoint costs nothing here. */
  private <T> Settled<Outcome<T>> inSavepoint(Tx tx, Attempt<T> attempt) {
    tx.sql("SAVEPOINT one_of_several").update();
    RuntimeException why;
    try {
      Outcome<T> outcome = new Outcome<>(attempt.run(tx), tx);
      tx.sql("RELEASE one_of_several").update();
      return new Settled<>(outcome, null);
    } catch (SqlFault fault) {
      if (Faults.endsTransaction(fault.sql())) throw fault; // then nothing of the turn is kept
      why = Faults.refusal(fault.sql(), shown());
    } catch (RuntimeException fault) {
      why = fault;
    }
    tx.sql("ROLLBACK TO one_of_several").update();
    tx.sql("RELEASE one_of_several").update();
    return new Settled<>(null, why);
  }

  private SqliteWriter writer() {
    SqliteWriter open = writer.get();
    if (open != null) return open;
    synchronized (writer) {
      if (closed) throw Refusal.unavailable("the store is closed", null);
      open = writer.get();
      if (open == null) writer.set(open = new SqliteWriter(this, file));
      return open;
    }
  }

  @Override
  public <T> T reading(Work<T> work) {
    try {
      return readBeside(work);
    } catch (SQLException fault) {
      if (!Faults.lacksSharedMemory(fault)) throw Faults.refusal(fault, shown());
      return readingAlone(work);
    }
  }

  /** A "no" ends a look as well as an answer does; only after a fault is nothing trusted. */
  private <T> T readBeside(Work<T> work) throws SQLException {
    files.checkForReader();
    Statements reader = null;
    boolean clean = false;
    try {
      reader = reader();
      T answer = read(reader, work);
      clean = true;
      return answer;
    } catch (Refusal no) {
      clean = reader != null && SqliteConnections.hasEnded(reader.connection());
      throw no;
    } finally {
      if (reader != null) giveBack(reader, clean);
    }
  }

  /** On a full disk, where nobody can make the memory that readers and writers share. */
  private <T> T readingAlone(Work<T> work) {
    try (Statements reader = Statements.keeping(SqliteConnections.readingAlone(file))) {
      return read(reader, work);
    } catch (SQLException fault) {
      throw Faults.refusal(fault, shown());
    }
  }

  private <T> T read(Statements reader, Work<T> work) throws SQLException {
    try {
      SqliteConnections.begin(reader.connection());
      T answer = work.run(tx(reader));
      SqliteConnections.commit(reader.connection());
      return answer;
    } catch (SqlFault fault) {
      throw fault.sql();
    }
  }

  private Statements reader() throws SQLException {
    if (closed) throw Refusal.unavailable("the store is closed", null);
    Statements kept = readers.pollFirst();
    if (kept != null) return kept;
    Statements made = Statements.keeping(SqliteConnections.reading(file));
    files.connected();
    try {
      files.check();
      return made;
    } catch (Refusal lost) {
      files.disconnect(made);
      throw lost;
    }
  }

  private void giveBack(Statements reader, boolean clean) {
    if (clean && !closed && readers.size() < READERS_KEPT_MAX) readers.addFirst(reader);
    else files.disconnect(reader);
  }

  @Override
  public Dialect dialect() {
    return SqliteDialect.ONLY;
  }

  @Override
  public Set<Path> ownFiles() {
    Set<Path> files = new HashSet<>(Set.of(file, lockFile(), PageSums.beside(file)));
    for (String log : List.of("-wal", "-shm", "-journal")) {
      files.add(file.resolveSibling(file.getFileName() + log));
    }
    return files;
  }

  @Override
  public String shown() {
    return file.toString();
  }

  Path file() {
    return file;
  }

  OpenedFiles files() {
    return files;
  }

  @Override
  public long commits() {
    SqliteWriter open = writer.get();
    return open == null ? 0 : open.commits();
  }

  @Override
  public List<String> damagedPages() {
    return new PageCheck(this).problems();
  }

  @Override
  void closeConnections() {
    SqliteWriter open;
    synchronized (writer) {
      if (closed) return;
      closed = true;
      open = writer.getAndSet(null);
    }
    // Whoever closes last takes the log into the file and removes it, so this reader stays.
    Statements last = readers.pollFirst();
    for (Statements reader; (reader = readers.pollFirst()) != null; ) {
      files.disconnect(reader);
    }
    try {
      if (open != null && last == null && !files.areLost())
        last = Statements.keeping(SqliteConnections.reading(file));
    } catch (SQLException unreadable) {
      last = null; // then the writer is the last one
    }
    if (open != null) open.close();
    if (last != null && files.areLost()) files.disconnect(last);
    else if (last != null) closeLast(last);
    PageFiles.leave(file);
  }

  /** Where nobody else uses the store, the log is summed up before it goes into the file. */
  private void closeLast(Statements last) {
    try (SqlitePages pages = new SqlitePages(file);
        LockFile alone = pages.isLogEmpty() ? null : LockFile.openAlone(lockFile()).orElse(null)) {
      if (alone != null) pages.takeIn(() -> isClosed(last));
      else SqliteWriter.quietly(last::close);
    } catch (IOException readOnly) {
      SqliteWriter.quietly(last::close);
    }
  }

  private static boolean isClosed(Statements last) {
    SqliteWriter.quietly(last::close);
    return true;
  }
}
