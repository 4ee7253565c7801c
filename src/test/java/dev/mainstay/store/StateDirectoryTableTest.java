package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.StateDirectoryTable.Known;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StateDirectoryTableTest {
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
    private static final StateDirectory FIRST = directory("h", "/a/state", ONE, "exec_1_a");
    private static final StateDirectory SECOND = directory("h", "/b/state", TWO, "exec_2_b");
    private static final StateDirectory ELSEWHERE = directory("g", "/a/state", ONE, "exec_1_a");

    Contract(Databases database) {
      super(database);
    }

    private static StateDirectory directory(String host, String folder, TaskId task, String exec) {
      return new StateDirectory(host, folder, task, exec);
    }

    private void put(StateDirectory... directories) {
      given(
          tx -> {
            for (StateDirectory directory : directories) tx.stateDirectories().put(directory);
          });
    }

    private <T> T seen(Function<StateDirectoryTable, T> look) {
      return store.reading(tx -> look.apply(tx.stateDirectories()));
    }

    private Map<String, Known> files(StateDirectory directory) {
      return seen(table -> table.files(directory.id()));
    }

    @Test
    void a_folder_is_found_by_its_id_its_task_its_execution_and_its_host() {
      put(FIRST, SECOND, ELSEWHERE);
      store.reading(
          tx -> {
            var table = tx.stateDirectories();
            assertThat(table.find(FIRST.id())).contains(FIRST);
            assertThat(table.find("none")).isEmpty();
            assertThat(table.ofTask(ONE)).containsExactly(ELSEWHERE, FIRST);
            assertThat(table.ofHost("h")).containsExactly(FIRST, SECOND);
            assertThat(table.ofExecution("exec_1_a")).contains(ELSEWHERE);
            assertThat(table.ofExecution("exec_9_z")).isEmpty();
            return "done";
          });
    }

    @Test
    void folders_of_two_hosts_are_two_however_their_names_run_together() {
      assertThat(StateDirectory.id("a", "b/c")).isNotEqualTo(StateDirectory.id("ab", "/c"));
      assertThat(FIRST.id()).isNotEqualTo(ELSEWHERE.id());
      assertThat(directory("h", "/a/state", TWO, "exec_2_b").id()).isEqualTo(FIRST.id());
    }

    @Test
    void a_folder_that_shows_another_execution_forgets_the_files_of_the_one_before() {
      put(FIRST);
      given(
          tx -> {
            tx.stateDirectories().putFile(FIRST.id(), "plan.md", new Known("# one", null));
            tx.stateDirectories().setClashes(FIRST.id(), JsonObject.of("plan.md", "both"));
          });
      StateDirectory other = directory("h", "/a/state", TWO, "exec_2_b");
      put(other);
      List<StateDirectory> here = seen(table -> table.ofHost("h"));
      assertThat(here).isEqualTo(List.of(other));
      assertThat(files(other)).isEmpty();
      JsonObject clashes = seen(table -> table.clashes(other.id()));
      assertThat(clashes).isEqualTo(JsonObject.EMPTY);
    }

    @Test
    void what_is_known_of_a_file_is_replaced_as_a_whole() {
      put(FIRST);
      Known pending = new Known("# one\r\nüñ", "# two\n");
      given(tx -> tx.stateDirectories().putFile(FIRST.id(), "plan.md", pending));
      given(tx -> tx.stateDirectories().putFile(FIRST.id(), "history.md", new Known("", null)));
      assertThat(files(FIRST))
          .isEqualTo(Map.of("plan.md", pending, "history.md", new Known("", null)));
      given(tx -> tx.stateDirectories().putFile(FIRST.id(), "plan.md", new Known("# two\n", null)));
      assertThat(files(FIRST).get("plan.md")).isEqualTo(new Known("# two\n", null));
    }

    @Test
    void clashes_are_kept_until_they_are_gone() {
      put(FIRST);
      JsonObject clashes = JsonObject.of("variables.json", JsonObject.of("a.b", List.of(1, 2)));
      given(tx -> tx.stateDirectories().setClashes(FIRST.id(), clashes));
      JsonObject kept = seen(table -> table.clashes(FIRST.id()));
      assertThat(kept).isEqualTo(clashes);
      given(tx -> tx.stateDirectories().setClashes(FIRST.id(), JsonObject.EMPTY));
      assertThat(seen(table -> table.clashes(FIRST.id())).isEmpty()).isTrue();
      assertThat(seen(table -> table.clashes("none")).isEmpty()).isTrue();
    }
  }
}
