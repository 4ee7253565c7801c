package dev.mainstay.setup;

import dev.mainstay.domain.AgentName;
import java.util.List;

/** A coding agent: how it is found, and what Mainstay writes into its files. */
interface Agent {
  /** All that can be wired, in the order of {@link AgentName#WIRED}. */
  List<Agent> ALL = List.of(new ClaudeCode(), new Codex(), new GeminiCli(), new Opencode());

  /**
   * Which files: the project's with the hooks of one person where the agent has a file for those,
   * the project's with the hooks of the team, or those of one person for all projects.
   */
  enum Scope {
    PROJECT,
    SHARED,
    USER
  }

  /**
   * Which agent it is.
   *
   * @param name as {@code --agent} takes it
   * @param title as people call it
   * @param program the one that starts it
   * @param signs files or folders that a project has when somebody uses the agent in it
   */
  record About(String name, String title, String program, List<String> signs) {}

  About about();

  default String name() {
    return about().name();
  }

  void wire(Draft draft, Scope scope);

  void unwire(Draft draft, Scope scope);

  /** What the person must do or agree to before it works. */
  String next(Scope scope);
}
