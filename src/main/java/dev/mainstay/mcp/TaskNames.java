package dev.mainstay.mcp;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Ids of tasks that begin with what was typed: those where something happened last come first. */
final class TaskNames {
  static final int NAMES_MAX = 100;

  private static final int ENTRIES_LOOKED_AT = 2_000;
  private static final String STREAM = "task/";

  private final Rooms rooms;
  private final TaskTexts tasks;

  TaskNames(Rooms rooms) {
    this.rooms = rooms;
    this.tasks = new TaskTexts(rooms);
  }

  List<String> complete(String reference, String argument, String typed) {
    boolean known =
        (argument.equals("id") && reference.startsWith("mainstay://tasks/"))
            || (argument.equals("task") && Set.of("resume", "handover").contains(reference));
    if (!known) return List.of();
    String begin = typed.strip().toUpperCase(Locale.ROOT);
    return names().stream().filter(id -> id.startsWith(begin)).limit(NAMES_MAX).toList();
  }

  /** Open ones first, in each part the latest first. */
  private Set<String> names() {
    Set<String> open = new LinkedHashSet<>();
    for (TaskStatus status :
        List.of(TaskStatus.IN_PROGRESS, TaskStatus.ASSIGNED, TaskStatus.PENDING)) {
      for (Task task : tasks.of(status)) open.add(task.id().value());
    }
    Set<String> recent = recent();
    Set<String> names = new LinkedHashSet<>(recent);
    names.retainAll(open);
    names.addAll(open);
    names.addAll(recent);
    return names;
  }

  private Set<String> recent() {
    Set<String> recent = new LinkedHashSet<>();
    rooms.journal().newest(null, ENTRIES_LOOKED_AT).stream()
        .sorted((one, other) -> Long.compare(other.seq(), one.seq()))
        .map(entry -> entry.place().stream())
        .filter(stream -> stream.startsWith(STREAM))
        .map(stream -> stream.substring(STREAM.length()))
        .filter(TaskId::isOne)
        .forEach(recent::add);
    return recent;
  }
}
