package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.FileWrite.Asked;
import dev.mainstay.domain.FileWrite.Change;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.TaskId;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FileWriteTableTest {
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

  abstract static class Contract extends OnWorkspaceTables {

    Contract(Databases database) {
      super(database);
    }

    private static FileWrite write(String path, String temp, TaskId task) {
      return new FileWrite(
          new RepoPath(path), temp, new Change(null, "new"), new Asked(task, BOT, ""));
    }

    private List<FileWrite> list() {
      return store.reading(tx -> tx.fileWrites().list(HERE.id()));
    }

    @Test
    void a_begun_write_comes_back_as_it_was_noted() {
      FileWrite first = write("a", "t1", ONE);
      FileWrite second =
          new FileWrite(
              new RepoPath("b"),
              "t2",
              new Change("o", "n"),
              new Asked(null, ADA.withKey("k"), "f"));
      given(tx -> tx.fileWrites().put(HERE.id(), second));
      given(tx -> tx.fileWrites().put(HERE.id(), first));
      assertThat(list()).containsExactly(first, second);
    }

    @Test
    void a_later_write_of_the_same_file_takes_its_place() {
      given(tx -> tx.fileWrites().put(HERE.id(), write("a", "t1", ONE)));
      given(tx -> tx.fileWrites().put(HERE.id(), write("a", "t2", TWO)));
      assertThat(list()).containsExactly(write("a", "t2", TWO));
    }

    @Test
    void it_is_settled_once() {
      FileWrite write = write("a", "t1", ONE);
      given(tx -> tx.fileWrites().put(HERE.id(), write));
      given(tx -> assertThat(tx.fileWrites().remove(HERE.id(), write("a", "t9", ONE))).isFalse());
      given(tx -> assertThat(tx.fileWrites().remove(HERE.id(), write)).isTrue());
      given(tx -> assertThat(tx.fileWrites().remove(HERE.id(), write)).isFalse());
      assertThat(list()).isEmpty();
    }
  }
}
