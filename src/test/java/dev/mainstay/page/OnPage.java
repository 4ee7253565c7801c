package dev.mainstay.page;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.dashboard.PageDoor;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real server with a store of its own, and the browser in which a person looks at it. */
abstract class OnPage {
  static final int WIDTH = 1280;
  static final int HEIGHT = 800;

  @TempDir static Path folder;
  static Browser browser;
  static PageServer server;

  @BeforeAll
  static void startServer() {
    assumeThat(PageDoor.class.getResource("page/files"))
        .as("the page was built; without npm there is none to test")
        .isNotNull();
    browser = Browser.shared();
    server = PageServer.start(folder);
  }

  @AfterAll
  static void stopServer() {
    if (server != null) server.close();
    server = null;
  }

  /** What a test provokes and the browser complains of, until its end. */
  private String[] forgiven = {};

  final void forgive(String... faults) {
    forgiven = faults;
  }

  @BeforeEach
  void signIn() {
    browser.size(WIDTH, HEIGHT);
    browser.colours("light");
    browser.open(server.address() + "/#token=" + server.token());
    browser.awaitText("Sign out");
  }

  @AfterEach
  void nothingWentWrongUnseen() {
    browser.assertFlawlessBut(forgiven);
  }

  /** Opens a place of the page and waits for its heading. */
  static void open(String hash, String heading) {
    browser.go(hash);
    browser.await(
        "the heading " + heading,
        () -> browser.all("h1").stream().anyMatch(each -> each.getText().contains(heading)));
  }

  /** Waits until not all of the canvas has the same colour. */
  static void awaitDrawn() {
    browser.await(
        "a drawing",
        () ->
            (Boolean)
                browser.run(
                    """
                    const canvas = document.querySelector("canvas");
                    const all = new Uint32Array(canvas.getContext("2d")
                      .getImageData(0, 0, canvas.width, canvas.height).data.buffer);
                    return all.some((pixel) => pixel !== all[0]);"""));
  }
}
