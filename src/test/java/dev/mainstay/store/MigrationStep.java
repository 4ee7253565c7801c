package dev.mainstay.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;

/** One step by which stores became what they are, taken alone: the later ones have been taken. */
public final class MigrationStep {
  private final Store store;
  private final String text;

  MigrationStep(Store store, String number) {
    this.store = store;
    String folder = store.<String>reading(tx -> tx.dialect().folder());
    try (InputStream in = Migrations.class.getResourceAsStream(folder + "/" + number + ".sql")) {
      this.text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  String text() {
    return text;
  }

  void take() {
    for (String each : text.replaceAll("(?m)^--.*$", "").split(";\\s*\n")) {
      if (!each.isBlank()) change(store, each);
    }
  }

  /** SQLite answers some changes of a table with rows, which an update may not have. */
  public static void change(Store store, String definition) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          try (Statement statement = tx.statements().connection().createStatement()) {
            statement.execute(definition);
            return "done";
          } catch (SQLException fault) {
            throw new SqlFault(fault);
          }
        });
  }
}
