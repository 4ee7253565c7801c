package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TaskTableTest {
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
    Contract(Databases database) {
      super(database);
    }

    private Task insert(String title, int priority, TaskType type, Dependency... dependencies) {
      return store.inTransaction(
          Once.unkeyed(),
          tx -> {
            var brief = new Brief(title, "what to do", type, priority, JsonObject.EMPTY);
            var created = new TaskEvent.Created(brief, null, null, List.of(dependencies));
            return tx.tasks().create(tx.tasks().nextId(), created, dependencies.length, ADA);
          });
    }

    @Test
    void ids_are_numbered_from_one() {
      assertThat(insert("a", 0, TaskType.CODE).id()).isEqualTo(new TaskId("T-001"));
      assertThat(insert("b", 0, TaskType.CODE).id()).isEqualTo(new TaskId("T-002"));
    }

    @Test
    void a_task_comes_back_as_it_was_kept() {
      var metadata =
          JsonObject.copyOf(
              Map.of(
                  "language",
                  "größe ✓ 😀",
                  "deep",
                  Map.of("list", List.of(1, true, "x")),
                  "cost",
                  new BigDecimal("0.50"),
                  "big",
                  9_007_199_254_740_993L));
      Task made =
          store.inTransaction(
              Once.unkeyed(),
              tx -> {
                var brief =
                    new Brief("title", "line one\nline two", new TaskType("DEPLOY"), -3, metadata);
                return tx.tasks()
                    .create(
                        tx.tasks().nextId(),
                        new TaskEvent.Created(brief, null, null, List.of()),
                        0,
                        ADA);
              });
      assertThat(store.<Task>reading(tx -> tx.tasks().get(made.id()))).isEqualTo(made);
    }

    @Test
    void dependencies_keep_their_order_and_kind() {
      Task one = insert("one", 0, TaskType.CODE);
      Task two = insert("two", 0, TaskType.CODE);
      Task three =
          insert(
              "three",
              0,
              TaskType.CODE,
              new Dependency(two.id(), Dependency.Kind.AFTER_ANY),
              Dependency.on(one.id()));
      Task read = store.reading(tx -> tx.tasks().get(three.id()));
      assertThat(read.links().dependencies())
          .containsExactly(
              new Dependency(two.id(), Dependency.Kind.AFTER_ANY), Dependency.on(one.id()));
    }

    @Test
    void the_most_urgent_ready_task_goes_first_then_the_oldest() {
      insert("later", 1, TaskType.CODE);
      insert("now", 5, TaskType.CODE);
      insert("also now", 5, TaskType.TEST);
      insert("waiting", 9, TaskType.CODE, Dependency.on(TaskId.of(1)));
      List<Task> ready = store.reading(tx -> tx.tasks().ready(null, 10));
      assertThat(ready).extracting(Task::title).containsExactly("now", "also now", "later");
      List<Task> tests = store.reading(tx -> tx.tasks().ready(TaskType.TEST, 10));
      assertThat(tests).extracting(Task::title).containsExactly("also now");
    }

    @Test
    void lists_are_filtered_and_paged() {
      for (int i = 1; i <= 5; i++) insert("t" + i, 0, i % 2 == 0 ? TaskType.TEST : TaskType.CODE);
      List<Task> second = store.reading(tx -> tx.tasks().list(TaskFilter.ALL, 2, 2));
      assertThat(second).extracting(Task::title).containsExactly("t3", "t4");
      var filter = new TaskFilter(TaskStatus.PENDING, TaskType.TEST, null, null);
      List<Task> tests = store.reading(tx -> tx.tasks().list(filter, 0, 10));
      assertThat(tests).extracting(Task::title).containsExactly("t2", "t4");
    }

    @Test
    void those_that_are_pending_are_listed_by_whether_they_wait() {
      Task first = insert("first", 0, TaskType.CODE);
      insert("after it", 0, TaskType.CODE, Dependency.on(first.id()));
      Task taken = insert("taken", 0, TaskType.CODE);
      given(tx -> hold(tx, taken.id(), Duration.ofSeconds(20)));
      assertThat(standing("READY")).containsExactly("first");
      assertThat(standing("waiting")).containsExactly("after it");
      assertThat(standing("READY,WAITING")).containsExactly("first", "after it");
      assertThat(standing("PENDING,READY")).containsExactly("first", "after it");
      assertThat(standing("READY,ASSIGNED")).containsExactly("first", "taken");
      assertThat(standing("WAITING,ASSIGNED")).containsExactly("after it", "taken");
      assertThat(standing("FAILED")).isEmpty();
    }

    private List<String> standing(String typed) {
      var filter = TaskFilter.ALL.standing(typed);
      return store.reading(tx -> tx.tasks().list(filter, 0, 10)).stream().map(Task::title).toList();
    }

    @Test
    void expired_leases_are_found_longest_over_first() {
      Task one = insert("one", 0, TaskType.CODE);
      Task two = insert("two", 0, TaskType.CODE);
      given(tx -> hold(tx, one.id(), Duration.ofSeconds(20)));
      given(tx -> hold(tx, two.id(), Duration.ofSeconds(10)));
      clock.advance(Duration.ofSeconds(9));
      assertThat(store.<List<TaskId>>reading(tx -> tx.tasks().expired(10))).isEmpty();
      clock.advance(Duration.ofSeconds(11));
      assertThat(store.<List<TaskId>>reading(tx -> tx.tasks().expired(10)))
          .containsExactly(two.id(), one.id());
    }

    private void hold(Tx tx, TaskId id, Duration length) {
      Task task = tx.tasks().lock(id);
      var held = new TaskEvent.Held("bot", task.fence() + 1, tx.now().plus(length));
      tx.tasks().record(task, List.of(held), ADA);
    }

    @Test
    void the_table_itself_refuses_what_the_record_refuses() {
      insert("one", 0, TaskType.CODE);
      for (String change :
          List.of(
              "status = 'DONE'",
              "title = ' '",
              "lease_holder = 'bot'",
              "status = 'ASSIGNED'",
              "unmet_dependencies = -1",
              "status = 'COMPLETED'",
              "version = 0",
              "fence = -1")) {
        assertThatThrownBy(() -> given(tx -> tx.sql("UPDATE tasks SET " + change).update()))
            .as(change)
            .isInstanceOf(IllegalStateException.class);
      }
    }

    @Test
    void an_unknown_task_is_refused_as_not_found() {
      assertThatThrownBy(() -> store.reading(tx -> tx.tasks().get(TaskId.of(7))))
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.NOT_FOUND))
          .hasMessageContaining("T-007");
    }
  }
}
