package dev.mainstay.workspace;

import dev.mainstay.render.Tokens;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;

/** A process of its own, with a heap of its own, that looks at a workspace and says what it saw. */
final class ManyFilesProcess {
  private ManyFilesProcess() {}

  public static void main(String[] args) {
    StoreAddress address = new StoreAddress.File(Path.of(args[1]));
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      Tracker tracker = Tracker.open(store, Path.of(args[0]));
      for (int look = 1; look <= 2; look++) {
        long begin = System.nanoTime();
        Tracker.Looked looked = tracker.scan();
        System.out.printf(
            "look %d: %d files added, %d ms, %d MB used%n%s%n",
            look,
            looked.added(),
            (System.nanoTime() - begin) / 1_000_000,
            (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20,
            looked.leftOut());
      }
      System.out.println("files " + tracker.state().present().size());
      System.out.println("tokens " + Tokens.O200K.count(tracker.snapshot().text()));
      System.out.println("done");
    }
  }
}
