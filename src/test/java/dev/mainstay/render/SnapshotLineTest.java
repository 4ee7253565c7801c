package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.render.SnapshotLine.Words;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SnapshotLineTest {
  private static FileMeta file(@Nullable String hash, long size) {
    return new FileMeta("a.go", hash, size, Instant.EPOCH, FileStatus.CREATED);
  }

  private static String shown(@Nullable String hash, long size) {
    return SnapshotLine.file(file(hash, size)).text();
  }

  /** So many tokens, one word each. */
  private static String words(int tokens) {
    return "x" + " x".repeat(tokens - 1);
  }

  @Test
  void a_file_has_the_first_six_digits_of_its_hash_and_its_size() {
    assertThat(shown("0123456789", 0)).isEqualTo("  • a.go (012345, 0 bytes) - go source\n");
    assertThat(shown("abcdef", 1)).isEqualTo("  • a.go (abcdef, 1 byte) - go source\n");
    assertThat(shown("ABCDEF", 2)).isEqualTo("  • a.go (ABCDEF, 2 bytes) - go source\n");
  }

  @Test
  void a_name_with_blanks_at_its_ends_is_quoted() {
    var file = new FileMeta(" leading", "0123456789", 1, Instant.EPOCH, FileStatus.CREATED);
    assertThat(SnapshotLine.file(file).text()).startsWith("  • \" leading\" (012345, 1 byte)");
    assertThat(SnapshotLine.folder("trailing ", 2).text()).startsWith("  • \"trailing \" - ");
  }

  @Test
  void what_is_no_hash_is_not_shown_as_one() {
    for (String hash : new String[] {null, "", "abcde", "abcdeg", "abcde)", "abcde\uff11"}) {
      assertThat(SnapshotLine.hash(file(hash, 1))).as(hash).isNull();
      assertThat(shown(hash, 1)).isEqualTo("  • a.go (unhashed, 1 byte) - go source\n");
    }
    assertThat(SnapshotLine.hash(file("abcdefgh", 1))).isEqualTo("abcdef");
  }

  @Test
  void a_folder_counts_its_files_and_the_workspace_itself_is_a_dot() {
    assertThat(SnapshotLine.folder("src/", 1).text()).isEqualTo("  • src/ - 1 file\n");
    assertThat(SnapshotLine.folder("", 2_000).text()).isEqualTo("  • ./ - 2,000 files\n");
  }

  @Test
  void a_task_has_its_number_and_its_status() {
    var task = new OpenTask("test it", OpenTask.Status.IN_PROGRESS, 1);
    assertThat(SnapshotLine.task(12, task).text()).isEqualTo("  12. [in_progress] test it\n");
  }

  @Test
  void a_line_knows_what_it_costs_and_the_costs_of_lines_add_up() {
    SnapshotLine one = SnapshotLine.folder("src/", 1);
    SnapshotLine two = SnapshotLine.file(file("abcdef", 1));

    assertThat(one.tokens()).isEqualTo(Tokens.O200K.count(one.text())).isPositive();
    assertThat(SnapshotLine.tokens(List.of(one, two)))
        .isEqualTo(one.tokens() + two.tokens())
        .isEqualTo(Tokens.O200K.count(one.text() + two.text()));
    assertThat(SnapshotLine.tokens(List.of())).isZero();
  }

  @Test
  void words_that_just_fit_stay_whole_and_one_more_shortens_them() {
    assertThat(Words.of(words(40), 40)).isEqualTo(new Words(words(40), false));

    Words cut = Words.of(words(41), 40);
    assertThat(cut.shortened()).isTrue();
    assertThat(cut.text()).startsWith("x x").contains("…").endsWith("x x");
    assertThat(Tokens.O200K.count(cut.text())).isBetween(30, 40);
  }

  @Test
  void a_name_has_forty_tokens_and_a_task_sixty_four() {
    assertThat(SnapshotLine.folder(words(40), 1).shortened()).isFalse();
    assertThat(SnapshotLine.folder(words(41), 1).shortened()).isTrue();
    assertThat(task(words(64)).shortened()).isFalse();
    assertThat(task(words(65)).shortened()).isTrue();
  }

  private static SnapshotLine task(String description) {
    return SnapshotLine.task(1, new OpenTask(description, OpenTask.Status.PENDING, 1));
  }

  @Test
  void of_a_very_long_name_only_so_much_is_looked_at() {
    // 64 of these signs are one token, so that only the number of characters counts here.
    assertThat(Words.of("=".repeat(512), 40)).isEqualTo(new Words("=".repeat(512), false));

    Words cut = Words.of("=".repeat(513), 40);
    assertThat(cut.shortened()).isTrue();
    assertThat(cut.text()).contains("…").hasSizeLessThanOrEqualTo(512);
  }

  @Test
  void a_name_of_which_nothing_can_be_shown_is_not_shortened() {
    assertThat(Words.of("\u200b", 40)).isEqualTo(new Words("(a name that cannot be shown)", false));
    assertThat(Words.of(" ", 40)).isEqualTo(new Words("(a name that cannot be shown)", false));
    assertThat(Words.of("a\n<b>", 40)).isEqualTo(new Words("a ⏎ &lt;b>", false));
  }
}
