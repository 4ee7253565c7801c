package dev.mainstay.app;

import java.util.Set;

/**
 * Tools that ask how something goes on, as each host spells them; the same answer again is no sign
 * of going in circles.
 */
final class PollingTools {
  static final Set<String> NAMES =
      Set.of(
          "BashOutput",
          "TaskOutput",
          "mcp__mainstay__next_task",
          "mcp__mainstay__message",
          "mcp_mainstay_next_task",
          "mcp_mainstay_message",
          "mainstay_next_task",
          "mainstay_message");

  private PollingTools() {}
}
