package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class IgnoredFilesTest extends OnFiles {
  @Test
  void what_is_ignored_is_not_seen_and_what_is_excepted_is() throws IOException {
    write(".gitignore", "*.log\n!keep.log\n/build/\n");
    create("a.log", "keep.log", "b/a.log", "build/x", "b/build/x");
    index.refresh();
    assertThat(paths()).containsExactly(".gitignore", "b/build/x", "keep.log");
  }

  @Test
  void the_rules_of_a_deeper_folder_win() throws IOException {
    write(".gitignore", "*.txt\nbuild\n");
    write("a/.gitignore", "!*.txt\n");
    write("build/.gitignore", "!*\n");
    create("x.txt", "a/x.txt", "a/b/x.txt", "build/x");
    index.refresh();
    assertThat(paths()).containsExactly(".gitignore", "a/.gitignore", "a/b/x.txt", "a/x.txt");
  }

  @Test
  void rules_edited_later_hide_and_show() throws IOException {
    write(".gitignore", "*.a\n");
    create("x.a", "x.b", "deep/er/x.a", "deep/er/x.b");
    index.refresh();
    write(".gitignore", "*.b\n");
    assertThat(told(index.refresh()))
        .isEqualTo("added [deep/er/x.a, x.a], changed [.gitignore], gone [deep/er/x.b, x.b]");
    Files.delete(root.resolve(".gitignore"));
    assertThat(told(index.refresh()))
        .isEqualTo("added [deep/er/x.b, x.b], changed [], gone [.gitignore]");
  }

  @Test
  void rules_that_hide_themselves_are_still_read_again() throws IOException {
    write(".gitignore", ".*\n");
    create("x.a");
    index.refresh();
    assertThat(paths()).containsExactly("x.a");
    write(".gitignore", ".*\n*.a\n");
    assertThat(told(index.refresh())).isEqualTo("added [], changed [], gone [x.a]");
  }

  @Test
  void a_look_at_one_file_knows_the_rules() throws IOException {
    write(".gitignore", "*.log\n");
    create("a.log", "b/c.log", "b/d");
    assertThat(told(look("a.log", "b/c.log", "b/d"))).isEqualTo("added [b/d], changed [], gone []");
  }

  @Test
  void the_rules_of_a_link_or_of_a_huge_file_are_not_read() throws IOException {
    Path outside = Files.writeString(temp.resolve("rules"), "*\n");
    Files.createSymbolicLink(root.resolve(".gitignore"), outside);
    write("b/.gitignore", "c\n" + "#".repeat(IgnoreRules.FILE_BYTES_MAX));
    create("a", "b/c");
    LeftOut leftOut = index.refresh().leftOut();
    assertThat(paths()).containsExactly("a", "b/.gitignore", "b/c");
    assertThat(leftOut.sentence())
        .isEqualTo(
            "Not looked at in full: 1 not heeded as ignore rules, for there are too many"
                + " (b/.gitignore).");
  }

  @Test
  void a_rule_made_to_keep_the_matcher_busy_is_taken_for_a_comment() throws IOException {
    write(".gitignore", "*a*a*a*a*a*a*a*a*a*b\nc\n");
    create("a".repeat(250), "c");
    index.refresh();
    assertThat(paths()).containsExactly(".gitignore", "a".repeat(250));
  }

  @Test
  void many_files_of_many_rules_do_not_fill_the_memory() throws IOException {
    String rules = "*a\n".repeat(IgnoreRules.FILE_BYTES_MAX / 100);
    for (int i = 0; i < 20; i++) write("d" + i + "/.gitignore", rules);
    for (int i = 0; i < 2; i++) {
      LeftOut leftOut = index.refresh().leftOut();
      assertThat(leftOut.count(LeftOut.Reason.RULES)).isBetween(10L, 19L);
    }
  }

  @Test
  void what_git_tracks_is_seen_though_ignored() throws IOException {
    Git git = Git.init(root);
    write(".gitignore", "*.log\nbuild/\n");
    create("a.log", "b.log", "build/x", "build/y", "build/deep/z");
    index.refresh();
    assertThat(paths()).containsExactly(".gitignore");
    git.run("add", "-f", "a.log", "build/x", "build/deep/z");
    assertThat(told(index.refresh()))
        .isEqualTo("added [a.log, build/deep/z, build/x], changed [], gone []");
    assertThat(told(look("build/y", "b.log"))).isEqualTo("added [], changed [], gone []");
    assertThat(index.refresh().work().filesHashed()).isZero();
    git.run("rm", "-q", "--cached", "a.log");
    assertThat(told(index.refresh())).isEqualTo("added [], changed [], gone [a.log]");
    Files.delete(root.resolve("build/x"));
    assertThat(told(index.refresh())).isEqualTo("added [], changed [], gone [build/x]");
  }

  @Test
  void a_worktree_has_its_own_index_and_the_rules_of_its_repository() throws IOException {
    Path main = Files.createDirectory(temp.resolve("main"));
    Git git = Git.init(main);
    Files.writeString(main.resolve("a.log"), "a");
    git.run("add", ".");
    git.run("commit", "-q", "-m", "all");
    Files.writeString(main.resolve(".git/info/exclude"), "*.log\n");
    Files.delete(root);
    git.run("worktree", "add", "-q", root.toString());
    create("b.log", "c");
    index = index(ScanLimits.DEFAULT);
    index.refresh();
    assertThat(paths()).containsExactly("a.log", "c");
    assertThat(paths()).isEqualTo(Git.at(root).files());
  }

  @Test
  void a_repository_with_other_ids_is_read_as_well() throws IOException {
    Git git = Git.at(root);
    git.run("init", "-q", "--object-format=sha256");
    write(".gitignore", "*.log\n");
    create("a.log", "b.log");
    git.run("add", "-f", "a.log");
    index.refresh();
    assertThat(paths()).containsExactly(".gitignore", "a.log");
  }

  @Test
  void a_damaged_index_tracks_nothing_and_harms_nothing() throws IOException {
    Git git = Git.init(root);
    write(".gitignore", "*.log\n");
    create("a.log", "b");
    git.run("add", "-f", ".");
    byte[] sound = Files.readAllBytes(root.resolve(".git/index"));
    for (int length = 0; length < sound.length; length += 7) {
      Files.write(root.resolve(".git/index"), java.util.Arrays.copyOf(sound, length));
      assertThat(index.refresh().leftOut().isNothing()).isTrue();
      assertThat(paths()).contains(".gitignore", "b");
    }
    Files.write(
        root.resolve(".git/index"), "DIRC and then nonsense".getBytes(StandardCharsets.UTF_8));
    index.refresh();
    assertThat(paths()).containsExactly(".gitignore", "b");
  }

  @Test
  void a_scan_leaves_no_trace_in_gits_folder() throws IOException {
    Git.init(root).run("add", ".");
    String before = listing(root.resolve(".git"));
    index.refresh();
    assertThat(listing(root.resolve(".git"))).isEqualTo(before);
  }

  private static String listing(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      return all.sorted().toList().toString();
    }
  }
}
