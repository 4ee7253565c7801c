package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.render.FolderCounts.Summary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FolderCountsTest {
  private static final int ROOMY = 100_000;

  private static FileMeta file(String path) {
    return new FileMeta(path, null, 1, Instant.EPOCH, FileStatus.UNCHANGED);
  }

  private static List<FileMeta> files(String... paths) {
    return List.of(paths).stream().sorted().map(FolderCountsTest::file).toList();
  }

  /** A file in each of so many folders within a folder. */
  private static List<FileMeta> folders(String within, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> within + String.format("%02d/f", i))
        .map(FolderCountsTest::file)
        .toList();
  }

  private static List<String> lines(Summary summary) {
    return summary.lines().stream().map(SnapshotLine::text).toList();
  }

  @Test
  void a_file_counts_for_the_folder_that_it_is_in_as_deep_as_that_is() {
    var counts = new FolderCounts(files("f", "a/f", "a/g", "a/b/f", "a/b/c/f", "d/e/f"));
    Summary summary = counts.summary(List.of(), ROOMY);

    assertThat(lines(summary))
        .containsExactly(
            "  • a/ - 2 files\n",
            "  • ./ - 1 file\n",
            "  • a/b/ - 1 file\n",
            "  • a/b/c/ - 1 file\n",
            "  • d/e/ - 1 file\n");
    assertThat(summary.files()).isEqualTo(6);
    assertThat(summary.foldersLeftOut()).isZero();
    assertThat(summary.filesLeftOut()).isZero();
  }

  @Test
  void files_before_and_behind_a_folder_within_their_own_count_together() {
    var counts = new FolderCounts(files("a/b", "a/c/x", "a/c/y", "a/d", "aa/b", "a/c.d/x"));

    assertThat(lines(counts.summary(List.of(), ROOMY)))
        .containsExactly(
            "  • a/ - 2 files\n",
            "  • a/c/ - 2 files\n",
            "  • a/c.d/ - 1 file\n",
            "  • aa/ - 1 file\n");
  }

  @Test
  void eight_folders_within_each_other_are_told_apart_and_no_more() {
    var counts = new FolderCounts(files("1/2/3/4/5/6/7/8/9/f", "1/2/3/4/5/6/7/8/10/f"));
    assertThat(lines(counts.summary(List.of(), ROOMY)))
        .containsExactly("  • 1/2/3/4/5/6/7/8/ - 2 files\n");

    counts = new FolderCounts(files("1/2/3/4/5/6/7/8/f", "1/2/3/4/5/6/7/f"));
    assertThat(lines(counts.summary(List.of(), ROOMY)))
        .containsExactly("  • 1/2/3/4/5/6/7/ - 1 file\n", "  • 1/2/3/4/5/6/7/8/ - 1 file\n");
  }

  @Test
  void what_does_not_fit_is_summarised_less_deep() {
    var counts = new FolderCounts(files("a/b/f", "a/c/f", "a/c/g", "d/f"));
    Summary deep = counts.summary(List.of(), ROOMY);
    assertThat(lines(deep))
        .containsExactly("  • a/c/ - 2 files\n", "  • a/b/ - 1 file\n", "  • d/ - 1 file\n");

    assertThat(counts.summary(List.of(), deep.tokens())).isEqualTo(deep);
    Summary flat = counts.summary(List.of(), deep.tokens() - 1);
    assertThat(lines(flat)).containsExactly("  • a/ - 3 files\n", "  • d/ - 1 file\n");
    assertThat(flat.files()).isEqualTo(4);
  }

  @Test
  void folders_for_which_there_is_no_room_are_left_out_with_their_files() {
    var counts = new FolderCounts(files("a/f", "a/g", "a/h", "b/f", "c/f", "c/g"));
    Summary all = counts.summary(List.of(), ROOMY);

    Summary two = counts.summary(List.of(), all.tokens() - 1);
    assertThat(lines(two)).containsExactly("  • a/ - 3 files\n", "  • c/ - 2 files\n");
    assertThat(two.files()).isEqualTo(5);
    assertThat(two.foldersLeftOut()).isEqualTo(1);
    assertThat(two.filesLeftOut()).isEqualTo(1);
    Summary none = counts.summary(List.of(), 0);
    assertThat(none).isEqualTo(new Summary(List.of(), 0, 3, 6));
  }

  @Test
  void forty_folders_of_a_depth_are_told_apart_and_forty_one_are_not() {
    assertThat(lines(new FolderCounts(folders("a/", 40)).summary(List.of(), ROOMY)))
        .hasSize(40)
        .startsWith("  • a/00/ - 1 file\n")
        .endsWith("  • a/39/ - 1 file\n");
    assertThat(lines(new FolderCounts(folders("a/", 41)).summary(List.of(), ROOMY)))
        .containsExactly("  • a/ - 41 files\n");
  }

  @Test
  void what_lies_above_a_depth_with_too_many_folders_is_still_counted() {
    List<FileMeta> files = new ArrayList<>(folders("a/b/", 41));
    files.addAll(files("a/c/f", "d/e/f"));

    assertThat(lines(new FolderCounts(files).summary(List.of(), ROOMY)))
        .containsExactly("  • a/b/ - 41 files\n", "  • a/c/ - 1 file\n", "  • d/e/ - 1 file\n");
  }

  @Test
  void of_more_than_forty_folders_at_the_top_the_most_populous_are_shown() {
    List<FileMeta> files = new ArrayList<>(folders("", 42));
    files.addAll(files("99/f", "99/g"));
    Summary summary = new FolderCounts(files).summary(List.of(), ROOMY);

    assertThat(lines(summary))
        .hasSize(40)
        .startsWith("  • 99/ - 2 files\n", "  • 00/ - 1 file\n")
        .endsWith("  • 38/ - 1 file\n");
    assertThat(summary.files()).isEqualTo(41);
    assertThat(summary.foldersLeftOut()).isEqualTo(3);
    assertThat(summary.filesLeftOut()).isEqualTo(3);
  }

  @Test
  void listed_files_are_not_counted_again() {
    var counts = new FolderCounts(files("f", "g", "a/f", "a/b/f", "a/b/g", "c/f"));
    Summary summary = counts.summary(files("g", "a/b/g", "c/f"), ROOMY);

    assertThat(lines(summary))
        .containsExactly("  • ./ - 1 file\n", "  • a/ - 1 file\n", "  • a/b/ - 1 file\n");
    assertThat(summary.files()).isEqualTo(3);
    Summary flat = counts.summary(files("g", "a/b/g", "c/f"), summary.tokens() - 1);
    assertThat(lines(flat)).containsExactly("  • a/ - 2 files\n", "  • ./ - 1 file\n");
  }

  @Test
  void nothing_is_summarised_when_everything_is_listed() {
    List<FileMeta> all = files("f", "a/f");
    assertThat(new FolderCounts(all).summary(all, ROOMY))
        .isEqualTo(new Summary(List.of(), 0, 0, 0));
    assertThat(new FolderCounts(List.of()).summary(List.of(), 0).lines()).isEmpty();
  }
}
