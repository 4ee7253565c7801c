package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.process.Programs.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Builds calls of git in which the settings of a foreign repository run no program. */
public final class GitCommand {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String FILTER_KEYS = "^filter\\..*\\.(smudge|clean|process)$";

  /** What {@code git lfs install --local} writes; the program is the person's own. */
  private static final Set<String> LFS_PROGRAMS =
      Set.of("git-lfs smudge -- %f", "git-lfs clean -- %f", "git-lfs filter-process");

  private GitCommand() {}

  /** The command with hooks and file monitors of the repository switched off. */
  public static List<String> of(List<String> args) {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"));
    command.addAll(args);
    return command;
  }

  /**
   * Options that switch off the filters named in the settings of the repository around a folder,
   * for commands that check files in or out. Git LFS stays on.
   */
  public static List<String> withoutFilters(Path folder) {
    List<String> options = new ArrayList<>();
    for (String filter : filters(folder)) {
      for (String program : List.of("smudge", "clean", "process")) {
        options.addAll(List.of("-c", Phrase.of("filter.%s.%s=", filter, program)));
      }
      options.addAll(List.of("-c", Phrase.of("filter.%s.required=false", filter)));
    }
    return options;
  }

  private static Set<String> filters(Path folder) {
    Set<String> names = new LinkedHashSet<>();
    for (String scope : List.of("--local", "--worktree")) {
      List<String> asked =
          of(List.of("config", scope, "--includes", "-z", "--get-regexp", FILTER_KEYS));
      Ended found =
          Programs.run(Order.of(asked, LIMIT).in(folder))
              .orElseThrow(() -> Refusal.unavailable("git is not installed", null));
      if (found.exit() != 0) continue; // there are none
      for (String setting : found.output().split("\0")) {
        String[] keyAndValue = setting.split("\n", 2);
        boolean isLfs = keyAndValue.length == 2 && LFS_PROGRAMS.contains(keyAndValue[1]);
        if (!keyAndValue[0].isBlank() && !isLfs) names.add(filterName(keyAndValue[0]));
      }
    }
    return names;
  }

  private static String filterName(String key) {
    String name = key.substring(key.indexOf('.') + 1, key.lastIndexOf('.'));
    if (name.indexOf('=') < 0) return name;
    throw Refusal.conflict(
        Phrase.of(
            "the filter \"%s\" of .git/config cannot be switched off by its name; remove it there",
            name));
  }
}
