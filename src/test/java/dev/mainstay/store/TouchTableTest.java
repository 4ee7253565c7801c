package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Touch;
import java.util.List;
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

  abstract static class Contract extends OnWorkspaceTables {

    Contract(Databases database) {
      super(database);
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
