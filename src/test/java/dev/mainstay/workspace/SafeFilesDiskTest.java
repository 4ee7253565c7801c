package dev.mainstay.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is small, full, read-only, or mounted inside the workspace. Needs to mount one. */
class SafeFilesDiskTest {
  @TempDir Path folder;
  private Path disk;

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(folder.resolve("disk"));
    assumeThat(command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()))
        .as("mounting a small disk needs root on Linux")
        .isZero();
  }

  @AfterEach
  void unmount() throws Exception {
    // A process that another test starts at this moment has our files open until it is itself.
    command("umount", "-l", disk.toString());
  }

  private static int command(String... argv) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (IOException notThere) {
      return -1;
    }
  }

  private static Refusal refused(Path root, String path, int bytes) {
    var files = new SafeFiles(SafeTree.at(root));
    return catchThrowableOfType(
        Refusal.class,
        () -> files.replace(new RepoPath(path), new byte[bytes], SafeFiles.newTempName()));
  }

  private void holdsOnly(String... names) throws IOException {
    try (Stream<Path> all = Files.list(disk)) {
      assertThat(all.map(each -> each.getFileName().toString())).containsExactlyInAnyOrder(names);
    }
  }

  @Test
  void a_full_disk_keeps_the_old_file_and_no_half_of_the_new_one() throws IOException {
    Files.writeString(disk.resolve("file"), "old");
    Refusal full = refused(disk, "file", 2_000_000);
    assertThat(full.code()).isEqualTo(Refusal.Code.STORE_FULL);
    assertThat(full).hasMessageContaining("file was not written: the disk is full; make room");
    assertThat(disk.resolve("file")).hasContent("old");
    holdsOnly("file");
  }

  @Test
  void a_read_only_disk_can_be_read_and_says_what_it_is() throws Exception {
    Files.writeString(disk.resolve("file"), "old");
    assertThat(command("mount", "-o", "remount,ro", disk.toString())).isZero();
    for (String path : new String[] {"file", "new", "a/b/new"}) {
      Refusal refused = refused(disk, path, 3);
      assertThat(refused.code()).isEqualTo(Refusal.Code.READ_ONLY);
      assertThat(refused).hasMessageContaining("the disk is read-only");
    }
    var files = new SafeFiles(SafeTree.at(disk));
    assertThat(new String(files.read(new RepoPath("file"), 10), UTF_8)).isEqualTo("old");
    holdsOnly("file");
  }

  @Test
  void a_file_on_a_disk_inside_the_workspace_is_written_but_a_folder_is_not_made_there()
      throws IOException {
    assertThat(refused(folder, "disk/file", 3)).isNull();
    assertThat(refused(folder, "disk/new/file", 3))
        .hasMessageContaining("disk/new would be on another disk");
    holdsOnly("file");
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all).containsExactly(disk);
    }
  }
}
