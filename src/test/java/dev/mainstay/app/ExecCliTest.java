package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mainstay exec ...} as an agent calls it, with a person's part through the library. */
class ExecCliTest {
  private static final Call PERSON = Call.by(Actor.person("ada"), "test");
  private static final TaskId TASK = TaskId.of(1);

  @TempDir Path temp;
  private Path folder;

  @BeforeEach
  void aProject() throws IOException {
    folder = Files.createDirectories(temp.toRealPath().resolve("project"));
    Files.createDirectory(folder.resolve(".git"));
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  private Path file(String name) {
    return folder.resolve("workspace/state").resolve(name);
  }

  private String text(String name) throws IOException {
    return Files.readString(file(name));
  }

  private void edit(String name, String from, String to) throws IOException {
    String text = text(name);
    assertThat(text).contains(from);
    Files.writeString(file(name), text.replace(from, to));
  }

  private void asPerson(Consumer<Mainstay> use) {
    String store = folder.resolve(".mainstay/state.sqlite3").toString();
    try (Mainstay mainstay = Mainstay.open(store)) {
      use.accept(mainstay);
    }
  }

  private void begun(String... steps) {
    ok("exec", "init", "--goal", "Summarise the report");
    if (steps.length == 0) return;
    asPerson(mainstay -> mainstay.states().setPlan(TASK, List.of(steps), PERSON));
    ok("exec", "sync");
  }

  @Test
  void init_makes_five_files_and_goes_on_with_them_when_called_again() throws IOException {
    String made = ok("exec", "init", "--goal", "Summarise the report", "--type", "legal");

    assertThat(made)
        .matches("began exec_\\d{8}T\\d{6}Z_[0-9a-f-]{36} for T-001 in .*/workspace/state\n");
    CliRun again =
        run("exec", "init", "--goal", "Another", "--dir", folder.resolve("second").toString());
    assertThat(again.err())
        .contains("limits: $0.50, 300 seconds, 20 file operations, 5 web requests;");
    assertThat(text("constraints.md"))
        .contains("- **error_tolerance**: \"strict\"")
        .contains("- **human_review_trigger_level**: \"low\"");
    assertThat(ok("exec", "init", "--goal", "Summarise the report")).startsWith("going on with");
    CliRun other = run("exec", "init", "--goal", "Something else");
    assertThat(other.code()).isEqualTo(4);
    assertThat(other.err()).contains("with another goal").contains("choose another --dir");
    assertThat(run("exec", "init", "--dir", folder.resolve("new").toString()).code()).isEqualTo(1);
  }

  @Test
  void a_folder_with_files_of_others_is_refused_untouched() throws IOException {
    Files.createDirectories(file(""));
    Files.writeString(file("plan.md"), "mine\n");

    CliRun run = run("exec", "init", "--goal", "Summarise the report");

    assertThat(run.code()).isEqualTo(4);
    assertThat(run.err()).contains("mainstay exec import");
    assertThat(text("plan.md")).isEqualTo("mine\n");
    assertThat(ok("task", "list")).doesNotContain("Summarise");
  }

  @Test
  void a_step_is_started_with_its_inputs_and_finished_with_what_it_took() throws IOException {
    begun("Fetch", "Write");
    edit("variables.json", "\"temp_dir\": \"workspace/temp/\"", "\"temp_dir\": \"tmp/\"");
    edit(
        "plan.md",
        "### Step 1: Fetch\n",
        "### Step 1: Fetch\n- **inputs**:\n  - into: {{file_paths.temp_dir}}\n  - tries: 3\n");
    Files.writeString(
        file("plan.md"), text("plan.md").replaceFirst("- \\*\\*inputs\\*\\*:\\s*\n(?!  -)", ""));

    assertThat(ok("exec", "step", "start"))
        .isEqualTo("step 1 is under way\n  into: tmp/\n  tries: 3\n");
    assertThat(
            ok(
                "exec",
                "step",
                "finish",
                "--output",
                "12 pages",
                "--cost",
                "$0.45",
                "--time",
                "2m",
                "--tool",
                "WebFetch",
                "--set",
                "extracted_data.pages=12"))
        .isEqualTo("the step is done\n");

    assertThat(text("history.md"))
        .contains("- **real_inputs**: {\"into\":\"tmp/\",\"tries\":3}")
        .contains("- **real_outputs**: 12 pages")
        .contains("- **actual_cost**: $0.45")
        .contains("- **actual_time**: 120s");
    assertThat(text("variables.json")).contains("\"pages\": 12");
    assertThat(text("constraints.md")).contains("- **priority**: \"cost_efficiency\"");
    assertThat(ok("plan", "show", "T-001")).startsWith("[done] 1. Fetch");
    assertThat(ok("exec", "show")).contains("$0.45").contains("120s");
  }

  @Test
  void a_reference_that_leads_nowhere_is_refused_with_near_names() throws IOException {
    begun("Fetch");
    edit("plan.md", "- **inputs**:", "- **inputs**:\n  - into: {{file_paths.tmp_dir}}");

    CliRun run = run("exec", "step", "start");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("\"file_paths.tmp_dir\"").contains("file_paths.temp_dir");
    CliRun check = run("exec", "check");
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.out()).containsPattern("plan\\.md:\\d+: .*file_paths\\.temp_dir");
  }

  @Test
  void a_passed_limit_pauses_and_runs_the_command_that_tells_a_person() throws IOException {
    Path told = temp.resolve("told.txt");
    Path script = temp.resolve("tell");
    Files.writeString(script, "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '" + told + "'\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    begun("Fetch", "Write");
    Files.writeString(
        folder.resolve(".mainstay/config.toml"), "[notify]\ncommand = \"" + script + "\"\n");
    ok("exec", "step", "start");

    CliRun run = run("exec", "step", "finish", "--cost", "0.51");

    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("paused for a person's review").contains("$0.51 of $0.50");
    assertThat(told).content().contains("max_cost_per_task is passed");
    assertThat(text("plan.md")).contains("- **status**: PAUSED");
    assertThat(run("exec", "step", "start").code()).isEqualTo(4);
    assertThat(run("exec", "resume").code()).isEqualTo(4);
    CliRun looser = run("exec", "set", "max_cost_per_task", "2");
    assertThat(looser.out()).isEqualTo("it was proposed\n");
    assertThat(text("constraints.md")).contains("- **max_cost_per_task**: 0.50");
    assertThat(ok("exec", "accept")).startsWith("1. max_cost_per_task: $0.50 to $2.00");
    assertThat(ok("exec", "accept", "--task", "T-001"))
        .startsWith("1. max_cost_per_task: $0.50 to $2.00");
    assertThat(run("exec", "accept", "1").code()).isEqualTo(4);
    assertThat(run("exec", "accept", "1", "--task", "T-001").code()).isEqualTo(4);
    asPerson(
        mainstay -> {
          mainstay.executions().settle(TASK, 1, true, PERSON);
          mainstay.executions().resume(TASK, PERSON);
        });
    ok("exec", "sync");
    assertThat(text("constraints.md"))
        .contains("- **max_cost_per_task**: 2.00")
        .doesNotContain("Open Proposals");
    assertThat(ok("exec", "step", "start")).startsWith("step 2 is under way");
  }

  @Test
  void what_cannot_be_read_is_told_with_line_and_column_and_left_alone() throws IOException {
    begun("Fetch");
    String broken = text("variables.json").replaceFirst(",", ",,");
    Files.writeString(file("variables.json"), broken);
    edit(
        "constraints.md",
        "- If execution time",
        "- If tmie > 3 -> set priority to quality\n- If execution time");

    CliRun sync = run("exec", "sync");

    assertThat(sync.code()).isEqualTo(1);
    assertThat(sync.err())
        .containsPattern("variables\\.json:\\d+: column \\d+: ")
        .containsPattern("constraints\\.md:\\d+: .*\"tmie\" is no figure");
    assertThat(text("variables.json")).isEqualTo(broken);
  }

  @Test
  void a_finished_execution_leaves_its_trace_and_a_line_of_experience() throws IOException {
    begun("Fetch");
    ok("exec", "step", "start");
    ok("exec", "step", "finish", "--output", "done", "--cost", "0.01");

    assertThat(ok("exec", "finish", "--why", "all read"))
        .isEqualTo("the execution ended in success\n");

    JsonObject trace = JsonText.object(ok("exec", "export", "--trace"));
    assertThat(trace.text("final_outcome")).isEqualTo("success");
    assertThat(trace.asMap())
        .containsKeys(
            "execution_id",
            "scenario",
            "totals",
            "tool_calls",
            "state_transitions",
            "quality_metrics");
    assertThat(trace.objects("state_transitions").get(0).text("kind")).isEqualTo("exec.begun");
    assertThat(trace.objects("state_transitions"))
        .filteredOn(each -> each.text("kind").equals("state.step_moved"))
        .allMatch(each -> each.object("what").number("step") == 1);
    JsonObject line = JsonText.object(ok("exec", "export", "--training").strip());
    assertThat(line.asMap())
        .containsKeys(
            "conversation_trace", "tool_calls", "state_transitions", "performance_metrics");
    List<String> log = Files.readAllLines(folder.resolve(".mainstay/log/experience.jsonl"));
    assertThat(log).hasSize(1);
    assertThat(JsonText.object(log.get(0)).text("final_outcome")).isEqualTo("success");
    assertThat(ok("state", "show", "T-001", "--json")).contains("\"phase\":\"FINISHED\"");
    assertThat(run("exec", "init", "--goal", "Again").err()).contains("which is over");
  }

  @Test
  void training_takes_a_conversation_and_a_simulation_gives_none() throws IOException {
    ok("exec", "init", "--goal", "Play it", "--mode", "simulation");
    CliRun none = run("exec", "export", "--training");
    assertThat(none.code()).isEqualTo(4);
    assertThat(none.err()).contains("SIMULATION");
    assertThat(text("history.md")).doesNotContain("Training Data");
    String dir = folder.resolve("real").toString();
    ok("exec", "init", "--goal", "Do it", "--dir", dir);
    Path chat = temp.resolve("chat.jsonl");
    Files.writeString(chat, "{\"role\":\"user\",\"content\":\"go\"}\n\n{\"role\":\"assistant\"}\n");
    JsonObject line =
        JsonText.object(
            ok("exec", "export", "--training", "--conversation", chat.toString(), "--dir", dir));
    assertThat(line.list("conversation_trace")).hasSize(2);
    Files.writeString(chat, "{\"role\":\n");
    CliRun bad =
        run("exec", "export", "--training", "--conversation", chat.toString(), "--dir", dir);
    assertThat(bad.err()).contains("line 1 of the conversation");
  }

  @Test
  void what_was_deleted_is_written_again_from_the_store() throws IOException {
    begun("Fetch", "Write");
    ok("exec", "step", "start");
    ok("exec", "step", "finish", "--output", "done");
    edit("plan.md", "## Steps", "## Mine\n\nKeep me.\n\n## Steps");
    ok("exec", "sync");
    String plan = text("plan.md");
    String history = text("history.md");
    ok("exec", "pause");
    for (String name : List.of("plan.md", "history.md", "context.md")) Files.delete(file(name));
    Files.delete(file("variables.json"));
    Files.delete(file("constraints.md"));
    Files.delete(file(".mainstay.lock"));
    Files.delete(file(".gitignore"));
    Files.delete(file(""));

    assertThat(ok("exec", "resume")).isEqualTo("the execution goes on\n");

    assertThat(text("history.md"))
        .isEqualTo(
            history.replace(
                "PLANNING -> IN_PROGRESS", "PLANNING -> IN_PROGRESS -> PAUSED -> IN_PROGRESS"));
    assertThat(text("plan.md").lines().filter(line -> !line.contains("last_updated")))
        .containsExactlyElementsOf(
            plan.lines().filter(line -> !line.contains("last_updated")).toList());
  }

  @Test
  void files_alone_make_the_execution_anew_in_an_empty_store() throws IOException {
    begun("Fetch", "Write");
    ok("exec", "step", "start");
    ok("exec", "step", "finish", "--error", "no answer");
    Path elsewhere = Files.createDirectories(temp.resolve("elsewhere/state"));
    for (String name :
        List.of("plan.md", "context.md", "variables.json", "history.md", "constraints.md")) {
      Files.copy(file(name), elsewhere.resolve(name));
    }
    Path other = Files.createDirectories(temp.resolve("other/.git")).getParent();

    CliRun run = CliRun.of(other, "", "exec", "import", elsewhere.toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).endsWith("is now T-001\n");
    CliRun plan = CliRun.of(other, "", "plan", "show", "T-001");
    assertThat(plan.out()).startsWith("[failed] 1. Fetch - no answer\n[todo] 2. Write");
    CliRun again = CliRun.of(other, "", "exec", "import", elsewhere.toString());
    assertThat(again.code()).isEqualTo(4);
    assertThat(again.err()).contains("mainstay exec sync");
  }

  @Test
  void tools_that_are_no_list_are_refused_with_the_form_of_one() {
    begun("Fetch");
    for (String wrong : List.of("Read", "[Read, Write]", "{}", "")) {
      CliRun run = run("exec", "set", "preferred_tools", wrong);
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err())
          .contains("preferred_tools is a list such as [\"Read\", \"Write\"]")
          .doesNotContain("JSON");
    }
    assertThat(ok("exec", "set", "preferred_tools", "[\"Read\"]")).contains("is now [Read]");
  }

  @Test
  void a_check_makes_no_store_where_there_is_none() throws IOException {
    begun("Fetch");
    Path other = Files.createDirectories(temp.toRealPath().resolve("other/.git")).getParent();
    String state = file("").toString();

    CliRun check = CliRun.of(other, "", "exec", "check", state);

    assertThat(check.code()).as(check.err()).isZero();
    assertThat(check.out()).contains("mainstay exec import").contains("can be read");
    Files.writeString(file("variables.json"), "{");
    assertThat(CliRun.of(other, "", "exec", "check", state).code()).isEqualTo(1);
    assertThat(other.resolve(".mainstay")).doesNotExist();
  }

  @Test
  void whoever_has_no_fence_may_still_look_while_somebody_holds_the_task() throws IOException {
    begun("Fetch");
    ok("task", "claim", "--as", "other");
    edit("plan.md", "### Step 1: Fetch", "### Step 1: Fetch it");
    String edited = text("plan.md");

    for (List<String> look :
        List.of(List.of("show"), List.of("accept"), List.of("export", "--trace"))) {
      List<String> words = new ArrayList<>(List.of("exec"));
      words.addAll(look);
      CliRun run = run(words.toArray(String[]::new));
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err()).contains("were not brought into step").contains("held by");
    }
    assertThat(ok("exec", "show", "--json")).contains("were not brought into step");
    assertThat(run("exec", "sync").code()).isEqualTo(4);
    assertThat(run("exec", "step", "start").code()).isEqualTo(4);
    assertThat(text("plan.md")).isEqualTo(edited);
  }

  @Test
  void feedback_is_a_persons() throws IOException {
    begun("Fetch");
    CliRun run = run("exec", "feedback", "great work");
    assertThat(run.code()).isEqualTo(4);
    assertThat(run.err()).contains("feedback is a person's");
    assertThat(run("exec", "feedback", "the tests are green").err()).contains("--positive");
    asPerson(mainstay -> mainstay.executions().feedback(TASK, "great work", null, PERSON));
    ok("exec", "sync");
    assertThat(text("constraints.md")).contains("- **user_sentiment**: \"pleased\"");
  }
}
