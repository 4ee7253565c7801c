package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.WebElement;

/**
 * Every page on a crew's work, light and dark: what axe-core finds against it, whether it fits a
 * phone, what somebody is offered who only looks, and a picture in {@code target/screenshots} for
 * people to look at.
 */
abstract class LooksTest extends OnPage {
  private static final Path AXE = Path.of("page/node_modules/axe-core/axe.min.js");

  /** Whether the names of all pages in the navigation can be read. */
  private static final String WHERE =
      """
      return [...document.querySelectorAll("nav a")].every((each) => {
        const { left, right } = each.getBoundingClientRect();
        return left >= 0 && right <= document.documentElement.clientWidth;
      });""";

  /** What is wider than its place: it would lie over what is beside it, or be out of sight. */
  private static final String SPILT =
      """
      return [...document.querySelectorAll(".feed .about, .table, .t-body, .card h2, .card h3")]
        .filter((each) => each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.outerHTML.slice(0, 200));""";

  /**
   * What buttons that would change something say, all at once: a page that is live redraws them.
   */
  private static final String BUTTONS =
      """
      return [...document.querySelectorAll("main button[aria-haspopup=dialog], main button[type=submit]")]
        .map((each) => each.innerText.trim().split("\\n")[0]);""";

  /** What asks before it begins, and changes nothing. */
  private static final Set<String> HARMLESS = Set.of("Export");

  private static Story story;

  /** The name of each picture, the place it is of, and words that are there once all is drawn. */
  private static final Map<String, List<String>> PLACES = new LinkedHashMap<>();

  @BeforeAll
  static void tell() {
    story = Story.tell(server);
    String task = "#/tasks/" + story.main();
    PLACES.put("now", List.of("#/", "At work", "developer-1", "May 1.4.0 be released?"));
    PLACES.put("tasks", List.of("#/tasks", "Write GET /users with paging"));
    PLACES.put("graph", List.of("#/tasks?view=graph", "dependencies."));
    PLACES.put("task", List.of(task, "Page by cursor", "Write the query with a cursor"));
    PLACES.put("task-prompt", List.of(task + "?tab=prompt", "What the agent sees"));
    PLACES.put(
        "task-time", List.of(task + "?tab=time", "What differs", "said that criterion 3 is met"));
    PLACES.put("task-output", List.of(task + "?tab=output", "Artifacts"));
    PLACES.put("workflows", List.of("#/workflows", "May 1.4.0 be released?", "All workflows"));
    PLACES.put(
        "execution",
        List.of("#/executions/" + story.release(), "Approve the release", "Variables"));
    PLACES.put(
        "workflow", List.of("#/workflows/" + story.workflow(), "Executions of all versions"));
    PLACES.put("worker", List.of("#/terminals?at=developer-1", "Other terminals"));
    PLACES.put("incident", List.of("#/executions/" + story.stuck(), "no network", "Waits for"));
    PLACES.put("terminals", List.of("#/terminals", "Workers, and terminals that are over"));
    PLACES.put("journal", List.of("#/journal", "workflow.started"));
    PLACES.put("missing", List.of("#/nowhere", "Nothing is here"));
    PLACES.put("charts", List.of("#/charts", "Time per status"));
  }

  private static void look(String name) {
    List<String> place = PLACES.get(name);
    browser.go(place.get(0));
    browser.awaitText(place.subList(1, place.size()).toArray(String[]::new));
    browser.awaitNoText("Loading");
    if (name.equals("graph")) awaitDrawn();
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void every_page_has_no_serious_finding_of_axe(String colours) throws IOException {
    assumeThat(AXE).as("axe-core is fetched from npm by page/build").exists();
    String axe = Files.readString(AXE);
    browser.colours(colours);
    Map<String, Object> findings = new LinkedHashMap<>();
    for (String name : PLACES.keySet()) {
      look(name);
      fits(name, WIDTH);
      browser.picture(name + "-" + colours);
      browser.assertFlawlessBut(); // before axe, which makes a style of its own
      // In other colours it is the same page, so nothing else than they can be wrong with it.
      Object found = examine(axe, colours.equals("dark") ? List.of("color-contrast") : List.of());
      if (!List.of().equals(found)) findings.put(name, found);
      browser.forgetFaults();
    }
    assertThat(findings).isEmpty();
  }

  private static Object examine(String axe, List<String> rules) {
    if (browser.run("return typeof axe").equals("undefined")) browser.run(axe);
    return browser.runLater(
        """
        const [rules, told] = arguments;
        const asked = { resultTypes: ["violations"], ...(rules.length > 0 && { runOnly: rules }) };
        axe.run(document, asked).then(
          ({ violations }) => told(violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) =>
              `${node.html.slice(0, 160)} ${node.any.map(({ message }) => message).join("; ")}`).join(" | ")}`)),
          (failed) => told(String(failed)));""",
        rules);
  }

  private static void fits(String name, int width) {
    assertThat(browser.tooWide()).as(name + " at " + width + " px").isLessThanOrEqualTo(0);
    assertThat(browser.run(SPILT)).as(name + " at " + width + " px").isEqualTo(List.of());
    browser.await("the navigation of " + name + " in view", () -> (Boolean) browser.run(WHERE));
  }

  /** Whether a node of the diagram is in view, and the words of the table beneath. */
  private static final String IN_VIEW =
      """
      const node = document.querySelector(`[data-element-id="${arguments[0]}"]`).getBoundingClientRect();
      const window = document.querySelector(".sideways").getBoundingClientRect();
      return node.left >= window.left && node.right <= window.right;""";

  @Test
  void a_phone_shows_the_node_that_is_at_work_and_links_large_enough_for_a_finger()
      throws IOException {
    browser.size(390, 740);
    look("execution");
    browser.await("the node in view", () -> (Boolean) browser.run(IN_VIEW, "approve"));
    assertThat(browser.text()).contains("scroll it sideways");
    fits("execution", 390);
    browser.picture("execution-390");
    look("now");
    browser.picture("now-390");
    assumeThat(AXE).as("axe-core is fetched from npm by page/build").exists();
    assertThat(examine(Files.readString(AXE), List.of("target-size"))).isEqualTo(List.of());
  }

  @Test
  void every_page_fits_a_phone_and_a_wall() {
    for (int width : new int[] {360, 3840}) {
      browser.size(width, width == 3840 ? 2160 : 740);
      for (String name : PLACES.keySet()) {
        look(name);
        fits(name, width);
        browser.picture(name + "-" + width);
      }
    }
  }

  /** The words of one sheet of Now. */
  private static String sheet(String name) {
    return browser.find("section[aria-label='" + name + "']").getText();
  }

  @Test
  void now_tells_first_what_needs_a_person_and_then_who_does_what() {
    look("now");
    browser.awaitText("Needs you: 2 answers, 1 workflow held up, 2 failed tasks.");
    String project = server.folder().getFileName().toString();
    assertThat(browser.run("return document.title"))
        .isEqualTo("(3) Now · " + project + " · Mainstay");
    assertThat(browser.find(".brand .project").getAttribute("textContent")).isEqualTo(project);
    assertThat(sheet("Waiting for your answer")).contains("served from Ireland?");
    assertThat(sheet("Workflows held up")).contains("Release with approval", "no network");
    assertThat(sheet("Failed")).contains("Write DELETE /users/{id}", "CREATE INDEX CONCURRENTLY");
    assertThat(sheet("At work"))
        .contains("developer-1", "Write GET /users with paging", "step 3 of 5")
        .contains("Write the query with a cursor", "edited UserQueries.java", "in progress")
        .contains("ago", "left");
    assertThat(sheet("Blocked")).contains("Review the users API", "waits for", story.main());
    assertThat(sheet("Ready")).contains("Load test at 500 requests a second", "priority 5");
    assertThat(sheet("Messages not delivered")).contains("to developer-2 from person:ada");
    assertThat(sheet("Budgets")).contains("Write POST /users", "of 200,000 tokens spent", "$4.00");
    List<WebElement> ids = browser.all("main section .id");
    assertThat(ids)
        .filteredOn(each -> each.getText().startsWith("T-"))
        .hasSizeGreaterThan(10)
        .allMatch(each -> each.getTagName().equals("a"));
    int urgent = browser.find("section.urgent").getLocation().getY();
    int atWork = browser.find("section[aria-label='At work']").getLocation().getY();
    assertThat(urgent).isLessThan(atWork);
  }

  @Test
  void a_dossier_has_all_that_is_known_and_who_said_it() {
    look("task");
    browser.awaitText("GET /users lists every user that is not deleted", "2 of 5");
    browser.awaitText("never run", "Checked by", "mvn -q test", "1 of 3 met", "Word of person ada");
    browser.awaitText("binding", "Do not change the table of users", "via rest");
    browser.awaitText("Open issues", "Hypotheses", "Decisions", "agent developer-1");
    browser.awaitText("Blocked on", "Last actions", "Assignments", "attempt 1", "so far");
    browser.find(".t-lane-in_progress .t-worked");
  }

  @Test
  void an_execution_shows_its_token_and_how_long_each_node_took() {
    look("execution");
    browser.await("a token", () -> says(".badge.left", "1"));
    browser.await("the time of a node", () -> says(".badge.below", "s"));
    browser.find(".djs-element.is-now[data-element-id='approve']");
    look("incident");
    browser.await("an incident", () -> says(".badge.bad", "1"));
    browser.find(".djs-element.is-incident[data-element-id='build']");
  }

  private static boolean says(String css, String words) {
    return browser.all(css).stream().anyMatch(each -> each.getText().contains(words));
  }

  @Test
  void somebody_who_only_looks_sees_every_page_and_no_button_that_changes_anything() {
    String viewer = server.post("/tokens", "role", "viewer", "name", "wall").text("token");
    browser.open(server.address() + "/#token=" + viewer);
    browser.awaitText("Sign out", "wall");
    List<String> offered = new ArrayList<>();
    for (String name : PLACES.keySet()) {
      look(name);
      for (Object said : (List<?>) browser.run(BUTTONS)) {
        if (!HARMLESS.contains(said)) offered.add(name + " offers " + said);
      }
      assertThat(browser.all("main .problem, main [role=alert]")).as(name).isEmpty();
      browser.assertFlawlessBut();
    }
    assertThat(offered).isEmpty();
    open("#/tasks", "Tasks");
    String seen = server.task("Seen on the wall");
    browser.awaitText("Seen on the wall");
    server.send("DELETE", "/tasks/" + seen, null); // what others look at stays as it was told
  }

  @Test
  void every_page_is_reached_by_keys_and_the_focus_is_seen() {
    open("#/", "Now");
    browser.press("New entries appear above.", "g", "j");
    browser.press("Any status", "g", "t");
    browser.awaitText("Write the user guide");
    String outlines =
        String.valueOf(
            browser.run(
                """
                const link = document.querySelector("nav a");
                link.focus({ focusVisible: true });
                const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(link);
                return `${outlineStyle} ${outlineWidth} ${boxShadow}`;"""));
    assertThat(outlines).isNotEqualTo("none 0px none");
  }
}
