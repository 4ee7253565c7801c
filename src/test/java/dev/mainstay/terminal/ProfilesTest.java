package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.McpServer;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.terminal.Listed.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles as files in three places. */
class ProfilesTest {
  private static final String FULL =
      """
      ---
      name: tester
      description: Tries everything twice
      provider: codex
      role: tester
      model: gpt-4.10
      allowed_tools: [Read, "Bash(mvn test:*)"]
      mcp_servers:
        files:
          command: npx
          args: [-y, server, 7]
          env: {LEVEL: 3}
        docs:
          url: https://docs.example/mcp
      initial_prompt: |
        Test {{what}}.
      ---

      You test.

      ---
      Twice.
      """;

  @TempDir Path folder;

  private Profiles profiles() {
    return new Profiles(new Places(folder.resolve("project"), folder.resolve("user")));
  }

  private Path write(String place, String name, String text) throws IOException {
    Path file = folder.resolve(place).resolve("agents").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static String described(String description) {
    return "---\ndescription: " + description + "\n---\n";
  }

  @Test
  void a_profile_has_everything_its_file_says() throws IOException {
    write("project", "tester.md", FULL);
    AgentProfile profile = profiles().get("tester");
    assertThat(profile.about())
        .isEqualTo(new AgentProfile.About("Tries everything twice", "tester"));
    assertThat(profile.engine().provider()).isEqualTo("codex");
    assertThat(profile.engine().model()).isEqualTo("gpt-4.10");
    assertThat(profile.engine().allowedTools()).containsExactly("Read", "Bash(mvn test:*)");
    assertThat(profile.engine().mcpServers())
        .containsExactly(
            new McpServer("files", List.of("npx", "-y", "server", "7"), null, Map.of("LEVEL", "3")),
            new McpServer("docs", List.of(), "https://docs.example/mcp", Map.of()));
    assertThat(profile.prompts().system()).isEqualTo("You test.\n\n---\nTwice.");
    assertThat(profile.prompts().initial()).isEqualTo("Test {{what}}.\n");
  }

  @Test
  void the_projects_profile_hides_the_users_and_that_the_built_in_one() throws IOException {
    Path mine = write("user", "developer.md", described("mine"));
    Path ours = write("project", "developer.md", described("ours"));
    write("user", "tester.md", described("only mine"));
    List<Listed<AgentProfile>> all = profiles().list();
    assertThat(all)
        .extracting(each -> each.source().name() + " " + each.source().origin())
        .containsExactly(
            "code_supervisor BUILT_IN",
            "developer PROJECT",
            "developer USER",
            "developer BUILT_IN",
            "reviewer BUILT_IN",
            "tester USER");
    assertThat(all.get(1).hiddenBy()).isNull();
    assertThat(all.get(2).hiddenBy()).isEqualTo(ours.toString());
    assertThat(all.get(2).source().where()).isEqualTo(mine.toString());
    assertThat(all.get(3).hiddenBy()).isEqualTo(ours.toString());
    assertThat(profiles().get("developer").about().description()).isEqualTo("ours");
    Files.delete(ours);
    assertThat(profiles().get("developer").about().description()).isEqualTo("mine");
    assertThat(profiles().source("developer").origin()).isEqualTo(Origin.USER);
  }

  @Test
  void an_unknown_name_is_refused_with_the_nearest() {
    assertThatThrownBy(() -> profiles().get("develper"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("did you mean \"developer\"?");
    assertThatThrownBy(() -> profiles().get("../../etc/passwd")).isInstanceOf(Refusal.class);
  }

  @Test
  void a_fault_is_one_sentence_with_file_and_line() throws IOException {
    fault("---\ndescription: d\nalowed_tools: []\n---\n", 3, "did you mean \"allowed_tools\"?");
    fault("---\ndescription: d\nallowedTools: []\n---\n", 3, "did you mean \"allowed_tools\"?");
    fault("---\nrole: d\n---\n", 2, "the field \"description\" is missing; add it");
    fault("---\ndescription: \" \"\n---\n", 2, "may not be blank");
    fault("---\ndescription: d\nname: other\n---\n", 3, "is not the file's, \"bad\"");
    fault("---\ndescription: d\n\nprovider: ../x\n---\n", 4, "a provider's name has letters");
    fault("---\ndescription: d\nmodel: [a]\n---\n", 3, "must be a text");
    fault("---\ndescription: d\nrole:\n---\n", 3, "is empty");
    fault("---\ndescription: d\nmcp_servers:\n  x: {}\n---\n", 4, "either a command or a url");
    fault("---\ndescription: d\nmcp_servers:\n  x:\n    comand: y\n---\n", 5, "\"command\"");
    fault(
        "---\ndescription: d\nmcp_servers:\n  x:\n    url: ftp://y\n---\n", 4, "begins with http");
    fault("no fence", 1, "the first line must be ---");
    fault("---\ndescription: d\n---\n" + "x".repeat(70_000), 2, "a system prompt has 70,000");
  }

  private void fault(String text, int line, String sentence) throws IOException {
    Path file = write("project", "bad.md", text);
    assertThatThrownBy(() -> profiles().get("bad"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith(file + ":" + line + ": ")
        .hasMessageContaining(sentence);
    assertThat(profiles().list())
        .filteredOn(each -> each.source().name().equals("bad"))
        .allMatch(each -> each.item() == null && each.fault() != null);
  }

  @Test
  void what_is_no_text_file_of_a_fit_size_is_refused_and_still_listed() throws IOException {
    Path large = write("project", "large.md", "x".repeat(Shelf.FILE_BYTES_MAX + 1));
    assertThatThrownBy(() -> profiles().get("large"))
        .hasMessageContaining(large + " has more than");
    Files.write(large.resolveSibling("latin.md"), new byte[] {'-', (byte) 0xe9});
    assertThatThrownBy(() -> profiles().get("latin")).hasMessageContaining("is not valid UTF-8");
    Files.createDirectory(large.resolveSibling("folder.md"));
    assertThatThrownBy(() -> profiles().get("folder")).hasMessageContaining("is not a file");
    write("project", "my agent.md", described("a blank in its name"));
    assertThat(profiles().list()).extracting(Listed::fault).filteredOn(f -> f != null).hasSize(4);
  }

  @Test
  void a_random_change_of_a_file_is_read_or_refused_with_its_place() {
    Seeds.forAll(
        700,
        random -> {
          StringBuilder text = new StringBuilder(FULL);
          int changes = 1 + random.nextInt(4);
          for (int i = 0; i < changes; i++) {
            int at = random.nextInt(text.length());
            text.replace(
                at, Math.min(text.length(), at + random.nextInt(6)), sign(random.nextInt()));
          }
          try {
            assertThat(new ProfileText().read("tester", "t.md", text.toString()).name())
                .isEqualTo("tester");
          } catch (Refusal refused) {
            assertThat(refused.sentence()).matches("(?s)t\\.md:\\d+: \\S.*");
          }
        });
  }

  private static String sign(int number) {
    List<String> signs =
        List.of("", ":", "\n", "---\n", "[", "{", "*a", "&a ", "\t", "\u0000", "é");
    return signs.get(Math.floorMod(number, signs.size()));
  }

  @Test
  void the_stores_initial_prompt_wins_and_variables_are_filled_in() throws IOException {
    write("project", "tester.md", FULL);
    AgentProfile profile = profiles().get("tester");
    TerminalState state = TerminalState.none("dev-1", Instant.EPOCH);
    TerminalState told =
        state.told(
            state.told().with(JsonObject.of("variables", JsonObject.of("what", "logins"))),
            Instant.EPOCH);
    assertThat(Profiles.initialPrompt(profile, Optional.of(told))).hasValue("Test logins.\n");
    TerminalState own =
        told.told(
            told.told().with(JsonObject.of("initial_prompt", "Only {{what}}")), Instant.EPOCH);
    assertThat(Profiles.initialPrompt(profile, Optional.of(own))).hasValue("Only logins");
    assertThatThrownBy(() -> Profiles.initialPrompt(profile, Optional.empty()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("what");
    assertThat(Profiles.initialPrompt(profiles().get("developer"), Optional.empty())).isEmpty();
  }

  @Test
  void the_users_folder_follows_the_convention() {
    Path project = Path.of("p");
    assertThat(Places.of(project, Map.of("XDG_CONFIG_HOME", "/c", "HOME", "/h"), true).user())
        .isEqualTo(Path.of("/c/mainstay"));
    assertThat(Places.of(project, Map.of("XDG_CONFIG_HOME", "c", "HOME", "/h"), true).user())
        .isEqualTo(Path.of("/h/.config/mainstay"));
    assertThat(Places.of(project, Map.of(), true).user()).isNull();
  }

  @Test
  void the_built_in_profiles_are_whole() {
    for (String name : new ProfileText().builtIn()) {
      AgentProfile profile = profiles().get(name);
      assertThat(profile.prompts().system()).as(name).contains("mainstay task");
      assertThat(profile.about().role()).as(name).isNotNull();
    }
  }
}
