package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLWarning;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/** What a database's error means: try again, ask again by key, a refusal, or a bug of ours. */
final class Faults {
  /** What to do with a transaction that failed. */
  enum Meaning {
    /** The database asks for a repetition: deadlock, serialization, two first writers. */
    COLLISION,
    /** Whether it was committed is unknown: what it wrote tells, or its key. */
    LOST,
    /** The caller must do something; {@link #refusal} says what. */
    REFUSED,
    BUG
  }

  private static final Set<String> COLLISIONS = Set.of("40001", "40P01");

  /** Of the warning that a commit stopped waiting for its standbys. */
  private static final String NOT_REPLICATED = "01000";

  private static final Set<String> LOST_STATES =
      Set.of("57P01", "57P02", "57P03", "53300", NOT_REPLICATED);

  private static final String READ_ONLY = "25006";

  /** There is no such column, or no such table. */
  private static final Set<String> UNKNOWN_NAMES = Set.of("42703", "42P01");

  // Primary result codes of SQLite; the driver reports extended ones, whose low byte is the
  // primary.
  private static final int ERROR = 1;
  private static final int PERM = 3;
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int IOERR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANTOPEN = 14;
  private static final int NOTADB = 26;

  private Faults() {}

  static Meaning meaning(SQLException fault) {
    // Nobody answered in time; the pool has no state to tell when it was not even refused.
    if (fault instanceof SQLTransientConnectionException) return Meaning.LOST;
    String state = fault.getSQLState();
    if (state != null) {
      if (COLLISIONS.contains(state)) return Meaning.COLLISION;
      // Two transactions wrote the same number of a stream: the later one sees the earlier one now.
      if (state.equals("23505") && mentions(fault, "journal_stream_number_key"))
        return Meaning.COLLISION;
      if (state.startsWith("08") || LOST_STATES.contains(state)) return Meaning.LOST;
      if (state.startsWith("53") || state.equals(READ_ONLY)) return Meaning.REFUSED;
      return Meaning.BUG;
    }
    return switch (fault.getErrorCode() & 0xff) {
      case PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB -> Meaning.REFUSED;
      default -> Meaning.BUG;
    };
  }

  /**
   * PostgreSQL ends a commit whose wait for standbys was cancelled with a warning and calls it
   * committed. It is so on this server alone, and lost if a standby is promoted.
   */
  static void throwIfNotReplicated(@Nullable SQLWarning first) throws SQLException {
    for (SQLWarning each = first; each != null; each = each.getNextWarning()) {
      if (NOT_REPLICATED.equals(each.getSQLState())) {
        throw new SQLException(each.getMessage(), NOT_REPLICATED, each);
      }
    }
  }

  static boolean isReadOnly(SQLException fault) {
    return READ_ONLY.equals(fault.getSQLState());
  }

  static Refusal noPrimary(SQLException fault, String where) {
    return Refusal.unavailable(
        Phrase.of(
            "none of the hosts in %s is a primary; promote a standby, then repeat the command",
            where),
        fault);
  }

  /** After these SQLite may have rolled back everything, behind all savepoints. */
  static boolean endsTransaction(SQLException fault) {
    return fault.getSQLState() == null
        && switch (fault.getErrorCode() & 0xff) {
          case BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB -> true;
          default -> false;
        };
  }

  /** The log's index, which all who use the file share, could not be made or grow. */
  static boolean lacksSharedMemory(SQLException fault) {
    return fault instanceof SQLiteException known
        && switch (known.getResultCode()) {
          case SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_SHMMAP -> true;
          default -> false;
        };
  }

  /** The sentence for people; {@code where} names the store without its password. */
  static RuntimeException refusal(SQLException fault, String where) {
    String state = fault.getSQLState();
    if (state == null && fault instanceof SQLTransientConnectionException) state = "08001";
    if (isOfOtherTables(fault)) {
      return Refusal.unavailable(
          Phrase.of(
              "the tables of the store at %s are not those that this program knows; if a newer Mainstay has changed them, end this one and start the newer version, else run 'mainstay verify'",
              where),
          fault);
    }
    if (state != null) {
      if (state.equals("53100")) return diskFull(where, fault);
      if (state.equals(READ_ONLY)) return readOnly(where, fault);
      if (state.equals("42501")) {
        return Refusal.unavailable(
            Phrase.of(
                "the database at %s does not allow this (%s); ask its owner for the right",
                where, firstLine(fault)),
            fault);
      }
      if (meaning(fault) == Meaning.BUG && !isConnect(state))
        return new IllegalStateException(fault);
      return Refusal.unavailable(
          Phrase.of(
              "the database at %s does not answer (%s); start it or correct --db, then repeat the command",
              where, firstLine(fault)),
          fault);
    }
    return ofSqlite(fault, where);
  }

  private static RuntimeException ofSqlite(SQLException fault, String where) {
    return switch (fault.getErrorCode() & 0xff) {
      case FULL -> diskFull(where, fault);
      case READONLY, PERM -> readOnly(where, fault);
      case BUSY, LOCKED ->
          Refusal.unavailable(
              Phrase.of(
                  "the store at %s is locked by a program outside Mainstay; close it and repeat",
                  where),
              fault);
      case CORRUPT, NOTADB -> damaged(where, fault);
      case CANTOPEN ->
          Refusal.unavailable(
              Phrase.of(
                  "the store at %s cannot be opened; check that it is a file you may read and write",
                  where),
              fault);
      case IOERR ->
          Refusal.unavailable(
              Phrase.of(
                  "the disk under %s reports an error (%s); check the disk, then repeat the command",
                  where, firstLine(fault)),
              fault);
      default -> new IllegalStateException(fault);
    };
  }

  /** Our statements fit our tables, so somebody has changed those, or they are damaged. */
  private static boolean isOfOtherTables(SQLException fault) {
    String state = fault.getSQLState();
    if (state != null) return UNKNOWN_NAMES.contains(state);
    return (fault.getErrorCode() & 0xff) == ERROR
        && (mentions(fault, "no such column")
            || mentions(fault, "no such table")
            || mentions(fault, "has no column named"));
  }

  static Refusal damaged(String where, @Nullable Throwable cause) {
    return Refusal.unavailable(
        Phrase.of(
            "the file %s is damaged or not a Mainstay store; nothing was changed: name another with --db, or restore a backup beside it",
            where),
        cause);
  }

  static Refusal damagedRow(RuntimeException damage) {
    return Refusal.unavailable(
        "a row of the store cannot be read, since one of its values is damaged; 'mainstay verify' says where",
        damage);
  }

  private static Refusal diskFull(String where, SQLException fault) {
    return Refusal.full(
        Phrase.of(
            "the disk under %s is full; nothing of this command was kept: make room and repeat it",
            where),
        fault);
  }

  private static Refusal readOnly(String where, SQLException fault) {
    return Refusal.readOnly(
        Phrase.of(
            "the store at %s is read-only here; make it writable or name another with --db", where),
        fault);
  }

  /** Wrong password, no such database: the caller's business, not a bug. */
  private static boolean isConnect(String state) {
    return state.startsWith("28") || state.startsWith("3D");
  }

  private static boolean mentions(SQLException fault, String name) {
    return String.valueOf(fault.getMessage()).contains(name);
  }

  private static String firstLine(SQLException fault) {
    return String.valueOf(fault.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
