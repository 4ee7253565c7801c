package dev.mainstay.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Order;
import dev.mainstay.trust.Standing.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedFoldersTest {
  private static final int NOBODY = 65534;

  @TempDir Path given;
  private Path temp;
  private Path project;
  private Path folder;
  private TrustedFolders here;

  @BeforeEach
  void lay_out() throws IOException {
    temp = given.toRealPath();
    project = Files.createDirectories(temp.resolve("shop"));
    folder = project.resolve(".mainstay");
    here = of("state");
  }

  /** What a user or host with this state folder knows. */
  private TrustedFolders of(String state, Path... always) {
    return new TrustedFolders(new UserFolders(temp, temp.resolve(state), null), List.of(always));
  }

  private static void file(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void unpacked(String... files) throws IOException {
    for (String each : files) file(folder.resolve(each), "x");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }

  private Level level() {
    return here.settle(folder).level();
  }

  private void run(Path in, String... command) {
    var order = Order.of(List.of(command), Duration.ofMinutes(1)).in(in);
    assertThat(Programs.run(order)).hasValueSatisfying(e -> assertThat(e.exit()).isZero());
  }

  private void git(String... args) {
    List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=t"));
    command.addAll(List.of("-c", "user.email=t@t", "-c", "init.defaultBranch=main"));
    command.addAll(List.of(args));
    run(project, command.toArray(String[]::new));
  }

  @Test
  void a_folder_made_here_is_trusted_and_private() throws IOException {
    assertThat(level()).isEqualTo(Level.ABSENT);
    here.make(folder);
    file(folder.resolve("state.sqlite3"), "");
    file(folder.resolve("config.toml"), "");
    assertThat(level()).isEqualTo(Level.TRUSTED);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    assertThat(folder.resolve(".gitignore")).hasContent("*");
  }

  @Test
  void a_folder_that_was_renamed_is_still_trusted() throws IOException {
    here.make(folder);
    file(folder.resolve("config.toml"), "");
    Files.move(project, project.resolveSibling("store"));
    assertThat(here.of(project.resolveSibling("store/.mainstay")).level()).isEqualTo(Level.TRUSTED);
  }

  @Test
  void a_copy_is_asked_for_once() throws IOException {
    here.make(folder);
    file(folder.resolve("config.toml"), "");
    run(temp, "cp", "-a", project.toString(), temp.resolve("copy").toString());
    Path copy = temp.resolve("copy/.mainstay");
    assertThat(here.settle(copy).level()).isEqualTo(Level.UNTRUSTED);
    here.open(copy, true);
    assertThat(here.settle(copy).level()).isEqualTo(Level.TRUSTED);
    assertThat(level()).as("the original").isEqualTo(Level.TRUSTED);
  }

  @Test
  void a_folder_on_another_file_system_is_asked_for() throws IOException {
    Path other = Path.of("/dev/shm");
    assumeThat(Files.isWritable(other)).as("there is another file system").isTrue();
    assumeThat(Files.getFileStore(other)).isNotEqualTo(Files.getFileStore(temp));
    here.make(folder);
    file(folder.resolve("config.toml"), "");
    Path moved = Files.createTempDirectory(other, "mainstay-test");
    try {
      run(temp, "mv", folder.toString(), moved.toString());
      assertThat(here.settle(moved.resolve(".mainstay")).level()).isEqualTo(Level.UNTRUSTED);
    } finally {
      run(temp, "rm", "-r", moved.toString());
    }
  }

  @Test
  void a_restored_backup_is_asked_for() throws IOException {
    here.make(folder);
    file(folder.resolve("config.toml"), "");
    Path archive = temp.resolve("backup.tar");
    run(project, "tar", "cf", archive.toString(), ".mainstay");
    run(project, "mv", ".mainstay", "lost");
    run(project, "tar", "xf", archive.toString());
    assertThat(level()).isEqualTo(Level.UNTRUSTED);
  }

  @Test
  void another_host_or_user_knows_nothing_of_it() throws IOException {
    here.make(folder);
    file(folder.resolve("config.toml"), "");
    assertThat(of("elsewhere").settle(folder).level()).isEqualTo(Level.UNTRUSTED);
  }

  @Test
  void a_mark_without_its_secret_proves_nothing() throws IOException {
    here.make(folder);
    file(folder.resolve("config.toml"), "");
    String mark = Files.readString(folder.resolve(Mark.FILE));
    String id = mark.substring(0, mark.indexOf(' '));
    file(folder.resolve(Mark.FILE), id + " " + "0".repeat(32) + "\n");
    assertThat(level()).isEqualTo(Level.UNTRUSTED);
  }

  @Test
  void a_folder_of_another_owner_is_refused_and_not_opened() throws IOException {
    assumeThat(System.getProperty("user.name")).as("the test runs as root").isEqualTo("root");
    unpacked("state.sqlite3");
    Files.setAttribute(folder, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
    assertThat(level()).isEqualTo(Level.REFUSED);
    assertThatThrownBy(() -> here.open(folder, true))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("belongs to another user");
    assertThat(of("state", project).settle(folder).level()).isEqualTo(Level.REFUSED);
  }

  @Test
  void a_link_in_the_folders_place_is_refused() throws IOException {
    Path other = temp.resolve("other/.mainstay");
    here.make(other);
    Files.createSymbolicLink(folder, other);
    assertThat(level()).isEqualTo(Level.REFUSED);
  }

  @Test
  void a_folder_that_git_tracks_is_refused_even_if_it_was_made_here() throws IOException {
    git("init", "-q");
    here.make(folder);
    file(folder.resolve("config.toml"), "");
    assertThat(level()).isEqualTo(Level.TRUSTED);
    git("add", "--force", ".mainstay/config.toml");
    assertThat(level()).isEqualTo(Level.REFUSED);
    assertThat(here.of(folder).refusal().sentence()).contains("git tracks", "mainstay trust");
    assertThatThrownBy(() -> here.open(folder, true)).hasMessageContaining("git tracks");
    git("rm", "-q", "--cached", ".mainstay/config.toml");
    assertThat(level()).as("what git wrote there stays foreign").isEqualTo(Level.UNTRUSTED);
    here.open(folder, true);
    assertThat(level()).isEqualTo(Level.TRUSTED);
  }

  @Test
  void every_format_of_the_index_is_read() throws IOException {
    git("init", "-q");
    for (String name : List.of("sub/.mainstay/config.toml", ".mainsta!", "a.txt")) {
      file(project.resolve(name), "x");
    }
    unpacked("config.toml");
    git("add", "--force", ".");
    for (String version : List.of("2", "4")) {
      git("update-index", "--index-version", version, "--force-write-index");
      assertThat(GitIndex.around(folder).tracks()).as("version " + version).isTrue();
      git("rm", "-q", "--cached", ".mainstay/config.toml");
      assertThat(GitIndex.around(folder).tracks()).as("version " + version).isFalse();
      git("add", "--force", ".mainstay");
    }
    git("update-index", "--split-index");
    git("rm", "-q", "--cached", "a.txt");
    assertThat(GitIndex.around(folder).tracks()).as("split").isTrue();
    assertThat(GitIndex.around(project.resolve("sub/.mainstay")).tracks()).isTrue();
  }

  @Test
  void a_repository_with_sha_256_is_read() throws IOException {
    git("init", "-q", "--object-format=sha256");
    unpacked("config.toml");
    git("add", "--force", "--intent-to-add", ".mainstay"); // version 3
    assertThat(GitIndex.around(folder).tracks()).isTrue();
  }

  @Test
  void a_folder_without_a_store_is_not_trusted() throws IOException {
    for (String file : List.of("config.toml", "repostate.json", "agents/a.md", "spool/hook-1")) {
      project = Files.createDirectory(temp.resolve(file.replace('/', '-')));
      folder = project.resolve(".mainstay");
      unpacked(file);
      assertThat(level()).as(file).isEqualTo(Level.UNTRUSTED);
    }
  }

  @Test
  void a_folder_in_which_nothing_can_be_believed_is_made_ones_own() throws IOException {
    unpacked("init.json", "log/hooks.log");
    assertThat(level()).isEqualTo(Level.TRUSTED);
    file(folder.resolve("config.toml"), "");
    assertThat(level()).isEqualTo(Level.TRUSTED);
  }

  @Test
  void a_folder_of_an_earlier_version_opens_for_its_tasks_alone() throws IOException {
    unpacked("state.sqlite3", "config.toml", "spool/hook-1", "socket", "token");
    assertThat(level()).isEqualTo(Level.DATA);
    assertThat(here.of(folder).isMarked()).isTrue();
    for (String foreign : List.of("spool/hook-1", "socket", "token")) {
      assertThat(folder.resolve(foreign)).doesNotExist();
    }
    assertThat(level()).as("the next time").isEqualTo(Level.DATA);
    here.open(folder, true);
    assertThat(level()).isEqualTo(Level.TRUSTED);
  }

  @Test
  void a_folder_of_an_earlier_version_that_others_may_enter_is_asked_for() throws IOException {
    unpacked("state.sqlite3");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(level()).isEqualTo(Level.UNTRUSTED);
    here.open(folder, false);
    assertThat(level()).isEqualTo(Level.DATA);
  }

  @Test
  void looking_changes_nothing() throws IOException {
    unpacked("state.sqlite3", "token");
    assertThat(here.of(folder).level()).isEqualTo(Level.DATA);
    assertThat(folder.resolve("token")).exists();
    assertThat(folder.resolve(Mark.FILE)).doesNotExist();
    assertThat(temp.resolve("state")).doesNotExist();
  }

  @Test
  void the_users_own_settings_can_name_a_folder() throws IOException {
    unpacked("config.toml");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(of("state", project).settle(folder).level()).isEqualTo(Level.TRUSTED);
    assertThat(of("state", temp).settle(folder).level()).isEqualTo(Level.UNTRUSTED);
  }

  @Test
  void without_a_state_folder_that_can_be_written_a_new_folder_is_used_as_data()
      throws IOException {
    file(temp.resolve("state"), "a file in its place");
    here.make(folder);
    file(folder.resolve("state.sqlite3"), "");
    assertThat(level()).isEqualTo(Level.DATA);
  }

  @Test
  void a_folder_that_is_made_again_is_trusted_no_more_than_before() throws IOException {
    unpacked("state.sqlite3");
    assertThat(level()).isEqualTo(Level.DATA);
    run(project, "rm", "-r", ".mainstay");
    here.makeAgain(folder);
    assertThat(level()).isEqualTo(Level.DATA);
    here.open(folder, true);
    run(project, "rm", "-r", ".mainstay");
    here.makeAgain(folder);
    assertThat(level()).isEqualTo(Level.TRUSTED);
  }

  @Test
  void the_root_folder_gets_no_store() {
    assertThatThrownBy(() -> here.make(Path.of("/.mainstay")))
        .hasMessageContaining("no store in the root folder");
  }
}
