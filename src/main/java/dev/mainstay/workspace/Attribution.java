package dev.mainstay.workspace;

import dev.mainstay.domain.Observation;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.domain.ToolMeaning.Effect;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which of several things that were seen explains a change on the disk. */
final class Attribution {
  private final Path root;
  private final List<Seen> seen = new ArrayList<>();

  /** An observation with what it means here: paths below the workspace, as it spells them. */
  private record Seen(Observation observation, ToolMeaning meaning, Set<RepoPath> paths) {}

  Attribution(Path root, List<Observation> observations) {
    this.root = root;
    for (Observation each : observations) {
      ToolMeaning meaning = ToolMeaning.fromJson(each.meaning());
      Set<RepoPath> paths = new LinkedHashSet<>();
      for (String path : meaning.paths()) within(path).ifPresent(paths::add);
      seen.add(new Seen(each, meaning, paths));
    }
  }

  /** The path below the workspace; empty for what lies elsewhere or is no path at all. */
  private Optional<RepoPath> within(String given) {
    try {
      Path path = root.resolve(given).normalize();
      if (!path.startsWith(root)) path = real(path);
      if (!path.startsWith(root) || path.equals(root)) return Optional.empty();
      return Optional.of(new RepoPath(root.relativize(path).toString().replace('\\', '/')));
    } catch (InvalidPathException | Refusal notOurs) {
      return Optional.empty();
    }
  }

  /** The agent may know the workspace by a name that goes through a link. */
  private static Path real(Path path) {
    Path parent = path.getParent();
    try {
      return parent == null ? path : parent.toRealPath().resolve(path.getFileName());
    } catch (java.io.IOException gone) {
      return path;
    }
  }

  /** Whether a shell ran, which may have changed anything. */
  boolean needsDisk() {
    return seen.stream().anyMatch(each -> each.meaning().effect() == Effect.DISK);
  }

  /** The files that tools named. */
  Set<RepoPath> paths() {
    Set<RepoPath> all = new LinkedHashSet<>();
    for (Seen each : seen) all.addAll(each.paths());
    return all;
  }

  /**
   * The tasks that changed a file, in their order: those whose tools named it, or else the first
   * whose shell ended after the file was last modified.
   */
  List<TaskId> causes(String path, @Nullable Instant modTime) {
    Set<TaskId> named = new LinkedHashSet<>();
    for (Seen each : seen) {
      TaskId task = each.observation().task();
      boolean names = each.paths().stream().anyMatch(p -> p.value().equals(path));
      if (task != null && names) named.add(task);
    }
    if (!named.isEmpty()) return List.copyOf(named);
    for (Seen each : seen) {
      if (each.meaning().effect() != Effect.DISK) continue;
      TaskId task = each.observation().task();
      boolean after = modTime == null || !each.observation().seenAt().isBefore(modTime);
      if (after) return task == null ? List.of() : List.of(task);
    }
    return List.of();
  }
}
