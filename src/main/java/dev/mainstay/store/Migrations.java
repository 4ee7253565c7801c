package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Numbered SQL files per dialect, each applied once; those that are needed in one transaction. */
final class Migrations {
  /** The newest schema this program knows. */
  static final int NEWEST = 15;

  private Migrations() {}

  /** Refuses a store that a newer program has changed; says whether something must be done. */
  static boolean needed(int version, String where) {
    if (version > NEWEST) {
      throw Refusal.unavailable(
          Phrase.of(
              "the store at %s was made by a newer Mainstay (schema %d, this one knows %d); nothing was changed: install the newer version",
              where, version, NEWEST),
          null);
    }
    return version < NEWEST;
  }

  /** Applies one migration; the caller has begun a transaction and holds the write lock. */
  static void apply(Connection connection, Dialect dialect, int number) {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(text(dialect, number));
      statement.executeUpdate(
          number == 1
              ? "CREATE TABLE schema_version (version " + dialect.integerType() + " NOT NULL)"
              : "DELETE FROM schema_version");
      statement.executeUpdate("INSERT INTO schema_version (version) VALUES (" + number + ")");
    } catch (SQLException fault) {
      throw new SqlFault(fault);
    }
  }

  /** Whether a migration has this statement word for word. */
  static boolean makes(Dialect dialect, String statement) {
    for (int number = 1; number <= NEWEST; number++) {
      if (text(dialect, number).contains(statement)) return true;
    }
    return false;
  }

  private static String text(Dialect dialect, int number) {
    String digits = Integer.toString(number); // not by format: some locales have other digits
    String name = dialect.folder() + "/" + "0".repeat(3 - digits.length()) + digits + ".sql";
    try (InputStream in = Migrations.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("the migration " + name + " is missing");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
