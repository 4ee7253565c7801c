import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.OnlineBackups;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Map;

/** How long the online backup of a store of a given size takes, and to see that nothing changed. */
public final class Backup {
  private static final int ROW_BYTES = 1_000;
  private static final int ROWS_A_MEGABYTE = 900;
  private static final int ROUNDS = 3;

  private Backup() {}

  public static void main(String[] args) throws Exception {
    Path work = Path.of(args[0]);
    Path file = Files.createDirectories(work.resolve(".mainstay")).resolve("state.sqlite3");
    StoreAddress address = StoreAddress.parse(file.toString());
    Store.open(address, StoreSettings.DEFAULT).close();
    fill(file, Long.parseLong(args[1]));
    System.out.printf("store: %,d MB%n", Files.size(file) >> 20);
    OnlineBackups backups =
        OnlineBackups.of(address, Map.of("XDG_STATE_HOME", work.resolve("s").toString()))
            .orElseThrow();
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      for (int i = 0; i < ROUNDS; i++) {
        store.inTransaction(Once.unkeyed(), tx -> "a change");
        System.out.printf("backup: %,d ms%n", millis(backups, store));
        System.out.printf("nothing changed: %,d ms%n", millis(backups, store));
      }
    }
  }

  private static long millis(OnlineBackups backups, Store store) {
    long begin = System.nanoTime();
    backups.save(store, Duration.ZERO);
    return (System.nanoTime() - begin) / 1_000_000;
  }

  private static void fill(Path file, long megabytes) throws Exception {
    String insert = "INSERT INTO store_meta (name, value) VALUES (?, ?)";
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      connection.setAutoCommit(false);
      try (PreparedStatement statement = connection.prepareStatement(insert)) {
        for (long i = 0; i < megabytes * ROWS_A_MEGABYTE; i++) {
          statement.setString(1, "row " + i);
          statement.setString(2, "x".repeat(ROW_BYTES));
          statement.executeUpdate();
        }
      }
      connection.commit();
    }
  }
}
