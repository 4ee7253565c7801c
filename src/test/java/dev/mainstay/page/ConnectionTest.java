package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A page that loses its server says so, shows nothing old as new, and finds it again. */
abstract class ConnectionTest extends OnPage {
  /** What the browser says of a server that is gone, and of who is signed out. */
  private static final String[] GONE = {"net::ERR_", "status of 503", "status of 401"};

  private static final String KEPT = "return localStorage.getItem('mainstay.key')";

  @BeforeEach
  void forgiveWhatIsGone() {
    forgive(GONE);
  }

  private static boolean isStale() {
    return !browser.all("main.stale").isEmpty();
  }

  @Test
  void while_the_server_is_gone_a_banner_says_so_and_then_what_happened_meanwhile_is_there() {
    server.task("Before");
    open("#/tasks", "Tasks");
    browser.awaitText("Before");
    assertThat(isStale()).isFalse();
    server.stop();
    browser.awaitText("The connection is lost.", "What you see is as of");
    assertThat(isStale()).isTrue();
    server.start();
    server.task("While it was away");
    browser.awaitText("While it was away");
    browser.awaitNoText("The connection is lost.");
    assertThat(isStale()).isFalse();
    server.task("Afterwards");
    browser.awaitText("Afterwards");
  }

  @Test
  void a_journal_has_each_entry_once_after_the_server_was_restarted() {
    open("#/journal", "Journal");
    browser.awaitText("New entries appear above.");
    server.task("first");
    browser.awaitText("the task “first”");
    server.stop();
    browser.awaitText("The connection is lost.");
    server.start();
    server.task("second");
    browser.awaitText("the task “second”");
    browser.awaitNoText("The connection is lost.");
    assertThat(browser.text().split("the task “first”", -1)).hasSize(2);
    assertThat(browser.text().split("the task “second”", -1)).hasSize(2);
  }

  @Test
  void what_is_done_in_one_tab_is_seen_in_the_other_and_signing_out_ends_both() {
    String id = server.task("Seen by two");
    String first = browser.tab();
    open("#/tasks/" + id, "Seen by two");
    try {
      String second = browser.openTab(server.address() + "/#/tasks/" + id);
      browser.awaitText("No standing orders.");
      browser.act("Add directive", "textarea", "Both shall see it");
      browser.lookAt(first);
      browser.awaitText("Both shall see it");
      browser.click("header button", "Sign out");
      browser.awaitText("You are not signed in.");
      browser.lookAt(second);
      browser.awaitText("You are not signed in.");
      assertThat(browser.text()).doesNotContain("Both shall see it");
    } finally {
      browser.closeOthers(first);
    }
  }

  /** What a server on another port of this host could do with what the browser sends it. */
  @Test
  void the_cookie_alone_is_no_sign_in_and_what_the_page_keeps_goes_with_the_sign_in() {
    String key = String.valueOf(browser.run(KEPT));
    assertThat(key).hasSizeGreaterThanOrEqualTo(32);
    String cookie = browser.cookies();
    assertThat(cookie).startsWith("mainstay_").doesNotContain(key);
    assertThat(server.status("/tasks", "Cookie", cookie)).isEqualTo(401);
    assertThat(server.status("/tasks", "Cookie", cookie, "Mainstay-Page", key)).isEqualTo(200);
    browser.click("header button", "Sign out");
    browser.awaitText("You are not signed in.");
    assertThat(browser.run(KEPT)).isNull();
    assertThat(server.status("/tasks", "Cookie", cookie, "Mainstay-Page", key)).isEqualTo(401);
  }

  @Test
  void a_link_that_is_pasted_into_a_signed_in_tab_is_taken_out_of_the_address() {
    open("#/tasks", "Tasks");
    browser.go("#token=wrong");
    browser.awaitText("The link did not sign you in");
    assertThat(browser.run("return location.hash")).isEqualTo("#/tasks");
    String viewer = server.post("/tokens", "role", "viewer", "name", "wall").text("token");
    browser.go("#token=" + viewer);
    browser.awaitText("wall viewer");
    assertThat(browser.run("return location.hash")).isEqualTo("#/tasks");
    assertThat(browser.text()).doesNotContain(viewer);
    browser.run("history.back()");
    browser.await("another moment", () -> !browser.text().contains("Nothing is here"));
    assertThat(String.valueOf(browser.run("return location.href"))).doesNotContain("token");
  }

  @Test
  void whoever_cannot_sign_out_is_told_so() {
    open("#/tasks", "Tasks");
    server.stop();
    browser.awaitText("The connection is lost.");
    browser.click("header button", "Sign out");
    browser.awaitText("You are still signed in: the server does not answer");
    server.start();
    browser.awaitNoText("The connection is lost.");
    browser.click("header button", "Sign out");
    browser.awaitText("You are not signed in.");
  }

  @Test
  void the_link_signs_in_leaves_no_token_behind_and_a_wrong_one_is_refused_in_a_sentence() {
    assertThat(browser.run("return location.href")).isEqualTo(server.address() + "/#/");
    browser.click("header button", "Sign out");
    browser.awaitText("You are not signed in.");
    browser.type("input[type=password]", "wrong");
    browser.click("main button", "Sign in");
    browser.find("[role=alert]");
    browser.type("input[type=password]", server.token());
    browser.click("main button", "Sign in");
    browser.awaitText("Sign out");
  }
}
