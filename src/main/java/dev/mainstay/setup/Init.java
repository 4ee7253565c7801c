package dev.mainstay.setup;

import dev.mainstay.domain.AgentName;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.setup.Agent.Scope;
import dev.mainstay.trust.GitIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides what {@code mainstay init} writes into a project, or takes out of it again. */
public final class Init {
  private static final String NOTES = ".mainstay";
  private static final String USER_NOTES = ".config/mainstay";

  private final Path folder;
  private final Map<String, String> env;

  /** In a project's folder; programs and the person's own files are found by the environment. */
  public Init(Path folder, Map<String, String> env) {
    this.folder = folder;
    this.env = Map.copyOf(env);
  }

  /**
   * What is asked for: agents by name, or none for those that are found; the person's own files in
   * place of the project's; a folder for a plugin of Claude Code in place of its hooks; the files
   * that a team shares, without the question about those that git tracks.
   */
  public record Wish(
      List<String> agents, boolean undo, boolean user, @Nullable Path plugin, boolean shared) {
    public Wish {
      agents = List.copyOf(agents);
      if (plugin != null && !agents.equals(List.of(AgentName.CLAUDE_CODE))) {
        throw Refusal.invalid("--plugin is for Claude Code; say --agent claude-code beside it");
      }
      if (plugin != null && user) {
        throw Refusal.invalid("a plugin has a folder of its own; leave --user out");
      }
      if (shared && user) {
        throw Refusal.invalid("--user writes your own files, which no team shares; leave one out");
      }
    }

    /** The same without what a team shares. */
    Wish(List<String> agents, boolean undo, boolean user, @Nullable Path plugin) {
      this(agents, undo, user, plugin, false);
    }

    Scope scope() {
      if (user) return Scope.USER;
      return shared ? Scope.SHARED : Scope.PROJECT;
    }
  }

  /** Whether a program of that name would be started. */
  public boolean hasProgram(String name) {
    for (String place : env.getOrDefault("PATH", "").split(":")) {
      try {
        Path program = Path.of(place).resolve(name);
        if (!place.isEmpty() && Files.isRegularFile(program) && Files.isExecutable(program)) {
          return true;
        }
      } catch (InvalidPathException noFolder) {
        continue;
      }
    }
    return false;
  }

  /** Reads all files and decides; nothing is written, and what cannot be read is refused. */
  public Plan plan(Wish wish) {
    Scope scope = wish.scope();
    List<Agent> agents = agents(wish);
    List<Part> parts = new ArrayList<>();
    Part main = main(scope);
    parts.add(main);
    if (wish.plugin() != null) parts.add(plugin(wish.plugin(), wish.undo(), main));
    else if (wish.undo()) undo(agents, main.draft(), scope, wish.agents().isEmpty());
    else wire(agents, main.draft(), scope);
    List<String> tracked = scope == Scope.PROJECT ? tracked(main.draft()) : List.of();
    return new Plan(agents, parts, next(wish, agents, scope), tracked);
  }

  private List<String> tracked(Draft draft) {
    return draft.changes().stream()
        .map(FileChange::path)
        .filter(path -> GitIndex.isTracked(folder.resolve(path)))
        .toList();
  }

  private static List<String> next(Wish wish, List<Agent> agents, Scope scope) {
    if (wish.undo()) return List.of();
    if (wish.plugin() == null) return agents.stream().map(agent -> agent.next(scope)).toList();
    return List.of(
        Phrase.of(
            "start claude --plugin-dir %s in this folder, trust the folder, and ask it something",
            wish.plugin()));
  }

  private Part main(Scope scope) {
    String home = env.getOrDefault("HOME", "");
    boolean known = !home.isEmpty() && Files.isDirectory(Path.of(home));
    if (scope != Scope.USER) {
      if (known && isSame(folder, Path.of(home))) {
        throw Refusal.invalid(
            "this folder is your home, whose files count for all projects; go to a project's folder, or say --user");
      }
      return Part.of("", folder, folder.resolve(NOTES));
    }
    if (!known) {
      throw Refusal.invalid("HOME does not name a folder, so your own files are not known; set it");
    }
    return Part.of("~/", Path.of(home), Path.of(home).resolve(USER_NOTES));
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static void wire(List<Agent> agents, Draft draft, Scope scope) {
    for (Agent agent : agents) agent.wire(draft, scope);
    if (scope != Scope.USER && !agents.isEmpty()) Instructions.put(draft);
  }

  /** The words that all agents share stay as long as one of them may need them. */
  private static void undo(List<Agent> agents, Draft draft, Scope scope, boolean all) {
    for (Agent agent : agents) agent.unwire(draft, scope);
    if (scope != Scope.USER && all) Instructions.remove(draft);
  }

  private static Part plugin(Path folder, boolean undo, Part main) {
    Path absolute = folder.toAbsolutePath().normalize();
    Part part = Part.ofOwn(folder + "/", absolute);
    ClaudeCode claude = new ClaudeCode();
    if (undo) {
      claude.unwirePlugin(part.draft());
      claude.unwire(main.draft(), Scope.PROJECT);
      return part;
    }
    claude.wirePlugin(part.draft());
    claude.unwireButWords(main.draft(), Scope.PROJECT);
    claude.putWords(main.draft(), Scope.PROJECT);
    Instructions.put(main.draft());
    return part;
  }

  private List<Agent> agents(Wish wish) {
    if (!wish.agents().isEmpty())
      return wish.agents().stream().map(Init::named).distinct().toList();
    if (wish.undo()) return Agent.ALL;
    List<Agent> found = Agent.ALL.stream().filter(agent -> isFound(agent, wish.user())).toList();
    if (!found.isEmpty()) return found;
    throw Refusal.notFound(
        Phrase.of(
            "no agent was found: none of claude, codex, gemini and opencode is on the PATH, and the project has no files of theirs; name one with --agent (%s)",
            String.join(", ", AgentName.WIRED)));
  }

  private static Agent named(String name) {
    return Agent.ALL.stream()
        .filter(agent -> agent.name().equals(AgentName.of(name)))
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.invalid(
                    Phrase.of(
                        "\"%s\" is no agent that can be wired; there are %s%s",
                        name,
                        String.join(", ", AgentName.WIRED),
                        Nearest.hint(name, AgentName.WIRED))));
  }

  private boolean isFound(Agent agent, boolean user) {
    boolean used =
        !user
            && agent.about().signs().stream()
                .anyMatch(sign -> Files.exists(folder.resolve(sign), LinkOption.NOFOLLOW_LINKS));
    return used || hasProgram(agent.about().program());
  }
}
