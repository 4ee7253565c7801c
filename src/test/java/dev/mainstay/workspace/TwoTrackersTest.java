package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.workspace.FileWrites.Wanted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes that track one folder, each with an index of its own. */
class TwoTrackersTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnDatabase {
    @TempDir Path folder;

    Contract(Databases database) {
      super(database);
    }

    private void put(String name, String content) throws IOException {
      Files.writeString(folder.resolve(name), content);
    }

    private static List<String> paths(RepoState state) {
      return state.present().stream().map(FileMeta::path).toList();
    }

    @Test
    void what_only_the_other_has_seen_is_not_taken_for_gone() throws Exception {
      try (Store another = open(address)) {
        Tracker one = Tracker.open(store, folder);
        Tracker two = Tracker.open(another, folder);
        one.scan();
        put("x.txt", "x");
        two.scan();
        put("y.txt", "y");
        one.updateFromToolResult(
            "Write", JsonObject.of("success", true, "path", "y.txt"), null, BOT);
        assertThat(paths(one.state())).containsExactly("x.txt", "y.txt");
        assertThat(paths(two.state())).containsExactly("x.txt", "y.txt");
        assertThat(one.workspace().files().treeHash()).isEqualTo(fresh(another));
      }
    }

    private String fresh(Store another) {
      Tracker third = Tracker.open(another, folder);
      third.scan();
      return third.workspace().files().treeHash();
    }

    @Test
    void a_write_of_one_keeps_what_the_other_wrote() {
      try (Store another = open(address)) {
        Tracker one = Tracker.open(store, folder);
        Tracker two = Tracker.open(another, folder);
        one.scan();
        two.scan();
        for (int i = 0; i < 3; i++) {
          write(one, "one-" + i);
          write(two, "two-" + i);
        }
        assertThat(paths(one.state()))
            .containsExactly("one-0", "one-1", "one-2", "two-0", "two-1", "two-2");
        assertThat(one.verify().differences()).isEmpty();
        assertThat(two.verify().differences()).isEmpty();
      }
    }

    private static void write(Tracker tracker, String name) {
      byte[] content = name.getBytes(StandardCharsets.UTF_8);
      new FileWrites(tracker).write(new Wanted(new RepoPath(name), content, null, null), BOT);
    }
  }
}
