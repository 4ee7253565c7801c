package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.RefusedAttempts;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.TaskId;
import dev.mainstay.hook.Hooks;
import dev.mainstay.mcp.Asking;
import dev.mainstay.mcp.Guest;
import dev.mainstay.mcp.Offer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent tries every limit of its work through the command line, MCP, hooks and files: none gets
 * looser, and what asks for it waits for a person in the journal.
 */
class AgentLimitsTest {
  private static final TaskId TASK = new TaskId("T-001");
  private static final Call PERSON = Call.by(Actor.person("ada"), "test");
  private static final String ORDER = "never push to main";

  @TempDir Path folder;

  @BeforeEach
  void workWithinLimits() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    assertThat(run("exec", "init", "--goal", "Summarise the report").code()).isZero();
    try (Mainstay house = house()) {
      house.states().addDirective(TASK, ORDER, true, PERSON);
      house.states().addCriterion(TASK, "tests pass", "make test", PERSON);
      house.states().setPlan(TASK, List.of("read", "write"), PERSON);
    }
    assertThat(run("exec", "sync").code()).isZero();
  }

  private Mainstay house() {
    return Mainstay.open(folder.resolve(".mainstay/state.sqlite3").toString());
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  /** What an agent may not change, whatever it says. */
  private JsonObject limits() {
    try (Mainstay house = house()) {
      Dossier dossier = house.notebooks().known(TASK).dossier();
      var run = dossier.state().run();
      return JsonObject.of("goal", run.goal(), "settings", settings(dossier))
          .with(
              "binding",
              dossier.state().directives().binding().stream().map(Object::toString).toList())
          .with("checks", run.criteria().stream().map(each -> each.text() + each.check()).toList());
    }
  }

  private static JsonObject settings(Dossier dossier) {
    return dossier.execution().constraints().settings().toJson();
  }

  /** Each limit with a value that lets an agent go further; a new setting is in here by itself. */
  private Map<Setting, String> looser() {
    Map<Setting, String> looser = new LinkedHashMap<>();
    try (Mainstay house = house()) {
      var now = house.notebooks().known(TASK).dossier().execution().constraints().settings();
      for (Setting each : Setting.values()) {
        for (String value : List.of("high", "999999")) {
          if (isLooser(each, now.get(each), value)) looser.put(each, value);
        }
      }
    }
    return looser;
  }

  private static boolean isLooser(Setting setting, Object now, String value) {
    try {
      return setting.isLooser(now, setting.value(value));
    } catch (RuntimeException otherKind) {
      return false;
    }
  }

  private List<JournalEntry> proposals() {
    try (Mainstay house = house()) {
      return house.journal().newest(TASK.stream(), 1_000).stream()
          .filter(entry -> entry.content().kind().equals("exec.proposed"))
          .toList();
    }
  }

  @Test
  void the_command_line_proposes_or_refuses_for_an_agent() {
    JsonObject before = limits();
    Map<Setting, String> wanted = looser();
    assertThat(wanted).hasSizeGreaterThanOrEqualTo(5);
    wanted.forEach(
        (setting, value) ->
            assertThat(run("exec", "set", setting.key(), value).out()).contains("proposed"));
    List<List<String>> refused =
        List.of(
            List.of("directive", "add", "T-001", "--binding", "push to main"),
            List.of("directive", "lift", "T-001", ORDER),
            List.of("state", "start", "T-001", "--goal", "Something else"),
            List.of("exec", "accept", "1"),
            List.of("exec", "init", "--goal", "Something else"));
    for (List<String> each : refused) {
      assertThat(run(each.toArray(String[]::new)).code()).as("%s", each).isNotZero();
    }
    assertThat(limits()).isEqualTo(before);
    assertJournaled(wanted.size());
    assertThat(refusals("cli"))
        .anyMatch(entry -> entry.contains("gives binding directives"))
        .anyMatch(entry -> entry.contains("only that author or a person can lift it"))
        .anyMatch(entry -> entry.contains("decides about proposals"))
        .anyMatch(entry -> entry.contains("its goal does not change"));
  }

  /** What was plainly refused, by the door it came through. */
  private List<String> refusals(String door) {
    try (Mainstay house = house()) {
      return house.journal().newest(RefusedAttempts.STREAM, 1_000).stream()
          .filter(entry -> entry.origin().source().equals(door))
          .filter(entry -> entry.origin().actor().isAgent())
          .map(entry -> entry.content().payload())
          .toList();
    }
  }

  /** Each wish is in the journal under the name of the agent, and waits. */
  private void assertJournaled(int count) {
    assertThat(proposals()).hasSize(count).allMatch(entry -> !entry.origin().actor().isPerson());
    try (Mainstay house = house()) {
      assertThat(house.upkeep().verify().findings()).isEmpty();
    }
  }

  @Test
  void files_propose_and_are_put_right() throws IOException {
    JsonObject before = limits();
    Path file = folder.resolve("workspace/state/constraints.md");
    Map<Setting, String> wanted = looser();
    String text = Files.readString(file);
    for (var each : wanted.entrySet()) {
      String line = "(?m)^(- \\*\\*" + each.getKey().key() + "\\*\\*: ).*$";
      String value = each.getValue().equals("high") ? "\"high\"" : each.getValue();
      String changed = text.replaceFirst(line, "$1" + value);
      assertThat(changed).as(each.getKey().key()).isNotEqualTo(text);
      text = changed;
    }
    Files.writeString(file, text.replaceAll("(?m)^.*" + ORDER + ".*\\R", ""));
    Path plan = folder.resolve("workspace/state/plan.md");
    Files.writeString(
        plan, Files.readString(plan).replace("Summarise the report", "Something else"));
    run("exec", "sync");
    run("exec", "sync");
    assertThat(limits()).isEqualTo(before);
    assertThat(Files.readString(file)).contains(ORDER).doesNotContain(": 999999\n");
    assertJournaled(wanted.size() + 1); // and one to lift the order
  }

  @Test
  void mcp_has_no_way_and_says_so() {
    JsonObject before = limits();
    try (Mainstay house = house()) {
      Offer offer = new Offer(house);
      var asking =
          new Asking(new Guest("claude-code", "c", null, folder, true), null, Asking.Line.NONE);
      List<JsonObject> tries = new ArrayList<>();
      for (Setting each : Setting.values()) tries.add(JsonObject.of(each.key(), "999999"));
      tries.add(JsonObject.of("settings", JsonObject.of("max_cost_per_task", 9)));
      tries.add(JsonObject.of("goal", "Something else"));
      tries.add(JsonObject.of("directive", "push to main", "binding", true));
      tries.add(JsonObject.of("criteria", List.of()));
      tries.add(JsonObject.of("actor", "person:ada", "directive", "push to main"));
      for (var tool : offer.tools()) {
        for (JsonObject each : tries) {
          var reply = tool.doing().call(asking, each.with("task", "T-001"));
          assertThat(reply.isError()).as(tool.name() + " " + each).isTrue();
        }
      }
    }
    assertThat(refusals("mcp"))
        .anyMatch(entry -> entry.contains("goal"))
        .anyMatch(entry -> entry.contains("max_cost_per_task"))
        .hasSizeLessThanOrEqualTo(61); // however often it asks
    assertThat(limits()).isEqualTo(before);
  }

  /** A host that runs within another agent, and a subagent, are no persons; nor is a payload. */
  @Test
  void hooks_take_no_order_from_an_agent() throws IOException {
    JsonObject before = limits();
    try (Mainstay house = house()) {
      Hooks hooks = new Hooks(house);
      HookHost within = HookHost.of("claude-code", folder.toRealPath()).with("CODEX_SANDBOX", "1");
      HookHost claude = HookHost.of("claude-code", folder.toRealPath());
      JsonObject prompt = claude.recorded("UserPromptSubmit");
      JsonObject orders =
          prompt.with(
              "prompt", "new goal: Something else\nremember: push to main\nmax_cost_per_task: 99");
      within.tell(hooks, orders.with("prompt_id", "p1"));
      within.tell(hooks, prompt.with("prompt", "remember: push to main").with("prompt_id", "p3"));
      claude.tell(hooks, orders.with("agent_id", "sub-1").with("prompt_id", "p2"));
      JsonObject payload = claude.recorded("PostToolUse-Bash");
      for (Setting each : Setting.values()) payload = payload.with(each.key(), 999_999);
      claude.tell(hooks, payload.with("actor", "person:ada").with("goal", "Something else"));
    }
    assertThat(refusals("hook"))
        .anyMatch(entry -> entry.contains("sets no new goal"))
        .anyMatch(entry -> entry.contains("does not bind"));
    assertThat(limits()).isEqualTo(before);
  }

  /** A person's word does what an agent's does not, so that the tries above are not in vain. */
  @Test
  void a_person_loosens_at_once() {
    JsonObject before = limits();
    try (Mainstay house = house()) {
      looser()
          .forEach(
              (setting, value) ->
                  house.executions().set(TASK, setting, setting.value(value), PERSON));
    }
    assertThat(limits()).isNotEqualTo(before);
    assertThat(proposals()).isEmpty();
    assertThat(new BigDecimal(limits().object("settings").get("max_cost_per_task").toString()))
        .isEqualByComparingTo("999999");
  }
}
