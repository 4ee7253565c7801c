package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.House;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workflows by commands, over a real store. */
class WorkflowCliTest {
  private static final Call ADA = Call.by(Actor.person("ada"), "test");
  private static final Path EXAMPLES = Path.of("examples").toAbsolutePath();

  /** Built, then a person is asked; between them a gateway that goes by a variable. */
  private static final String SHIP =
      """
      {"name": "ship", "title": "Ship it", "nodes": [
         {"id": "start", "kind": "start_event"},
         {"id": "build", "kind": "service_task", "title": "Build {{branch}}"},
         {"id": "sure", "kind": "user_task", "title": "Ship {{branch}}?",
          "answers": ["yes", "no"]},
         {"id": "which", "kind": "exclusive_gateway"},
         {"id": "shipped", "kind": "end_event"}, {"id": "left", "kind": "end_event"}],
       "edges": [
         {"source": "start", "target": "build"}, {"source": "build", "target": "sure"},
         {"source": "sure", "target": "which"},
         {"source": "which", "target": "shipped", "condition": "answer == 'yes'"},
         {"source": "which", "target": "left", "default": true}]}""";

  @TempDir Path temp;
  Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectories(temp.resolve("my project"));
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, SHIP, args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  private JsonObject json(String... args) {
    return JsonText.object(ok(args));
  }

  private void refused(int code, String words, String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
    assertThat(run.err()).contains(words);
  }

  @Test
  void the_variables_a_workflow_reads_are_shown_and_missing_ones_are_named_at_the_start() {
    ok("workflow", "import", EXAMPLES.resolve("release.bpmn").toString());
    assertThat(ok("workflow", "show", "release")).contains("variables it reads: version");
    assertThat(json("workflow", "show", "release", "--json").list("inputs"))
        .isEqualTo(java.util.List.of("version"));
    assertThat(run("workflow", "start", "release").err())
        .contains("note: it reads version, which was not given")
        .contains("note: a running server places its tasks for agents");
    assertThat(run("workflow", "start", "release", "--var", "version=1.4.0").err())
        .doesNotContain("was not given", "releaser");
  }

  @Test
  void every_example_names_its_variables_and_uses_profiles_that_exist() throws IOException {
    try (var files = Files.list(EXAMPLES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".bpmn")).toList()) {
        String header = Files.readString(file);
        String name = ok("workflow", "import", file.toString()).split(" ")[1];
        for (Object input : json("workflow", "show", name, "--json").list("inputs")) {
          assertThat(header).as(file.toString()).containsPattern("Variables:[^>]*" + input);
        }
        assertThat(run("workflow", "start", name).err()).doesNotContain("there is no profile");
      }
    }
  }

  /** The id of an execution that was just started. */
  private String started() {
    ok("workflow", "import", "-");
    return ok("workflow", "start", "ship", "--var", "branch=main").strip();
  }

  /** Takes the task that is ready and ends it. */
  private void work(String verb, String... more) {
    JsonObject task = json("task", "claim", "--as", "coder-1", "--json").objects("tasks").get(0);
    String[] args = new String[5 + more.length];
    args[0] = "task";
    args[1] = verb;
    args[2] = task.text("id");
    args[3] = "--fence";
    args[4] = task.text("fence");
    System.arraycopy(more, 0, args, 5, more.length);
    ok(args);
  }

  /** An answer is a person's, and nobody is at a terminal here. */
  private House asPerson() {
    return new Wiring(Map.of(), folder).open(null);
  }

  @Test
  void a_workflow_is_taken_in_listed_shown_and_given_back() throws IOException {
    String file = EXAMPLES.resolve("release.bpmn").toString();
    assertThat(ok("workflow", "import", file)).startsWith("WF-001 release version 1\n");
    assertThat(ok("workflow", "import", file)).startsWith("WF-001 release version 1, as it was\n");
    assertThat(ok("workflow", "list"))
        .containsPattern("NAME +VERSION +ID +UNDER WAY +TITLE")
        .containsPattern("release +1 +WF-001 +0 +Release with approval");
    assertThat(ok("workflow", "show", "release"))
        .startsWith("WF-001 release version 1: Release with approval\n")
        .containsPattern("build +service_task +Build and test +approve")
        .containsPattern("approved +exclusive_gateway +Approved\\? +publish if .+\n +rejected oth");
    assertThat(json("workflow", "show", "WF-001", "--json").objects("nodes")).isNotEmpty();
    Path output = folder.resolve("again.bpmn");
    ok("workflow", "export", "release", "--output", output.toString());
    assertThat(ok("workflow", "export", "release@1")).isEqualTo(Files.readString(output));
    assertThat(ok("workflow", "import", output.toString())).contains("version 1, as it was");
    refused(3, "mainstay workflow list", "workflow", "show", "relase");
  }

  @Test
  void a_check_keeps_nothing_and_a_drawing_that_cannot_run_is_refused_line_by_line()
      throws IOException {
    Path good = Files.writeString(folder.resolve("good.json"), SHIP);
    assertThat(ok("workflow", "import", "--check", good.toString()))
        .isEqualTo("nothing speaks against it\n");
    Path bad =
        Files.writeString(folder.resolve("bad.json"), SHIP.replace("== 'yes'", "== 'yes' +"));
    CliRun checked = run("workflow", "import", "--check", bad.toString());
    assertThat(checked.code()).isEqualTo(1);
    assertThat(checked.out()).containsPattern("^which_to_shipped: .+; .+\n");
    CliRun refused = run("workflow", "import", bad.toString());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .containsPattern("^which_to_shipped: .+; .+\n")
        .contains("bad.json cannot be run like this, and nothing was taken in");
    CliRun json = run("workflow", "import", bad.toString(), "--json");
    assertThat(JsonText.object(json.err()).objects("problems").get(0).get("fatal")).isEqualTo(true);
    assertThat(run("workflow", "list").code()).isEqualTo(3); // not even a store was made
  }

  @Test
  void an_execution_goes_from_its_task_to_its_question_to_its_end() {
    String id = started();
    assertThat(id).startsWith("exec-");
    assertThat(ok("workflow", "show", id))
        .startsWith(id + " is RUNNING at build\n")
        .contains("session:    my-project\n", "variable:   branch = \"main\"\n")
        .contains("waits for:  TASK at build: T-001\n            mainstay task show T-001\n");
    assertThat(ok("task", "show", "T-001")).contains("Build main");
    work("complete", "--result", "{\"size\": 3}");
    String shown = ok("workflow", "show", id);
    assertThat(shown)
        .contains("variable:   build_result = {\"size\":3}\n")
        .contains("waits for:  ANSWER at sure: Ship main?\n")
        .contains("mainstay workflow answer " + id + " sure --answer yes\n")
        .containsPattern("build +\\S+Z +agent:codex +\\d+\\.\\d{3}s +agent:\\S+ +LEFT\n")
        .containsPattern("sure +\\S+Z +agent:\\S+ +- +- +still there\n");
    assertThat(ok("workflow", "questions"))
        .startsWith("Ship main? (sure, since ")
        .contains("  mainstay workflow answer " + id + " sure --answer yes   # or: no\n");
    refused(4, "only a person", "workflow", "answer", id, "sure", "--answer", "yes");
    try (House house = asPerson()) {
      house.workflowExecutions().answer(id, "sure", JsonObject.of("answer", "yes"), ADA);
    }
    JsonObject ended = json("workflow", "show", id, "--json");
    assertThat(ended.text("status")).isEqualTo("COMPLETED");
    assertThat(ended.objects("waits_for")).isEmpty();
    assertThat(ended.objects("visits"))
        .extracting(visit -> visit.text("node"))
        .containsExactly("start", "build", "sure", "which", "shipped");
    assertThat(run("workflow", "questions").err()).contains("nobody is asked anything");
    assertThat(ok("verify")).startsWith("all is well");
  }

  @Test
  void variables_are_what_they_look_like() {
    ok("workflow", "import", "-");
    JsonObject begun =
        json(
            "workflow",
            "start",
            "ship",
            "--json",
            "--vars",
            "{\"branch\": \"old\", \"depth\": 1}",
            "--var",
            "branch=a=b",
            "--var",
            "count=3",
            "--var",
            "share=0.25",
            "--var",
            "dry=true",
            "--var",
            "names=[\"ada\", \"max\"]",
            "--var",
            "zip=\"01234\"",
            "--var",
            "version=1.2.0",
            "--session",
            "elsewhere");
    assertThat(begun.object("execution_data").object("variables"))
        .isEqualTo(
            JsonText.object(
                """
                {"branch": "a=b", "depth": 1, "count": 3, "share": 0.25, "dry": true,
                 "names": ["ada", "max"], "zip": "01234", "version": "1.2.0"}"""));
    assertThat(begun.text("session_name")).isEqualTo("elsewhere");
    refused(1, "JSON's quotes", "workflow", "start", "ship", "--var", "x=[draft");
  }

  @Test
  void what_went_wrong_is_tried_again_or_skipped_by_a_person() {
    String id = started();
    work("fail", "--error", "E17: no network");
    assertThat(ok("workflow", "show", id))
        .contains("waits for:  INCIDENT at build: ", "no network")
        .contains("mainstay workflow resume " + id + " --retry build\n");
    refused(4, "build", "workflow", "resume", id, "--retry", "sure");
    refused(1, "--retry or --skip", "workflow", "resume", id, "--retry", "a", "--skip", "b");
    refused(1, "--retry NODE", "workflow", "resume", id, "--var", "a=1");
    refused(1, "--skip NODE", "workflow", "resume", id, "--result", "{}");
    refused(4, "only a person", "workflow", "resume", id, "--skip", "build");
    refused(4, "only a person", "workflow", "resume", id, "--retry", "build", "--var", "branch=x");
    try (House house = asPerson()) {
      house.workflowExecutions().retry(id, "build", JsonObject.of("branch", "next"), ADA);
    }
    assertThat(ok("task", "list")).contains("Build next");
    work("complete");
    assertThat(json("workflow", "questions", "--json").objects("questions").get(0).text("question"))
        .isEqualTo("Ship next?");
  }

  @Test
  void a_paused_execution_begins_nothing_until_it_is_resumed() {
    String id = started();
    refused(4, "only a person", "workflow", "pause", id, "--reason", "holidays", "--key", "k");
    try (House house = asPerson()) {
      house.workflowExecutions().pause(id, "holidays", ADA);
    }
    work("complete");
    assertThat(json("workflow", "questions", "--json").objects("questions")).isEmpty();
    refused(4, "only a person", "workflow", "resume", id);
    try (House house = asPerson()) {
      house.workflowExecutions().resume(id, ADA);
    }
    assertThat(ok("workflow", "executions", "ship", "--status", "running"))
        .containsPattern("EXECUTION +STATUS")
        .contains(id);
    refused(4, "only a person", "workflow", "cancel", id);
    try (House house = asPerson()) {
      house.workflowExecutions().cancel(id, "not needed", ADA);
    }
    assertThat(ok("workflow", "list")).containsPattern("ship +1 +WF-001 +0 +Ship it");
    assertThat(json("workflow", "executions", "--status", "cancelled", "--json").get("next"))
        .isNull();
    refused(1, "did you mean \"running\"?", "workflow", "executions", "--status", "runing");
  }

  @Test
  void a_message_reaches_who_waits_for_it_and_is_kept_only_if_that_is_wanted() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("hears.json"),
            """
            {"name": "hears", "title": "", "nodes": [
               {"id": "start", "kind": "start_event"},
               {"id": "news", "kind": "receive_task",
                "message": {"name": "built", "correlation": "branch"}},
               {"id": "end", "kind": "end_event"}],
             "edges": [{"source": "start", "target": "news"},
                       {"source": "news", "target": "end"}]}""");
    ok("workflow", "import", file.toString());
    refused(4, "nobody waits for", "workflow", "message", "built", "--correlation", "main");
    String id = ok("workflow", "start", "hears", "--var", "branch=main").strip();
    String told = "mainstay workflow message built --correlation main --execution " + id;
    assertThat(ok("workflow", "show", id)).contains("            " + told + "\n");
    assertThat(ok((told.substring("mainstay ".length()) + " --var ok=true").split(" ")))
        .isEqualTo(id + " is COMPLETED\n");
    assertThat(ok("workflow", "show", id)).contains("variable:   news_result = {\"ok\":true}\n");
    assertThat(ok("workflow", "message", "built", "--correlation", "next", "--keep"))
        .isEqualTo("built is kept until somebody waits for it\n");
    String next = ok("workflow", "start", "hears", "--var", "branch=next", "--wait", "30s").strip();
    assertThat(json("workflow", "show", next, "--json").text("status")).isEqualTo("COMPLETED");
  }

  @Test
  void a_moment_that_has_come_is_noticed_by_who_looks() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("later.json"),
            """
            {"name": "later", "title": "", "nodes": [
               {"id": "start", "kind": "start_event"},
               {"id": "pause", "kind": "catch_event", "timer": {"date": "2020-01-01T00:00:00Z"}},
               {"id": "end", "kind": "end_event"}],
             "edges": [{"source": "start", "target": "pause"},
                       {"source": "pause", "target": "end"}]}""");
    ok("workflow", "import", file.toString());
    String id = ok("workflow", "start", "later").strip();
    assertThat(ok("workflow", "show", id)).startsWith(id + " is COMPLETED");
  }

  @Test
  void an_execution_goes_on_by_a_version_that_has_its_node() throws IOException {
    String id = started();
    Path other = folder.resolve("other.json");
    Files.writeString(other, SHIP.replace("Ship it", "Ship it now"));
    refused(4, "only a person", "workflow", "import", other.toString());
    refused(4, "only a person", "workflow", "migrate", id);
    try (House house = asPerson()) {
      house.workflows().importJson(JsonText.object(Files.readString(other)), ADA);
      house.workflowExecutions().migrate(id, 2L, ADA);
    }
    assertThat(ok("workflow", "show", id)).contains("workflow:   ship version 2 (WF-002)");
  }

  @Test
  void the_example_of_the_document_can_be_run() throws IOException {
    String document = Files.readString(Path.of("docs/BPMN.md"));
    int from = document.indexOf("```json") + "```json".length();
    Path file = folder.resolve("example.json");
    Files.writeString(file, document.substring(from, document.indexOf("```", from)));
    assertThat(ok("workflow", "import", "--check", file.toString()))
        .contains("nothing speaks against it");
  }

  @Test
  void a_folder_that_is_not_there_is_refused() {
    ok("workflow", "import", "-");
    refused(1, "there is no folder", "workflow", "start", "ship", "--folder", "nowhere");
    assertThat(json("workflow", "executions", "--json").objects("executions")).isEmpty();
  }

  @Test
  void a_file_in_another_encoding_and_with_a_slip_is_taken_in_with_a_note() throws IOException {
    String xml =
        Files.readString(EXAMPLES.resolve("release.bpmn"))
            .replaceFirst("encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"")
            .replaceFirst("name=\"Build and test\"", "name=\"Pr\u00fcfen\" mainstay:profil=\"x\"");
    Path file = folder.resolve("release.bpmn");
    Files.write(file, xml.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(ok("workflow", "import", file.toString()))
        .contains("note: build: mainstay:profil is only a field", "mainstay:profile");
    assertThat(ok("workflow", "show", "release")).contains("Pr\u00fcfen");
  }

  @Test
  void what_starts_by_itself_is_shown_and_ended_by_a_person() throws IOException {
    ok("workflow", "import", EXAMPLES.resolve("nightly.bpmn").toString());
    assertThat(ok("workflow", "schedule", "nightly")).contains("next at", "T02:00:00Z");
    refused(4, "only a person", "workflow", "schedule", "nightly", "--off");
    refused(1, "--on or --off", "workflow", "schedule", "nightly", "--off", "--on");
    try (House house = asPerson()) {
      house.workflows().schedule("nightly", false, ADA);
    }
    assertThat(ok("workflow", "schedule", "nightly")).contains("nothing starts nightly by itself");
    assertThat(json("workflow", "schedule", "nightly", "--json").objects("starts")).isEmpty();
  }

  @Test
  void a_message_that_is_kept_is_listed_until_somebody_takes_it() {
    ok("workflow", "import", "-");
    assertThat(run("workflow", "messages").err()).contains("no messages are kept");
    ok("workflow", "message", "built", "--correlation", "main", "--var", "n=1", "--keep");
    assertThat(ok("workflow", "messages")).contains("built", "main", "{\"n\":1}");
  }

  @Test
  void of_a_long_loop_the_first_and_the_last_are_shown() throws IOException {
    Path file = folder.resolve("loop.json");
    Files.writeString(
        file,
        """
        {"name": "loop", "title": "", "nodes": [
           {"id": "start", "kind": "start_event"},
           {"id": "rule", "kind": "business_rule_task", "rules": [{"gives": "n"}],
            "loop": {"collection": "items", "item": "n"}},
           {"id": "each", "kind": "service_task", "title": "{{n}}",
            "loop": {"collection": "items", "item": "n"}},
           {"id": "end", "kind": "end_event"}],
         "edges": [{"source": "start", "target": "rule"}, {"source": "rule", "target": "each"},
           {"source": "each", "target": "end"}]}""");
    ok("workflow", "import", file.toString());
    String items =
        IntStream.range(0, 300).mapToObj(String::valueOf).collect(Collectors.joining(","));
    String id = ok("workflow", "start", "loop", "--var", "items=[" + items + "]").strip();
    String shown = ok("workflow", "show", id);
    assertThat(shown.lines().count()).isLessThan(60);
    assertThat(shown)
        .contains("and 295 more TASK at each")
        .contains("visits like those before them are left out")
        .contains("characters; --json has all");
    assertThat(json("workflow", "show", id, "--json").objects("waits_for")).hasSize(300);
  }
}
