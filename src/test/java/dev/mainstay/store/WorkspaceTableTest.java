package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.Workspace.Place;
import dev.mainstay.domain.Workspace.Story;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WorkspaceTableTest {
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
    private static final Place HERE = new Place("host", "/srv/here");

    Contract(Databases database) {
      super(database);
    }

    private Workspace find() {
      return store.reading(tx -> tx.workspaces().find(HERE.id())).orElseThrow();
    }

    private List<Workspace> list() {
      return store.reading(tx -> tx.workspaces().list());
    }

    private void open() {
      given(tx -> tx.workspaces().open(HERE, "none"));
    }

    @Test
    void a_place_is_one_workspace_however_often_it_is_opened() {
      open();
      given(tx -> tx.workspaces().setTree(HERE.id(), "abc"));
      open();
      assertThat(list()).hasSize(1);
      assertThat(find().files().treeHash()).isEqualTo("abc");
    }

    @Test
    void the_same_folder_on_another_host_is_another_workspace() {
      open();
      given(tx -> tx.workspaces().open(new Place("other", "/srv/here"), "none"));
      assertThat(list()).hasSize(2);
    }

    @Test
    void two_who_open_a_place_at_once_make_one() throws Exception {
      Both.atOnce(
          4,
          () -> {
            open();
            return true;
          });
      assertThat(list()).hasSize(1);
    }

    @Test
    void every_change_counts_and_makes_the_view_outdated() {
      open();
      assertThat(find().files().version()).isZero();
      given(tx -> tx.workspaces().setTree(HERE.id(), "abc"));
      given(tx -> tx.workspaces().setView(HERE.id(), 1, "view"));
      assertThat(find().files()).isEqualTo(new Workspace.Files("abc", 1, "view"));
      clock.advance(Duration.ofSeconds(3));
      var task = new OpenTask("write it", OpenTask.Status.PENDING, 1);
      given(tx -> tx.workspaces().setStory(HERE.id(), new Story("T-001", List.of(task))));
      assertThat(find().files()).isEqualTo(new Workspace.Files("abc", 2, null));
      assertThat(find().story().tasks()).containsExactly(task);
      List<Workspace> there = store.reading(tx -> tx.workspaces().ofStory("T-001"));
      assertThat(there).containsExactly(find());
      assertThat(find().updatedAt()).isEqualTo(clock.instant());
    }

    @Test
    void a_view_of_an_older_version_is_not_taken_for_the_newest() {
      open();
      given(tx -> tx.workspaces().setTree(HERE.id(), "abc"));
      given(tx -> tx.workspaces().setTree(HERE.id(), "def"));
      given(tx -> tx.workspaces().setView(HERE.id(), 1, "view"));
      assertThat(find().files().viewHash()).isNull();
    }

    @Test
    void what_is_not_there_cannot_be_locked() {
      assertThatThrownBy(() -> given(tx -> tx.workspaces().lock("w-1")))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("no workspace w-1");
    }
  }
}
