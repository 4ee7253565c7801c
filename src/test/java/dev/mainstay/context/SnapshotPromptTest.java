package dev.mainstay.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.render.RepoStateText;
import dev.mainstay.render.Tokens;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotPromptTest {
  static final Instant NOW = Instant.parse("2025-10-22T03:15:42Z");
  static final String TEMPLATE =
      "You are a coder agent. Use TOOL CALLS ONLY. Never output explanatory text.";

  private static final String REQUEST =
      """
      Your plan has been approved. Complete the remaining open tasks and invoke 'done' when \
      finished.

      DO NOT recreate files that already exist. Use read_file to verify state before writing.""";

  static RepoState state(int files, int tasks) {
    List<FileMeta> metas = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      metas.add(new FileMeta("src/f" + i + ".go", "0a".repeat(32), i, NOW, FileStatus.CREATED));
    }
    List<OpenTask> open = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      open.add(new OpenTask("part " + i, OpenTask.Status.PENDING, i));
    }
    return new RepoState("/srv/coder-001", "hello-001", metas, open, NOW);
  }

  private static int tokens(List<Message> messages) {
    return SnapshotPrompt.tokens(messages, Tokens.O200K::count);
  }

  @Test
  void the_prompt_is_system_then_snapshot_then_delta_request() {
    var state = state(2, 2);
    var messages = SnapshotPrompt.build(TEMPLATE, state, "The tests are run by 'make check'.");

    String snapshot = RepoStateText.of(state, List.of()).text();
    assertThat(messages)
        .extracting(Message::role)
        .containsExactly(Message.Role.SYSTEM, Message.Role.USER, Message.Role.USER);
    assertThat(messages)
        .extracting(Message::content)
        .containsExactly(
            TEMPLATE,
            "<repository>\n" + snapshot + "\n</repository>\n",
            REQUEST + "\n\nThe tests are run by 'make check'.");
  }

  @Test
  void without_open_tasks_the_request_asks_to_check_the_criteria_and_end() {
    var done = new OpenTask("write main.go", OpenTask.Status.COMPLETED, 1);
    var state = new RepoState("/work", null, List.of(), List.of(done), NOW);

    assertThat(SnapshotPrompt.build(TEMPLATE, state, "").get(2).content())
        .startsWith("Your plan has been approved and no open tasks are left. Check that every")
        .contains("then invoke 'done'.")
        .endsWith("Use read_file to verify state before writing.");
  }

  @Test
  void touched_files_come_first_in_the_snapshot() {
    var messages = SnapshotPrompt.build(TEMPLATE, state(900, 1), List.of("src/f77.go"), "");

    assertThat(messages.get(1).content()).contains("Existing Files (900):\n  • src/f77.go (");
  }

  @Test
  void a_template_within_its_limit_is_kept_whole_and_a_larger_one_refused() {
    String largest = "word" + " word".repeat(SnapshotPrompt.TEMPLATE_TOKENS_MAX - 1);
    var messages = SnapshotPrompt.build(largest, state(900, 200), "x ".repeat(9_000));

    assertThat(messages.get(0).content()).isEqualTo(largest);
    assertThat(tokens(messages)).isLessThan(SnapshotPrompt.PROMPT_TOKENS_MAX);
    assertThatThrownBy(() -> SnapshotPrompt.build(largest + " word", state(0, 0), ""))
        .isInstanceOf(Refusal.class)
        .hasMessage(
            "the template has 4,101 tokens; at most 4,100 leave room for the snapshot, so shorten"
                + " it");
  }

  @Test
  void a_template_of_the_size_in_the_documents_table_is_kept_whole() {
    String template = "word" + " word".repeat(4_032 - 1);
    var messages = SnapshotPrompt.build(template, state(900, 200), "x ".repeat(9_000));

    assertThat(messages.get(0).content()).isEqualTo(template);
    assertThat(tokens(messages)).isLessThan(SnapshotPrompt.PROMPT_TOKENS_MAX);
  }

  @Test
  void additional_context_that_is_too_long_keeps_its_ends_and_counts_what_is_missing() {
    String additional = "FIRST " + "so much to say ".repeat(20_000) + "LAST";
    var messages = SnapshotPrompt.build(TEMPLATE, state(2, 2), additional);

    String request = messages.get(2).content();
    assertThat(request)
        .startsWith(REQUEST + "\n\nFIRST ")
        .containsPattern("\n\\[[\\d,]+ characters left out]\n")
        .endsWith("LAST");
    assertThat(tokens(messages)).isBetween(4_000, SnapshotPrompt.PROMPT_TOKENS_MAX - 1);
  }

  @Test
  void no_prompt_reaches_its_limit() {
    Seeds.forAll(
        30,
        random -> {
          var state = state(random.nextInt(300), random.nextInt(200));
          String additional = Cases.text(random, random.nextBoolean() ? 200 : 60_000);
          var messages = SnapshotPrompt.build(Cases.text(random, 2_000), state, additional);
          assertThat(tokens(messages)).isLessThan(SnapshotPrompt.PROMPT_TOKENS_MAX);
        });
  }
}
