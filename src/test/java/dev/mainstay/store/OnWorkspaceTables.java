package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Workspace.Place;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A workspace and three tasks, for the tables that speak of both. */
abstract class OnWorkspaceTables extends OnDatabase {
  static final Place HERE = new Place("host", "/srv/here");
  static final TaskId ONE = TaskId.of(1);
  static final TaskId TWO = TaskId.of(2);

  OnWorkspaceTables(Databases database) {
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

  void hold(TaskId id, long fence) {
    given(
        tx -> {
          var until = clock.instant().plusSeconds(60);
          var held = new TaskEvent.Held("worker-" + id, fence, until);
          tx.tasks().record(tx.tasks().lock(id), List.of(held), ADA);
        });
  }

  void release(TaskId id) {
    given(
        tx -> tx.tasks().record(tx.tasks().lock(id), List.of(new TaskEvent.Released("tea")), ADA));
  }
}
