package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that only a damaged file can have; SQLite gives out whatever lies there. */
class DamagedRowTest extends OnDatabase {
  DamagedRowTest() {
    super(Databases.SQLITE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "created_at = '2026-11-1?T21:55:32.123456Z'",
        "created_at = 'n'",
        "created_at = '2026-13-41T21:55:32.123456Z'",
        "attempt = 99999999999"
      })
  void a_value_that_cannot_be_read_is_told_in_a_sentence(String damage) {
    TaskId id = new Tasks(store).create(NewTask.titled("one"), ADA).id();
    store.inTransaction(Once.unkeyed(), tx -> tx.sql("UPDATE tasks SET " + damage).update());
    assertThatThrownBy(() -> store.reading(tx -> tx.tasks().get(id)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.STORE_UNAVAILABLE))
        .hasMessageContaining("mainstay verify");
  }

  @Test
  void what_can_be_read_is_given() {
    TaskId id = new Tasks(store).create(NewTask.titled("one"), ADA).id();
    assertThat(store.<String>reading(tx -> tx.tasks().get(id).brief().title())).isEqualTo("one");
  }
}
