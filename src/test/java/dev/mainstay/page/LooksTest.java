package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every page on a crew's work, light and dark: what axe-core finds against it, whether it fits a
 * phone, and a picture in {@code target/screenshots} for people to look at.
 */
@Order(1)
class LooksTest extends OnPage {
  private static final Path AXE = Path.of("page/node_modules/axe-core/axe.min.js");

  /** Whether all of the page's own name in the navigation can be read. */
  private static final String WHERE =
      """
      const { left, right } = document.querySelector("nav [aria-current]").getBoundingClientRect();
      return left >= 0 && right <= document.documentElement.clientWidth;""";

  /** What is wider than its place: it would lie over what is beside it, or be out of sight. */
  private static final String SPILT =
      """
      return [...document.querySelectorAll(".feed .about, .table, .t-body, .card h2, .card h3")]
        .filter((each) => each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.outerHTML.slice(0, 200));""";

  /** The name of each picture, the place it is of, and words that are there once all is drawn. */
  private static final Map<String, List<String>> PLACES = new LinkedHashMap<>();

  @BeforeAll
  static void tell() {
    Story story = Story.tell(server);
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
    PLACES.put("terminals", List.of("#/terminals", "Workers, and terminals that are over"));
    PLACES.put("journal", List.of("#/journal", "workflow.started"));
    PLACES.put("charts", List.of("#/charts", "Time per status"));
  }

  private static void look(String name) {
    List<String> place = PLACES.get(name);
    browser.go(place.get(0));
    browser.awaitText(place.subList(1, place.size()).toArray(String[]::new));
    browser.awaitNoText("Loading");
    if (name.equals("graph")) browser.awaitDrawn();
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
      browser.picture(name + "-" + colours);
      browser.assertFlawlessBut(); // before axe, which makes a style of its own
      Object found = examine(axe);
      if (!List.of().equals(found)) findings.put(name, found);
      browser.forgetFaults();
    }
    assertThat(findings).isEmpty();
  }

  private static Object examine(String axe) {
    browser.run(axe);
    return browser.runLater(
        """
        const told = arguments[0];
        const asked = { resultTypes: ["violations"] };
        axe.run(document, asked).then(
          ({ violations }) => told(violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) =>
              `${node.html.slice(0, 160)} ${node.any.map(({ message }) => message).join("; ")}`).join(" | ")}`)),
          (failed) => told(String(failed)));""");
  }

  @Test
  void every_page_fits_a_phone_and_a_wall() {
    for (int width : new int[] {360, WIDTH, 3840}) {
      browser.size(width, width == 3840 ? 2160 : 740);
      for (String name : PLACES.keySet()) {
        look(name);
        assertThat(browser.tooWide()).as(name + " at " + width + " px").isLessThanOrEqualTo(0);
        assertThat(browser.run(SPILT)).as(name + " at " + width + " px").isEqualTo(List.of());
        browser.await("the name of " + name + " in view", () -> (Boolean) browser.run(WHERE));
        if (width != WIDTH) browser.picture(name + "-" + width);
      }
    }
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
