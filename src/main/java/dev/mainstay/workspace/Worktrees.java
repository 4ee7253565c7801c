package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.process.Programs.Order;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Worktrees of their own for agents that work side by side: each has its files, and all share the
 * repository and its store. They lie in {@code .mainstay/worktrees} of the repository.
 */
public final class Worktrees {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Duration GIT_LIMIT = Duration.ofMinutes(5);
  private static final String BRANCHES = "mainstay/";
  private final Path root;

  /** The root is that of the main repository. */
  public Worktrees(Path root) {
    if (!Files.isDirectory(root.resolve(".git"))) {
      throw Refusal.invalid(root + " is not the root of a git repository; worktrees need one");
    }
    this.root = root;
  }

  /** A worktree: its name here, its folder and its branch. */
  public record Worktree(String name, Path folder, String branch) {}

  /** Makes a worktree on a branch {@code mainstay/NAME}, new from a base or as it was left. */
  public Worktree add(String name, @Nullable String base) {
    Worktree wanted = named(name);
    if (list().contains(wanted)) return wanted;
    Site.ownFolder(root); // or git would show our folder as new
    if (base != null && base.startsWith("-")) {
      throw Refusal.invalid(Phrase.of("\"%s\" is not a branch or commit", base));
    }
    List<String> args = new ArrayList<>(List.of("worktree", "add"));
    if (isLost(wanted)) git(List.of("worktree", "prune"));
    if (exists(wanted.branch())) {
      args.addAll(List.of(wanted.folder().toString(), wanted.branch()));
    } else {
      args.addAll(List.of("-b", wanted.branch(), wanted.folder().toString()));
      args.add(base == null ? "HEAD" : base);
    }
    gitOnFiles(args);
    return wanted;
  }

  /** The worktrees that were made here and are still there. */
  public List<Worktree> list() {
    List<Worktree> all = new ArrayList<>();
    for (String line : git(List.of("worktree", "list", "--porcelain")).lines().toList()) {
      if (!line.startsWith("worktree ")) continue;
      Path folder = Path.of(line.substring("worktree ".length()));
      Path name = folder.getFileName();
      if (name == null || !NAME.matcher(name.toString()).matches()) continue;
      Worktree here = named(name.toString());
      if (same(folder, here.folder())) all.add(here);
    }
    return all;
  }

  /** Whether its folder was deleted while git still has it in its books. */
  private boolean isLost(Worktree wanted) {
    return !Files.exists(wanted.folder())
        && git(List.of("worktree", "list", "--porcelain"))
            .lines()
            .anyMatch(line -> line.startsWith("worktree ") && line.endsWith("/" + below(wanted)));
  }

  private static String below(Worktree wanted) {
    return ".mainstay/worktrees/" + wanted.name();
  }

  /** Takes a worktree away; git refuses one with changes that are not committed. */
  public void remove(String name) {
    Worktree wanted = named(name);
    if (!list().contains(wanted)) {
      throw Refusal.notFound(
          Phrase.of(
              "there is no worktree %s; 'mainstay repo worktree list' shows those there are",
              name));
    }
    gitOnFiles(List.of("worktree", "remove", wanted.folder().toString()));
  }

  private Worktree named(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Refusal.invalid(
          "a worktree's name has letters, digits, dots, dashes and underscores, at most 64");
    }
    Path folder = root.resolve(".mainstay").resolve("worktrees").resolve(name);
    return new Worktree(name, folder, BRANCHES + name);
  }

  private static boolean same(Path one, Path other) {
    try {
      return Files.isDirectory(one) && Files.isSameFile(one, other);
    } catch (java.io.IOException gone) {
      return false;
    }
  }

  private boolean exists(String branch) {
    List<String> asked =
        GitCommand.of(List.of("show-ref", "--verify", "--quiet", "refs/heads/" + branch));
    return Programs.run(Order.of(asked, GIT_LIMIT).in(root)).filter(e -> e.exit() == 0).isPresent();
  }

  private String git(List<String> args) {
    Ended ended = run(args);
    if (ended.exit() != 0) {
      throw Refusal.conflict("git says: " + ended.output().strip().replaceAll("\\s+", " "));
    }
    return ended.output();
  }

  private Ended run(List<String> args) {
    return Programs.run(Order.of(GitCommand.of(args), GIT_LIMIT).in(root))
        .orElseThrow(() -> Refusal.unavailable("git is not installed, or took too long", null));
  }

  /** Git on files: the programs that the repository's settings name as filters do not run. */
  private String gitOnFiles(List<String> args) {
    List<String> all = new ArrayList<>(GitCommand.withoutFilters(root));
    all.addAll(args);
    return git(all);
  }
}
