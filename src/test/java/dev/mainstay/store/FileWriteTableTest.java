package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.FileWrite.Change;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Workspace.Place;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
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

  abstract static class Contract extends OnDatabase {
    private static final Place HERE = new Place("host", "/work/here");
    private static final TaskId ONE = TaskId.of(1);
    private static final TaskId TWO = TaskId.of(2);

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void workspaceAndTasks() {
      given(tx -> tx.workspaces().open(HERE, "none"));
      for (int i = 0; i < 3; i++) {
        given(
            tx -> {
              var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
              var created = new TaskEvent.Created(brief, null, null, List.of());
              tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
            });
      }
    }

    private void hold(TaskId id, long fence) {
      given(
          tx -> {
            var until = clock.instant().plusSeconds(60);
            var held = new TaskEvent.Held("worker-" + id, fence, until);
            tx.tasks().record(tx.tasks().lock(id), List.of(held), ADA);
          });
    }

    private void release(TaskId id) {
      given(
          tx ->
              tx.tasks().record(tx.tasks().lock(id), List.of(new TaskEvent.Released("tea")), ADA));
    }

    private static FileWrite write(String path, String temp, TaskId task) {
      return new FileWrite(new RepoPath(path), temp, new Change(null, "new"), task, BOT);
    }

    private List<FileWrite> list() {
      return store.reading(tx -> tx.fileWrites().list(HERE.id()));
    }

    @Test
    void a_begun_write_comes_back_as_it_was_noted() {
      FileWrite first = write("a", "t1", ONE);
      FileWrite second = new FileWrite(new RepoPath("b"), "t2", new Change("o", "n"), null, ADA);
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
