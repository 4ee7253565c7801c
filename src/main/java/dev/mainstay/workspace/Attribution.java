package dev.mainstay.workspace;

import dev.mainstay.domain.Observation;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.domain.ToolMeaning.Effect;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which of several things that were seen explains a change on the disk. */
final class Attribution {
  /** Nothing was seen. */
  static final Attribution NONE = new Attribution(List.of());

  private final List<Seen> seen;

  /** An observation with what it means here: paths below the workspace, as it spells them. */
  private record Seen(Observation observation, ToolMeaning meaning, Set<RepoPath> paths) {}

  private Attribution(List<Seen> seen) {
    this.seen = seen;
  }

  Attribution(Path root, List<Observation> observations) {
    this(observations.stream().map(each -> seen(root, each)).toList());
  }

  private static Seen seen(Path root, Observation observation) {
    ToolMeaning meaning = meaning(observation);
    Set<RepoPath> paths = new LinkedHashSet<>();
    for (String path : meaning.paths()) within(root, path).ifPresent(paths::add);
    return new Seen(observation, meaning, paths);
  }

  /** One that cannot be read means nothing, and must not stand in the way of all that follow. */
  static ToolMeaning meaning(Observation observation) {
    try {
      return ToolMeaning.fromJson(observation.meaning());
    } catch (RuntimeException unreadable) {
      return ToolMeaning.NOTHING;
    }
  }

  List<Observation> observations() {
    return seen.stream().map(Seen::observation).toList();
  }

  /** The same, of some of them. */
  Attribution only(List<Observation> some) {
    Set<Long> numbers = some.stream().map(Observation::number).collect(Collectors.toSet());
    return new Attribution(
        seen.stream().filter(each -> numbers.contains(each.observation().number())).toList());
  }

  /** The path below the workspace; empty for what lies elsewhere or is no path at all. */
  static Optional<RepoPath> within(Path root, String given) {
    try {
      Path path = real(root.resolve(given).normalize());
      if (!path.startsWith(root) || path.equals(root)) return Optional.empty();
      return Optional.of(new RepoPath(root.relativize(path).toString().replace('\\', '/')));
    } catch (InvalidPathException | Refusal notOurs) {
      return Optional.empty();
    }
  }

  /**
   * The agent may know the workspace, a folder or the file by a name that goes through a link; what
   * changed is the file behind it. Of a file that is gone, the nearest folder that is left counts.
   */
  private static Path real(Path path) {
    Path at = path;
    while (at != null) {
      try {
        return at.toRealPath().resolve(at.relativize(path));
      } catch (IOException gone) {
        at = at.getParent();
      }
    }
    return path;
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
