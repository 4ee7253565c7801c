package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.app.CliRun;
import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/**
 * Each action shows the command it equals. Here the page is only asked for it: the command is
 * pasted into a shell, and the page shows what became of it.
 */
abstract class PastedCommandsTest extends OnPage {
  private static final Path RELEASE = Path.of("examples/release.bpmn").toAbsolutePath();

  /** What a shell would read in another way, were it not quoted well. */
  private static final String TEXT = "-it's \"$HOME\" `ls` \\ ; @you";

  /** Opens the panel of an action, fills it in, takes its command and closes it undone. */
  private static String commandOf(String button, String... fieldsAndWords) {
    browser.click("main button", button);
    browser.find("dialog[open]");
    for (int i = 0; i < fieldsAndWords.length; i += 2) {
      browser.type("dialog[open] " + fieldsAndWords[i], fieldsAndWords[i + 1]);
    }
    String line = shown("dialog[open] .command code");
    browser.click("dialog[open] button", "Cancel");
    browser.await("the panel is gone", () -> browser.all("dialog[open]").isEmpty());
    return line;
  }

  private static String shown(String css) {
    return String.valueOf(browser.find(css).getDomProperty("textContent"));
  }

  private static void paste(String button, String... fieldsAndWords) {
    run(commandOf(button, fieldsAndWords));
  }

  private static void run(String line) {
    CliRun run = server.paste(line);
    assertThat(run.code()).as(line + "\n" + run.err()).isZero();
  }

  private static JsonObject state(String id) {
    return server.get("/tasks/" + id + "/state").object("task_state");
  }

  private static String status(String id) {
    return server.get("/tasks/" + id).text("status");
  }

  @Test
  void of_a_task_and_its_end() {
    open("#/tasks", "Tasks");
    paste("New task", "input[maxlength='200']", TEXT, "input[type=number]", "7");
    browser.awaitText(TEXT);
    String id = server.get("/tasks?order=newest&limit=1").objects("items").get(0).text("id");
    open("#/tasks/" + id, TEXT);
    paste("Cancel task", "input", "@not now");
    browser.awaitText("cancelled", "@not now");
    paste("Retry", "input", "-now");
    browser.awaitText("ready", "Cancel task");
    paste("Fork", "input", "-another " + TEXT);
    List<JsonObject> forks = server.get("/tasks?search=-another").objects("items");
    assertThat(forks).extracting(each -> each.text("title")).containsExactly("-another " + TEXT);
  }

  @Test
  void of_what_is_known_about_a_task() {
    String id = server.task("Know it");
    server.post("/tasks/" + id + "/run", "goal", "it is known");
    server.put("/tasks/" + id + "/plan", "steps", List.of("one", "two"));
    open("#/tasks/" + id, "Know it");
    browser.awaitText("No standing orders.");
    paste("Add directive", "textarea", TEXT);
    browser.awaitText(TEXT);
    paste("Lift");
    browser.awaitText("No standing orders.");
    paste("Add criterion", "input", TEXT);
    browser.awaitText("0 of 1 met", TEXT);
    paste("Met", "input", "@docs");
    browser.awaitText("1 of 1 met", "@docs");
    paste("Not met");
    browser.awaitText("0 of 1 met");
    paste("Done");
    browser.awaitText("1 of 2");
    paste("Reopen");
    browser.awaitText("0 of 2");
    server.post("/tasks/" + id + "/run/suspend", "what", "Which port?");
    browser.awaitText("It waits for an answer:");
    paste("Answer", "textarea", "7717\nor -1");
    browser.awaitNoText("It waits for an answer:");
  }

  @Test
  void of_moments_of_a_task() {
    String id = server.task("Go back");
    server.post("/tasks/" + id + "/run", "goal", "back is gone");
    server.post("/tasks/" + id + "/directives", "text", "Not yet");
    open("#/tasks/" + id + "?tab=time", "Go back");
    browser.awaitText("Entry 3 of 3, the newest");
    paste("Name this moment", "input", "before the change");
    browser.awaitText("Entry 4 of 4, the newest");
    browser.find("input[type=range]").sendKeys(Keys.HOME, Keys.ARROW_RIGHT);
    browser.awaitText("Entry 2 of 4", "Fork from entry 2");
    paste("Fork from entry 2", "input", "From the second");
    assertThat(server.get("/tasks?search=second").list("items")).hasSize(1);
    paste("Go back to here");
    assertThat(state(id).list("directives")).isEmpty();
  }

  @Test
  void of_proposals_wherever_their_files_are() {
    String id = server.task("Ask for more");
    server.post("/tasks/" + id + "/run", "goal", "more");
    String folder = server.folder().resolve("elsewhere").toString();
    server.command("", "exec", "init", "--task", id, "--dir", folder);
    String token =
        server.post("/tokens", "role", "agent", "name", "a", "terminal", "a").text("token");
    for (int wanted : new int[] {1_000, 2_000}) {
      JsonObject more = JsonObject.of("max_file_operations", wanted);
      String path = "/tasks/" + id + "/constraints";
      server.send("PATCH", path, more, "Authorization", "Bearer " + token);
    }
    open("#/tasks/" + id, "Ask for more");
    browser.awaitText("Proposal 1:", "Proposal 2:");
    paste("Decline");
    browser.awaitNoText("Proposal 1:");
    paste("Accept");
    browser.awaitNoText("Proposal 2:");
    JsonObject settings = server.get("/tasks/" + id + "/constraints").object("settings");
    assertThat(settings.get("max_file_operations")).hasToString("2000");
  }

  @Test
  void of_the_journal() {
    open("#/journal", "Journal");
    browser.awaitText("New entries appear above.");
    paste("Verify");
    paste("Export");
    assertThat(server.folder().resolve("mainstay-journal.ndjson")).exists();
  }

  @Test
  void of_workflows() throws IOException {
    open("#/workflows", "Workflows");
    browser.find("input[type=file]").sendKeys(RELEASE.toString());
    browser.awaitText("It can be run");
    // In the shell of a person the file is where it was dropped from.
    run(commandOf("Import").replace("release.bpmn", RELEASE.toString()));
    browser.awaitText("Release with approval");
    open("#/workflows/" + server.get("/workflows/release").text("id"), "Release with approval");
    paste("Start", "input", TEXT);
    browser.awaitText("running");
    JsonObject begun = server.get("/executions").objects("items").get(0);
    String id = begun.text("id");
    open("#/executions/" + id, "Release with approval");
    paste("Pause", "input", "-lunch");
    browser.awaitText("paused", "Resume");
    paste("Resume");
    browser.awaitText("running", "Pause");
    server.fail(server.claimTitled("Build and test " + TEXT, "builder-1"), "no network");
    browser.awaitText("no network", "Skip");
    paste("Retry");
    browser.await("no incident", () -> browser.all("ul.waits li.bad").isEmpty());
    server.fail(server.claimTitled("Build and test " + TEXT, "builder-2"), "still none");
    browser.awaitText("still none", "Skip");
    run(skipping());
    browser.awaitText("be released?", "by hand");
    browser.click("form.question label", "approve");
    run(shown("form.question .command code"));
    browser.awaitNoText("be released?");
    server.complete(server.claimTitled("Publish " + TEXT, "builder-3"), JsonObject.EMPTY);
    browser.awaitText("Send it");
    paste("Send it");
    browser.awaitText("completed");
    assertThat(server.get("/executions/" + id).text("status")).isEqualTo("COMPLETED");
  }

  private static String skipping() {
    browser.click("main button", "Skip");
    browser.click("dialog[open] button", "Add a variable");
    browser.type("dialog[open] input[placeholder=name]", "notes");
    browser.type("dialog[open] input[placeholder=value]", "by hand");
    String line = shown("dialog[open] .command code");
    browser.click("dialog[open] button", "Cancel");
    return line;
  }

  @Test
  void of_an_execution_that_is_cancelled() throws IOException {
    server.post("/workflows", "bpmn", Files.readString(RELEASE));
    JsonObject variables = JsonObject.of("version", "9");
    String id = server.post("/workflows/release/executions", "variables", variables).text("id");
    open("#/executions/" + id, "Release with approval");
    paste("Cancel", "input", "@home");
    browser.awaitText("cancelled");
    assertThat(server.get("/executions/" + id).text("status")).isEqualTo("CANCELLED");
  }

  @Test
  void of_terminals() {
    String id = server.launch("echo listening; while read -r line; do echo \"got $line\"; done");
    open("#/terminals?at=" + id, id);
    browser.await("its screen", () -> screen().contains("listening"));
    browser.type("form.typing input", TEXT);
    run(shown("form.typing .command code"));
    browser.await("what was typed", () -> screen().contains("got " + TEXT));
    browser.type("form.typing input", "");
    browser.click("form.typing option", "Enter");
    run(shown("form.typing .command code"));
    browser.await("an empty line", () -> screen().split("got", -1).length == 3);
    paste("Message", "textarea", TEXT);
    List<JsonObject> kept = server.get("/terminals/" + id + "/inbox").objects("items");
    assertThat(kept).extracting(each -> each.text("message")).containsExactly(TEXT);
    paste("Stop");
    browser.awaitText("Restore");
    paste("Restore");
    browser.awaitText("Stop");
    browser.await("its screen again", () -> screen().contains("listening"));
    server.send("DELETE", "/terminals/" + id, null);
    open("#/terminals", "Terminals");
    browser.await("no screen", () -> browser.all(".xterm").isEmpty());
    paste("Start an agent", "input[placeholder^='claude']", "shell");
    browser.await("another screen", () -> browser.all(".xterm").size() == 1);
  }

  private static String screen() {
    return String.valueOf(
            browser.run("return document.querySelector('.xterm-rows')?.innerText ?? ''"))
        .replace('\u00a0', ' ');
  }
}
