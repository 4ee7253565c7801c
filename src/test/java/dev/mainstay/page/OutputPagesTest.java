package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What came out of the work, what happened meanwhile, and what that looks like in figures. */
abstract class OutputPagesTest extends OnPage {
  @Test
  void the_journal_is_live_filtered_and_verified() {
    open("#/journal", "Journal");
    browser.awaitText("New entries appear above.");
    String id = server.task("Just now");
    browser.awaitText(id + " #1", "Just now");
    browser.type("input[placeholder^='Stream']", "task/" + id);
    browser.await("its entries alone", () -> browser.all("ol.feed > li").size() == 1);
    browser.act("Verify");
    browser.awaitText("All is well");
    browser.type("input[placeholder^='Stream']", "task/none");
    browser.awaitText("Nothing like that happened");
    browser.click("main a", "Show all entries");
    browser.awaitText(id + " #1");
  }

  @Test
  void what_came_out_is_read_and_saved_and_files_have_their_hashes(@TempDir Path downloads)
      throws IOException {
    String id = server.task("Hand it over");
    server.post("/tasks/" + id + "/run", "goal", "it is handed over");
    String text = "all 12 tests passed\n";
    server.post("/tasks/" + id + "/artifacts", "artifact_type", "LOG", "content", text);
    server.write("a.go", "package a;\n", id);
    JsonObject file = server.get("/tasks/" + id + "/files").objects("items").get(0);
    open("#/tasks/" + id + "?tab=output", "Hand it over");
    browser.awaitText("a.go", "created", file.text("hash").substring(0, 8));
    browser.click("main button", "View");
    browser.awaitText("all 12 tests passed");
    browser.saveIn(downloads);
    browser.click("main button", "Download");
    browser.await("the file", () -> only(downloads).filter(each -> each.equals(text)).isPresent());
  }

  @Test
  void what_is_no_text_is_saved_byte_for_byte(@TempDir Path downloads) throws IOException {
    String id = server.task("Draw it");
    byte[] drawn = {(byte) 0x89, 'P', 'N', 'G', 0, (byte) 0xff, (byte) 0xc3, '\n'};
    Files.write(server.folder().resolve("drawn.png"), drawn);
    server.post("/tasks/" + id + "/artifacts", "artifact_type", "CODE", "file_path", "drawn.png");
    open("#/tasks/" + id + "?tab=output", "Draw it");
    browser.click("main button", "View");
    browser.awaitText("It is no text", "mainstay artifact get " + id);
    browser.saveIn(downloads);
    browser.click("main button", "Download");
    Path saved = downloads.resolve("drawn.png");
    browser.await("the file", () -> saved.toFile().length() == drawn.length);
    assertThat(saved).hasBinaryContent(drawn);
  }

  /** What is in the only file of a folder, once its download is over. */
  private static Optional<String> only(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      return all.size() == 1 ? Optional.of(Files.readString(all.get(0))) : Optional.empty();
    } catch (IOException renamed) {
      return Optional.empty(); // a browser writes under another name until it is done
    }
  }

  @Test
  void the_journal_is_saved_as_a_file_with_every_entry(@TempDir Path downloads) throws IOException {
    String id = server.task("Kept for good");
    open("#/journal", "Journal");
    browser.saveIn(downloads);
    long all = server.get("/journal?order=newest&limit=1").objects("items").get(0).number("seq");
    browser.act("Export");
    browser.await(
        "every entry",
        () -> only(downloads).filter(each -> each.lines().count() >= all).isPresent());
    assertThat(downloads.resolve("mainstay-journal.ndjson")).exists();
    List<String> lines = only(downloads).orElseThrow().lines().toList();
    assertThat(lines).anyMatch(line -> line.contains("\"task/" + id + "\""));
    assertThat(JsonText.object(lines.get(0)).number("number")).isEqualTo(1);
  }

  /** Somebody edits the file of the store behind Mainstay's back. */
  private static void edit(String from, String to) throws SQLException {
    String url = "jdbc:sqlite:" + server.folder().resolve(".mainstay/state.sqlite3");
    try (var connection = DriverManager.getConnection(url);
        var update = connection.prepareStatement("UPDATE tasks SET title = ? WHERE title = ?")) {
      update.setString(1, to);
      update.setString(2, from);
      assertThat(update.executeUpdate()).isOne();
    }
  }

  @Test
  void verifying_finds_what_was_changed_behind_its_back() throws SQLException {
    String id = server.task("As it was said");
    open("#/journal", "Journal");
    edit("As it was said", "As it was not");
    try {
      browser.act("Verify");
      browser.awaitText("Something is wrong", id);
    } finally {
      edit("As it was not", "As it was said");
    }
    browser.act("Verify");
    browser.awaitText("All is well");
  }

  @Test
  void a_panel_stays_open_when_it_is_told_late_that_the_one_before_it_closed() {
    open("#/journal", "Journal");
    browser.click("main button", "Verify");
    browser.find("dialog[open]");
    browser.run("globalThis.before = document.querySelector('dialog[open]')");
    browser.click("dialog[open] button", "Cancel");
    browser.await("the panel is gone", () -> browser.all("dialog").isEmpty());
    browser.click("main button", "Verify");
    browser.find("dialog[open]");
    browser.run("before.dispatchEvent(new Event('close'))");
    browser.runLater(
        "const [told] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => told()))");
    assertThat(browser.all("dialog[open]")).hasSize(1);
  }

  @Test
  void the_prompts_of_an_agent_are_drawn_beside_its_transcript(@TempDir Path own)
      throws IOException {
    Path transcript = own.resolve("transcript.jsonl");
    JsonObject told =
        JsonObject.of("session_id", "81231a74", "cwd", server.folder().toString())
            .with("transcript_path", transcript.toString());
    server.command(
        JsonText.write(
            told.with("hook_event_name", "UserPromptSubmit").with("prompt", "Count the birds")),
        "hook",
        "UserPromptSubmit",
        "--agent",
        "claude-code");
    for (int tokens : new int[] {9_000, 21_000, 48_000}) {
      Files.writeString(transcript, "{\"usage\":{\"input_tokens\":" + tokens + "}}\n");
      JsonObject compacted = told.with("hook_event_name", "SessionStart").with("source", "compact");
      server.command(JsonText.write(compacted), "hook", "SessionStart", "--agent", "claude-code");
    }
    open("#/charts", "Charts");
    browser.awaitText("At turn 3 a prompt has", "it would have 48K, so 99 % are spared");
    String css = "section[aria-labelledby='chart-tokens-per-prompt-over-turns']";
    browser.find(css + " .uplot canvas");
    browser.click(css + " summary", "As a table");
    browser.await("all turns", () -> browser.all(css + " tbody tr").size() == 3);
    browser.find(css).getText().lines().forEach(line -> assertThat(line).doesNotContain("NaN"));
  }

  @Test
  void the_charts_are_drawn_from_what_was_done() {
    server.task("Quick one", "priority", 99);
    server.complete(server.claim("coder-9"), JsonObject.of("sum", 42));
    String id = server.task("Write it once");
    for (int i = 0; i < 2; i++) server.write("once.txt", "the same", id);
    open("#/charts", "Charts");
    browser.awaitText("1 task was completed and 0 failed.", "Most time went by as");
    browser.awaitText("would have changed nothing and was spared");
    for (String chart : List.of("tasks-done-per-hour", "writes-spared")) {
      browser.find("section[aria-labelledby='chart-" + chart + "'] .uplot canvas");
    }
  }
}
