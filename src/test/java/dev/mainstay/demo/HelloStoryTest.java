package dev.mainstay.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.context.SnapshotPrompt;
import dev.mainstay.demo.HelloStory.Told;
import dev.mainstay.demo.Turn.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The validation that the document asks for: the failing scenario, before and after. */
@Order(1)
class HelloStoryTest {
  private static final int MANY = 200;
  private static final Greetings LONG = new Greetings(Greetings.FILES_MAX, 4);

  @TempDir Path folder;

  private static void everyFileWasWrittenOnce(Greetings story, Told told) {
    assertThat(told.writes()).containsOnlyKeys(story.contents().keySet());
    assertThat(told.writes().values()).containsOnly(1L);
    assertThat(told.count(Outcome.WROTE)).isEqualTo(story.files());
  }

  private void everyFileIsAsTheStoryWantsIt(Greetings story) throws IOException {
    for (Map.Entry<String, String> file : story.contents().entrySet()) {
      assertThat(folder.resolve("snapshot").resolve(file.getKey())).hasContent(file.getValue());
    }
    assertThat(folder.resolve("snapshot/.mainstay/repostate.json")).isNotEmptyFile();
  }

  @Test
  void with_its_transcript_the_agent_writes_again_what_it_can_no_longer_see() {
    Told told = new HelloStory(folder, Greetings.SHORT).withTranscript(60);
    assertThat(told.doneAt()).isZero();
    assertThat(told.writes().values()).anyMatch(times -> times > 1);
    assertThat(told.tokensMax()).isBetween(19_000, TranscriptTelling.WINDOW_TOKENS);
  }

  @Test
  void with_a_snapshot_it_writes_each_file_once_and_is_done() throws Exception {
    Told told = new HelloStory(folder, Greetings.SHORT).withSnapshot(60);
    everyFileWasWrittenOnce(Greetings.SHORT, told);
    everyFileIsAsTheStoryWantsIt(Greetings.SHORT);
    assertThat(told.doneAt()).isEqualTo(Greetings.SHORT.files() * 5 + 1);
  }

  @Test
  void hundreds_of_turns_stay_small() throws Exception {
    Told told = new HelloStory(folder, LONG).withSnapshot(MANY + 1);
    assertThat(told.turns()).hasSize(MANY + 1);
    assertThat(told.tokensMax()).isLessThan(SnapshotPrompt.PROMPT_TOKENS_MAX);
    everyFileWasWrittenOnce(LONG, told);
    everyFileIsAsTheStoryWantsIt(LONG);
    assertThat(told.doneAt()).isEqualTo(MANY + 1);
    assertThat(Files.readAllLines(folder.resolve("snapshot/.mainstay/log/snapshots.jsonl")))
        .as("every turn's snapshot is in the log")
        .hasSize(MANY + 1);
  }

  @Test
  void a_new_process_every_ten_turns_changes_nothing() throws Exception {
    Greetings story = new Greetings(12, 3);
    int turns = story.files() * 4 + 1;
    Told told = new HelloStory(folder, story).withRestarts(turns, 10);
    assertThat(told.turns()).hasSize(turns);
    assertThat(told.tokensMax()).isLessThan(SnapshotPrompt.PROMPT_TOKENS_MAX);
    everyFileWasWrittenOnce(story, told);
    everyFileIsAsTheStoryWantsIt(story);
    assertThat(told.doneAt()).isEqualTo(turns);
  }

  @Test
  void what_is_not_shown_is_written_again_to_no_effect() {
    HelloStory story = new HelloStory(folder, Greetings.SHORT);
    story.play(1, 3);
    // The agent acts on a prompt in which its file is missing, as after a cut that nobody told.
    var coder = new ScriptedCoder(Greetings.SHORT);
    var blind =
        SnapshotPrompt.of("rules", "--- Repository State ---\n1. [pending] Check go.mod\n", "");
    assertThat(coder.next(blind).tool()).isEqualTo(ScriptedCoder.Action.WRITE);
    assertThat(story.replay("go.mod")).isEqualTo(Outcome.NO_OP);
    assertThat(story.withSnapshot(60).writes()).containsEntry("go.mod", 1L);
  }

  @Test
  void the_report_says_both_and_draws_both() {
    HelloStory story = new HelloStory(folder, Greetings.SHORT);
    HelloReport report = new HelloReport(story.withTranscript(60), story.withSnapshot(60));
    assertThat(report.table()).hasSizeGreaterThan(30).anyMatch(line -> line.contains("done"));
    assertThat(report.summary())
        .anyMatch(line -> line.contains("done in turn") && line.contains("not in 60"));
    assertThat(report.svg()).startsWith("<svg").contains("<polyline").endsWith("</svg>\n");
  }
}
