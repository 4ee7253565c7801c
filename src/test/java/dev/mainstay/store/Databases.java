package dev.mainstay.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;

/** Real databases for tests: a new SQLite file, or a new schema of one PostgreSQL server. */
public enum Databases {
  SQLITE {
    @Override
    public StoreAddress fresh() {
      try {
        Path folder = Files.createTempDirectory(TemporaryFiles.FOLDER, "store");
        return new StoreAddress.File(folder.resolve("state.sqlite3"));
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }

    @Override
    public StoreAddress lent() {
      return TemporaryFiles.copyOfEmpty((StoreAddress.File) fresh());
    }
  },
  POSTGRESQL {
    @Override
    public StoreAddress fresh() {
      return StoreAddress.parse(
          Server.url() + "&schema=t_" + UUID.randomUUID().toString().replace('-', '_'));
    }

    @Override
    public StoreAddress lent() {
      return Server.USED.take();
    }

    @Override
    public void giveBack(StoreAddress address) {
      Server.USED.giveBack(address);
    }
  };

  /** Where a store can be made that nobody else knows. */
  public abstract StoreAddress fresh();

  /** An empty store for one test, who gives it back. */
  public StoreAddress lent() {
    return fresh();
  }

  /** The test is over, and all of its stores are closed. */
  public void giveBack(StoreAddress address) {}

  /** One folder for all SQLite files of a run, gone with the run. */
  private static final class TemporaryFiles {
    private static final Path FOLDER = make();
    private static final Path EMPTY = made();

    /** A store that is empty is made once: making its tables takes longer than most tests. */
    private static Path made() {
      StoreAddress.File address = (StoreAddress.File) SQLITE.fresh();
      Store.open(address, StoreSettings.DEFAULT).close();
      return address.path().getParent();
    }

    private static StoreAddress copyOfEmpty(StoreAddress.File to) {
      try (Stream<Path> files = Files.list(EMPTY)) {
        for (Path each : files.toList()) {
          Files.copy(each, to.path().resolveSibling(each.getFileName()));
        }
        return to;
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }

    private static Path make() {
      try {
        Path folder = Files.createTempDirectory("mainstay-test");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
        return folder;
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }

    private static void remove(Path folder) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(path);
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }
  }

  /** The port of the server, for a test that puts something between it and the store. */
  static int postgresPort() {
    return Server.POSTGRES.getPort();
  }

  /** One server for all tests of a run, started when the first test needs it. */
  private static final class Server {
    private static final EmbeddedPostgres POSTGRES = start();
    private static final UsedDatabases USED = new UsedDatabases(POSTGRES.getPort());

    static EmbeddedPostgres start() {
      try {
        PostgresPrograms.tidy();
        EmbeddedPostgres postgres =
            EmbeddedPostgres.builder()
                // The builder turns both off; a test of durability needs them on.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "300")
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(postgres)));
        return postgres;
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }

    private static void stop(EmbeddedPostgres postgres) {
      try {
        postgres.close();
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }

    static String url() {
      return "postgresql://postgres@localhost:" + POSTGRES.getPort() + "/postgres?sslmode=disable";
    }
  }
}
