package dev.mainstay.store;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import org.jspecify.annotations.Nullable;

/** Everything about one task, made anew from its journal entries, one after the other. */
public final class Replay {
  private final TaskId id;
  private @Nullable Task task;

  public Replay(TaskId id) {
    this.id = id;
  }

  /** Whether the journal stream belongs to a task. */
  public static boolean isTask(String stream) {
    return stream.startsWith("task/");
  }

  public static Replay of(String stream) {
    return new Replay(new TaskId(stream.substring("task/".length())));
  }

  public void apply(JournalEntry entry) {
    String kind = entry.content().kind();
    if (kind.startsWith("task.")) applyTask(entry);
    else throw new IllegalArgumentException("no such event: " + kind);
  }

  private void applyTask(JournalEntry entry) {
    TaskEvent event =
        TaskEvent.read(entry.content().kind(), JsonText.object(entry.content().payload()));
    Task before = task;
    if (before != null) task = event.applyTo(before, entry.origin().at());
    else if (event instanceof TaskEvent.Created created)
      task = created.first(id, entry.origin().at());
    else throw new IllegalStateException(id + " does not begin with its creation");
  }

  public TaskId id() {
    return id;
  }

  /** The task as its events made it; what is derived or local is not in it. */
  public @Nullable Task task() {
    return task;
  }
}
