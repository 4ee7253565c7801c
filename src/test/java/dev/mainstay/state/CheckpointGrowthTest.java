package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.upkeep.Upkeep;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointGrowthTest {
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
    private static final int CHECKPOINTS = 400;
    private static final int DELTA_CHARS = 2_000;

    /** An entry of the journal with its hashes and index, a row, and the key of the write. */
    private static final int CHECKPOINT_BYTES_MAX = 1_500;

    @TempDir Path folder;

    Contract(Databases database) {
      super(database);
    }

    /** The size of all data without free pages, by way of a backup. */
    private long size(String name, boolean withCheckpoints) throws Exception {
      StoreAddress address = database().fresh();
      try (Store made = open(address)) {
        TaskId id = new Tasks(made).create(NewTask.titled("one"), ADA).id();
        Notebooks notebooks = new Notebooks(made);
        Checkpoints checkpoints = new Checkpoints(made);
        for (int i = 0; i < CHECKPOINTS; i++) {
          String text = i + " " + "lorem ipsum ".repeat(DELTA_CHARS / 12);
          notebooks.merge(id, NotebookDelta.of(Section.HISTORY, text), BOT);
          if (withCheckpoints) checkpoints.save(id, "turn-" + i, BOT);
        }
        Path file = folder.resolve(name);
        new Upkeep(made, address).backup(file);
        return Files.size(file);
      }
    }

    @Test
    void four_hundred_checkpoints_of_a_growing_history_cost_only_themselves() throws Exception {
      long deltas = (long) CHECKPOINTS * DELTA_CHARS;
      long without = size("without.sqlite3", false);
      long with = size("with.sqlite3", true);
      // SQLite puts one entry of this length on a page, so the deltas themselves take twice theirs.
      assertThat(without).isBetween(deltas, 3 * deltas);
      assertThat(with - without)
          .isPositive()
          .isLessThan((long) CHECKPOINTS * CHECKPOINT_BYTES_MAX)
          .isLessThan(deltas);
    }
  }
}
