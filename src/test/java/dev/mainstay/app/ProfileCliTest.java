package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.OwnFolder;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles by commands: what there is, where it comes from, what is wrong with it. */
class ProfileCliTest {
  @TempDir Path folder;

  @BeforeEach
  void project() throws IOException {
    Files.createDirectories(folder.resolve("repo/.git"));
    OwnFolder.in(folder.resolve("repo"));
    write(
        "repo/.mainstay/agents/developer.md",
        "description: ours\nprovider: codex",
        "You are ours.");
    write("config/mainstay/agents/tester.md", "description: mine\nrole: tester", "You test.");
  }

  private void write(String file, String fields, String body) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, "---\n" + fields + "\n---\n" + body + "\n");
  }

  private CliRun run(String... args) {
    Map<String, String> env = Map.of("XDG_CONFIG_HOME", folder.resolve("config").toString());
    return CliRun.of(folder.resolve("repo"), new byte[0], env, args);
  }

  @Test
  void the_list_says_where_each_comes_from_and_what_is_hidden() {
    CliRun run = run("profile", "list");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .containsPattern("NAME +FROM +PROVIDER +ROLE +DESCRIPTION")
        .containsPattern("code_supervisor +built-in +- +supervisor ")
        .containsPattern("developer +project +codex +- +ours")
        .containsPattern("developer +built-in, hidden +- +developer ")
        .containsPattern("tester +user +- +tester +mine");
    JsonObject json = JsonText.object(run("profile", "list", "--json").out());
    JsonObject hidden = json.objects("profiles").get(2);
    assertThat(hidden.text("origin")).isEqualTo("built-in");
    assertThat(hidden.text("hidden_by")).endsWith("developer.md");
    assertThat(Files.exists(folder.resolve("repo/.mainstay/state.sqlite3"))).isFalse();
  }

  @Test
  void a_profile_is_shown_with_its_prompt() throws IOException {
    assertThat(run("profile", "show", "developer").out())
        .contains("developer: ours\n", "provider:       codex\n", "\nYou are ours.\n");
    write(
        "repo/.mainstay/agents/keeper.md",
        "description: d\nmcp_servers: {a: {command: b, env: {API_TOKEN: correct horse battery}}}",
        "");
    CliRun keeper = run("profile", "show", "keeper", "--json");
    assertThat(keeper.out()).contains("API_TOKEN").doesNotContain("horse");
    JsonObject json = JsonText.object(run("profile", "show", "reviewer", "--json").out());
    assertThat(json.text("origin")).isEqualTo("built-in");
    assertThat(json.text("system_prompt")).contains("You judge work");
  }

  @Test
  void an_unknown_or_broken_profile_is_told_of_and_the_others_stay() throws IOException {
    CliRun unknown = run("profile", "show", "develoepr");
    assertThat(unknown.code()).isEqualTo(3);
    assertThat(unknown.err()).contains("did you mean \"developer\"?");
    write("repo/.mainstay/agents/broken.md", "descripton: d", "");
    CliRun list = run("profile", "list");
    assertThat(list.code()).isZero();
    assertThat(list.out()).containsPattern("broken +project +- +- +cannot be read");
    assertThat(list.err()).contains("broken.md:2: ", "did you mean \"description\"?");
    assertThat(run("profile", "show", "broken").code()).isEqualTo(1);
  }

  @Test
  void every_command_that_a_built_in_prompt_names_exists() {
    var commands = new TreeSet<String>();
    for (String name : new String[] {"code_supervisor", "developer", "reviewer"}) {
      CliRun shown = CliRun.of(folder, "", "profile", "show", name, "--json");
      String prompt = JsonText.object(shown.out()).text("system_prompt");
      Matcher named = Pattern.compile("mainstay ([a-z]+ [a-z]+|prompt)\\b").matcher(prompt);
      while (named.find()) commands.add(named.group(1));
    }
    assertThat(commands).contains("task create", "task claim", "evidence run", "artifact collect");
    for (String command : commands) {
      CliRun help = run((command + " --help").split(" "));
      assertThat(help.code()).as(command).isZero();
      assertThat(help.out()).as(command).contains("mainstay " + command);
    }
  }
}
