package dev.mainstay.store;

import dev.mainstay.store.ClosedStream.Kind;

/**
 * Why something stays although it is old. Each constant has the condition on its row {@code t};
 * what refers to a task as its parent or dependency is followed by {@link RetentionTable}.
 */
public enum Hold {
  UNEXPLAINED(
      Kind.TASK,
      "no journal entry explains it; 'mainstay verify' says more",
      "NOT EXISTS (SELECT 1 FROM journal j WHERE j.stream = 'task/' || t.id AND j.number = 1)"),
  WRITTEN_SINCE(
      Kind.TASK,
      "its history went on since",
      "EXISTS (SELECT 1 FROM journal j WHERE j.stream = 'task/' || t.id AND j.at > :until)"),
  UNSEALED(
      Kind.TASK,
      "its newest entries are not sealed yet",
      "EXISTS (SELECT 1 FROM journal WHERE stream = 'task/' || t.id AND NOT (<between>))"),
  OPEN_PARENT(
      Kind.TASK,
      "its parent is open",
      """
      EXISTS (SELECT 1 FROM tasks p WHERE p.id = t.parent_id
        AND p.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS'))"""),
  PARENT_ENDED_LATELY(
      Kind.TASK,
      "its parent ended lately and can be tried again",
      """
      EXISTS (SELECT 1 FROM tasks p WHERE p.id = t.parent_id
        AND p.status IN ('FAILED', 'CANCELLED') AND p.updated_at > :until)"""),
  SESSION(
      Kind.TASK,
      "an agent's session is on it",
      "EXISTS (SELECT 1 FROM agent_sessions s WHERE s.task_id = t.id AND s.last_seen > :until)"),
  STORY(
      Kind.TASK,
      "it is the story of a workspace",
      "EXISTS (SELECT 1 FROM workspaces w WHERE w.story_id = t.id)"),
  DIRECTORY(
      Kind.TASK,
      "a state directory shows it",
      "EXISTS (SELECT 1 FROM state_directories d WHERE d.task_id = t.id)"),
  FILE_WRITE(
      Kind.TASK,
      "a file write for it is not settled",
      "EXISTS (SELECT 1 FROM file_writes f WHERE f.task_id = t.id)"),
  RESERVATION(
      Kind.TASK,
      "it has files reserved",
      "EXISTS (SELECT 1 FROM reservations r WHERE r.task_id = t.id AND r.fence = t.fence)"),
  OBSERVATION(
      Kind.TASK,
      "tool results seen for it are not looked at yet",
      "EXISTS (SELECT 1 FROM observations o WHERE o.task_id = t.id)"),
  ASSIGNMENT(
      Kind.TASK,
      "somebody is assigned to it",
      """
      EXISTS (SELECT 1 FROM task_assignments a WHERE a.task_id = t.id
        AND a.status IN ('ASSIGNED', 'ACCEPTED', 'IN_PROGRESS'))"""),
  BUDGET(
      Kind.TASK,
      "a budget is reserved by it or from it",
      """
      (EXISTS (SELECT 1 FROM budget_reservations b WHERE b.budget_id = t.id)
        OR EXISTS (SELECT 1 FROM budget_reservations b WHERE b.task_id = t.id))"""),
  WORKFLOW(
      Kind.TASK,
      "its workflow is being executed",
      """
      EXISTS (SELECT 1 FROM workflow_executions e WHERE e.workflow_id = t.workflow_id
        AND e.status IN ('RUNNING', 'PAUSED'))"""),

  EXECUTION_UNEXPLAINED(
      Kind.EXECUTION,
      "no journal entry explains it",
      """
      NOT EXISTS (SELECT 1 FROM journal j
        WHERE j.stream = 'execution/' || t.id AND j.number = 1)"""),
  EXECUTION_WRITTEN_SINCE(
      Kind.EXECUTION,
      "its history went on since",
      "EXISTS (SELECT 1 FROM journal j WHERE j.stream = 'execution/' || t.id AND j.at > :until)"),
  EXECUTION_UNSEALED(
      Kind.EXECUTION,
      "its newest entries are not sealed yet",
      "EXISTS (SELECT 1 FROM journal WHERE stream = 'execution/' || t.id AND NOT (<between>))"),
  EXECUTION_WITHDRAWING(
      Kind.EXECUTION,
      "work that it wants no more has not been told so yet",
      "EXISTS (SELECT 1 FROM workflow_waits w WHERE w.execution_id = t.id)"),
  EXECUTION_CALLED(
      Kind.EXECUTION,
      "the execution that called it goes on",
      """
      EXISTS (SELECT 1 FROM workflow_executions c WHERE c.id = t.parent_execution
        AND c.status IN ('RUNNING', 'PAUSED'))"""),

  TERMINAL_WRITTEN_SINCE(
      Kind.TERMINAL,
      "its history went on since",
      "EXISTS (SELECT 1 FROM journal j WHERE j.stream = 'terminal/' || t.terminal_id AND j.at > :until)"),
  TERMINAL_UNSEALED(
      Kind.TERMINAL,
      "its newest entries are not sealed yet",
      "EXISTS (SELECT 1 FROM journal WHERE stream = 'terminal/' || t.terminal_id AND NOT (<between>))"),
  TERMINAL_ASSIGNED(
      Kind.TERMINAL,
      "a task is assigned to it",
      """
      EXISTS (SELECT 1 FROM task_assignments a WHERE a.terminal_id = t.terminal_id
        AND a.status IN ('ASSIGNED', 'ACCEPTED', 'IN_PROGRESS'))"""),
  TERMINAL_HOLDS(
      Kind.TERMINAL,
      "it holds a task",
      "EXISTS (SELECT 1 FROM tasks h WHERE h.lease_until IS NOT NULL AND h.lease_holder = t.terminal_id)"),
  TERMINAL_HELD_LATELY(
      Kind.TERMINAL,
      "it held a task lately",
      """
      EXISTS (SELECT 1 FROM task_assignments a WHERE a.terminal_id = t.terminal_id
        AND (a.assigned_at > :until OR a.completed_at > :until))"""),
  TERMINAL_SESSION(
      Kind.TERMINAL,
      "an agent's session is in it",
      "EXISTS (SELECT 1 FROM agent_sessions s WHERE s.terminal_id = t.terminal_id AND s.last_seen > :until)"),
  TERMINAL_MESSAGES(
      Kind.TERMINAL,
      "messages wait for it",
      """
      EXISTS (SELECT 1 FROM inbox i WHERE i.receiver_id = t.terminal_id
        AND i.status IN ('PENDING', 'DELIVERING'))"""),
  TERMINAL_TOKEN(
      Kind.TERMINAL,
      "a token lets it call",
      """
      EXISTS (SELECT 1 FROM access_tokens k WHERE k.terminal_id = t.terminal_id
        AND (k.expires_at IS NULL OR k.expires_at > :now))""");

  private final Kind kind;
  private final String sentence;
  private final String condition;

  Hold(Kind kind, String sentence, String condition) {
    this.kind = kind;
    this.sentence = sentence;
    this.condition = condition;
  }

  public Kind kind() {
    return kind;
  }

  /** The reason as people are told. */
  public String sentence() {
    return sentence;
  }

  String condition() {
    return condition;
  }
}
