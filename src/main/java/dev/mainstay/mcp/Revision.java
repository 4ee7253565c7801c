package dev.mainstay.mcp;

import java.util.List;

/** The revisions of the protocol that are spoken here, newest first. */
final class Revision {
  /** Each request stands for itself. */
  static final String STATELESS = "2026-07-28";

  /** A session begins with {@code initialize}. */
  static final List<String> WITH_SESSIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  static final List<String> ALL =
      List.of(STATELESS, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  private Revision() {}

  /** What a client that begins a session is offered: what it asked for, or the newest. */
  static String agreed(String asked) {
    return WITH_SESSIONS.contains(asked) ? asked : WITH_SESSIONS.get(0);
  }
}
