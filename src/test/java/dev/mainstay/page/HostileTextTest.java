package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever agents and people write, wherever it is shown, is text and stays in its place. */
abstract class HostileTextTest extends OnPage {
  /** Each of these would raise the counter, were it anything but text. */
  private static final String SCRIPT =
      "<script>executed++</script><img src=x onerror=executed++>\"'><svg/onload=executed++>";

  private static final String LINK = "javascript:executed++//";

  /** Turns around all that follows, unless it is kept apart. */
  private static final String BACKWARDS = "\u202egnihton \u2066\u0645\u0631\u062d\u0628\u0627";

  private static final String WORD = "W".repeat(10_000);
  private static final String ALL = SCRIPT + LINK + BACKWARDS + WORD;

  private static final String SCREEN =
      "return document.querySelector('.xterm-rows')?.innerText ?? ''";

  private static final List<String> PLACES = new ArrayList<>();

  /** The beginning of all that is hostile, with something of each kind as far as it fits. */
  private static String within(int chars) {
    int kinds = SCRIPT.length() + LINK.length() + BACKWARDS.length();
    return chars < kinds
        ? SCRIPT.substring(0, Math.min(chars, SCRIPT.length()))
        : ALL.substring(0, Math.min(chars, ALL.length()));
  }

  @BeforeAll
  static void writeEverywhere() throws IOException {
    String task =
        server.task(
            within(200), "description", ALL, "priority", 9, "metadata", JsonObject.of("note", ALL));
    writeAbout(task);
    String failed = server.task(within(200), "priority", 8);
    server.post("/terminals", "id", "hostile-1", "agent_profile", "developer");
    server.post("/terminals/hostile-1/inbox", "message", ALL);
    server.post(
        "/terminals", "id", within(100), "provider", within(60), "agent_profile", within(120));
    server.post("/terminals", "id", BACKWARDS, "agent_profile", BACKWARDS);
    server.claim(BACKWARDS);
    server.fail(server.claim("hostile-1"), within(4_000));
    server.task(within(200), "dependencies", List.of(task));
    String gone = server.task(within(200));
    server.send(
        "DELETE",
        "/tasks/" + gone + "?reason=" + URLEncoder.encode(within(300), StandardCharsets.UTF_8),
        null);
    String execution = startWorkflow();
    String proposing = propose();
    String touching = touch();
    PLACES.addAll(List.of("#/", "#/tasks", "#/tasks?view=graph", "#/tasks/" + failed));
    for (String tab : List.of("dossier", "prompt", "time", "output")) {
      PLACES.add("#/tasks/" + task + "?tab=" + tab);
    }
    PLACES.addAll(List.of("#/workflows", "#/executions/" + execution, "#/terminals"));
    PLACES.addAll(List.of("#/terminals?at=hostile-1", "#/journal", "#/charts"));
    PLACES.add("#/workflows/" + server.get("/workflows/release").text("id"));
    PLACES.addAll(List.of("#/tasks/" + proposing, "#/tasks/" + touching));
    PLACES.addAll(
        List.of("#/tasks/" + touching + "?tab=output", "#/tasks/" + touching + "?tab=time"));
  }

  /** A step that a person must allow, with a name that is hostile. */
  private static String propose() throws IOException {
    String id = server.task("Propose");
    server.post("/tasks/" + id + "/run", "goal", "it is proposed");
    Path folder = server.folder().resolve("proposing");
    server.command("", "exec", "init", "--task", id, "--dir", folder.toString());
    Path plan = folder.resolve("plan.md");
    String step =
        "### Step 1: " + within(240) + "\n- **status**: PENDING\n- **side_effects**: all\n";
    Files.writeString(plan, Files.readString(plan) + "\n" + step);
    server.command("", "exec", "step", "start", "--dir", folder.toString());
    assertThat(server.get("/proposals").objects("items")).hasSize(1);
    return id;
  }

  /** Files and commands with names that are hostile, as Mainstay saw them itself. */
  private static String touch() throws IOException {
    String id = server.task("Touch");
    server.post("/tasks/" + id + "/run", "goal", "it is touched");
    String folder = "W".repeat(200);
    String deep = String.join("/", folder, folder, folder, "a.txt");
    // Controls of direction are refused in names of files; letters from the right are not.
    String right = "\u0645\u0631\u062d\u0628\u0627.txt";
    for (String name : List.of("<img src=x onerror=executed++>", right, deep)) {
      server.write(name, "written", id);
    }
    assertThat(server.get("/tasks/" + id + "/files").objects("items")).hasSize(3);
    server.command("", "evidence", "run", id, "--", "true", within(900));
    server.command("", "evidence", "run", id, "--", "false", WORD.substring(0, 900));
    assertThat(server.get("/tasks/" + id + "/evidence").objects("evidence")).hasSize(2);
    return id;
  }

  private static void writeAbout(String task) {
    String path = "/tasks/" + task;
    server.post(path + "/run", "goal", within(1_000));
    server.post(path + "/directives", "text", within(1_000), "binding", true);
    server.post(path + "/directives", "text", within(900));
    server.post(path + "/criteria", "text", within(250), "check", within(1_000));
    server.post(path + "/criteria", "text", within(240));
    server.put(path + "/criteria/2/met", "note", within(250));
    server.put(path + "/plan", "steps", List.of(within(250), within(240)));
    server.patch(path + "/plan/1", "status", "failed", "note", within(250));
    server.patch(
        path + "/run",
        "progress",
        within(1_000),
        "scratchpad",
        within(1_000),
        "blocked_on",
        List.of(within(250)));
    server.post(path + "/actions", "summary", within(1_000));
    JsonObject notes = JsonObject.EMPTY;
    for (String section :
        List.of("next_focus", "open_issues", "decisions", "goals", "hypotheses")) {
      notes = notes.with(section, List.of(within(250)));
    }
    server.send("POST", path + "/state", notes);
    server.post(path + "/artifacts", "artifact_type", "LOG", "content", ALL);
    server.post(path + "/run/suspend", "what", within(250));
  }

  private static String startWorkflow() throws IOException {
    String name = within(180).replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    String drawn =
        Files.readString(Path.of("examples/release.bpmn"))
            .replace("Release with approval", name)
            .replace("Approve the release", name)
            .replace("May {{version}} be released?", "May {{version}} be released? " + name);
    server.post("/workflows", "bpmn", drawn);
    JsonObject variables = JsonObject.of("version", "1.0", "hostile", ALL);
    String id = server.post("/workflows/release/executions", "variables", variables).text("id");
    server.claimTitled("Build and test 1.0", "builder");
    return id;
  }

  @Test
  void no_page_runs_it_grows_wider_than_a_phone_or_is_turned_around_by_it() {
    browser.size(360, 740);
    for (String place : PLACES) {
      browser.open(server.address() + "/" + place);
      browser.awaitText("Sign out");
      if (place.matches("#/charts|.*graph")) browser.find("canvas, section h2");
      else browser.awaitText("executed++");
      browser.awaitNoText("Loading");
      browser.runLater("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))");
      browser.picture("hostile-" + place.replaceAll("[^a-z0-9]+", "-"));
      assertThat(browser.tooWide()).as(place + " at 360 px").isLessThanOrEqualTo(0);
      assertThat(loose()).as(place).isEqualTo(List.of());
      assertThat(turned()).as(place).isEqualTo(List.of());
      browser.assertFlawlessBut();
    }
  }

  @Test
  void a_screen_shows_what_a_program_prints_and_nothing_of_it_is_run(@TempDir Path own)
      throws IOException {
    String title = "\u001b]0;" + SCRIPT + "\u0007\u001b]8;;" + LINK + "\u0007link\u001b]8;;\u0007 ";
    Path file = Files.writeString(own.resolve("hostile"), title + ALL + "\nthe end\n");
    String id = server.launch("cat '" + file + "'; while read line; do :; done");
    browser.size(360, 740);
    for (String place : List.of("#/terminals", "#/terminals?at=" + id)) {
      browser.open(server.address() + "/" + place);
      browser.await(
          "its screen",
          () -> String.valueOf(browser.run(SCREEN)).replace('\u00a0', ' ').contains("the end"));
      browser.click("summary", "Read as text");
      browser.await("its lines", () -> browser.find("pre.lines").getText().contains("the end"));
      browser.picture("hostile-screen" + place.replaceAll("[^a-z0-9]+", "-"));
      assertThat(browser.tooWide()).as(place + " at 360 px").isLessThanOrEqualTo(0);
      assertThat(loose()).as(place).isEqualTo(List.of());
      assertThat(turned()).as(place).isEqualTo(List.of());
      assertThat(browser.all("main img, main script, main a[href^=javascript]")).isEmpty();
      browser.assertFlawlessBut();
    }
    browser.act("Stop");
  }

  @Test
  void whoever_is_signed_in_may_have_a_hostile_name() {
    String name = within(100);
    String token = server.post("/tokens", "role", "viewer", "name", name).text("token");
    for (int width : new int[] {360, WIDTH}) {
      browser.size(width, 740);
      browser.open(server.address() + "/#token=" + token);
      browser.awaitText("Sign out", "executed++");
      assertThat(browser.tooWide()).as("at " + width + " px").isLessThanOrEqualTo(0);
      browser.picture("hostile-name-" + width);
      browser.assertFlawlessBut();
    }
    browser.go("#/journal?kind=access");
    browser.awaitText("access.issued", "executed++");
    assertThat(loose()).isEqualTo(List.of());
  }

  @Test
  void it_is_shown_as_the_text_it_is() {
    open("#/tasks", "Tasks");
    browser.awaitText("<script>executed++</script><img src=x onerror=executed++>");
    assertThat(browser.all("main script, main img, main a[href^=javascript]")).isEmpty();
    browser.go(PLACES.get(4));
    browser.awaitText("<script>executed++</script>", "It waits for an answer");
    assertThat(browser.all("main script, main img, main a[href^=javascript]")).isEmpty();
  }

  /** Plain words that are read from the right, because something beside them turned them around. */
  private static Object turned() {
    return browser.run(
        """
        const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        const turned = [];
        const place = (node, at) => {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          return range.getBoundingClientRect();
        };
        while (texts.nextNode()) {
          const node = texts.currentNode;
          const word = /[A-Za-z0-9]{2,}/.exec(node.textContent);
          if (!word || /[^\\x00-\\x7f\\u00b7\\u2026]/.test(node.textContent)) continue;
          if (node.parentElement.closest("svg, .xterm")) continue;
          const first = place(node, word.index), last = place(node, word.index + word[0].length - 1);
          if (first.width > 0 && first.top === last.top && first.left > last.left)
            turned.push(node.parentElement.outerHTML.slice(0, 200));
        }
        return turned;""");
  }

  /** Texts that turn around and are not kept apart from what stands beside them. */
  private static Object loose() {
    return browser.run(
        """
        const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        const loose = [];
        while (texts.nextNode()) {
          const { textContent, parentElement } = texts.currentNode;
          const apart = "bdi, pre, code, [dir=auto], option, svg, .djs-container";
          if (textContent.includes("\\u202e") && !parentElement.closest(apart))
            loose.push(parentElement.outerHTML.slice(0, 300));
        }
        return loose;""");
  }
}
