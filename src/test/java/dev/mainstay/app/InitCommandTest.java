package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Io.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mainstay init} as a person or an agent meets it. */
class InitCommandTest {
  @TempDir Path temp;
  private Path folder = Path.of("");
  private final Map<String, String> env = new TreeMap<>(Map.of("USER", "ada", "PATH", ""));
  private Screen screen = Screen.PIPE;
  private String input = "";
  private String out = "";
  private String err = "";

  @BeforeEach
  void repository() throws IOException {
    folder = Files.createDirectories(temp.resolve("project"));
    Files.createDirectory(folder.resolve(".git"));
    env.put("HOME", Files.createDirectory(temp.resolve("home")).toString());
  }

  private int run(String... args) {
    return runIn(folder, args);
  }

  private int runIn(Path where, String... args) {
    var stdout = new ByteArrayOutputStream();
    var stderr = new ByteArrayOutputStream();
    Io io =
        new Io(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(stdout, false, StandardCharsets.UTF_8),
            new PrintStream(stderr, false, StandardCharsets.UTF_8),
            env,
            screen);
    int code = Door.run(args, io, new Wiring(env, where));
    out = stdout.toString(StandardCharsets.UTF_8);
    err = stderr.toString(StandardCharsets.UTF_8);
    return code;
  }

  private String text(String path) throws IOException {
    return Files.readString(folder.resolve(path));
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (var all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String path = folder.relativize(file).toString();
        boolean counts = !path.startsWith(".mainstay") && !path.startsWith(".git/");
        if (counts) files.put(path, text(path));
      }
    }
    return files;
  }

  @Test
  void shown_first_then_written_then_nothing_to_change_then_taken_out() throws IOException {
    assertThat(run("init", "--agent", "claude-code")).isEqualTo(1);
    assertThat(out)
        .contains("--- /dev/null\n+++ b/.mcp.json\n", "+      \"command\": \"mainstay\"")
        .endsWith("nothing was written; repeat with --yes to write this\n");
    assertThat(files()).isEmpty();
    assertThat(folder.resolve(".mainstay")).doesNotExist();
    assertThat(run("init", "--agent", "claude-code", "--yes")).as(err).isZero();
    assertThat(files().keySet())
        .containsExactly(
            ".claude/commands/remember.md",
            ".claude/settings.local.json",
            ".mcp.json",
            "AGENTS.md",
            "CLAUDE.md");
    assertThat(folder.resolve(".mainstay/state.sqlite3")).exists();
    assertThat(run("init", "--agent", "claude-code", "--yes")).isZero();
    assertThat(out).startsWith("nothing to change: Claude Code\n");
    assertThat(run("init", "--undo")).isEqualTo(1);
    assertThat(run("init", "--undo", "-y")).as(err).isZero();
    assertThat(files()).isEmpty();
    assertThat(folder.resolve(".claude")).doesNotExist();
    assertThat(folder.resolve(".mainstay/state.sqlite3")).exists();
    assertThat(run("init", "--undo", "-y")).isZero();
    assertThat(out).isEqualTo("nothing to take out\n");
  }

  private void program(String name) throws IOException {
    Path bin = Files.createDirectories(temp.resolve("bin"));
    Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    env.put("PATH", temp.resolve("nowhere") + ":" + bin);
  }

  @Test
  void agents_are_found_by_their_programs_and_by_the_projects_files() throws IOException {
    assertThat(run("init")).isEqualTo(3);
    assertThat(err).contains("no agent was found", "name one with --agent").hasLineCount(1);
    program("codex");
    Files.createDirectory(folder.resolve(".gemini"));
    assertThat(run("init", "--dry-run")).isZero();
    assertThat(out)
        .contains("b/.codex/config.toml", "b/.gemini/settings.json")
        .doesNotContain(".mcp.json", "opencode")
        .endsWith("nothing was written; repeat with --yes to write this\n");
    assertThat(err).contains("mainstay is not on the PATH").contains("./mainstay install");
    program("mainstay");
    run("init", "--dry-run", "--yes");
    assertThat(err).isEmpty();
    assertThat(files()).isEmpty();
  }

  @Test
  void at_a_terminal_the_person_is_asked() throws IOException {
    screen = new Screen(true, 100, false);
    for (String no : new String[] {"", "\n", "n\n", "yep\n"}) {
      input = no;
      assertThat(run("init", "--agent", "codex")).isEqualTo(1);
      assertThat(out).contains("write these? [y/N] ");
      assertThat(files()).isEmpty();
    }
    input = "Y\n";
    assertThat(run("init", "--agent", "codex")).isZero();
    assertThat(files()).containsOnlyKeys(".codex/config.toml", "AGENTS.md");
    assertThat(out).contains("next: start codex in this folder, trust the folder");
  }

  /** A repository whose index names CLAUDE.md and AGENTS.md. */
  private void track() throws Exception {
    Files.writeString(folder.resolve("CLAUDE.md"), "Use tabs.\n");
    Files.writeString(folder.resolve("AGENTS.md"), "Ours.\n");
    try (Git git = Git.init().setDirectory(folder.toFile()).call()) {
      git.add().addFilepattern("CLAUDE.md").addFilepattern("AGENTS.md").call();
    }
  }

  @Test
  void files_that_git_tracks_are_written_only_when_shared() throws Exception {
    track();
    assertThat(run("init", "--agent", "claude-code", "-y")).as(err).isZero();
    assertThat(err).contains("git tracks CLAUDE.md, AGENTS.md, so this was left out; add --shared");
    assertThat(text("CLAUDE.md")).isEqualTo("Use tabs.\n");
    assertThat(text("AGENTS.md")).isEqualTo("Ours.\n");
    assertThat(files()).containsKeys(".mcp.json", ".claude/settings.local.json");
    assertThat(run("init", "--agent", "claude-code", "-y")).isZero();
    assertThat(out).startsWith("--- a/CLAUDE.md").contains("\nnothing was written\n");
    assertThat(run("init", "--agent", "claude-code", "-y", "--shared")).isZero();
    assertThat(text("CLAUDE.md")).startsWith("Use tabs.\n").contains("@AGENTS.md");
    assertThat(run("init", "--undo", "-y")).isZero();
    assertThat(text("CLAUDE.md")).contains("@AGENTS.md");
    assertThat(files()).containsOnlyKeys("AGENTS.md", "CLAUDE.md");
    assertThat(run("init", "--undo", "-y", "--shared")).isZero();
    assertThat(files()).isEqualTo(Map.of("AGENTS.md", "Ours.\n", "CLAUDE.md", "Use tabs.\n"));
    assertThat(run("init", "--user", "--shared")).isEqualTo(1);
    assertThat(err).contains("which no team shares");
  }

  @Test
  void files_that_git_tracks_have_a_question_of_their_own() throws Exception {
    track();
    screen = new Screen(true, 100, false);
    input = "y\nn\n";
    assertThat(run("init", "--agent", "claude-code")).as(err).isZero();
    assertThat(out)
        .contains("write these? [y/N]")
        .contains("git tracks CLAUDE.md, AGENTS.md, so others get the change; write there too?");
    assertThat(files()).containsEntry("AGENTS.md", "Ours.\n").containsKey(".mcp.json");
    input = "n\n";
    assertThat(run("init", "--agent", "claude-code")).isEqualTo(1);
    assertThat(out).doesNotContain("write these?").contains("nothing was written");
    input = "y\n";
    assertThat(run("init", "--agent", "claude-code")).isZero();
    assertThat(text("AGENTS.md")).startsWith("Ours.\n").contains("`state`");
    assertThat(run("init", "--agent", "claude-code")).isZero();
    assertThat(out).startsWith("nothing to change");
  }

  @Test
  void the_answer_in_json_names_files_and_what_comes_next() throws IOException {
    assertThat(run("init", "--agent", "opencode", "--json")).isEqualTo(1);
    assertThat(out).contains("\"written\":false").contains("\"action\":\"create\"");
    assertThat(run("init", "--agent", "opencode", "--json", "--yes")).isZero();
    assertThat(out)
        .contains("\"agents\":[\"opencode\"]", "\"written\":true", "\"path\":\"opencode.json\"")
        .contains("start opencode in this folder");
    assertThat(files())
        .containsOnlyKeys(
            ".opencode/commands/remember.md",
            ".opencode/plugins/mainstay.js",
            "AGENTS.md",
            "opencode.json");
    assertThat(run("init", "--undo", "--json", "--yes")).isZero();
    assertThat(out).contains("\"action\":\"remove\"", "\"next\":[]");
  }

  @Test
  void a_worktree_gets_the_files_and_the_repository_keeps_the_store() throws IOException {
    Path tree = Files.createDirectories(temp.resolve("tree"));
    Files.writeString(tree.resolve(".git"), "gitdir: " + folder + "/.git/worktrees/tree\n");
    assertThat(runIn(Files.createDirectory(tree.resolve("sub")), "init", "--agent", "codex", "-y"))
        .as(err)
        .isZero();
    assertThat(tree.resolve(".codex/config.toml")).exists();
    assertThat(tree.resolve(".mainstay/.gitignore")).hasContent("*");
    assertThat(tree.resolve(".mainstay/state.sqlite3")).doesNotExist();
    assertThat(folder.resolve(".mainstay/state.sqlite3")).exists();
    assertThat(files()).isEmpty();
    assertThat(runIn(tree, "init", "--undo", "-y")).isZero();
    assertThat(tree.resolve(".codex")).doesNotExist();
  }

  @Test
  void the_persons_own_files_are_touched_only_when_asked_for() throws IOException {
    Path home = temp.resolve("home");
    Files.writeString(home.resolve(".claude.json"), "{\"numStartups\": 3}");
    assertThat(run("init", "--agent", "claude-code", "-y")).isZero();
    assertThat(home.resolve(".claude.json")).hasContent("{\"numStartups\": 3}");
    try (var inside = Files.list(home)) {
      assertThat(inside).hasSize(1);
    }
    Map<String, String> project = files();
    for (String agent : new String[] {"claude-code", "codex", "gemini", "opencode"}) {
      assertThat(run("init", "--user", "--agent", agent, "-y")).as(err).isZero();
      assertThat(out).contains("b/~/");
      assertThat(run("init", "--user", "--agent", agent)).as(out).isZero();
    }
    assertThat(files()).isEqualTo(project);
    for (String file :
        new String[] {
          ".claude.json",
          ".claude/settings.json",
          ".claude/CLAUDE.md",
          ".codex/config.toml",
          ".codex/AGENTS.md",
          ".gemini/settings.json",
          ".gemini/GEMINI.md",
          ".config/opencode/opencode.json",
          ".config/opencode/plugins/mainstay.js"
        }) {
      assertThat(home.resolve(file)).content().contains("mainstay");
    }
    assertThat(run("init", "--undo", "--user", "-y")).isZero();
    assertThat(home.resolve(".claude.json")).hasContent("{\"numStartups\": 3}");
    try (var inside = Files.walk(home)) {
      assertThat(inside.filter(Files::isRegularFile).map(file -> home.relativize(file).toString()))
          .containsExactly(".claude.json");
    }
    env.remove("HOME");
    assertThat(run("init", "--undo", "--user", "-y")).isEqualTo(1);
    assertThat(err).contains("HOME does not name a folder");
  }

  @Test
  void secrets_beside_ours_are_not_shown() throws IOException {
    String hidden = "ghp" + "_" + "a1B2".repeat(9);
    Files.writeString(
        folder.resolve(".mcp.json"),
        "{\n  \"mcpServers\": {\n    \"hub\": {\"env\": {\"T\": \"" + hidden + "\"}}\n  }\n}\n");
    assertThat(run("init", "--agent", "claude-code", "-y")).isZero();
    assertThat(out).contains("\"hub\"").doesNotContain(hidden);
    assertThat(text(".mcp.json")).contains(hidden).contains("\"mainstay\"");
  }

  @Test
  void a_broken_file_is_refused_and_nothing_is_made() throws IOException {
    Files.writeString(folder.resolve(".mcp.json"), "{\n  oops\n}");
    assertThat(run("init", "--agent", "claude-code", "-y")).isEqualTo(1);
    assertThat(out).isEmpty();
    assertThat(err).contains(".mcp.json cannot be read at line 2").contains("nothing was written");
    assertThat(folder.resolve(".mainstay")).doesNotExist();
    assertThat(files()).containsOnlyKeys(".mcp.json");
  }
}
