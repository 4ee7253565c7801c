package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.ScannedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FileIndexTest extends OnFiles {
  private static final String NOTHING = "added [], changed [], gone []";

  @Test
  void a_first_scan_adds_every_file_with_its_hash() throws IOException {
    setTime(write("src/App.java", "class App {}"), LONG_AGO);
    write("README.md", "hello");
    ScanResult result = index.refresh();
    assertThat(told(result)).isEqualTo("added [README.md, src/App.java], changed [], gone []");
    ScannedFile app = result.added().get(1);
    assertThat(app.stat().size()).isEqualTo(12);
    assertThat(app.stat().modTime()).isEqualTo(LONG_AGO);
    assertThat(app.stat().fileKey()).matches("[0-9a-f]+:[0-9]+");
    assertThat(result.leftOut().isNothing()).isTrue();
    assertThat(result.work()).isEqualTo(new ScanResult.Work(2, 2, 17));
  }

  @Test
  void the_hash_is_the_sha256_of_the_content() throws IOException {
    write("abc", "abc");
    write("empty", "");
    index.refresh();
    assertThat(index.files())
        .extracting(ScannedFile::hash)
        .containsExactly(
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }

  @Test
  void nothing_changed_means_nothing_is_read() throws IOException {
    create("a", "b/c", "b/d/e");
    index.refresh();
    ScanResult again = index.refresh();
    assertThat(told(again)).isEqualTo(NOTHING);
    assertThat(again.work()).isEqualTo(new ScanResult.Work(3, 0, 0));
  }

  @Test
  void what_was_created_changed_and_deleted_is_told_apart() throws IOException {
    create("a", "b/c", "b/d", "e/f");
    index.refresh();
    write("b/c", "other");
    create("b/new", "x/y/z");
    Files.delete(root.resolve("a"));
    delete(root.resolve("e"));
    ScanResult result = index.refresh();
    assertThat(told(result)).isEqualTo("added [b/new, x/y/z], changed [b/c], gone [a, e/f]");
    assertThat(result.work().filesHashed()).isEqualTo(3);
    assertThat(paths()).containsExactly("b/c", "b/d", "b/new", "x/y/z");
  }

  @Test
  void files_are_sorted_by_path() throws IOException {
    create("a/x", "a.b", "a-b/y", "A", "b", "ä");
    index.refresh();
    assertThat(paths()).containsExactly("A", "a-b/y", "a.b", "a/x", "b", "ä");
  }

  @Test
  void a_file_that_was_only_touched_is_read_once_and_not_told() throws IOException {
    Path file = write("a", "same");
    index.refresh();
    setTime(file, LONG_AGO);
    ScanResult touched = index.refresh();
    assertThat(told(touched)).isEqualTo(NOTHING);
    assertThat(touched.work().filesHashed()).isEqualTo(1);
    assertThat(index.refresh().work().filesHashed()).isZero();
  }

  @Test
  void another_mode_is_no_change() throws IOException {
    Path file = write("run.sh", "#!/bin/sh");
    index.refresh();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    ScanResult result = index.refresh();
    assertThat(told(result)).isEqualTo(NOTHING);
    assertThat(result.work().filesHashed()).isZero();
  }

  @Test
  void a_renamed_file_is_gone_and_added() throws IOException {
    Path file = write("old/a", "text");
    index.refresh();
    Files.createDirectory(root.resolve("new"));
    Files.move(file, root.resolve("new/b"));
    assertThat(told(index.refresh())).isEqualTo("added [new/b], changed [], gone [old/a]");
  }

  @Test
  void a_file_replaced_by_another_of_the_same_size_and_time_is_noticed() throws IOException {
    setTime(write("a", "one"), LONG_AGO);
    index.refresh();
    Path other = Files.writeString(temp.resolve("other"), "two");
    setTime(other, LONG_AGO);
    Files.move(other, root.resolve("a"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThat(told(index.refresh())).isEqualTo("added [], changed [a], gone []");
  }

  @Test
  void a_file_written_again_within_the_same_tick_is_noticed() throws IOException {
    FileIndex now = racy();
    Instant tick = Instant.now();
    setTime(write("a", "one"), tick);
    now.refresh();
    setTime(write("a", "two"), tick);
    assertThat(told(now.refresh())).isEqualTo("added [], changed [a], gone []");
  }

  @Test
  void a_file_older_than_the_look_at_it_is_not_read_again() throws IOException {
    FileIndex now = racy();
    setTime(write("old", "one"), LONG_AGO);
    setTime(write("young", "one"), Instant.now());
    now.refresh();
    assertThat(now.refresh().work().filesHashed()).isEqualTo(1);
  }

  @Test
  void a_file_in_a_folder_whose_time_was_set_back_is_noticed() throws IOException {
    create("a/b");
    setTime(root.resolve("a"), LONG_AGO);
    index.refresh();
    nextTick();
    create("a/c");
    setTime(root.resolve("a"), LONG_AGO);
    assertThat(told(index.refresh())).isEqualTo("added [a/c], changed [], gone []");
  }

  @Test
  void links_are_not_files_and_lead_nowhere() throws IOException {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "x");
    create("a");
    Files.createSymbolicLink(root.resolve("link"), outside);
    Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret"));
    Files.createSymbolicLink(root.resolve("dangling"), temp.resolve("nothing"));
    Files.createSymbolicLink(root.resolve("self"), root);
    assertThat(told(index.refresh())).isEqualTo("added [a], changed [], gone []");
  }

  @Test
  void a_folder_replaced_by_a_link_takes_its_files_with_it() throws IOException {
    create("a/b", "a/c/d", "e");
    index.refresh();
    Files.move(root.resolve("a"), temp.resolve("moved"));
    Files.createSymbolicLink(root.resolve("a"), temp.resolve("moved"));
    assertThat(told(index.refresh())).isEqualTo("added [], changed [], gone [a/b, a/c/d]");
    assertThat(told(index.refresh())).isEqualTo(NOTHING);
  }

  @Test
  void a_folder_swapped_for_a_link_during_scans_leads_nobody_out() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("f"), "outside");
    Path link = Files.createSymbolicLink(temp.resolve("link"), outside);
    write("a/f", "inside");
    index.refresh();
    String inside = index.files().iterator().next().hash();
    AtomicBoolean running = new AtomicBoolean(true);
    Thread swapping = new Thread(() -> swap(root.resolve("a"), link, running));
    swapping.start();
    try {
      for (int i = 0; i < 300; i++) {
        index.verify();
        assertThat(index.files()).extracting(ScannedFile::hash).isSubsetOf(inside);
      }
    } finally {
      running.set(false);
      swapping.join();
    }
    index.verify();
    assertThat(index.files()).extracting(ScannedFile::hash).containsExactly(inside);
  }

  private void swap(Path folder, Path link, AtomicBoolean running) {
    try {
      while (running.get()) {
        Files.move(folder, temp.resolve("aside"));
        Files.move(link, folder);
        Files.move(folder, link);
        Files.move(temp.resolve("aside"), folder);
      }
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    }
  }

  @Test
  void a_file_may_become_a_folder_and_back() throws IOException {
    create("a");
    index.refresh();
    Files.delete(root.resolve("a"));
    create("a/b");
    assertThat(told(index.refresh())).isEqualTo("added [a/b], changed [], gone [a]");
    delete(root.resolve("a"));
    create("a");
    assertThat(told(index.refresh())).isEqualTo("added [a], changed [], gone [a/b]");
  }

  @Test
  void what_is_gits_or_mainstays_is_not_the_workspaces() throws IOException {
    create("a", ".git/config", "b/.git/HEAD", "b/.GIT/x", ".mainstay/repostate.json");
    create("c/.Mainstay/x", "c/" + SafeFiles.newTempName(), ".gitattributes", ".mainstayrc");
    index.refresh();
    assertThat(paths()).containsExactly(".gitattributes", ".mainstayrc", "a");
  }

  @Test
  void a_name_linked_twice_is_two_files() throws IOException {
    Files.createLink(root.resolve("two"), write("one", "text"));
    index.refresh();
    assertThat(index.files()).extracting(ScannedFile::hash).hasSize(2).doesNotContainNull();
    assertThat(index.files()).extracting(file -> file.stat().fileKey()).hasSize(2);
  }

  @Test
  void what_an_earlier_process_knew_is_not_read_again() throws IOException {
    create("a", "b/c", "b/d", "e/f");
    index.refresh();
    List<ScannedFile> rows = List.copyOf(index.files());
    write("b/c", "other");
    delete(root.resolve("e"));
    create("new");
    index = index(ScanLimits.DEFAULT);
    index.load(rows);
    assertThat(index.files()).containsExactlyElementsOf(rows);
    ScanResult result = index.refresh();
    assertThat(told(result)).isEqualTo("added [new], changed [b/c], gone [e/f]");
    assertThat(result.work().filesHashed()).isEqualTo(2);
    assertThat(index.refresh().work().filesHashed()).isZero();
  }

  @Test
  void verify_reads_every_content_whatever_the_disk_says_about_it() throws IOException {
    Path file = write("a", "one");
    create("b");
    setTime(file, LONG_AGO);
    index.refresh();
    setTime(Files.writeString(file, "two"), LONG_AGO); // in place: the same size, time and inode
    assertThat(told(index.refresh())).isEqualTo(NOTHING);
    ScanResult verified = index.verify();
    assertThat(told(verified)).isEqualTo("added [], changed [a], gone []");
    assertThat(verified.work().filesHashed()).isEqualTo(2);
  }

  @Test
  void a_look_is_at_the_given_paths_alone() throws IOException {
    create("a", "b/c", "b/d", "e/f");
    index.refresh();
    for (String each : List.of("a", "b/c", "b/d", "e/f")) write(each, "other");
    create("x/y/z", "b/new");
    Files.delete(root.resolve("e/f"));
    ScanResult looked = look("b/c", "x/y/z", "e/f", "no/such/file");
    assertThat(told(looked)).isEqualTo("added [x/y/z], changed [b/c], gone [e/f]");
    assertThat(looked.work().filesLookedAt()).isEqualTo(2);
    assertThat(told(look("b/c", "x/y/z", "e/f"))).isEqualTo(NOTHING);
    assertThat(told(index.refresh())).isEqualTo("added [b/new], changed [a, b/d], gone []");
  }

  @Test
  void a_look_at_a_folder_is_at_all_below_it() throws IOException {
    create("a", "b/c/d", "b/e");
    assertThat(told(look("b"))).isEqualTo("added [b/c/d, b/e], changed [], gone []");
    delete(root.resolve("b"));
    assertThat(told(look("b"))).isEqualTo("added [], changed [], gone [b/c/d, b/e]");
  }

  @Test
  void the_hash_of_the_tree_changes_with_any_name_or_content() throws IOException {
    create("a", "b/c");
    index.refresh();
    String before = index.treeHash();
    assertThat(before).hasSize(64);
    write("b/c", "other");
    index.refresh();
    assertThat(index.treeHash()).isNotEqualTo(before);
    create("b/c");
    index.refresh();
    assertThat(index.treeHash()).isEqualTo(before);
    Files.move(root.resolve("a"), root.resolve("z"));
    index.refresh();
    assertThat(index.treeHash()).isNotEqualTo(before);
  }

  @Test
  void a_workspace_that_is_no_more_is_said_to_be_so_and_nothing_is_forgotten() throws IOException {
    create("a");
    index.refresh();
    Files.move(root, temp.resolve("elsewhere"));
    assertThatThrownBy(() -> index.refresh())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("there is no folder");
    assertThat(paths()).containsExactly("a");
  }
}
