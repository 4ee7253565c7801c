package dev.mainstay.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.setup.JsonSpot.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as people have them: merged, merged once, and given back byte for byte. */
class SamplesTest {
  private static final Map<String, UnaryOperator<String>> VARIANTS =
      new TreeMap<>(
          Map.of(
              "as it is", text -> text,
              "with CRLF", text -> text.replace("\n", "\r\n"),
              "without a last line break", String::stripTrailing,
              "with a mark of byte order", text -> "\ufeff" + text,
              "with blank lines at its end", text -> text + "\n\n",
              "blank", text -> " \n",
              "empty", text -> ""));

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "claude-code, claude-mcp.json, .mcp.json",
    "claude-code, claude-mcp-one-line.json, .mcp.json",
    "claude-code, claude-mcp-empty.json, .mcp.json",
    "claude-code, claude-settings.json, .claude/settings.json",
    "claude-code, claude-settings.json, .claude/settings.local.json",
    "claude-code, CLAUDE.md, CLAUDE.md",
    "codex, codex-config.toml, .codex/config.toml",
    "codex, codex-hooks.json, .codex/hooks.json",
    "codex, AGENTS.md, AGENTS.md",
    "gemini, gemini-settings.json, .gemini/settings.json",
    "opencode, opencode.jsonc, opencode.jsonc",
    "opencode, opencode.json, opencode.json",
  })
  void a_sample_is_merged_once_and_given_back(String agent, String sample, String path)
      throws IOException {
    for (var variant : VARIANTS.entrySet()) {
      Path folder = Files.createDirectory(temp.resolve(variant.getKey()));
      String original = variant.getValue().apply(sample(sample));
      Path file = folder.resolve(path);
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, original);
      String merged = wireTwice(folder, agent, path);
      assertThat(merged).as(variant.getKey()).contains("mainstay").isNotEqualTo(original);
      assertBothAreIn(path, original, merged);
      Init init = new Init(folder, Map.of());
      init.plan(new Init.Wish(List.of(), true, false, null)).write();
      assertThat(Files.readString(file)).as(variant.getKey()).isEqualTo(original);
      assertThat(filesOf(folder)).containsExactly(path);
    }
  }

  private static String wireTwice(Path folder, String agent, String path) throws IOException {
    Init init = new Init(folder, Map.of());
    Init.Wish wish =
        new Init.Wish(List.of(agent), false, false, null, path.equals(".claude/settings.json"));
    Plan plan = init.plan(wish);
    assertThat(plan.remarks()).isEmpty();
    plan.write();
    assertThat(init.plan(wish).changes()).as("nothing to change").isEmpty();
    return Files.readString(folder.resolve(path));
  }

  private static void assertBothAreIn(String path, String original, String merged) {
    if (original.isBlank()) return;
    if (path.endsWith(".md")) {
      assertThat(merged).startsWith(original);
    } else if (path.endsWith(".toml")) {
      assertThat(merged).startsWith(original);
      assertThat(Toml.read(path, merged).keySet()).containsAll(Toml.read(path, original).keySet());
    } else {
      boolean comments = !path.startsWith(".claude") && !path.startsWith(".mcp");
      JsonSpot before = JsonReader.read(path, original, comments);
      assertHolds(JsonReader.read(path, merged, comments), before);
    }
  }

  /** Everything that was there is there, at the same place. */
  private static void assertHolds(JsonSpot after, JsonSpot before) {
    if (before.kind() == Kind.SCALAR) {
      assertThat(after.value()).isEqualTo(before.value());
      return;
    }
    for (int i = 0; i < before.entries().size(); i++) {
      String name = before.entries().get(i).name();
      JsonSpot child = after.child(name == null ? (Object) i : name);
      assertThat(child).isNotNull();
      assertHolds(Objects.requireNonNull(child), before.entries().get(i).value());
    }
  }

  private static List<String> filesOf(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .filter(file -> !file.equals(".mainstay/.gitignore"))
          .toList();
    }
  }

  private static String sample(String name) throws IOException {
    try (InputStream in = SamplesTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
