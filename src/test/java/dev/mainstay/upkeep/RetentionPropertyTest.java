package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.store.Databases;
import dev.mainstay.upkeep.RetentionPlan.Limits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetentionPropertyTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE, 30);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL, 6);
    }
  }

  /** Case after case in the same store, so that later ones find what earlier ones left. */
  abstract static class Contract extends OnRetention {
    private final int cases;
    private int files;

    Contract(Databases database, int cases) {
      super(database);
      this.cases = cases;
    }

    @Test
    void whatever_remains_has_all_it_refers_to_and_nothing_is_lost() {
      Seeds.forAll(cases, this::check);
    }

    private void check(Random random) {
      randomTasks(random, 8);
      timePasses();
      randomTasks(random, 4);
      Map<String, JournalEntry> before = entries(store);
      Set<TaskId> open = open();
      List<Task> was = all();
      Path file = folder.resolve("archive-" + ++files);
      gc(file, new Limits(1_000, 1_000, 1 + random.nextInt(5)), step -> {});
      Map<String, JournalEntry> left = Files.exists(file) ? entries(file) : Map.of();
      Map<String, JournalEntry> together = new TreeMap<>(entries(store));
      assertThat(together.keySet()).doesNotContainAnyElementsOf(left.keySet());
      together.putAll(left);
      assertThat(together).isEqualTo(before);
      Set<TaskId> here = new HashSet<>();
      for (Task task : all()) here.add(task.id());
      assertThat(here).containsAll(open);
      for (Task task : all()) {
        if (task.links().parent() != null) assertThat(here).contains(task.links().parent());
        task.links().dependencies().forEach(d -> assertThat(here).contains(d.on()));
      }
      for (Task task : was) {
        TaskId parent = task.links().parent();
        if (parent != null && here.contains(parent) && goesOn(parent)) {
          assertThat(here).as("parts of %s", parent).contains(task.id());
        }
      }
      assertThat(findings()).isEmpty();
      retry(random);
      assertThat(findings()).isEmpty();
    }

    private List<Task> all() {
      return tasks.list(TaskFilter.ALL, null, 1_000).tasks();
    }

    private boolean goesOn(TaskId parent) {
      return tasks.show(parent).status() != TaskStatus.COMPLETED;
    }

    private Set<TaskId> open() {
      Set<TaskId> open = new HashSet<>();
      for (Task task : all()) {
        boolean ended =
            Set.of(TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELLED)
                .contains(task.status());
        if (!ended) open.add(task.id());
      }
      return open;
    }

    private void randomTasks(Random random, int count) {
      for (int i = 0; i < count; i++) {
        List<Task> there = all();
        List<TaskId> after = new ArrayList<>();
        for (int n = random.nextInt(3); n > 0 && !there.isEmpty(); n--) {
          after.add(there.get(random.nextInt(there.size())).id());
        }
        List<TaskId> parents = new ArrayList<>(new TreeSet<>(open()));
        TaskId parent =
            parents.isEmpty() || random.nextInt(3) == 0
                ? null
                : parents.get(random.nextInt(parents.size()));
        create(parent, after.toArray(TaskId[]::new));
        end(random);
      }
    }

    private void create(@Nullable TaskId parent, TaskId... after) {
      try {
        task(parent, after);
      } catch (Refusal circle) { // its parent would wait for it, and it for its parent
        assertThat(circle.code()).isEqualTo(Refusal.Code.CONFLICT);
        task(parent);
      }
    }

    private void end(Random random) {
      for (Task listed : all()) {
        Task task = tasks.show(listed.id()); // it may have ended with one before it
        if (task.status() != TaskStatus.PENDING || random.nextInt(3) == 0) continue;
        int how = random.nextInt(8);
        if (how < 2) tasks.cancel(task.id(), "enough", ADA);
        else if (task.isReady() && how == 2) fail(task.id());
        else if (task.isReady()) complete(task.id());
      }
    }

    /** Whatever is still here can be tried again, or says why not; nothing it needs is missing. */
    private void retry(Random random) {
      for (Task task : all()) {
        if (random.nextInt(4) > 0) continue;
        try {
          tasks.retry(task.id(), "once more", ADA);
        } catch (Refusal no) {
          assertThat(no.code()).isEqualTo(Refusal.Code.CONFLICT);
        }
      }
    }
  }
}
