package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What a person sees and does about tasks: now, all of them, one of them, what happened. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class TaskPagesTest extends OnPage {
  private static JsonObject state(String id) {
    return server.get("/tasks/" + id + "/state").object("task_state");
  }

  private static String status(String id) {
    return server.get("/tasks/" + id).text("status");
  }

  @Test
  @Order(1)
  void an_empty_store_tells_how_to_begin_and_what_happens_appears_by_itself() {
    open("#/", "Now");
    browser.awaitText("Nothing is here yet", "mainstay init", "mainstay demo --keep");
    server.task("Water the plants");
    browser.awaitText("Water the plants", "ready");
    browser.awaitNoText("Nothing is here yet");
  }

  @Test
  void who_works_is_seen_with_his_step_and_the_links_lead_there() {
    String id = server.task("Add login", "priority", 90);
    server.post("/tasks/" + id + "/run", "goal", "people can log in");
    server.put("/tasks/" + id + "/plan", "steps", List.of("write tests", "pass them"));
    server.post("/tasks/" + id + "/actions", "summary", "wrote LoginTest");
    server.post("/terminals", "id", "coder-1", "agent_profile", "developer");
    server.claim("coder-1");
    String after = server.task("Announce it", "dependencies", List.of(id));
    open("#/", "Now");
    browser.awaitText("coder-1", "Add login", "step 1 of 2", "wrote LoginTest");
    browser.awaitText("waits for", "Announce it");
    browser.click("section a.id", after);
    browser.awaitText("Announce it", "until it is completed");
    open("#/", "Now");
    browser.click("section a.id", "coder-1");
    browser.awaitText("a worker that was not started here");
  }

  @Test
  void tasks_are_filtered_searched_and_sorted_by_the_address() {
    server.task("Find the needle");
    String gone = server.task("A haystack");
    server.send("DELETE", "/tasks/" + gone, null);
    open("#/tasks", "Tasks");
    browser.awaitText("Find the needle", "A haystack");
    browser.type("input[type=search]", "needle");
    browser.awaitNoText("A haystack");
    browser.awaitText("Find the needle");
    browser.await("all of the word", () -> hash().equals("#/tasks?search=needle"));
    open("#/tasks?status=CANCELLED", "Tasks");
    browser.awaitText("A haystack", "cancelled");
    assertThat(browser.text()).doesNotContain("Find the needle");
  }

  @Test
  void a_task_is_made_with_a_click_and_opens() {
    String first = server.task("Comes first");
    open("#/tasks", "Tasks");
    browser.act(
        "New task",
        "input[maxlength='200']",
        "Made in the page",
        "textarea",
        "all of it",
        "input[placeholder^='Tasks that']",
        first);
    browser.awaitText("Made in the page", "Directives");
    JsonObject made = server.get("/tasks/" + hash().replace("#/tasks/", ""));
    assertThat(made.text("title")).isEqualTo("Made in the page");
    assertThat(made.text("description")).isEqualTo("all of it");
    assertThat(made.texts("dependencies")).containsExactly(first);
  }

  @Test
  void the_graph_draws_what_waits_for_what_and_tells_of_the_task_that_is_clicked() {
    String first = server.task("Lay the ground", "task_type", "GROUND");
    String second = server.task("Build on it", "dependencies", List.of(first));
    open("#/tasks?view=graph&root=" + second, "Tasks");
    browser.awaitText("2 tasks, 1 dependencies");
    awaitDrawn();
    assertThat(browser.find("p.legend").getText()).contains("ready", "waiting");
    WebElement canvas = browser.find("canvas");
    canvas.sendKeys("0");
    clickAcross(canvas);
    browser.awaitText("Only what hangs together with it");
    String stands = browser.find("aside.chosen .status").getText();
    String chosen = browser.find("aside.chosen a.id").getText();
    assertThat(stands).contains(chosen.equals(first) ? "ready" : "waiting");
    browser.click("aside.chosen button", "Close");
    browser.await("nothing chosen", () -> browser.all("aside.chosen").isEmpty());
    canvas.sendKeys(Keys.ARROW_RIGHT, Keys.ENTER);
    assertThat(browser.find("aside.chosen a.id").getText()).isIn(first, second);
  }

  private static boolean says(WebElement element, String words) {
    return element.getText().contains(words);
  }

  private static boolean slideToTheFirst() {
    browser.find("input[type=range]").sendKeys(Keys.HOME);
    return browser.text().contains("Entry 1 of 3");
  }

  private static String hash() {
    return String.valueOf(browser.run("return location.hash"));
  }

  /** Where the keys of the keyboard go. */
  private static String focus() {
    return String.valueOf(
        browser.run("return document.activeElement.id || document.activeElement.innerText"));
  }

  @Test
  void the_focus_stays_where_something_was_done() {
    open("#/journal", "Journal");
    browser.act("Verify");
    browser.awaitText("All is well");
    browser.await("the focus on Verify", () -> focus().equals("Verify"));
    String id = server.task("Keep the focus");
    open("#/tasks/" + id, "Keep the focus");
    browser.act("Cancel task", "input", "not now");
    browser.awaitText("cancelled", "Retry");
    browser.await("no button to cancel", () -> !browser.text().contains("Cancel task"));
    browser.await("the focus on the page", () -> focus().equals("main"));
  }

  /** Where tasks are drawn is the layout's business; somewhere along the middle there is one. */
  private static void clickAcross(WebElement canvas) {
    browser.await(
        "a task that is chosen",
        () -> {
          for (double at = 0.05; at < 1; at += 0.05) {
            browser.run(
                """
                const [canvas, at] = arguments, box = canvas.getBoundingClientRect();
                const where = { clientX: box.x + box.width * at, clientY: box.y + box.height / 2,
                  bubbles: true, pointerId: 1, button: 0 };
                for (const kind of ["pointerdown", "pointerup"]) canvas.dispatchEvent(new PointerEvent(kind, where));
                canvas.dispatchEvent(new MouseEvent("click", where));""",
                canvas,
                at);
            if (!browser.all("aside.chosen").isEmpty()) return true;
          }
          return false;
        });
  }

  @Test
  void a_directive_is_given_shown_as_a_command_and_lifted() {
    String id = server.task("Rewrite the parser");
    open("#/tasks/" + id, "Rewrite the parser");
    browser.awaitText("No standing orders.");
    browser.click("main button", "Add directive");
    browser.type("dialog[open] textarea", "Keep the API");
    browser.awaitText("mainstay directive add " + id + " 'Keep the API'");
    browser.click("dialog[open] button", "Do it");
    browser.awaitNoText("No standing orders.");
    browser.awaitText("Keep the API", "The directive stands.");
    assertThat(state(id).objects("directives").get(0).text("text")).isEqualTo("Keep the API");
    browser.act("Lift");
    browser.awaitText("No standing orders.");
  }

  @Test
  void a_refusal_is_the_servers_sentence_and_loses_nothing_that_was_typed() {
    forgive("status of 400");
    open("#/tasks", "Tasks");
    browser.click("main button", "New task");
    browser.type("dialog[open] input[maxlength='200']", "Be strict");
    browser.type("dialog[open] input[placeholder=CODE]", "no such type!");
    browser.click("dialog[open] button", "Do it");
    browser.await(
        "the sentence",
        () -> browser.find("dialog[open] [role=alert]").getText().startsWith("A task type is"));
    WebElement title = browser.find("dialog[open] input[maxlength='200']");
    assertThat(title.getDomProperty("value")).isEqualTo("Be strict");
    title.sendKeys(Keys.ESCAPE);
    browser.await("the panel is gone", () -> browser.all("dialog[open]").isEmpty());
  }

  @Test
  void a_question_of_a_run_is_answered() {
    String id = server.task("Serve it");
    server.post("/tasks/" + id + "/run", "goal", "it serves");
    server.post("/tasks/" + id + "/run/suspend", "what", "Which port?");
    open("#/", "Now");
    browser.awaitText("Waiting for your answer");
    browser.click("section.urgent a", "Which port?");
    browser.awaitText("It waits for an answer:");
    browser.act("Answer", "textarea", "7717");
    browser.awaitNoText("It waits for an answer:");
    assertThat(state(id).text("phase")).isNotEqualTo("SUSPENDED");
  }

  /** Goes on by the Tab key until it is there. */
  private static void tabTo(String words) {
    browser.await(
        "the focus on " + words,
        () -> {
          if (focus().startsWith(words)) return true;
          browser.keys(Keys.TAB);
          return false;
        });
  }

  @Test
  void a_question_is_found_and_answered_with_the_keyboard_alone() {
    String id = server.task("Listen");
    server.post("/tasks/" + id + "/run", "goal", "it listens");
    server.post("/tasks/" + id + "/run/suspend", "what", "On which address?");
    open("#/", "Now");
    browser.awaitText("On which address?", "Needs you:");
    tabTo("On which address?");
    browser.keys(Keys.ENTER);
    browser.awaitText("It waits for an answer:");
    tabTo("Answer");
    browser.keys(Keys.ENTER);
    browser.find("dialog[open] textarea:focus");
    browser.keys("127.0.0.1");
    tabTo("Do it");
    browser.keys(Keys.ENTER);
    browser.awaitNoText("It waits for an answer:");
    assertThat(state(id).text("phase")).isNotEqualTo("SUSPENDED");
  }

  /** An agent that asks for more than it may; each number is another proposal. */
  private static String proposing(String title, int... wanted) {
    String id = server.task(title);
    server.post("/tasks/" + id + "/run", "goal", title);
    String folder = server.folder().resolve("state-" + id).toString();
    server.command("", "exec", "init", "--task", id, "--dir", folder);
    String token =
        server
            .post("/tokens", "role", "agent", "name", "coder-7", "terminal", "coder-7")
            .text("token");
    for (int operations : wanted) {
      server.send(
          "PATCH",
          "/tasks/" + id + "/constraints",
          JsonObject.of("max_file_operations", operations),
          "Authorization",
          "Bearer " + token);
    }
    return id;
  }

  private static String operations(String id) {
    JsonObject settings = server.get("/tasks/" + id + "/constraints").object("settings");
    return String.valueOf(settings.get("max_file_operations"));
  }

  @Test
  void a_proposal_is_declined_and_another_accepted() {
    String id = proposing("Touch many files", 1_000, 2_000);
    open("#/", "Now");
    browser.awaitText("Waiting for your approval", "max_file_operations: 20 to 2000");
    browser.click("section.urgent a", "max_file_operations: 20 to 1000");
    open("#/tasks/" + id, "Touch many files");
    browser.awaitText("Proposal 1:", "Proposal 2:", "max_file_operations", "coder-7");
    browser.act("Decline");
    browser.awaitNoText("Proposal 1:");
    assertThat(operations(id)).isNotEqualTo("1000");
    browser.click("main button", "Accept");
    browser.awaitText("mainstay exec accept 2");
    browser.click("dialog[open] button", "Do it");
    browser.awaitNoText("Proposal 2:");
    assertThat(operations(id)).isEqualTo("2000");
    assertThat(server.get("/proposals").list("items")).isEmpty();
    open("#/", "Now");
    browser.awaitText("Touch many files");
    browser.awaitNoText("Waiting for your approval");
  }

  @Test
  void a_task_is_cancelled_with_a_reason_and_opened_again() {
    String id = server.task("Perhaps");
    open("#/tasks/" + id, "Perhaps");
    browser.act("Cancel task", "input", "not now");
    browser.awaitText("not now", "cancelled");
    assertThat(status(id)).isEqualTo("CANCELLED");
    browser.act("Retry");
    browser.await("the task is open again", () -> status(id).equals("PENDING"));
    browser.awaitText("Cancel task");
  }

  @Test
  void the_slider_goes_back_in_time_and_shows_what_differs() {
    String id = server.task("Remember");
    server.post("/tasks/" + id + "/run", "goal", "nothing is forgotten");
    server.post("/tasks/" + id + "/directives", "text", "Write it down");
    open("#/tasks/" + id + "?tab=time", "Remember");
    browser.awaitText(", the newest", "What differs", "Write it down");
    browser.await("the first entry", TaskPagesTest::slideToTheFirst);
    browser.awaitText("What was known at entry 1", "Fork from entry 1");
    browser.awaitText("No standing orders.");
    browser.click("label", "until now");
    browser.await(
        "what came since",
        () -> browser.all(".t-diff ins").stream().anyMatch(each -> says(each, "Write it down")));
    browser.await("its address", () -> hash().equals("#/tasks/" + id + "?tab=time&at=1"));
    browser.act("Fork from entry 1", "input", "Another way");
    browser.awaitText("Another way", "Add directive");
  }

  @Test
  void the_prompt_is_shown_by_sections_within_a_budget() {
    String id = server.task("Say it");
    server.post("/tasks/" + id + "/run", "goal", "the agent knows its goal");
    server.post("/tasks/" + id + "/directives", "text", "Speak plainly", "binding", true);
    open("#/tasks/" + id + "?tab=prompt", "Say it");
    browser.awaitText("What the agent sees", "the agent knows its goal", "Speak plainly");
    browser.awaitText("Nothing. All of it fits.", "binding directives");
    String prompt = server.get("/tasks/" + id + "/prompt?for=claude-code").text("prompt");
    String shown =
        String.valueOf(
            browser.run(
                "return [...document.querySelectorAll('.t-part pre')].map((each) => each.textContent).join('')"));
    assertThat(shown.strip()).isEqualTo(prompt.strip());
    Object hues =
        browser.run(
            "return new Set([...document.querySelectorAll('.t-part')].map((each) => getComputedStyle(each).borderLeftColor)).size");
    assertThat(hues).hasToString(String.valueOf(browser.all(".t-bar").size()));
    List<String> steps = IntStream.range(0, 9).mapToObj(i -> "step ".repeat(40) + i).toList();
    server.put("/tasks/" + id + "/plan", "steps", steps);
    browser.awaitText("step step");
    browser.type("input[type=number]", "1024");
    browser.awaitText("left out", "mainstay prompt " + id + " --budget 1000000");
    browser.awaitNoText("Nothing. All of it fits.");
  }
}
