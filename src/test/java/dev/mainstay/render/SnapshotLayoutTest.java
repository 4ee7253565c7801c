package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.render.RepoStateText.LeftOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What of a workspace is shown where not all of it fits. */
class SnapshotLayoutTest {
  private static final Instant NOW = Instant.parse("2025-10-22T03:15:42Z");

  private static FileMeta file(String path, FileStatus status, int secondsAgo) {
    return new FileMeta(path, "ab".repeat(32), 10, NOW.minusSeconds(secondsAgo), status);
  }

  private static OpenTask task(String description) {
    return new OpenTask(description, OpenTask.Status.PENDING, 1);
  }

  private static RepoState state(List<FileMeta> files, List<OpenTask> tasks) {
    return new RepoState("/srv", null, files, tasks, NOW);
  }

  private static RepoStateText render(List<FileMeta> files, List<OpenTask> tasks) {
    RepoStateText rendered = RepoStateText.of(state(files, tasks), List.of());
    assertThat(Tokens.O200K.count(rendered.text())).isLessThan(RepoStateText.SNAPSHOT_TOKENS_MAX);
    return rendered;
  }

  private static List<FileMeta> files(int count, String folder) {
    List<FileMeta> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(file(folder + "f" + i + ".go", FileStatus.UNCHANGED, i));
    }
    return files;
  }

  private static List<OpenTask> tasks(int count) {
    List<OpenTask> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) tasks.add(task("task " + i));
    return tasks;
  }

  private static List<FileMeta> deleted(int count, String folder) {
    List<FileMeta> files = new ArrayList<>();
    for (int i = 0; i < count; i++) files.add(file(folder + i, FileStatus.DELETED, i));
    return files;
  }

  @Test
  void files_are_listed_by_path_whatever_their_case_while_all_of_them_fit() {
    var files =
        List.of(
            file("b.go", FileStatus.MODIFIED, 1),
            file("A.go", FileStatus.UNCHANGED, 2),
            file("a.go", FileStatus.UNCHANGED, 1),
            file("C.go", FileStatus.CREATED, 0));

    assertThat(render(files, List.of()).listed()).containsExactly("A.go", "a.go", "b.go", "C.go");
  }

  @Test
  void files_of_one_rank_are_listed_from_the_newest_and_those_of_one_time_by_path() {
    List<FileMeta> files = new ArrayList<>(files(300, "src/"));
    files.add(file("z2", FileStatus.MODIFIED, 5));
    files.add(file("z1", FileStatus.MODIFIED, 5));
    files.add(file("z3", FileStatus.CREATED, 4));
    files.add(file("z0", FileStatus.MODIFIED, 6));

    assertThat(render(files, List.of()).listed())
        .startsWith("z3", "z1", "z2", "z0", "src/f0.go", "src/f1.go", "src/f2.go");
  }

  @Test
  void sixteen_deleted_files_are_named_at_most() {
    var all = render(deleted(16, ""), List.of());
    assertThat(all.text())
        .contains("Deleted (16): 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n");
    assertThat(all.leftOut()).isEqualTo(new LeftOut(0, 0, 0, 0, 0));

    var more = render(deleted(17, ""), List.of());
    assertThat(more.text())
        .contains("12, 13, 14, 15 and 1 more\n\nOpen Tasks (0):\n  none\n")
        .endsWith("[left out: 1 deleted file; to see all: mainstay repo snapshot --json]");
    assertThat(more.leftOut()).isEqualTo(new LeftOut(0, 0, 0, 1, 0));
  }

  @Test
  void the_names_of_deleted_files_take_no_more_than_their_share() {
    var rendered = render(deleted(10, "some/folder/of/long/names/in/it/"), List.of());
    int named = 10 - rendered.leftOut().deleted();
    String names = "";
    for (int i = 0; i < named; i++) names += "some/folder/of/long/names/in/it/" + i + ", ";

    assertThat(Tokens.O200K.count(names)).isLessThanOrEqualTo(SnapshotLayout.DELETED_TOKENS_MAX);
    assertThat(Tokens.O200K.count(names + "some/folder/of/long/names/in/it/9, "))
        .isGreaterThan(SnapshotLayout.DELETED_TOKENS_MAX);
    assertThat(rendered.text())
        .contains("Deleted (10): " + names.replaceFirst(", $", "") + " and " + (10 - named));
  }

  @Test
  void each_entry_that_is_shortened_is_counted() {
    String giant = "very long words ".repeat(40).strip();
    var files =
        List.of(
            file(giant, FileStatus.CREATED, 1),
            file("gone " + giant, FileStatus.DELETED, 1),
            file("short", FileStatus.CREATED, 1));
    var tasks = List.of(task("é".repeat(250)), task("short"));
    var state = new RepoState(giant, "story " + "é".repeat(120), files, tasks, NOW);
    var rendered = RepoStateText.of(state, List.of());

    assertThat(rendered.leftOut()).isEqualTo(new LeftOut(0, 0, 0, 0, 5));
    assertThat(rendered.text())
        .endsWith("[left out: parts of 5 entries; to see all: mainstay repo snapshot --json]");
  }

  @Test
  void what_is_left_out_of_each_kind_stands_in_one_line() {
    List<FileMeta> files = new ArrayList<>(deleted(17, ""));
    for (int i = 0; i < 600; i++) files.add(file("d" + i + "/f", FileStatus.UNCHANGED, i));
    files.add(file("very long words ".repeat(40).strip(), FileStatus.MODIFIED, 1));
    var rendered = render(files, tasks(200));
    LeftOut leftOut = rendered.leftOut();

    assertThat(leftOut.files()).isPositive().isEqualTo(leftOut.folders());
    assertThat(leftOut.openTasks()).isPositive();
    assertThat(rendered.text())
        .endsWith(
            "\n[left out: %d files in %d folders, %d open tasks, 1 deleted file, parts of 1 entry; to see all: mainstay repo snapshot --json]"
                .formatted(leftOut.files(), leftOut.folders(), leftOut.openTasks()));
  }

  /** A workspace whose name takes so many tokens more than the shortest. */
  private static RepoStateText in(int more, int count, int tasks) {
    List<FileMeta> files = new ArrayList<>();
    for (int i = 0; i < count; i++) files.add(file("f" + i + ".go", FileStatus.CREATED, 99 - i));
    var state = new RepoState("x" + " x".repeat(more), null, files, tasks(tasks), NOW);
    RepoStateText rendered = RepoStateText.of(state, List.of());
    assertThat(Tokens.O200K.count(rendered.text())).isLessThan(RepoStateText.SNAPSHOT_TOKENS_MAX);
    return rendered;
  }

  @Test
  void a_workspace_is_shown_whole_while_it_takes_less_than_the_most() {
    int tasks = 0;
    while (in(0, 10, tasks).leftOut().openTasks() == 0) tasks++;
    int whole = Tokens.O200K.count(in(0, 10, tasks - 1).text());
    int most = RepoStateText.SNAPSHOT_TOKENS_MAX - 1 - whole;

    RepoStateText fits = in(most, 10, tasks - 1);
    assertThat(Tokens.O200K.count(fits.text())).isEqualTo(499);
    assertThat(fits.leftOut()).isEqualTo(new LeftOut(0, 0, 0, 0, 0));
    RepoStateText over = in(most + 1, 10, tasks - 1);
    assertThat(over.leftOut().openTasks()).isPositive();
    assertThat(over.listed()).hasSize(10);
  }

  @Test
  void files_that_need_less_than_their_share_are_all_listed_by_path() {
    for (int more = 0; more < 20; more++) {
      RepoStateText rendered = in(more, 10, 200);
      assertThat(rendered.listed()).as("%d more", more).hasSize(10).isSorted();
      assertThat(rendered.summarised()).isZero();
      assertThat(rendered.leftOut().openTasks()).isBetween(175, 190);
    }
  }

  @Test
  void the_room_is_used_up() {
    for (int open : List.of(0, 1, 5, 200)) {
      var rendered = render(files(1_000, "src/"), tasks(open));
      // But for the longest last line and a line of a file.
      assertThat(Tokens.O200K.count(rendered.text())).as("%d tasks", open).isGreaterThan(440);
    }
  }

  @Test
  void tasks_have_two_fifths_of_the_room_and_more_where_files_need_less() {
    var both = render(files(1_000, "src/"), tasks(200));
    int taskTokens = tokens(both, "  \\d+\\. .*");
    int fileTokens = tokens(both, "  • .*");
    assertThat((double) taskTokens / (taskTokens + fileTokens)).isBetween(0.36, 0.42);

    var few = render(files(2, "src/"), tasks(200));
    assertThat(few.listed()).hasSize(2);
    assertThat(tokens(few, "  \\d+\\. .*")).isGreaterThan(2 * taskTokens);
    assertThat(Tokens.O200K.count(few.text())).isGreaterThan(465);
  }

  private static int tokens(RepoStateText rendered, String line) {
    return rendered
        .text()
        .lines()
        .filter(each -> each.matches(line))
        .mapToInt(each -> Tokens.O200K.count(each + "\n"))
        .sum();
  }

  @Test
  void folders_have_two_fifths_of_the_room_for_files() {
    List<FileMeta> files = new ArrayList<>();
    for (int i = 0; i < 600; i++) files.add(file("d" + i + "/f", FileStatus.UNCHANGED, i));
    var rendered = render(files, List.of());
    int folderTokens = tokens(rendered, "  • .* - 1 file");
    int fileTokens = tokens(rendered, "  • .* bytes.*");

    assertThat((double) folderTokens / (folderTokens + fileTokens)).isBetween(0.36, 0.42);
  }
}
