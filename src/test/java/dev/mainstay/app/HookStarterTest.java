package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.TaskId;
import dev.mainstay.hook.Told;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose words the prompts of a session are, by who started it. */
class HookStarterTest {
  @TempDir Path temp;
  private Mainstay house;
  private HookHost claude;

  @BeforeEach
  void begin() throws IOException {
    Path folder = temp.toRealPath();
    Files.createDirectory(folder.resolve(".git"));
    house =
        Mainstay.open(
            StoreAddress.parse(folder.resolve("state.sqlite3").toString()), StoreSettings.DEFAULT);
    claude = HookHost.of("claude-code", folder);
  }

  @AfterEach
  void end() {
    house.close();
  }

  /** A process of Claude Code as far as its environment goes. */
  private Process started(String variable, String value) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "60");
    builder.environment().remove("CLAUDECODE");
    builder.environment().put(variable, value);
    return builder.start();
  }

  private List<Directive> orderedIn(HookHost session) {
    session.prompt(house, "Add login");
    session.prompt(house, "/remember never push to main");
    return house.states().load(new TaskId("T-001")).directives().items();
  }

  @Test
  void the_prompt_of_a_session_that_another_session_started_is_no_persons() throws IOException {
    assumeThat(Path.of("/proc/self/environ")).exists();
    Process inner = started("CLAUDECODE", "1");
    try {
      HookHost session =
          claude.with("CLAUDECODE", "1").with("CLAUDE_PID", Long.toString(inner.pid()));
      assertThat(orderedIn(session))
          .extracting(Directive::binding, Directive::author)
          .containsExactly(tuple(false, Actor.agent("claude-code")));
    } finally {
      inner.destroyForcibly();
    }
  }

  @Test
  void the_prompt_of_a_session_with_the_variables_of_a_command_is_no_persons() {
    HookHost session = claude.with("CLAUDE_CODE_EXECPATH", "/usr/bin/claude");
    assertThat(orderedIn(session)).extracting(Directive::binding).containsExactly(false);
  }

  @Test
  void a_session_that_a_person_started_has_a_persons_prompts() throws IOException {
    Process outer = started("CLAUDE_CODE_ENTRYPOINT", "cli");
    try {
      HookHost session =
          claude
              .with("CLAUDECODE", "1")
              .with("CLAUDE_CODE_CHILD_SESSION", "1")
              .with("CLAUDE_PID", Long.toString(outer.pid()));
      assertThat(orderedIn(session))
          .extracting(Directive::binding, Directive::author)
          .containsExactly(tuple(true, Actor.person("ada")));
    } finally {
      outer.destroyForcibly();
    }
  }

  /** The session of a host that has ended, whose number may be anybody's. */
  private HookHost ofOneThatIsGone() throws Exception {
    Process gone = started("CLAUDECODE", "1");
    gone.destroyForcibly();
    gone.waitFor();
    return claude.with("CLAUDECODE", "1").with("CLAUDE_PID", Long.toString(gone.pid()));
  }

  @Test
  void the_prompt_of_a_session_that_nobody_can_look_at_any_more_is_no_persons() throws Exception {
    assumeThat(Path.of("/proc/self/environ")).exists();
    assertThat(orderedIn(ofOneThatIsGone()))
        .extracting(Directive::binding, Directive::author)
        .containsExactly(tuple(false, Actor.agent("claude-code")));
  }

  @ParameterizedTest
  @CsvSource({"person, true", "agent, false", "'', false"})
  void of_a_prompt_that_waited_the_launcher_has_seen_whose_it_is(String seen, boolean binding)
      throws Exception {
    assumeThat(Path.of("/proc/self/environ")).exists();
    HookHost session = ofOneThatIsGone().with(Told.RECEIPT, "hook-1");
    if (!seen.isEmpty()) session = session.with(Told.STARTER, seen);

    assertThat(orderedIn(session)).extracting(Directive::binding).containsExactly(binding);
  }

  @Test
  void a_number_that_is_somebody_elses_by_now_makes_no_person_of_it() throws Exception {
    assumeThat(Path.of("/proc/self/environ")).exists();
    Process other = started("CLAUDE_CODE_ENTRYPOINT", "cli");
    try {
      HookHost session =
          claude.with("CLAUDE_PID", Long.toString(other.pid())).with(Told.RECEIPT, "hook-1");
      assertThat(orderedIn(session)).extracting(Directive::binding).containsExactly(false);
    } finally {
      other.destroyForcibly();
    }
  }
}
