package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Touch;
import dev.mainstay.domain.Workspace.Place;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TouchTableTest {
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

    private void touch(TaskId task, String path, String hash) {
      given(tx -> tx.touches().put(HERE.id(), new Touch(path, task, hash, tx.now())));
    }

    private List<Touch> ofOthers(String path, TaskId task) {
      return store.reading(tx -> tx.touches().ofOthers(HERE.id(), path, task));
    }

    @Test
    void what_another_held_task_touched_is_known_by_its_newest_content() {
      hold(ONE, 1);
      touch(ONE, "a", "first");
      touch(ONE, "a", "second");
      assertThat(ofOthers("a", TWO)).extracting(Touch::hash).containsExactly("second");
      assertThat(ofOthers("a", ONE)).isEmpty();
      assertThat(ofOthers("b", TWO)).isEmpty();
    }

    @Test
    void a_task_that_nobody_holds_disturbs_nobody() {
      hold(ONE, 1);
      touch(ONE, "a", null);
      assertThat(ofOthers("a", TWO)).hasSize(1);
      release(ONE);
      assertThat(ofOthers("a", TWO)).isEmpty();
    }

    @Test
    void what_a_task_touched_comes_newest_first_and_limited() {
      touch(ONE, "a", "1");
      clock.advance(java.time.Duration.ofSeconds(1));
      touch(ONE, "b", "1");
      touch(TWO, "c", "1");
      List<Touch> touched = store.reading(tx -> tx.touches().of(HERE.id(), ONE, 5));
      assertThat(touched).extracting(Touch::path).containsExactly("b", "a");
      List<Touch> newest = store.reading(tx -> tx.touches().of(HERE.id(), ONE, 1));
      assertThat(newest).hasSize(1);
    }
  }
}
