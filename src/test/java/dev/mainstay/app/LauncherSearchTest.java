package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.OwnFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The launcher looks for the project's store as Java does. */
class LauncherSearchTest extends OnSocket {
  private Path store(String below) throws Exception {
    Path at = root.resolve(below);
    OwnFolder.in(at);
    Files.writeString(at.resolve(".mainstay/state.sqlite3"), "");
    return at;
  }

  @Test
  void the_owner_in_the_home_folder_is_asked_only_from_the_home_folder() throws Exception {
    folder = store("home");
    Path notes = Files.createDirectories(folder.resolve("notes"));
    own(new Echo("asked "));
    assertThat(run("task", "list").out()).startsWith("asked ");
    assertThat(run(notes, "", "task", "list").wasJvm()).isTrue();
  }

  @Test
  void the_owner_above_the_home_folder_is_not_asked() throws Exception {
    folder = store("");
    own(new Echo("asked "));
    assertThat(run("task", "list").out()).startsWith("asked ");
    Path beside = Files.createDirectories(root.resolve("other/notes"));
    assertThat(run(beside, "", "task", "list").wasJvm()).isTrue();
  }

  @Test
  void a_store_of_another_user_is_passed_over() throws Exception {
    env.put("HOME", "/");
    folder = store("shared");
    own(new Echo("asked "));
    Path below = store("shared/mine");
    Foreign.give(below.resolve(".mainstay"));
    assertThat(run(below, "", "task", "list").out()).startsWith("asked ");
  }
}
