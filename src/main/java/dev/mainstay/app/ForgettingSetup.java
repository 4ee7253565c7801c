package dev.mainstay.app;

import dev.mainstay.directory.ForgottenPages;
import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.Workspace;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Forgetting;
import dev.mainstay.upkeep.OnlineBackups;
import dev.mainstay.upkeep.OwnFiles;
import dev.mainstay.workspace.Host;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Introduces forgetting to all folders of this host in which Mainstay writes files. */
final class ForgettingSetup {
  private ForgettingSetup() {}

  static Forgetting of(Store store, Path root, Optional<OnlineBackups> backups) {
    var pages = new ForgottenPages(store);
    var files = new OwnFiles(() -> folders(store, root), store.ownFiles());
    return new Forgetting(
        store,
        files,
        new Forgetting.StateFiles() {
          @Override
          public Set<String> reached() {
            return pages.reached();
          }

          @Override
          public long around(Erasure erasure, Consumer<Set<String>> work) {
            return pages.around(erasure, work);
          }

          @Override
          public long holding(Erasure erasure) {
            return pages.holding(erasure);
          }

          @Override
          public Set<String> beyondReach(Collection<StateDirectory> unreached) {
            return pages.beyondReach(unreached);
          }
        },
        backups.map(each -> copies(store, each)).orElse(Forgetting.Copies.NONE));
  }

  private static Forgetting.Copies copies(Store store, OnlineBackups backups) {
    return new Forgetting.Copies() {
      @Override
      public long count() {
        return backups.count(store);
      }

      @Override
      public long removeAll() {
        return backups.removeAll(store);
      }
    };
  }

  private static Set<Path> folders(Store store, Path root) {
    Set<Path> folders = new TreeSet<>();
    folders.add(root.toAbsolutePath().normalize().resolve(".mainstay"));
    for (Workspace each : store.reading(tx -> tx.workspaces().list())) {
      if (!each.place().host().equals(Host.current())) continue;
      folders.add(Path.of(each.place().workDir()).resolve(".mainstay"));
    }
    return folders;
  }
}
