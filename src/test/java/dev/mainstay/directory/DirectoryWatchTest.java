package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DirectoryWatchTest {
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

  abstract static class Contract extends OnDirectory {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void what_is_written_to_the_store_right_behind_a_sync_is_shown_by_the_next() throws Exception {
      begun();
      try (DirectoryWatch watch = directories.watch(folder, BOT)) {
        watch.synced(
            () -> {
              Report report = sync();
              states.setPlan(task(), List.of("taste"), BOT);
              return report;
            });
        assertThat(watch.await(Duration.ofSeconds(1))).isPresent();
      }
      assertThat(text(PageName.PLAN)).contains("### Step 1: taste");
    }
  }
}
