package dev.mainstay.store;

import java.nio.file.Path;

/** A process that changes the store at a file once and ends: {@code NewsProcess FILE}. */
public final class NewsProcess {
  private NewsProcess() {}

  public static void main(String[] args) {
    var file = new StoreAddress.File(Path.of(args[0]));
    try (Store store = Store.open(file, StoreSettings.DEFAULT)) {
      store.inTransaction(Once.unkeyed(), tx -> ChangesTest.journalOnly(tx, "from elsewhere"));
    }
  }
}
