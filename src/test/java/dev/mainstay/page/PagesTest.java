package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * All tests that need the one browser, one after the other from the beginning on. Each by itself
 * would be put off while another has the browser, until nothing else is left to run beside it.
 */
@Order(0)
@ResourceLock("chromium")
class PagesTest {
  @Nested
  class Looks extends LooksTest {}

  @Nested
  class WorkflowAndTerminalPages extends WorkflowAndTerminalPagesTest {}

  @Nested
  class TaskPages extends TaskPagesTest {}

  @Nested
  class PastedCommands extends PastedCommandsTest {}

  @Nested
  class HostileText extends HostileTextTest {}

  @Nested
  class Connection extends ConnectionTest {}

  @Nested
  class OutputPages extends OutputPagesTest {}

  @Test
  void a_window_that_was_put_away_is_drawn_all_the_same() {
    Browser browser = Browser.shared();
    browser.putAway();
    try {
      browser.open("about:blank");
      assertThat(browser.isInSight()).isTrue();
      assertThat(String.valueOf(browser.frames())).matches("[1-9].*");
    } finally {
      browser.bringBack();
    }
  }
}
