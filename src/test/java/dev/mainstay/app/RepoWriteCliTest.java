package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepoWriteCliTest {
  private static final Map<String, String> ENV = Map.of("CODEX_SANDBOX", "1");

  @TempDir Path folder;

  private CliRun given(String input, String... args) {
    return CliRun.of(folder, input, args);
  }

  private JsonObject written(String input, String... args) {
    CliRun run = given(input, args);
    assertThat(run.code()).as(run.err()).isZero();
    return JsonText.object(run.out());
  }

  private void ok(String... args) {
    CliRun run = given("", args);
    assertThat(run.code()).as(run.err()).isZero();
  }

  private void refused(int code, String sentence, String... args) {
    CliRun run = given("new\n", args);
    assertThat(run.code()).as(run.err()).isEqualTo(code);
    assertThat(run.err()).startsWith("mainstay: ").contains(sentence).hasLineCount(1);
  }

  @Test
  void the_same_content_again_is_a_no_op_that_sends_the_agent_on() {
    JsonObject first = written("one\n", "repo", "write", "src/a.txt");
    assertThat(first.get("changed")).isEqualTo(true);
    assertThat(first.text("message")).isEqualTo("src/a.txt was created");
    assertThat(folder.resolve("src/a.txt")).hasContent("one\n");
    JsonObject again = written("one\n", "repo", "write", "src/a.txt");
    assertThat(again.get("success")).isEqualTo(true);
    assertThat(again.get("noop")).isEqualTo(true);
    assertThat(again.get("changed")).isEqualTo(false);
    assertThat(again.text("message")).contains("nothing changed", "take the next step");
    assertThat(written("two\n", "repo", "write", "src/a.txt").text("old_hash"))
        .isEqualTo(first.text("hash"));
  }

  @Test
  void a_key_gives_the_first_answer_again_whatever_happened_since() throws IOException {
    JsonObject first = written("one\n", "repo", "write", "a.txt", "--key", "k");
    Files.writeString(folder.resolve("a.txt"), "by hand\n");
    assertThat(written("one\n", "repo", "write", "a.txt", "--key", "k")).isEqualTo(first);
    assertThat(folder.resolve("a.txt")).hasContent("by hand\n");
    refused(4, "was used for another request", "repo", "write", "a.txt", "--key", "k");
  }

  @Test
  void a_version_that_was_not_seen_is_not_overwritten() {
    String hash = written("one\n", "repo", "write", "a.txt", "--expect", "absent").text("hash");
    refused(4, "expected 27dd8e, found " + hash, "repo", "write", "a.txt", "--expect", "27dd8e");
    refused(4, "expected absent, found " + hash, "repo", "write", "a.txt", "--expect", "absent");
    for (String wrong : List.of("2c8b0", "nonsense", "", hash + "0")) {
      refused(1, "is no version of a file", "repo", "write", "a.txt", "--expect", wrong);
    }
    assertThat(folder.resolve("a.txt")).hasContent("one\n");
    written("two\n", "repo", "write", "a.txt", "--expect", hash.substring(0, 6));
    CliRun json = given("three", "repo", "write", "a.txt", "--expect", hash, "--json");
    assertThat(JsonText.object(json.err()).text("error")).isEqualTo("conflict");
  }

  @Test
  void an_empty_input_empties_a_file_only_when_that_is_said() {
    written("one\n", "repo", "write", "a.txt");
    CliRun slip = given("", "repo", "write", "a.txt");
    assertThat(slip.code()).isEqualTo(1);
    assertThat(slip.err()).contains("standard input is empty", "--empty");
    assertThat(folder.resolve("a.txt")).hasContent("one\n");
    refused(1, "is not empty", "repo", "write", "a.txt", "--empty");
    written("", "repo", "write", "a.txt", "--empty");
    assertThat(folder.resolve("a.txt")).isEmptyFile();
  }

  @Test
  void any_bytes_are_written_as_they_are_up_to_the_limit() throws IOException {
    byte[] bytes = {0, (byte) 0xff, (byte) 0xfe, 13, 10, 0};
    assertThat(CliRun.of(folder, bytes, ENV, "repo", "write", "a.bin").code()).isZero();
    assertThat(Files.readAllBytes(folder.resolve("a.bin"))).isEqualTo(bytes);
    CliRun huge = CliRun.of(folder, new byte[(4 << 20) + 1], ENV, "repo", "write", "huge.bin");
    assertThat(huge.code()).isEqualTo(1);
    assertThat(huge.err()).contains("4 MiB");
    assertThat(folder.resolve("huge.bin")).doesNotExist();
  }

  @Test
  void nothing_is_written_outside_the_workspace_or_where_others_keep_their_files()
      throws IOException {
    Path outside = Files.createTempDirectory("outside");
    Files.createSymbolicLink(folder.resolve("link"), outside);
    for (String path :
        List.of("../x", "/tmp/x", ".git/config", ".mainstay/x", "", ".", "a/../b", "a\nb", "a/")) {
      refused(1, "", "repo", "write", path);
    }
    refused(1, "link is a symbolic link", "repo", "write", "link/x");
    assertThat(outside).isEmptyDirectory();
    Files.delete(outside);
  }

  @Test
  void a_write_for_a_task_needs_the_fence_of_its_holder() {
    ok("task", "create", "one");
    ok("task", "claim", "--as", "codex");
    refused(4, "lease lost", "repo", "write", "a.txt", "--task", "T-001", "--fence", "7");
    refused(4, "fence", "repo", "write", "a.txt", "--task", "T-001");
    refused(1, "add --task", "repo", "write", "a.txt", "--fence", "1");
    refused(3, "no task T-009", "repo", "write", "a.txt", "--task", "T-009", "--fence", "1");
    assertThat(folder.resolve("a.txt")).doesNotExist();
    written("new\n", "repo", "write", "a.txt", "--task", "T-001", "--fence", "1");
  }

  @Test
  void files_are_kept_for_the_task_that_reserved_them_until_it_gives_them_back() {
    ok("task", "create", "one");
    refused(4, "claim it first", "repo", "reserve", "T-001", "src");
    ok("task", "claim", "--as", "codex");
    refused(4, "lease lost", "repo", "reserve", "T-001", "src", "--fence", "9");
    String[] reserve = {"repo", "reserve", "T-001", "src", "docs/*.md", "--fence", "1"};
    assertThat(given("", reserve).out())
        .isEqualTo("T-001  src  held by codex\nT-001  docs/*.md  held by codex\n");
    refused(4, "src/a.txt is reserved for T-001", "repo", "write", "src/a.txt");
    JsonObject all = JsonText.object(given("", "repo", "reservations", "--json").out());
    assertThat(all.objects("reservations"))
        .extracting(each -> each.text("pattern"))
        .containsExactlyInAnyOrder("src", "docs/*.md");
    String[] release = {"repo", "release", "T-001", "src", "--fence", "1", "--key", "r"};
    assertThat(given("", release).out()).isEqualTo("src is no longer reserved\n");
    assertThat(given("", release).code()).as("once more under its key").isZero();
    refused(3, "has not reserved", "repo", "release", "T-001", "src", "--fence", "1");
    written("new\n", "repo", "write", "src/a.txt");
    ok("task", "release", "T-001", "--fence", "1");
    assertThat(given("", "repo", "reservations").err()).contains("nothing is reserved");
  }

  @Test
  void settling_what_is_no_conflict_changes_nothing() {
    ok("task", "create", "one");
    assertThat(given("", "repo", "settle", "T-001", "a.txt").out()).isEqualTo("nothing changed\n");
    refused(1, "..", "repo", "settle", "T-001", "../a.txt");
    refused(3, "T-009", "repo", "settle", "T-009", "a.txt");
  }
}
