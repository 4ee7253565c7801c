package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody with a viewer's token sees everything, and is offered nothing that would be refused. */
class ViewerPagesTest extends OnPage {
  private static final List<String> PLACES = new ArrayList<>();

  /** What asks before it begins, and changes nothing. */
  private static final Set<String> HARMLESS = Set.of("Export");

  /**
   * What buttons that would change something say, all at once: a page that is live redraws them.
   */
  private static final String BUTTONS =
      """
      return [...document.querySelectorAll("main button[aria-haspopup=dialog], main button[type=submit]")]
        .map((each) => each.innerText.trim().split("\\n")[0]);""";

  private static String viewer;

  @BeforeAll
  static void tell() throws IOException {
    Story story = Story.tell(server);
    viewer = server.post("/tokens", "role", "viewer", "name", "wall").text("token");
    JsonObject variables = JsonObject.of("version", "9.9.9");
    server.post("/workflows", "bpmn", Files.readString(Path.of("examples/release.bpmn")));
    String stuck = server.post("/workflows/release/executions", "variables", variables).text("id");
    server.fail(server.claimTitled("Build and test 9.9.9", "builder-9"), "no network");
    PLACES.addAll(List.of("#/", "#/tasks", "#/tasks?view=graph", "#/workflows"));
    for (String tab : List.of("dossier", "prompt", "time", "output")) {
      PLACES.add("#/tasks/" + story.main() + "?tab=" + tab);
    }
    PLACES.add("#/executions/" + story.release());
    PLACES.add("#/executions/" + stuck);
    PLACES.add("#/workflows/" + server.get("/workflows/release").text("id"));
    PLACES.addAll(List.of("#/terminals", "#/terminals?at=developer-1", "#/journal", "#/charts"));
  }

  @BeforeEach
  void signInAsViewer() {
    browser.open(server.address() + "/#token=" + viewer);
    browser.awaitText("Sign out", "wall");
  }

  @Test
  void every_page_is_shown_and_no_button_changes_anything() {
    List<String> offered = new ArrayList<>();
    for (String place : PLACES) {
      browser.open(server.address() + "/" + place); // or what was shown before might be looked at
      browser.find("h1");
      browser.awaitNoText("Loading");
      for (Object said : (List<?>) browser.run(BUTTONS)) {
        if (!HARMLESS.contains(said)) offered.add(place + " offers " + said);
      }
      assertThat(browser.all("main .problem, main [role=alert]")).as(place).isEmpty();
      browser.assertFlawlessBut();
    }
    assertThat(offered).isEmpty();
  }

  @Test
  void what_happens_is_seen_as_it_happens() {
    open("#/tasks", "Tasks");
    server.task("Seen on the wall");
    browser.awaitText("Seen on the wall");
  }
}
