package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectTest {
  @TempDir Path folder;

  private Path made(String below) throws IOException {
    return Files.createDirectories(folder.resolve(below));
  }

  private Project around(Path start) {
    Path home = folder.resolve("home");
    return Project.around(start, new UserFolders(home, home.resolve("state"), null));
  }

  private void file(String below, String text) throws IOException {
    Path file = folder.resolve(below);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void a_plain_folder_is_its_own_project() throws IOException {
    Path plain = made("plain");
    assertThat(around(plain)).isEqualTo(new Project(plain, plain));
    assertThat(around(plain).store()).isEqualTo(plain.resolve(".mainstay/state.sqlite3"));
  }

  @Test
  void a_store_is_found_from_far_below() throws IOException {
    file("shop/.mainstay/state.sqlite3", "");
    Path shop = folder.resolve("shop");
    assertThat(around(made("shop/src/main/java"))).isEqualTo(new Project(shop, shop));
  }

  @Test
  void settings_alone_say_where_the_store_will_be() throws IOException {
    file("shop/.mainstay/config.toml", "patience = \"1s\"");
    file("shop/.mainstay/repostate.json", "{}");
    assertThat(around(made("shop/src")).root()).isEqualTo(folder.resolve("shop"));
  }

  @Test
  void the_root_of_a_repository_is_found_before_it_has_a_store() throws IOException {
    made("shop/.git");
    assertThat(around(made("shop/src")).root()).isEqualTo(folder.resolve("shop"));
  }

  @Test
  void the_nearest_of_store_and_repository_wins() throws IOException {
    file("shop/.mainstay/state.sqlite3", "");
    made("shop/vendor/library/.git");
    Path library = folder.resolve("shop/vendor/library");
    assertThat(around(library)).isEqualTo(new Project(library, library));
  }

  @Test
  void a_worktree_has_its_own_files_and_the_store_of_its_repository() throws IOException {
    Path shop = made("shop");
    made("shop/.git/worktrees/coder-1");
    file("shop-coder-1/.git", "gitdir: " + shop + "/.git/worktrees/coder-1\n");
    Path worktree = folder.resolve("shop-coder-1");
    assertThat(around(made("shop-coder-1/src"))).isEqualTo(new Project(shop, worktree));
  }

  @Test
  void the_view_in_a_worktree_does_not_take_it_for_a_store() throws IOException {
    Path shop = made("shop");
    file("shop/.mainstay/worktrees/coder-1/.git", "gitdir: " + shop + "/.git/worktrees/coder-1");
    file("shop/.mainstay/worktrees/coder-1/.mainstay/repostate.json", "{}");
    Path worktree = folder.resolve("shop/.mainstay/worktrees/coder-1");
    assertThat(around(worktree)).isEqualTo(new Project(shop, worktree));
  }

  @Test
  void the_view_in_a_folder_of_the_project_does_not_take_it_for_a_store() throws IOException {
    file("shop/.mainstay/state.sqlite3", "");
    file("shop/part/.mainstay/repostate.json", "{}");
    assertThat(around(folder.resolve("shop/part")).root()).isEqualTo(folder.resolve("shop"));
  }

  @Test
  void a_submodule_keeps_a_store_of_its_own() throws IOException {
    made("shop/.git/modules/library");
    file("shop/library/.git", "gitdir: ../.git/modules/library");
    Path library = folder.resolve("shop/library");
    assertThat(around(library)).isEqualTo(new Project(library, library));
  }

  @Test
  void a_store_in_the_home_folder_is_used_only_from_the_home_folder_itself() throws IOException {
    file("home/.mainstay/state.sqlite3", "");
    made("home/.git");
    Path home = folder.resolve("home");
    Path notes = made("home/notes");
    assertThat(around(home)).isEqualTo(new Project(home, home));
    assertThat(around(notes)).isEqualTo(new Project(notes, notes));
  }

  @Test
  void a_home_folder_that_is_named_by_a_link_ends_the_search() throws IOException {
    file("home/.mainstay/state.sqlite3", "");
    Path notes = made("home/notes");
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("home"));
    assertThat(Project.around(notes, new UserFolders(link, link, null)).root()).isEqualTo(notes);
  }

  @Test
  void a_store_above_the_home_folder_is_never_used() throws IOException {
    file(".mainstay/state.sqlite3", "");
    Path inside = made("home/notes");
    Path beside = made("other/notes");
    assertThat(around(inside).root()).isEqualTo(inside);
    assertThat(around(beside).root()).isEqualTo(beside);
  }

  @Test
  void the_root_of_the_file_system_is_no_project_of_a_folder_below_it() {
    Path gone = Path.of("/no-such-folder-of-mainstay/x");
    assertThat(around(gone).root()).isEqualTo(gone);
  }

  @Test
  void a_store_of_another_user_is_passed_over() throws IOException {
    file("shared/.mainstay/state.sqlite3", "");
    file("shared/mine/.mainstay/state.sqlite3", "");
    Path foreign = folder.resolve("shared/mine/.mainstay");
    Foreign.give(foreign);
    assertThat(around(made("shared/mine/deep")).root()).isEqualTo(folder.resolve("shared"));
  }
}
