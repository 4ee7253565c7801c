package dev.mainstay.hook;

/** What can happen in a session, whatever its host calls it. */
enum EventKind {
  SESSION_START,
  PROMPT,
  BEFORE_TOOL,
  AFTER_TOOL,
  TOOL_FAILED,
  BEFORE_COMPACTION,
  STOP,
  SUBAGENT_STOP,
  SESSION_END,
  /** The host tells its person something, perhaps that it waits for an answer. */
  NOTIFICATION,
  PERMISSION_ASKED,
  /** One that means nothing here. */
  OTHER
}
