package dev.mainstay.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.zip.GZIPInputStream;

/** Copies of stores that an earlier version wrote; {@code src/test/stores/make} made them. */
public final class OldStores {
  private static final String FOLDER = "/dev/mainstay/stores/55b81aa/";

  private OldStores() {}

  /** A copy as the earlier version left it: no table was brought up to date yet. */
  public static StoreAddress copy(Databases database) {
    return database == Databases.SQLITE ? file() : server();
  }

  /** A minute after the last entry, when leases still hold and keys are remembered. */
  public static Clock clock(StoreAddress old) {
    try (Store store = Store.open(old, StoreSettings.DEFAULT)) {
      Instant last =
          store.reading(
              tx -> tx.sql("SELECT max(at) AS at FROM journal").one(row -> row.instant("at")));
      return Clock.fixed(last.plus(Duration.ofMinutes(1)), ZoneOffset.UTC);
    }
  }

  private static StoreAddress file() {
    StoreAddress.File address = (StoreAddress.File) Databases.SQLITE.fresh();
    try (InputStream in = unpacked("state.sqlite3.gz")) {
      Files.copy(in, address.path());
      return address;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static StoreAddress server() {
    String name = "old_" + UUID.randomUUID().toString().replace('-', '_');
    run("postgres", "CREATE DATABASE " + name + " TEMPLATE " + Loaded.name());
    return StoreAddress.parse(
        "postgresql://postgres@localhost:%d/%s?sslmode=disable"
            .formatted(Databases.postgresPort(), name));
  }

  /** The dump is run once; a copy of what it made is quicker. */
  private static final class Loaded {
    private static final String NAME = "old_loaded";

    static {
      run("postgres", "CREATE DATABASE " + NAME);
      run(NAME, text("postgresql.sql.gz"));
      // Numbers of transactions belong to the server that gave them.
      run(
          NAME,
          """
          SET session_replication_role = replica;
          UPDATE public.journal SET xid = pg_current_xact_id()""");
    }

    static String name() {
      return NAME;
    }
  }

  /** The whole text of a stored file. */
  public static String text(String name) {
    try (InputStream in = unpacked(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static InputStream unpacked(String name) throws IOException {
    return new GZIPInputStream(OldStores.class.getResourceAsStream(FOLDER + name));
  }

  /** Ends a copy; the file goes with the run. */
  public static void drop(StoreAddress copy) {
    if (!(copy instanceof StoreAddress.Server server)) return;
    String url = server.jdbcUrl();
    run("postgres", "DROP DATABASE " + url.substring(url.lastIndexOf('/') + 1) + " WITH (FORCE)");
  }

  /** Another empty place beside a copy, for what is made of it. */
  public static StoreAddress beside(StoreAddress copy) {
    return copy instanceof StoreAddress.Server server
        ? server.withSchema("beside")
        : new StoreAddress.File(((StoreAddress.File) copy).path().resolveSibling("beside.sqlite3"));
  }

  private static void run(String database, String sql) {
    String url = "jdbc:postgresql://localhost:" + Databases.postgresPort() + "/" + database;
    try (Connection connection =
            DriverManager.getConnection(url + "?user=postgres&preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    }
  }
}
