package dev.mainstay.workspace;

import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;

/**
 * A process of its own, so that its heap can be limited: scans a workspace twice and says how many
 * files are known and what was left out. Arguments are the store's file and the workspace.
 */
final class ScanningProcess {
  private ScanningProcess() {}

  public static void main(String[] args) {
    var address = new StoreAddress.File(Path.of(args[0]));
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      Tracker tracker = Tracker.open(store, Path.of(args[1]));
      for (int scan = 1; scan <= 2; scan++) {
        long begin = System.nanoTime();
        Tracker.Looked looked = tracker.scan();
        System.out.printf("known %d: %s%n", tracker.state().present().size(), looked.leftOut());
        System.out.printf("took %d ms%n", (System.nanoTime() - begin) / 1_000_000);
      }
    }
  }
}
