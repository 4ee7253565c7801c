package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState.FileStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What kind a file is, what becomes of it, and which ones a patch names. */
class FilesOfAStoryTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "src/App.java, java, java source",
    "go.mod, mod, go module",
    "a/Makefile, make, makefile",
    "a.b/README, file, file",
    "odd., file, file",
    "x.Zig, zig, zig file",
    "x.abcdefghijkl, abcdefghijkl, abcdefghijkl file",
    "x.abcdefghijklm, file, file",
    "x.a-b, file, file",
    "x.é, file, file",
    "x.tar.gz, gz, archive",
    ".gitignore, gitignore, git ignore rules",
  })
  void a_name_promises_a_kind_of_file(String path, String name, String words) {
    assertThat(FileType.of(path)).isEqualTo(new FileType(name, words));
  }

  private static ScannedFile seen(String digit) {
    String hash = digit == null ? null : digit.repeat(ScannedFile.HASH_CHARS);
    return new ScannedFile("a.txt", hash, new ScannedFile.Stat(3, NOON, "k"), NOON);
  }

  @Test
  void what_is_as_it_was_in_the_beginning_is_unchanged_once_more() {
    TrackedFile found = TrackedFile.found(seen("1"));
    TrackedFile changed = found.seenAgain(seen("2"));
    assertThat(changed.status()).isEqualTo(FileStatus.MODIFIED);
    assertThat(changed.seenAgain(seen("1"))).isEqualTo(found);
    assertThat(changed.gone()).extracting(TrackedFile::status).isEqualTo(FileStatus.DELETED);
    assertThat(changed.rebased()).isEqualTo(TrackedFile.found(seen("2")));
    assertThat(TrackedFile.found(seen(null)).seenAgain(seen(null)).status())
        .isEqualTo(FileStatus.UNCHANGED);
    assertThat(found.toMeta().path()).isEqualTo("a.txt");
    assertThat(found.path()).isEqualTo("a.txt");
  }

  @Test
  void what_appeared_in_the_story_leaves_nothing_behind() {
    TrackedFile made = TrackedFile.appeared(seen("1"));
    assertThat(made.seenAgain(seen("2")).status()).isEqualTo(FileStatus.CREATED);
    assertThat(made.gone()).isNull();
    TrackedFile deleted = TrackedFile.found(seen("1")).gone();
    assertThat(deleted).isNotNull();
    assertThat(deleted.rebased()).isNull();
  }

  private static List<String> paths(String patch) {
    List<String> paths = new ArrayList<>();
    PatchText.paths(patch, paths::add);
    return paths;
  }

  @Test
  void a_patch_names_its_files_in_an_envelope_or_in_headers() {
    assertThat(
            paths(
                "x\n*** Begin Patch\n  *** Add File: a.txt\n+++ b/no\n*** Move to: c\n--- a/n\n+++ b/n"))
        .containsExactly("a.txt", "c");
    assertThat(paths("--- a/old.c\t2026\n+++ b/new.c\t2026\n")).containsExactly("old.c", "new.c");
    assertThat(paths("--- /dev/null\n+++ b/new.c\n")).containsExactly("new.c");
    assertThat(paths("--- old.c\n+++ b/new.c\n")).containsExactly("old.c", "b/new.c");
    assertThat(paths("--- a/old.c\n+++ new.c\n")).containsExactly("a/old.c", "new.c");
    assertThat(paths("--- a/old.c\nx\n+++ b/new.c\n")).isEmpty();
    assertThat(paths("no patch")).isEmpty();
  }

  @Test
  void whoever_has_enough_paths_is_given_no_more() {
    List<String> one = new ArrayList<>();
    PatchText.paths(
        "--- a/x\n+++ b/x\n--- a/y\n+++ b/y",
        path -> {
          one.add(path);
          return false;
        });
    assertThat(one).containsExactly("x");
    one.clear();
    PatchText.paths(
        "*** Add File: p\n*** Add File: q",
        path -> {
          one.add(path);
          return false;
        });
    assertThat(one).containsExactly("p");
  }
}
