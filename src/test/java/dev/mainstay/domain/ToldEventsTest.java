package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Events that only tell what became of a row: their kinds and what they say. */
class ToldEventsTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final TaskId TASK = new TaskId("T-001");
  private static final String HASH = "0a".repeat(32);

  @Test
  void what_became_of_a_flow_and_its_runs_is_told_by_kind() {
    FlowRun begun = FlowRun.begun("n", NOON, true, NOON);
    assertThat(new FlowEvent.Ran(begun.started("t-1", NOON)).kind()).isEqualTo("flow.run_started");
    assertThat(new FlowEvent.Ran(begun.declined(NOON)).kind()).isEqualTo("flow.run_declined");
    FlowRun failed = begun.failed("no", NOON);
    assertThat(new FlowEvent.Ran(failed).kind()).isEqualTo("flow.run_failed");
    assertThat(FlowRun.fromJson(new FlowEvent.Ran(failed).payload())).isEqualTo(failed);
    assertThatThrownBy(() -> new FlowEvent.Ran(begun).kind())
        .isInstanceOf(IllegalStateException.class);
    assertThat(new FlowEvent.Enabled(NOON).payload().text("next_run")).isEqualTo(Times.write(NOON));
    assertThat(new FlowEvent.Enabled(null).payload().has("next_run")).isFalse();
    assertThat(new FlowEvent.Disabled().kind()).isEqualTo("flow.disabled");
    assertThat(new FlowEvent.Removed().kind()).isEqualTo("flow.removed");
    assertThat(new FlowEvent.Removed().payload()).isEqualTo(JsonObject.EMPTY);
    assertThat(new FlowEvent.Disabled().payload()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void what_became_of_a_terminal_is_told_with_all_that_is_known() {
    var told = new TerminalEvent.Registered("claude", "coder", JsonObject.of("variables", 1L));
    assertThat(told.kind()).isEqualTo("terminal.registered");
    assertThat(told.payload())
        .isEqualTo(JsonObject.of("variables", 1L, "provider", "claude", "agent_profile", "coder"));
    var typed = new TerminalEvent.TypedInto("x".repeat(9_000));
    assertThat(typed.payload().text("text")).hasSize(TerminalEvent.TypedInto.TEXT_CHARS_MAX);
    assertThat(typed.kind()).isEqualTo("terminal.typed");
    var launched =
        new TerminalEvent.Launched(
            new Seat.Window("h", "s", "main", "w"), new Seat.Begin("/r", "c", "k", List.of()));
    assertThat(launched.payload())
        .isEqualTo(
            JsonObject.of("host", "h", "tmux_socket", "s", "tmux_session", "main")
                .with("tmux_window", "w")
                .with("work_dir", "/r")
                .with("caller_id", "c")
                .with("conversation", "k"));
    var over =
        new TerminalEvent.Over(
            new Seat.Standing(Seat.Status.CRASHED, "why", 2, NOON, List.of("l")));
    assertThat(over.payload())
        .isEqualTo(
            JsonObject.of("status", "CRASHED", "reason", "why", "exit_code", 2L)
                .with("last_lines", List.of("l")));
    var silent =
        new TerminalEvent.Over(new Seat.Standing(Seat.Status.GONE, null, null, NOON, List.of()));
    assertThat(silent.payload().has("last_lines")).isFalse();
    assertThat(TerminalEvent.KINDS).contains(launched.kind(), over.kind(), told.kind());
  }

  @Test
  void a_file_that_was_written_is_told_with_what_it_was_and_is() {
    var written = new WorkspaceEvent.FileWritten(new RepoPath("a.txt"), null, HASH, 3, TASK);
    assertThat(written.kind()).isEqualTo("file.written");
    assertThat(written.payload().text("task")).isEqualTo("T-001");
    assertThat(written.payload().number("size")).isEqualTo(3);
    var nobodys = new WorkspaceEvent.FileWritten(new RepoPath("a.txt"), HASH, HASH, 3, null);
    assertThat(nobodys.payload().has("task")).isFalse();
    assertThat(new WorkspaceEvent.StoryBegun("s").payload()).isEqualTo(JsonObject.of("story", "s"));
    assertThat(new WorkspaceEvent.StoryBegun("s").kind()).isEqualTo("workspace.story_begun");
  }

  @Test
  void an_artifact_is_told_and_read_with_its_file_or_its_content() {
    var content = new Artifact.Content(HASH.toUpperCase(Locale.ROOT), 3, NOON);
    var place = new Artifact.Place("a.txt", "host");
    Artifact file = new Artifact(7, TASK, new ArtifactType("CODE"), place, content);
    Artifact inline = new Artifact(8, TASK, new ArtifactType("CODE"), null, content);
    for (Artifact each : List.of(file, inline)) {
      var added = new ArtifactEvent.Added(each);
      assertThat(ArtifactEvent.Added.read(TASK, added.payload(), NOON)).isEqualTo(added);
      assertThat(Artifact.fromJson(each.toJson())).isEqualTo(each);
      assertThat(added.kind()).isEqualTo("artifact.added");
      each.mustHave(HASH);
    }
    assertThat(inline.isInline()).isTrue();
    assertThat(file.isInline()).isFalse();
    assertThatThrownBy(() -> file.mustHave("0b".repeat(32))).hasMessageContaining("a.txt");
    assertThatThrownBy(() -> inline.mustHave("0b".repeat(32))).hasMessageContaining("backup");
    assertThatThrownBy(() -> Artifact.sha256("xyz")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Artifact.Content(HASH, -1, NOON)).hasMessageContaining("-1 bytes");
    assertThat(new Artifact.Content(HASH, 0, NOON).bytes()).isZero();
  }

  @Test
  void a_token_is_bound_to_a_terminal_exactly_if_it_is_an_agents() {
    var life = new AccessToken.Life(NOON, NOON.plusSeconds(9));
    var agent = new AccessToken("k", AccessToken.Role.AGENT, "ada", "t-1", life);
    assertThat(agent.toJson().text("terminal")).isEqualTo("t-1");
    assertThat(agent.toJson().text("expires_at")).isEqualTo(Times.write(NOON.plusSeconds(9)));
    var endless = new AccessToken.Life(NOON, null);
    var person = new AccessToken("k", AccessToken.Role.PERSON, "ada", null, endless);
    assertThat(person.toJson().has("expires_at")).isFalse();
    assertThat(AccessToken.Role.parse(" Viewer ")).isEqualTo(AccessToken.Role.VIEWER);
    assertThatThrownBy(() -> AccessToken.Role.parse("king")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new AccessToken("k", AccessToken.Role.AGENT, "a", null, life))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new AccessToken("k", AccessToken.Role.VIEWER, "a", "t", life))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void an_mcp_server_has_a_command_or_an_address_and_each_host_its_shape() {
    var local = new McpServer("l", List.of("run", "-x"), null, Map.of("A", "1"));
    var bare = new McpServer("b", List.of("run"), null, Map.of());
    var remote = new McpServer("r", List.of(), "https://a/b", Map.of());
    List<McpServer> all = List.of(local, bare, remote);
    assertThat(McpShape.parse("mcp-servers").texts(all).get(0))
        .contains("\"l\":{\"args\":[\"-x\"],\"command\":\"run\",\"env\":{\"A\":\"1\"}}")
        .contains("\"b\":{\"args\":[],\"command\":\"run\"}")
        .contains("\"r\":{\"type\":\"http\",\"url\":\"https://a/b\"}");
    assertThat(McpShape.parse("opencode").texts(all).get(0))
        .contains("\"environment\":{\"A\":\"1\"}", "\"type\":\"local\"", "\"type\":\"remote\"");
    assertThat(McpShape.parse("toml-each").texts(all))
        .containsExactly(
            "l={command=\"run\",args=[\"-x\"],env={A=\"1\"}}",
            "b={command=\"run\",args=[]}",
            "r={url=\"https://a/b\"}");
    assertThatThrownBy(() -> McpShape.parse("tonl")).hasMessageContaining("toml-each");
    assertThatThrownBy(() -> new McpServer("x", List.of("run"), "https://a", Map.of()))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new McpServer("x", List.of(), null, Map.of()))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new McpServer("x", List.of(), "ftp://a", Map.of()))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new McpServer("x", List.of("run"), null, Map.of("1", "a")))
        .isInstanceOf(Refusal.class);
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i <= McpServer.VARIABLES_MAX; i++) many.put("V" + i, "");
    assertThatThrownBy(() -> new McpServer("x", List.of("run"), null, many))
        .isInstanceOf(Refusal.class);
    many.remove("V0");
    assertThat(new McpServer("x", List.of("run"), null, many).environment()).isEqualTo(many);
  }

  @Test
  void a_flow_is_told_as_new_or_as_changed_and_when_it_goes_on() {
    Flow flow =
        new Flow(
            "nightly",
            new Flow.Timing("0 9 * * *", "UTC", Flow.Missed.RUN),
            new Flow.Work("coder", null, null, JsonObject.EMPTY, "Look"),
            new Flow.Place("host", "/repo"),
            new Flow.Stamps(true, NOON, 1, NOON, NOON));
    assertThat(new FlowEvent.Added(flow, true).kind()).isEqualTo("flow.added");
    assertThat(new FlowEvent.Added(flow, false).kind()).isEqualTo("flow.changed");
    assertThat(Flow.fromJson(new FlowEvent.Added(flow, true).payload())).isEqualTo(flow);
    assertThat(new FlowEvent.Enabled(NOON).kind()).isEqualTo("flow.enabled");
  }

  @Test
  void what_was_said_of_a_terminals_state_is_told_as_it_was_said() {
    JsonObject said = JsonObject.of("variables", JsonObject.of("a", 1));
    assertThat(new TerminalEvent.StateChanged(said).kind()).isEqualTo("terminal.state_changed");
    assertThat(new TerminalEvent.StateChanged(said).payload()).isEqualTo(said);
    assertThat(new TerminalEvent.Checkpointed(said).kind()).isEqualTo("terminal.checkpointed");
    TerminalState none = TerminalState.none("t-1", NOON);
    assertThat(none.terminal()).isEqualTo("t-1");
    assertThat(none.stamps()).isEqualTo(new TerminalState.Stamps(0, NOON, NOON));
  }

  @Test
  void a_task_is_told_when_it_is_made_and_when_its_holder_takes_it_on() {
    var brief = new Task.Brief("write", "all", TaskType.CODE, 1, JsonObject.EMPTY);
    var created = new TaskEvent.Created(brief, "WF-001", TASK, List.of());
    assertThat(created.kind()).isEqualTo("task.created");
    assertThat(created.payload().text("parent_id")).isEqualTo("T-001");
    Task task = created.first(TaskId.of(2), NOON);
    assertThat(task.title()).isEqualTo("write");
    var accepted = new AttemptEvent.Accepted();
    assertThat(accepted.payload()).isEqualTo(JsonObject.EMPTY);
    assertThat(accepted.kind()).isEqualTo("task.accepted");
    assertThat(accepted.applyTo(task, NOON).stamps().version()).isEqualTo(2);
  }

  @Test
  void a_profile_shows_its_servers_by_name() {
    var local = new McpServer("l", List.of("run", "-x"), null, Map.of("A", "1"));
    var remote = new McpServer("r", List.of(), "https://a/b", Map.of());
    var profile =
        new AgentProfile(
            "coder",
            new AgentProfile.About("writes code", "worker"),
            new AgentProfile.Engine("claude-code", "m", List.of("Read"), List.of(local, remote)),
            new AgentProfile.Prompts("be brief", "begin"));
    JsonObject servers =
        JsonObject.of("l", JsonObject.of("command", List.of("run", "-x"), "env", Map.of("A", "1")))
            .with("r", JsonObject.of("url", "https://a/b"));
    assertThat(profile.toJson())
        .isEqualTo(
            JsonObject.of("name", "coder", "description", "writes code", "role", "worker")
                .with("provider", "claude-code")
                .with("model", "m")
                .with("allowed_tools", List.of("Read"))
                .with("mcp_servers", servers)
                .with("system_prompt", "be brief")
                .with("initial_prompt", "begin"));
  }

  @Test
  void a_delegation_that_stopped_says_why_in_one_line() {
    var notice = new Delegation.Notice(" no\nfree\tterminal ", false);
    assertThat(notice.reason()).isEqualTo("no free terminal");
    assertThat(new Delegation.Notice("x".repeat(600), false).reason()).hasSize(500);
    var site = new Delegation.Site("host", "s", "/repo");
    var wish = new Delegation.Wish("coder", null, site, false);
    assertThat(Delegation.wanted(TASK, "dev-1", wish, NOON).isByTerminal()).isTrue();
    assertThat(Delegation.wanted(TASK, "dev-1", wish, NOON).actor())
        .isEqualTo(Actor.agent("dev-1"));
    assertThat(Delegation.wanted(TASK, "person:ada", wish, NOON).isByTerminal()).isFalse();
    assertThat(Delegation.wanted(TASK, "person:ada", wish, NOON).actor())
        .isEqualTo(Actor.person("ada"));
  }
}
