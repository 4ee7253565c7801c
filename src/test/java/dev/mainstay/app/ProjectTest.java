package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

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

  private void file(String below, String text) throws IOException {
    Path file = folder.resolve(below);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void a_plain_folder_is_its_own_project() throws IOException {
    Path plain = made("plain");
    assertThat(Project.around(plain)).isEqualTo(new Project(plain, plain));
    assertThat(Project.around(plain).store()).isEqualTo(plain.resolve(".mainstay/state.sqlite3"));
  }

  @Test
  void a_store_is_found_from_far_below() throws IOException {
    file("shop/.mainstay/state.sqlite3", "");
    Path shop = folder.resolve("shop");
    assertThat(Project.around(made("shop/src/main/java"))).isEqualTo(new Project(shop, shop));
  }

  @Test
  void settings_alone_say_where_the_store_will_be() throws IOException {
    file("shop/.mainstay/config.toml", "patience = \"1s\"");
    file("shop/.mainstay/repostate.json", "{}");
    assertThat(Project.around(made("shop/src")).root()).isEqualTo(folder.resolve("shop"));
  }

  @Test
  void the_root_of_a_repository_is_found_before_it_has_a_store() throws IOException {
    made("shop/.git");
    assertThat(Project.around(made("shop/src")).root()).isEqualTo(folder.resolve("shop"));
  }

  @Test
  void the_nearest_of_store_and_repository_wins() throws IOException {
    file("shop/.mainstay/state.sqlite3", "");
    made("shop/vendor/library/.git");
    Path library = folder.resolve("shop/vendor/library");
    assertThat(Project.around(library)).isEqualTo(new Project(library, library));
  }

  @Test
  void a_worktree_has_its_own_files_and_the_store_of_its_repository() throws IOException {
    Path shop = made("shop");
    made("shop/.git/worktrees/coder-1");
    file("shop-coder-1/.git", "gitdir: " + shop + "/.git/worktrees/coder-1\n");
    Path worktree = folder.resolve("shop-coder-1");
    assertThat(Project.around(made("shop-coder-1/src"))).isEqualTo(new Project(shop, worktree));
  }

  @Test
  void the_view_in_a_worktree_does_not_take_it_for_a_store() throws IOException {
    Path shop = made("shop");
    file("shop/.mainstay/worktrees/coder-1/.git", "gitdir: " + shop + "/.git/worktrees/coder-1");
    file("shop/.mainstay/worktrees/coder-1/.mainstay/repostate.json", "{}");
    Path worktree = folder.resolve("shop/.mainstay/worktrees/coder-1");
    assertThat(Project.around(worktree)).isEqualTo(new Project(shop, worktree));
  }

  @Test
  void the_view_in_a_folder_of_the_project_does_not_take_it_for_a_store() throws IOException {
    file("shop/.mainstay/state.sqlite3", "");
    file("shop/part/.mainstay/repostate.json", "{}");
    assertThat(Project.around(folder.resolve("shop/part")).root())
        .isEqualTo(folder.resolve("shop"));
  }

  @Test
  void a_submodule_keeps_a_store_of_its_own() throws IOException {
    made("shop/.git/modules/library");
    file("shop/library/.git", "gitdir: ../.git/modules/library");
    Path library = folder.resolve("shop/library");
    assertThat(Project.around(library)).isEqualTo(new Project(library, library));
  }
}
