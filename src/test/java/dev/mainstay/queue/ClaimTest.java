package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ClaimTest {
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
    private static final Duration LEASE = Duration.ofSeconds(30);
    private Tasks tasks;
    private Leases leases;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      tasks = new Tasks(store);
      leases = new Leases(store);
    }

    @Test
    void eight_workers_that_claim_at_once_get_different_tasks_the_most_urgent_first()
        throws Exception {
      for (int i = 0; i < 12; i++) tasks.create(NewTask.titled("t" + i).withPriority(i), ADA);
      AtomicInteger name = new AtomicInteger();
      List<List<Task>> claimed =
          Both.atOnce(
              8,
              () -> {
                var wanted = Wanted.any("w" + name.incrementAndGet(), LEASE);
                return leases.claim(wanted, BOT);
              });
      var ids = claimed.stream().flatMap(List::stream).map(Task::id).toList();
      assertThat(ids).doesNotHaveDuplicates().hasSize(8);
      assertThat(ids).allMatch(id -> id.number() > 4);
    }

    @Test
    void a_claim_brings_back_the_tasks_of_holders_that_died() {
      Task one = tasks.create(NewTask.titled("one"), ADA);
      leases.hold(one.id(), "dead", LEASE, BOT);
      clock.advance(LEASE);
      List<Task> claimed = leases.claim(new Wanted("alive", List.of(), 5, LEASE), BOT);
      assertThat(claimed).extracting(Task::id).containsExactly(one.id());
      assertThat(claimed.get(0).progress().attempt()).isEqualTo(2);
    }

    private static NewTask some(String title, TaskType type, int priority) {
      var brief = new Task.Brief(title, "", type, priority, JsonObject.EMPTY);
      return new NewTask(brief, null, null, List.of(), Terms.NONE);
    }

    @Test
    void a_claim_of_several_types_gets_the_most_urgent_of_all_of_them() {
      tasks.create(some("test 5", TaskType.TEST, 5), ADA);
      tasks.create(some("review 9", TaskType.REVIEW, 9), ADA);
      tasks.create(some("code 7", TaskType.CODE, 7), ADA);
      tasks.create(some("code 5", TaskType.CODE, 5), ADA);
      tasks.create(some("code 1", TaskType.CODE, 1), ADA);
      var wanted = new Wanted("w", List.of(TaskType.CODE, TaskType.TEST), 3, LEASE);
      assertThat(leases.claim(wanted, BOT))
          .extracting(Task::title)
          .containsExactly("code 7", "test 5", "code 5");
    }

    @Test
    void a_claim_of_several_types_passes_over_what_others_are_taking() {
      tasks.create(some("code 9", TaskType.CODE, 9), ADA);
      tasks.create(some("test 5", TaskType.TEST, 5), ADA);
      tasks.create(some("code 1", TaskType.CODE, 1), ADA);
      if (database() == Databases.SQLITE) return; // its one writer never meets another
      var wanted = new Wanted("w", List.of(TaskType.TEST, TaskType.CODE), 2, LEASE);
      given(
          tx -> {
            tx.tasks().claimable(List.of(TaskType.CODE), 1);
            assertThat(leases.claim(wanted, BOT))
                .extracting(Task::title)
                .containsExactly("test 5", "code 1");
          });
    }

    @Test
    void a_claim_repeated_under_its_key_takes_nothing_more() {
      tasks.create(NewTask.titled("one"), ADA);
      tasks.create(NewTask.titled("two"), ADA);
      var wanted = new Wanted("w", List.of(TaskType.CODE), 1, LEASE);
      List<Task> first = leases.claim(wanted, BOT.withKey("claim-1"));
      assertThat(leases.claim(wanted, BOT.withKey("claim-1"))).isEqualTo(first);
      assertThat(tasks.ready(null, 10)).hasSize(1);
    }
  }
}
