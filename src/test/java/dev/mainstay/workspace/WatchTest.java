package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What happens to files while they are watched. Waiting ends with what is waited for. */
@Timeout(120)
class WatchTest {
  @TempDir Path folder;

  private static List<String> paths(Tracker tracker) {
    return tracker.state().present().stream().map(FileMeta::path).toList();
  }

  private static void until(Watch watch, Tracker tracker, String... paths) {
    while (!paths(tracker).equals(List.of(paths))) watch.await(Duration.ofSeconds(1));
  }

  @Test
  void new_changed_and_deleted_files_are_noticed_also_in_folders_that_came_empty()
      throws Exception {
    try (Store store = Store.open(Databases.SQLITE.fresh(), StoreSettings.DEFAULT)) {
      Tracker tracker = Tracker.open(store, folder);
      try (Watch watch = new Watch(tracker)) {
        Files.writeString(folder.resolve("a.txt"), "a");
        until(watch, tracker, "a.txt");
        Path empty = Files.createDirectories(folder.resolve("new/deep"));
        watch.await(Duration.ofSeconds(1));
        Files.writeString(empty.resolve("b.txt"), "b");
        until(watch, tracker, "a.txt", "new/deep/b.txt");
        Files.delete(folder.resolve("a.txt"));
        until(watch, tracker, "new/deep/b.txt");
        assertThat(watch.await(Duration.ofMillis(10)).foundNothing()).isTrue();
      }
    }
  }
}
