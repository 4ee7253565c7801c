package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret that no pattern knows, planted through the doors; then every byte is looked at. */
class ForgetCommandTest {
  private static final String SECRET = String.join("-", "correct", "horse \"battery\" <staple>");

  @TempDir Path folder;

  @BeforeEach
  void aProjectWithASecret() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    assertThat(as(false, "", "exec", "init", "--goal", "Log in with " + SECRET).code()).isZero();
    as(false, "", "task", "create", "Use " + SECRET, "--key", "k1");
    as(
        false,
        "{\"decisions\": [\"correct-horse \\\"battery\\\" <staple> it is\"]}",
        "state",
        "merge",
        "T-001",
        "-");
    as(false, "", "repo", "snapshot", "--story", "T-001");
    Path variables = folder.resolve("workspace/state/variables.json");
    String escaped = SECRET.replace("\"", "\\\"");
    Files.writeString(
        variables,
        Files.readString(variables)
            .replaceFirst("\\{", "{\n  \"note\": \"" + escaped.replace("\\", "\\\\") + "\","));
    as(false, "", "exec", "sync");
    Path log = Files.createDirectories(folder.resolve(".mainstay/log"));
    Files.writeString(log.resolve("server.log"), "before " + SECRET + " after\n");
  }

  private CliRun as(boolean person, String input, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    Map<String, String> env = person ? Map.of("USER", "ada") : Map.of("CODEX_SANDBOX", "1");
    var io =
        new Io(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            env,
            Io.Screen.PIPE.attended(person));
    int code = Door.run(args, io, new Wiring(env, folder));
    return new CliRun(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private List<String> holding() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> read(file).contains("correct-horse"))
          .map(file -> folder.relativize(file).toString())
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
  }

  @Test
  void no_byte_below_the_project_has_it_afterwards_and_all_goes_on() throws IOException {
    assertThat(holding())
        .contains(
            ".mainstay/state.sqlite3",
            ".mainstay/log/server.log",
            "workspace/state/context.md",
            "workspace/state/variables.json");
    CliRun look = as(true, SECRET + "\n", "forget", "-");
    assertThat(look.code()).as(look.err()).isZero();
    assertThat(look.out()).contains("journal: ", "files of Mainstay: ", "--apply erases it");
    assertThat(holding()).hasSizeGreaterThan(3);
    CliRun done = as(true, SECRET + "\n", "forget", "-", "--apply", "--key", "f1");
    assertThat(done.code()).as(done.out() + done.err()).isZero();
    assertThat(holding()).isEmpty();
    assertThat(as(true, SECRET + "\n", "forget", "-", "--apply", "--key", "f1").out())
        .isEqualTo(done.out());
    assertThat(as(false, "", "verify").out()).contains("all is well", "something forgotten");
    CliRun sync = as(false, "", "exec", "sync");
    assertThat(sync.code()).as(sync.out() + sync.err()).isZero();
    assertThat(as(true, "", "journal", "--json").out()).doesNotContain("correct-horse");
    assertThat(holding()).isEmpty();
    assertThat(as(true, SECRET, "forget", "-").out()).contains("it stands nowhere");
  }

  @Test
  void an_agent_is_refused_and_nothing_is_erased() throws IOException {
    CliRun refused = as(false, SECRET, "forget", "-", "--apply");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("only a person");
    assertThat(holding()).isNotEmpty();
  }

  @Test
  void what_is_out_of_reach_is_named() throws IOException {
    Path archive = Files.createDirectories(folder.resolve(".mainstay/archive"));
    try (var out = new GZIPOutputStream(Files.newOutputStream(archive.resolve("a.jsonl.gz")))) {
      out.write(
          ("{\"x\": \"correct-horse \\\"battery\\\" <staple>\"}").getBytes(StandardCharsets.UTF_8));
    }
    CliRun done = as(true, SECRET, "forget", "-", "--apply");
    assertThat(done.code()).isEqualTo(1);
    assertThat(done.out()).contains("stays in ", "a.jsonl.gz");
  }

  @Test
  void what_cannot_be_read_is_named_as_well() throws IOException {
    Path archive = Files.createDirectories(folder.resolve(".mainstay/archive"));
    Files.writeString(archive.resolve("torn.jsonl.gz"), "torn");
    Files.createSymbolicLink(folder.resolve(".mainstay/spool"), folder.resolve("elsewhere"));
    CliRun done = as(true, SECRET, "forget", "-", "--apply");
    assertThat(done.code()).isEqualTo(1);
    assertThat(done.out())
        .contains("torn.jsonl.gz (perhaps, as it cannot be read")
        .contains("spool (perhaps, as it is a link");
  }

  @Test
  void a_folder_with_a_link_for_a_lock_is_named_and_brings_nothing_back() throws IOException {
    Path lock = folder.resolve("workspace/state/.mainstay.lock");
    Files.delete(lock);
    Files.createSymbolicLink(lock, folder.resolve("elsewhere"));
    CliRun done = as(true, SECRET, "forget", "-", "--apply");
    assertThat(done.code()).isEqualTo(1);
    assertThat(done.out()).contains("workspace/state (perhaps, as", "its lock is a link");
    assertThat(holding()).allMatch(file -> file.startsWith("workspace/state/")).isNotEmpty();
    Files.delete(lock);
    CliRun sync = as(false, "", "exec", "sync");
    assertThat(sync.code()).as(sync.out() + sync.err()).isZero();
    assertThat(holding()).isEmpty();
    assertThat(as(true, SECRET, "forget", "-").out()).contains("it stands nowhere");
  }

  @Test
  void the_database_itself_is_never_opened_by_whatever_name(@TempDir Path outside)
      throws IOException {
    Path database = folder.resolve(".mainstay/state.sqlite3");
    Path link = Files.createSymbolicLink(outside.resolve("db"), database);
    assertThat(as(true, SECRET, "forget", "-", "--db", link.toString()).out())
        .contains("journal: ")
        .doesNotContain("stays in");
    Path project = Files.createSymbolicLink(outside.resolve("project"), folder);
    Path there = project.resolve(".mainstay/state.sqlite3");
    assertThat(as(true, SECRET, "forget", "-", "--db", there.toString()).out())
        .doesNotContain("stays in");
    Files.createLink(folder.resolve(".mainstay/other-name"), database);
    Files.createSymbolicLink(folder.resolve(".mainstay/a-link"), database);
    assertThat(as(true, SECRET, "forget", "-").out()).doesNotContain("stays in");
  }

  @Test
  void an_entry_of_the_journal_may_name_it() throws IOException {
    String goal = "Log in with " + SECRET;
    CliRun look = as(true, "", "forget", "--at", "T-002#1", "--field", "title", "--json");
    assertThat(look.code()).as(look.err()).isZero();
    assertThat(look.out()).contains("\"applied\":false", "journal").doesNotContain(goal);
    assertThat(as(true, "", "forget").err()).contains("name the secret");
    assertThat(as(true, "", "forget", "--at", "T-002#1").err()).contains("give both");
    assertThat(as(true, "short", "forget", "-").err()).contains("at least 6 characters");
  }
}
