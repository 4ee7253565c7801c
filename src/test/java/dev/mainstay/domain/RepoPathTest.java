package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepoPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "src/main/App.java",
        "док/файл.txt",
        "日本/語.md",
        "a b/c'd\"e.txt",
        "-rf",
        "~",
        ".gitignore",
        ".github/workflows/ci.yml",
        "...",
        "back\\slash"
      })
  void a_plain_path_below_the_workspace_is_taken_as_it_is(String path) {
    assertThat(new RepoPath(path).value()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "/etc/passwd, absolute",
    "C:/Windows/x, absolute",
    "../x, plain path",
    "a/../../x, plain path",
    "./x, plain path",
    "a//b, empty name",
    "a/, empty name",
    ".git/config, .git",
    "a/.GIT/hooks/x, .GIT",
    ".git./config, .git.",
    "'.git /config', .git",
    "GIT~1/config, GIT~1",
    ".git::$INDEX_ALLOCATION/config, .git::$INDEX_ALLOCATION",
    ".mainstay../token, .mainstay..",
    ".mainstay/state.sqlite3, .mainstay",
    "'a\tb', control",
    "'a\u0000b', control",
    "'a\u202eb', control",
    "'.g\u200dit/x', control"
  })
  void anything_else_is_refused_with_its_reason(String path, String reason) {
    assertThatThrownBy(() -> new RepoPath(path))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(Code.INVALID);
              assertThat(refusal.sentence()).contains(reason);
              assertThat(refusal.sentence().chars().noneMatch(Character::isISOControl)).isTrue();
            });
  }

  @Test
  void nothing_and_too_much_are_refused() {
    assertThatThrownBy(() -> new RepoPath("")).hasMessageContaining("empty");
    assertThatThrownBy(() -> new RepoPath("a".repeat(256))).hasMessageContaining("255 bytes");
    assertThatThrownBy(() -> new RepoPath("a/".repeat(200) + "b")).hasMessageContaining("128");
    assertThatThrownBy(() -> new RepoPath("a/".repeat(5_000) + "b")).hasMessageContaining("4,096");
    assertThatThrownBy(() -> new RepoPath("\ud800")).isInstanceOf(Refusal.class);
  }

  @Test
  void names_that_a_disk_may_take_for_the_same_fold_to_the_same() {
    assertThat(RepoPath.folded("README.md")).isEqualTo(RepoPath.folded("readme.MD"));
    assertThat(RepoPath.folded("é.txt")).isEqualTo(RepoPath.folded("e\u0301.txt"));
    assertThat(RepoPath.folded("STRASSE")).isEqualTo(RepoPath.folded("straße"));
    assertThat(RepoPath.folded("ﬁle")).isEqualTo(RepoPath.folded("FILE"));
    assertThat(RepoPath.folded("a")).isNotEqualTo(RepoPath.folded("b"));
  }

  @Test
  void its_parts_are_known() {
    var path = new RepoPath("src/main/App.java");
    assertThat(path.names()).containsExactly("src", "main", "App.java");
    assertThat(path.folders()).containsExactly("src", "main");
    assertThat(path.name()).isEqualTo("App.java");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".claude/settings.local.json",
        "sub/.Claude/settings.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        "opencode.json",
        ".opencode/plugins/evil.js",
        ".vscode/tasks.json",
        ".husky/pre-commit",
        ".github/workflows/x.yml",
        ".envrc",
        "packages/app/.envrc",
        "AGENTS.md",
        "claude.MD",
        ".mcp.json",
        ".mcp.json. "
      })
  void files_that_configure_programs_are_known(String path) {
    assertThat(new RepoPath(path).isConfiguration()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/claude/settings.json",
        ".github/README.md",
        "docs/agents.txt",
        "workflows/x.yml",
        "settings.json",
        "vscode/tasks.json",
        "a.envrc"
      })
  void other_files_configure_nothing(String path) {
    assertThat(new RepoPath(path).isConfiguration()).isFalse();
  }
}
