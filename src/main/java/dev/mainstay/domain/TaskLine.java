package dev.mainstay.domain;

/** What a list shows of a task, which is read much faster than all of it. */
public record TaskLine(TaskId id, String title, TaskType type, int priority, Standing standing) {

  /** Where it stands, and what for. */
  public record Standing(TaskStatus status, Waiting waiting) {}

  public static TaskLine of(Task task) {
    return new TaskLine(
        task.id(),
        task.title(),
        task.brief().type(),
        task.brief().priority(),
        new Standing(task.status(), task.links().waiting()));
  }

  public TaskStatus status() {
    return standing.status();
  }

  public Waiting waiting() {
    return standing.waiting();
  }

  /** Ready means: nobody has it, nobody needs to be waited for. */
  public boolean isReady() {
    return status() == TaskStatus.PENDING && waiting().isNothing();
  }
}
