package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Diagrams with what runs on them, and screens with what is typed there. */
abstract class WorkflowAndTerminalPagesTest extends OnPage {
  private static final Path RELEASE = Path.of("examples/release.bpmn").toAbsolutePath();

  /** Says when it listens, and answers each line. */
  private static final String ECHO = "echo listening; while read line; do echo \"got $line\"; done";

  /** Whether no screen shows more than some rows of nothing, and all can be read. */
  private static final String FITTED =
      """
      const all = [...document.querySelectorAll(".screen")];
      return all.length > 1 && all.every((each) => each.clientHeight < 200
        && parseFloat(getComputedStyle(each.querySelector(".xterm-rows")).fontSize) > 8);""";

  private static void importRelease() throws IOException {
    server.post("/workflows", "bpmn", Files.readString(RELEASE));
  }

  private static String started(String version) throws IOException {
    importRelease();
    JsonObject variables = JsonObject.of("version", version);
    return server.post("/workflows/release/executions", "variables", variables).text("id");
  }

  @Test
  void a_drawing_is_checked_shown_and_taken_in() {
    open("#/workflows", "Workflows");
    browser.find("input[type=file]").sendKeys(RELEASE.toString());
    browser.awaitText("It can be run", "Import");
    browser.act("Import");
    browser.awaitText("Release with approval");
    assertThat(server.get("/workflows/release").text("title")).isEqualTo("Release with approval");
  }

  @Test
  void a_drawing_that_cannot_run_is_refused_with_its_faults(@TempDir Path own) throws IOException {
    String broken = Files.readString(RELEASE).replace("default=\"rejected-flow\"", "");
    Path file = Files.writeString(own.resolve("broken.bpmn"), broken.replace("PT1H", "an hour"));
    open("#/workflows", "Workflows");
    browser.find("input[type=file]").sendKeys(file.toString());
    browser.awaitText("It cannot be run like this");
    assertThat(browser.all("dialog[open]")).isEmpty();
    browser.click("main button", "Put it away");
    browser.awaitNoText("It cannot be run like this");
  }

  @Test
  void a_file_is_dropped_onto_the_page_and_its_faults_are_marked(@TempDir Path own)
      throws IOException {
    String broken = Files.readString(RELEASE).replace("PT1H", "an hour");
    open("#/workflows", "Workflows");
    browser.drop(Files.writeString(own.resolve("dropped.bpmn"), broken));
    browser.awaitText("dropped.bpmn", "It cannot be run like this", "Fault:");
    String faulty = browser.find(".problems button").getText();
    browser.find(".import .djs-element.is-incident[data-element-id='" + faulty + "']");
    browser.drop(RELEASE);
    browser.awaitText("release.bpmn", "It can be run");
    browser.awaitNoText("It cannot be run like this");
    browser.act("Import");
    browser.awaitText("Release with approval", "Executions of all versions");
  }

  private static String failing(String version) throws IOException {
    String execution = started(version);
    server.fail(server.claimTitled("Build and test " + version, "builder-2"), "no network");
    open("#/", "Now");
    browser.awaitText("Workflows held up", "no network");
    browser.go("#/executions/" + execution);
    browser.awaitText(execution, "incident", "no network");
    browser.await("the incident on the diagram", () -> isMarked("build"));
    return execution;
  }

  @Test
  void an_incident_is_tried_again() throws IOException {
    String execution = failing("2.0.0");
    browser.click("main button", "Retry");
    browser.awaitText("mainstay workflow resume " + execution + " --retry build");
    browser.click("dialog[open] button", "Do it");
    browser.await("no incident", () -> browser.all("ul.waits li.bad").isEmpty());
    server.complete(
        server.claimTitled("Build and test 2.0.0", "builder-3"), JsonObject.of("notes", "faster"));
    browser.awaitText("May 2.0.0 be released?");
  }

  @Test
  void an_incident_is_skipped_with_what_came_out() throws IOException {
    String execution = failing("2.1.0");
    browser.click("main button", "Skip");
    browser.click("dialog[open] button", "Add a variable");
    browser.type("dialog[open] input[placeholder=name]", "notes");
    browser.type("dialog[open] input[placeholder=value]", "by hand");
    browser.awaitText("mainstay workflow resume " + execution + " --skip build --result");
    browser.click("dialog[open] button", "Do it");
    browser.awaitText("May 2.1.0 be released?", "by hand");
    browser.await("no incident", () -> browser.all("ul.waits li.bad").isEmpty());
  }

  @Test
  void a_workflow_is_started_and_its_token_is_on_the_diagram() throws IOException {
    importRelease();
    String id = server.get("/workflows/release").text("id");
    open("#/workflows/" + id, "Release with approval");
    browser.find(".djs-element[data-element-id='approve']");
    browser.act("Start", "input", "1.4.0");
    browser.awaitText("What happened", "1.4.0");
    browser.await("a token on the build", () -> isMarked("build"));
    assertThat(isMarked("approve")).isFalse();
  }

  private static boolean isMarked(String node) {
    String css = ".djs-element[data-element-id='" + node + "']";
    return browser.all(css).stream()
        .anyMatch(each -> String.valueOf(each.getAttribute("class")).contains("is-"));
  }

  @Test
  void a_user_task_is_answered_where_it_is_asked_and_the_token_moves_on() throws IOException {
    String execution = started("1.5.0");
    server.complete(
        server.claimTitled("Build and test 1.5.0", "builder-1"), JsonObject.of("notes", "faster"));
    open("#/executions/" + execution, "Release with approval");
    browser.awaitText("May 1.5.0 be released?", "What is new: faster");
    browser.await("a token on the question", () -> isMarked("approve"));
    browser.click("form.question label", "approve");
    browser.awaitText("mainstay workflow answer " + execution + " approve --answer approve");
    browser.click("form.question button", "Answer");
    browser.awaitNoText("May 1.5.0 be released?");
    browser.await("a token on the publishing", () -> isMarked("publish"));
  }

  @Test
  void an_execution_is_paused_goes_on_and_is_cancelled() throws IOException {
    String execution = started("1.6.0");
    open("#/executions/" + execution, "Release with approval");
    browser.act("Pause", "input", "lunch");
    browser.awaitText("paused", "Resume");
    browser.act("Resume");
    browser.awaitText("running", "Pause");
    browser.act("Cancel", "input", "not today");
    browser.awaitText("cancelled");
    assertThat(server.get("/executions/" + execution).text("status")).isEqualTo("CANCELLED");
  }

  @Test
  void what_is_typed_into_a_terminal_is_seen_on_its_live_screen() {
    String id = server.launch(ECHO);
    open("#/terminals", "Terminals");
    browser.await("its screen", () -> screen().contains("listening"));
    browser.type("form.typing input", "good day" + Keys.ENTER);
    browser.await("its answer", () -> screen().contains("got good day"));
    browser.click("form.typing option", "Enter");
    browser.awaitText("mainstay terminal send " + id + " --press Enter");
    browser.click("form.typing button", "Press");
    browser.await("an empty line", () -> screen().split("got", -1).length == 3);
    browser.click("summary", "Attach");
    browser.awaitText("mainstay terminal attach " + id);
    browser.act("Stop");
    browser.await(
        "it is over",
        () -> List.of("STOPPED", "ENDED").contains(server.get("/terminals/" + id).text("status")));
    browser.await("no live screen", () -> browser.all(".xterm").isEmpty());
  }

  @Test
  void a_task_of_a_workflow_leads_to_what_it_is_for() throws IOException {
    String execution = started("2.2.0");
    String id = server.claimTitled("Build and test 2.2.0", "builder-4").text("id");
    open("#/tasks/" + id, "Build and test 2.2.0");
    browser.click("main a", execution);
    browser.awaitText("Release with approval", "What happened", "2.2.0");
  }

  @Test
  void screens_are_side_by_side_and_a_message_is_kept_for_one() {
    String one = server.launch("echo this is one; " + ECHO);
    String two = server.launch("echo this is two; " + ECHO);
    open("#/terminals", "Terminals");
    browser.await("one", () -> screens().contains("this is one"));
    browser.await("the other", () -> screens().contains("this is two"));
    browser.await("screens as high as their text", () -> (Boolean) browser.run(FITTED));
    browser.picture("screens");
    open("#/terminals?at=" + two, two);
    browser.await("it alone", () -> screens().contains("this is two"));
    assertThat(screens()).doesNotContain("this is one");
    browser.click("main button", "Message");
    browser.type("dialog[open] textarea", "Good morning");
    browser.awaitText("mainstay inbox send " + two + " 'Good morning'");
    browser.click("dialog[open] button", "Do it");
    browser.awaitText("Sent.");
    List<JsonObject> kept = server.get("/terminals/" + two + "/inbox").objects("items");
    assertThat(kept).extracting(each -> each.text("message")).containsExactly("Good morning");
    server.send("DELETE", "/terminals/" + one, null);
    server.send("DELETE", "/terminals/" + two, null);
  }

  /** Of those that are over there may be any number, and they come first by their names. */
  @Test
  void a_terminal_that_runs_is_seen_behind_hundreds_and_an_unknown_one_is_refused_by_the_server() {
    for (int i = 0; i < 201; i++) server.post("/terminals", "id", "a-worker-" + i);
    server.post("/terminals", "id", "zoe", "agent_profile", "reviewer");
    String id = server.launch(ECHO);
    open("#/terminals", "Terminals");
    browser.await("its screen", () -> screens().contains("listening"));
    open("#/terminals?at=zoe", "zoe");
    browser.awaitText("reviewer, external");
    forgive("status of 404");
    open("#/terminals?at=nobody", "nobody");
    browser.awaitText("There is no terminal nobody; 'mainstay terminal list' shows");
    server.send("DELETE", "/terminals/" + id, null);
  }

  /** All that is on any screen. */
  private static String screens() {
    String all = "[...document.querySelectorAll('.xterm-rows')].map((each) => each.innerText)";
    return String.valueOf(browser.run("return " + all + ".join()")).replace('\u00a0', ' ');
  }

  private static String screen() {
    return String.valueOf(
            browser.run("return document.querySelector('.xterm-rows')?.innerText ?? ''"))
        .replace('\u00a0', ' ');
  }
}
