package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Conflict;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Prompts;
import dev.mainstay.store.Databases;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ConflictTest {
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

  abstract static class Contract extends OnWorkspace {
    Contract(Databases database) {
      super(database);
    }

    private List<Conflict> conflicts(TaskId id) {
      return new EvidenceBook(store).conflicts(id);
    }

    private String prompt(TaskId id) {
      return new Prompts(store).render(id, Prompts.Wanted.by("api"));
    }

    private void bothChange() {
      tracker.scan();
      put("old.txt", "by one");
      sawWrite("old.txt", ONE);
      put("old.txt", "by two");
      tracker.updateFromToolResult("Bash", bash("sed -i s/one/two/ old.txt"), TWO, BOT);
    }

    @Test
    void two_who_changed_the_same_file_both_see_it_in_their_prompts_once() {
      held(ONE);
      Call two = held(TWO);
      bothChange();
      assertThat(conflicts(ONE)).extracting(Conflict::other).containsExactly(TWO);
      assertThat(conflicts(TWO)).extracting(Conflict::other).containsExactly(ONE);
      assertThat(prompt(ONE)).contains("old.txt", "T-002");
      assertThat(prompt(TWO)).contains("old.txt", "T-001");
      tracker.updateFromToolResult("Bash", bash("ls"), TWO, BOT);
      assertThat(conflicts(ONE)).hasSize(1);
      new EvidenceBook(store).settle(TWO, "old.txt", two);
      assertThat(conflicts(TWO)).isEmpty();
      assertThat(prompt(TWO)).doesNotContain("old.txt");
    }

    @Test
    void a_task_that_nobody_holds_has_no_conflict_whichever_came_first() {
      held(TWO);
      bothChange();
      put("old.txt", "by one again");
      sawWrite("old.txt", ONE);
      assertThat(conflicts(ONE)).isEmpty();
      assertThat(conflicts(TWO)).isEmpty();
    }

    @Test
    void a_writer_who_has_seen_the_others_version_clashes_with_nobody() {
      held(ONE);
      Call two = held(TWO);
      tracker.scan();
      put("old.txt", "by one");
      sawWrite("old.txt", ONE);
      FileWrites writes = new FileWrites(tracker);
      writes.write(wanted("old.txt", "by two", hash("by one"), TWO), two);
      assertThat(conflicts(ONE)).isEmpty();
      assertThat(conflicts(TWO)).isEmpty();
      writes.write(wanted("old.txt", "unseen", null, TWO), two);
      assertThat(conflicts(ONE)).hasSize(1);
      assertThat(conflicts(TWO)).hasSize(1);
    }
  }
}
