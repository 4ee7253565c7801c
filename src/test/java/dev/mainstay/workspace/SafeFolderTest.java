package dev.mainstay.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafeFolderTest {
  @TempDir Path base;
  private Path root;
  private SafeFolder folder;

  @BeforeEach
  void aFolder() {
    root = base.resolve("workspace/state");
    folder = SafeFolder.make(root);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void a_folder_is_made_with_all_above_it_and_made_again_is_the_same() throws IOException {
    assertThat(root).isDirectory();
    folder.replace("plan.md", bytes("# plan"));
    assertThat(SafeFolder.make(root).read("plan.md", 100)).contains(bytes("# plan"));
    assertThat(folder.path()).isEqualTo(root.toRealPath());
  }

  @Test
  void where_a_file_stands_no_folder_is_made() throws IOException {
    Path file = Files.writeString(base.resolve("file"), "x");
    assertThatThrownBy(() -> SafeFolder.make(file.resolve("state"))).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> SafeFolder.open(base.resolve("none"))).isInstanceOf(Refusal.class);
    assertThat(file).hasContent("x");
  }

  @Test
  void what_is_not_there_is_nothing_and_what_is_too_large_is_refused() {
    assertThat(folder.read("plan.md", 10)).isEmpty();
    folder.replace("plan.md", bytes("12345678901"));
    assertThatThrownBy(() -> folder.read("plan.md", 10))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.TOO_LARGE));
    assertThat(folder.read("plan.md", 11)).contains(bytes("12345678901"));
  }

  @Test
  void through_a_link_nothing_is_read_or_written() throws IOException {
    Path outside = Files.writeString(base.resolve("outside.md"), "theirs");
    Files.createSymbolicLink(root.resolve("plan.md"), outside);
    assertThatThrownBy(() -> folder.read("plan.md", 100)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> folder.replace("plan.md", bytes("ours"))).isInstanceOf(Refusal.class);
    assertThat(outside).hasContent("theirs");
    assertThat(root.resolve("plan.md")).isSymbolicLink();
  }

  @Test
  void a_name_that_leads_elsewhere_is_refused() {
    for (String name : new String[] {"../x.md", "/etc/x.md", "a/../../x.md"}) {
      assertThatThrownBy(() -> folder.replace(name, bytes("x"))).isInstanceOf(Refusal.class);
    }
    assertThat(base.resolve("workspace/x.md")).doesNotExist();
  }

  @Test
  void a_replaced_file_keeps_its_mode_and_whoever_has_the_old_one_open_reads_it_whole()
      throws IOException {
    Path file = root.resolve("plan.md");
    folder.replace("plan.md", bytes("the old text"));
    var mode = PosixFilePermissions.fromString("rw-r-----");
    Files.setPosixFilePermissions(file, mode);
    try (var open = Files.newInputStream(file)) {
      folder.replace("plan.md", bytes("new"));
      assertThat(open.readAllBytes()).isEqualTo(bytes("the old text"));
    }
    assertThat(file).hasContent("new");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(mode);
    try (var names = Files.list(root)) {
      assertThat(names).containsExactly(file);
    }
  }

  @Test
  void sweeping_removes_what_dead_writers_left_and_nothing_else() throws IOException {
    Files.writeString(root.resolve(SafeFiles.newTempName()), "half");
    Files.writeString(root.resolve(SafeFiles.newTempName()), "");
    for (String kept : new String[] {".mainstay-notes.tmp", "plan.md", ".hidden", "x.tmp"}) {
      Files.writeString(root.resolve(kept), "mine");
    }
    Path below = Files.createDirectory(root.resolve("left"));
    folder.sweep();
    try (var names = Files.list(root)) {
      assertThat(names.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder(
              ".mainstay-notes.tmp", "plan.md", ".hidden", "x.tmp", below.getFileName().toString());
    }
  }

  @Test
  void a_link_that_bears_a_temporary_name_is_removed_and_not_followed() throws IOException {
    Path outside = Files.writeString(base.resolve("outside.md"), "theirs");
    Files.createSymbolicLink(root.resolve(SafeFiles.newTempName()), outside);
    folder.sweep();
    assertThat(outside).hasContent("theirs");
    try (var names = Files.list(root)) {
      assertThat(names).isEmpty();
    }
  }

  @Test
  void a_file_goes_with_the_folders_that_only_it_was_in_and_nothing_goes_through_a_link()
      throws IOException {
    folder.replace("a/b/own.json", bytes("{}"));
    folder.replace("a/other.json", bytes("{}"));
    folder.remove("a/b/own.json");
    folder.remove("a/b/own.json");
    assertThat(root.resolve("a/b")).doesNotExist();
    assertThat(root.resolve("a/other.json")).exists();
    folder.remove("a/other.json");
    assertThat(root).isEmptyDirectory();
    Path outside = Files.writeString(base.resolve("outside.md"), "theirs");
    Files.createSymbolicLink(root.resolve("link.md"), outside);
    assertThatThrownBy(() -> folder.remove("link.md")).isInstanceOf(Refusal.class);
    assertThat(root.resolve("link.md")).isSymbolicLink();
    assertThat(outside).hasContent("theirs");
  }
}
