package dev.mainstay.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What came out of tasks, handed over and fetched by commands. */
class ArtifactCliTest {
  @TempDir Path folder;

  @BeforeEach
  void twoTasks() {
    ok("", "task", "create", "one");
    ok("", "task", "create", "two");
  }

  private CliRun run(String input, String... args) {
    return CliRun.of(folder, input, args);
  }

  private String ok(String input, String... args) {
    CliRun run = run(input, args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void a_file_and_a_text_are_handed_over_listed_and_fetched() throws IOException {
    Files.writeString(folder.resolve("a.py"), "print(1)\n");
    String hash = JournalEntry.sha256("print(1)\n");
    assertThat(ok("", "artifact", "add", "T-001", "a.py", "--sha256", hash)).contains("9", hash);
    ok("3 passed\n", "artifact", "add", "T-002", "--type", "test_result", "--content", "-");
    assertThat(ok("", "artifact", "list", "T-001"))
        .contains("CODE", "a.py", hash.substring(0, 12))
        .doesNotContain("TEST_RESULT");
    assertThat(ok("", "artifact", "get", "T-001", "1")).isEqualTo("print(1)\n");
    assertThat(ok("", "artifact", "get", "T-002", "2")).isEqualTo("3 passed\n");
    JsonObject known = JsonText.object(ok("", "artifact", "get", "T-001", "1", "--json"));
    assertThat(known.text("content_hash")).isEqualTo(hash);
    CliRun all = run("", "artifact", "collect", "T-002,T-001");
    assertThat(all.out()).containsSubsequence("T-002", "T-001");
    assertThat(all.err()).contains("T-002 1, T-001 1");
    JsonObject json = JsonText.object(ok("", "artifact", "collect", "T-001,T-002", "--json"));
    assertThat(json.objects("artifacts")).hasSize(2);
    assertThat(json.object("counts").number("T-002")).isEqualTo(1);
  }

  @Test
  void bytes_that_are_no_text_come_out_as_they_are() throws IOException {
    byte[] bytes = {0, (byte) 0xff, 10, (byte) 0xc3, 13};
    Files.write(folder.resolve("a.bin"), bytes);
    ok("", "artifact", "add", "T-001", "a.bin");
    Path out = folder.resolve("out.bin");
    ok("", "artifact", "get", "T-001", "1", "--out", out.toString());
    assertThat(out).hasBinaryContent(bytes);
    CliRun again = run("", "artifact", "get", "T-001", "1", "--out", out.toString());
    assertThat(again.code()).isEqualTo(4);
    assertThat(again.err()).contains("there already");
  }

  @Test
  void what_is_not_as_expected_is_refused_in_one_sentence() throws IOException {
    Files.writeString(folder.resolve("a.py"), "one");
    String wrong = JournalEntry.sha256("two");
    CliRun unexpected = run("", "artifact", "add", "T-001", "a.py", "--sha256", wrong);
    assertThat(unexpected.code()).isEqualTo(4);
    assertThat(unexpected.err()).contains(wrong, JournalEntry.sha256("one"));
    ok("", "artifact", "add", "T-001", "a.py");
    Files.write(folder.resolve("a.py"), "two".getBytes(UTF_8));
    CliRun changed = run("", "artifact", "get", "T-001", "1");
    assertThat(changed.code()).isEqualTo(4);
    assertThat(changed.out()).isEmpty();
    assertThat(changed.err()).contains(wrong, JournalEntry.sha256("one"));
    assertThat(run("", "artifact", "add", "T-001").code()).isEqualTo(1);
    assertThat(run("", "artifact", "add", "T-001", "none").code()).isEqualTo(3);
    assertThat(run("", "artifact", "get", "T-001", "7").code()).isEqualTo(3);
    assertThat(run("", "artifact", "list", "T-009").code()).isEqualTo(3);
  }
}
