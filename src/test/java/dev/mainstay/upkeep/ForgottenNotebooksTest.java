package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Notebooks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Tamper;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What slipped into a long notebook: this process knows it, and the store has it in two parts. */
class ForgottenNotebooksTest {
  private static final String SECRET = "the plum tree of my aunt";
  private static final TaskId TASK = TaskId.of(1);

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
    private Notebooks notebooks;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aLongNotebook() {
      new Tasks(store).create(NewTask.titled("t"), ADA);
      notebooks = new Notebooks(store);
      note(Section.DECISIONS, SECRET);
      for (int i = 0; i < 40; i++) note(Section.OPEN_ISSUES, i + "y".repeat(200));
      assertThat(Raw.texts(store, "SELECT notebook FROM notebooks", "notebook").get(0))
          .contains(SECRET);
    }

    private void note(Section section, String text) {
      notebooks.merge(TASK, NotebookDelta.of(section, text), ADA);
    }

    private void forgetAndGoOn() {
      var files = new OwnFiles(Set::of, store.ownFiles());
      new Forgetting(store, files, new ForgettingTest.NoPages()).apply(SECRET, ADA);
      note(Section.DECISIONS, "go on");
      assertThat(Raw.dump(store)).noneMatch(row -> row.contains("plum"));
      assertThat(notebooks.load(TASK).texts(Section.DECISIONS)).hasSize(2).contains("go on");
    }

    @Test
    void it_is_gone_and_who_knew_it_does_not_bring_it_back() {
      forgetAndGoOn();
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void nor_where_a_journal_is_damaged_and_the_rows_are_rewritten_as_they_stand() {
      Tamper.with(
          store, "UPDATE journal SET payload = '{}' WHERE stream = 'task/T-001' AND number = 1");
      forgetAndGoOn();
    }
  }
}
