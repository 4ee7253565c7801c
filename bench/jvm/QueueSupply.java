import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/**
 * Places for the tasks of one contestant: a database of PostgreSQL or a file of SQLite of its own.
 */
final class QueueSupply {
  private final OwnPostgres server;
  private final Path folder;
  private int places;

  /** On the server if there is one, else in files of the folder. */
  QueueSupply(OwnPostgres server, Path folder) {
    this.server = server;
    this.folder = folder;
  }

  /**
   * @param typed the address of a store of ours as a person types it
   */
  record Place(boolean postgres, String typed, String jdbc) {
    StoreAddress address() {
      return postgres ? StoreAddress.parse(typed) : new StoreAddress.File(Path.of(typed));
    }
  }

  boolean postgres() {
    return server != null;
  }

  Place next() throws Exception {
    String name = "q" + ++places;
    if (server == null) {
      Path file = folder.resolve(name + ".sqlite3");
      return new Place(false, file.toString(), "jdbc:sqlite:" + file);
    }
    // A database for each: some look for their tables in every schema.
    try (Connection connection = DriverManager.getConnection(server.jdbc());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    String address = server.url().replaceFirst("/postgres$", "/" + name);
    String jdbc = server.jdbc().replace("/postgres?", "/" + name + "?");
    return new Place(true, address, jdbc);
  }

  /** A store of ours, filled straight: journaled creations would add nothing but minutes. */
  static void fill(Place place, int waiting) throws Exception {
    Store.open(place.address(), StoreSettings.DEFAULT).close();
    String numbers =
        place.postgres()
            ? "generate_series(1, %d) i"
            : "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n)";
    String id =
        place.postgres()
            ? "'T-' || lpad(i::text, greatest(3, length(i::text)), '0')"
            : "printf('T-%%03d', i)";
    try (Connection connection = DriverManager.getConnection(place.jdbc());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          ("INSERT INTO tasks (id, seq, title, description, task_type, priority, status, version)"
                  + " SELECT "
                  + id
                  + ", i, 'task ' || i, 'what is to be done', 'CODE', i %% 10, 'PENDING', 1 FROM "
                  + numbers)
              .formatted(waiting));
      statement.executeUpdate("ANALYZE tasks");
    }
  }

  static long count(String jdbc, String query) throws Exception {
    try (Connection connection = DriverManager.getConnection(jdbc);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
